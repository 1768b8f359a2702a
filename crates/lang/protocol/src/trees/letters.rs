//! The letters of a tree: the joint values that a process may have, and the alphabets in which
//! some processes are marked.

use std::sync::Arc;

use quotient_core::{Budget, Diagnostic, Trouble};
use quotient_trees::{Alphabet, Symbol};

use crate::compile::{Known, product};
use crate::model::{Action, Assigned, Chosen, Expr, Initial, Protocol, Step, Value, Who};

/// More joint values than this are not tried.
const MOST_TRIED: usize = 200_000;
/// More letters than this make automata of trees too large.
const MOST_LETTERS: usize = 200;
/// A process has at most so many children.
pub(super) const MOST_CHILDREN: usize = 2;

/// The joint values of a process, numbered.
#[derive(Debug, Clone)]
pub(super) struct Letters {
    pub(super) values: Vec<Vec<Value>>,
    names: Vec<String>,
    /// How many of them, the first ones, a process may begin with.
    pub(super) initial: usize,
}

impl Letters {
    /// Those that can come about where nobody asks who stands where.
    pub(super) fn of(protocol: &Protocol, budget: &Budget) -> Result<Letters, Trouble> {
        let starts = protocol.fields.iter().map(|field| match &field.initial {
            Initial::Values(values) => values.clone(),
            _ => field.domain.values(),
        });
        let starts: Vec<Vec<Value>> = starts.collect();
        let size = starts.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if size > MOST_LETTERS {
            return Err(too_many(protocol, size));
        }
        let mut letters = Letters {
            values: product(starts),
            names: Vec::new(),
            initial: 0,
        };
        letters.initial = letters.values.len();
        loop {
            let before = letters.values.len();
            for step in &protocol.steps {
                letters.add_those_of(step, budget)?;
                if letters.values.len() > MOST_LETTERS {
                    return Err(too_many(protocol, letters.values.len()));
                }
            }
            if letters.values.len() == before {
                break;
            }
        }
        for values in &letters.values {
            let mut own = name(protocol, values);
            while letters.names.contains(&own) {
                own.push('x');
            }
            letters.names.push(own);
        }
        Ok(letters)
    }

    fn add_those_of(&mut self, step: &Step, budget: &Budget) -> Result<(), Trouble> {
        let each: Vec<usize> = (0..self.values.len()).collect();
        let size = each.len().saturating_pow(step.people.len() as u32);
        let size = choices_of(step).len().saturating_mul(size);
        if size > MOST_TRIED {
            let message = format!("`{}` names too many processes for a tree", step.name);
            return Err(Diagnostic::error("no-trees", message)
                .note("all their joint values are tried together")
                .into());
        }
        let seats = step.may_be_one();
        let mut found: Vec<Vec<Value>> = Vec::new();
        for choices in choices_of(step) {
            for people in product(step.people.iter().map(|_| each.clone())) {
                budget.charge(1)?;
                let known = self.known(&people, &choices);
                if known.value(&step.guard) == Some(0) {
                    continue;
                }
                for actions in &step.alternatives {
                    for own in &seats {
                        if own.iter().all(|&who| people[who] == people[own[0]]) {
                            found.extend(self.after(actions, own, &people, &choices));
                        }
                    }
                }
            }
        }
        for values in found {
            if !self.values.contains(&values) {
                self.values.push(values);
            }
        }
        Ok(())
    }

    /// What is known where these letters stand for the people.
    pub(super) fn known<'a>(&'a self, people: &[usize], choices: &'a [Value]) -> Known<'a> {
        Known {
            globals: None,
            people: (people.iter())
                .map(|&letter| Some(self.values[letter].as_slice()))
                .collect(),
            choices,
        }
    }

    /// What a process may look like after the actions that is these of the people, who have one letter: all is read
    /// before anything changes.
    pub(super) fn after(
        &self,
        actions: &[Action],
        own: &[Who],
        people: &[usize],
        choices: &[Value],
    ) -> Vec<Vec<Value>> {
        let known = self.known(people, choices);
        let mut all: Vec<Vec<Value>> = (own.first().into_iter())
            .map(|&who| self.values[people[who]].clone())
            .collect();
        for action in actions {
            let Action::SetField(owner, field, assigned) = action else {
                continue;
            };
            if !own.contains(owner) {
                continue;
            }
            let values = possible(assigned, &known);
            let each = all.into_iter().flat_map(|before| {
                values.iter().map(move |&value| {
                    let mut after = before.clone();
                    after[*field] = value;
                    after
                })
            });
            all = each.collect();
        }
        all.sort();
        all.dedup();
        all
    }

    /// The number of a letter.
    pub(super) fn number(&self, values: &[Value]) -> Option<usize> {
        self.values.iter().position(|known| known == values)
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The alphabet in which so many processes are marked. The symbol of a letter with some marks
    /// and children is found by [`Letters::symbol`].
    pub(super) fn alphabet(&self, people: usize) -> Arc<Alphabet> {
        let mut alphabet = Alphabet::default();
        for name in &self.names {
            for marks in 0..1usize << people {
                let name = match people {
                    0 => name.clone(),
                    _ => format!("{name}_{marks}"),
                };
                for children in 0..=MOST_CHILDREN {
                    alphabet.add(&name, children);
                }
            }
        }
        Arc::new(alphabet)
    }

    /// The symbol of a letter in the alphabet with so many marks.
    pub(super) fn symbol(letter: usize, marks: usize, people: usize, children: usize) -> Symbol {
        let place = (letter << people) + marks;
        Symbol::from_index(place * (MOST_CHILDREN + 1) + children)
    }

    /// The letter, the marks and the number of children of a symbol.
    pub(super) fn read(symbol: Symbol, people: usize) -> (usize, usize, usize) {
        let place = symbol.index() / (MOST_CHILDREN + 1);
        let children = symbol.index() % (MOST_CHILDREN + 1);
        (place >> people, place & ((1 << people) - 1), children)
    }
}

/// The values that an assignment may give; all are known where all letters are.
fn possible(assigned: &Assigned, known: &Known<'_>) -> Vec<Value> {
    match &assigned.value {
        Chosen::Exactly(expr) => known.value(expr).into_iter().collect(),
        Chosen::AnyOf(values) => values.clone(),
    }
}

/// All joint values that a step may choose.
pub(super) fn choices_of(step: &Step) -> Vec<Vec<Value>> {
    product(step.choices.iter().map(|(_, domain)| domain.values()))
}

/// Whom an assignment speaks of.
pub(super) fn read_by(assigned: &Assigned) -> Vec<Who> {
    match &assigned.value {
        Chosen::Exactly(expr) => Expr::people(expr).collect(),
        Chosen::AnyOf(_) => Vec::new(),
    }
}

fn too_many(protocol: &Protocol, letters: usize) -> Trouble {
    let message = format!("a process of this tree has at least {letters} joint values");
    Diagnostic::error("too-many-values", message)
        .in_source(&protocol.source)
        .note(format!(
            "at most {MOST_LETTERS} fit into an automaton of trees"
        ))
        .help("make ranges smaller, or merge variables that depend on each other")
        .into()
}

/// A letter as a word that any format of trees can carry.
fn name(protocol: &Protocol, values: &[Value]) -> String {
    use crate::model::Domain;
    let parts = protocol.fields.iter().zip(values).map(|(field, &value)| {
        let shown = protocol.show(&field.domain, value);
        match (&field.domain, value) {
            (Domain::Bool, 0) => format!("no_{}", field.name),
            (Domain::Bool, _) => field.name.clone(),
            (Domain::Range(..), ..0) => format!("{}_minus{}", field.name, value.unsigned_abs()),
            (Domain::Range(..), _) => format!("{}{shown}", field.name),
            _ => shown,
        }
    });
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => "process".to_owned(),
        false => parts.join("_"),
    }
}
