//! Quorums: sets of processes so large that they have a process in common.
//!
//! Where a transition asks that many processes satisfy something, the system is given two more
//! arrays: whether that was ever so for the process that asked, and who it was the last time. They
//! change nothing of what the system does. But as the set was once as large as was asked, and is
//! kept as it was, two such sets have a member in common wherever their sizes add up to more than
//! there are processes; and one that is not among some few, wherever they add up to more than
//! there are processes and those few. This is what the [`Axiom`]s say; each comes with the number
//! that must be positive for it.

use crate::{
    Amount, Axiom, Domain, EnumerationId, Formula, Place, Relation, System, Term, Update, Value,
    Variable, VariableId,
};

/// A set of processes that was once large.
struct Kind {
    /// The array that says whether it was, and its index if it has one.
    large: VariableId,
    owned: bool,
    members: VariableId,
    size: Amount,
    /// The step that asked, and what it asked of those that were counted.
    asked: (String, Formula),
}

impl System {
    /// The system with what there is to know about large sets of processes.
    #[must_use]
    pub fn with_quorums(&self) -> System {
        let mut system = self.clone();
        let mut kinds: Vec<Kind> = Vec::new();
        for transition in 0..self.transitions.len() {
            let guard = &self.transitions[transition].guard;
            for (body, size) in large_sets(guard) {
                if self.is_constant(size)
                    && let Some(kind) = system.remember(transition, body, size, &kinds)
                {
                    kinds.push(kind);
                }
            }
        }
        if kinds.is_empty() {
            return system;
        }
        // Sets that are never large: they are small in every state.
        let mut small: Vec<(Formula, Amount)> = Vec::new();
        for (body, bound) in few(&self.always) {
            if self.is_constant(bound) {
                small.push((body.clone(), bound.clone()));
            }
        }
        for (number, one) in kinds.iter().enumerate() {
            system.axioms.push(common(&[one], None));
            for few in &small {
                system.axioms.push(common(&[one], Some(few)));
            }
            for two in &kinds[number..] {
                system.axioms.push(common(&[one, two], None));
                for few in &small {
                    system.axioms.push(common(&[one, two], Some(few)));
                }
            }
        }
        system
    }

    /// What is known of the number of processes and of numbers that never change: each is not
    /// negative.
    pub fn sizes(&self) -> Vec<Amount> {
        let mut sizes = Vec::new();
        let mut left = vec![&self.start.formula];
        while let Some(formula) = left.pop() {
            match formula {
                Formula::And(parts) => left.extend(parts),
                Formula::Enough(amount) if self.is_constant(amount) => sizes.push(amount.clone()),
                _ => {}
            }
        }
        sizes
    }

    /// Whether a number is the same in all states of a run.
    fn is_constant(&self, amount: &Amount) -> bool {
        amount.cells.iter().all(|(_, place)| {
            let updates = self.transitions.iter().flat_map(|one| &one.updates);
            place.at.is_empty() && updates.clone().all(|one| one.variable != place.variable)
        })
    }

    /// Adds arrays that remember a set; nothing if it depends on more than one process. Transitions that
    /// are one step, with different values chosen, remember the same set in the same arrays.
    fn remember(
        &mut self,
        transition: usize,
        body: &Formula,
        size: &Amount,
        known: &[Kind],
    ) -> Option<Kind> {
        let asking = self.transitions[transition].processes;
        let mut spoken = Vec::new();
        places(body, &mut spoken)?;
        spoken.retain(|place| *place != asking);
        spoken.sort_unstable();
        spoken.dedup();
        let owner = match spoken[..] {
            [] => None,
            [one] => Some(one),
            _ => return None,
        };
        let name = self.transitions[transition].name.clone();
        let arity = usize::from(owner.is_some());
        let asked = (name, body.moved(&|place| usize::from(place == asking)));
        let same = |kind: &&Kind| {
            kind.asked == asked && kind.size == *size && kind.owned == owner.is_some()
        };
        let again = known.iter().find(same);
        let (large, members) = match again {
            Some(kind) => (kind.large, kind.members),
            None => {
                let (name, number) = (&asked.0, self.variables.len());
                let truth = self.truth();
                let large = format!("{name} was possible ({number})");
                let members = format!("{name} counted ({number})");
                self.variables.push(Variable::array(large, arity, truth));
                self.variables
                    .push(Variable::array(members, arity + 1, truth));
                (
                    VariableId::from_index(number),
                    VariableId::from_index(number + 1),
                )
            }
        };
        let updates = &self.transitions[transition].updates;
        if updates.iter().any(|update| update.variable == large) {
            return None;
        }
        // The index of an array comes after the processes of the transition.
        let own = |index: usize| match owner {
            None => Formula::TRUE,
            Some(owner) => {
                Formula::Compare(Term::Process(index), Relation::Same, Term::Process(owner))
            }
        };
        let is = |value: usize| Value::Is(Term::Constant(value));
        let counted = body.moved(&|place| match place == asking {
            true => asking + arity,
            false => place,
        });
        self.transitions[transition].updates.extend([
            Update {
                variable: large,
                cases: vec![(own(asking), is(1))],
            },
            Update {
                variable: members,
                cases: vec![
                    (Formula::And(vec![own(asking), counted]), is(1)),
                    (own(asking), is(0)),
                ],
            },
        ]);
        if again.is_some() {
            return None;
        }
        self.nothing_yet(large, members, arity);
        Some(Kind {
            large,
            owned: owner.is_some(),
            members,
            size: size.clone(),
            asked,
        })
    }

    /// At the start nothing was ever large.
    fn nothing_yet(&mut self, large: VariableId, members: VariableId, arity: usize) {
        let no = |variable: VariableId, at: Vec<usize>| {
            let cell = Term::Cell(Place { variable, at });
            Formula::Compare(cell, Relation::Same, Term::Constant(0))
        };
        let mut all = vec![std::mem::take(&mut self.start.formula)];
        // A start speaks of every process, as its process 0.
        self.start.processes = self.start.processes.max(1);
        all.push(no(large, vec![0; arity]));
        all.push(no(members, vec![0; arity + 1]));
        if arity == 1 {
            let other = self.start.processes;
            let other = no(members, vec![0, other]);
            all.push(Formula::ForallOther(Box::new(other)));
            for one in 1..self.start.processes {
                all.push(no(members, vec![0, one]));
            }
        }
        self.start.formula = Formula::And(all);
    }

    /// Truth values.
    fn truth(&mut self) -> Domain {
        let truth = ["false".to_owned(), "true".to_owned()];
        let known = self.enumerations.iter().position(|known| *known == truth);
        Domain::Enumeration(EnumerationId::from_index(known.unwrap_or_else(|| {
            self.enumerations.push(truth.to_vec());
            self.enumerations.len() - 1
        })))
    }
}

/// That large sets have a member in common, perhaps one outside a set of few.
fn common(kinds: &[&Kind], outside: Option<&(Formula, Amount)>) -> Axiom {
    let yes = |variable: VariableId, at: Vec<usize>| {
        let cell = Term::Cell(Place { variable, at });
        Formula::Compare(cell, Relation::Same, Term::Constant(1))
    };
    let processes = kinds.iter().filter(|kind| kind.owned).count();
    let (mut premise, mut conclusion) = (Vec::new(), Vec::new());
    let mut owner = 0;
    for kind in kinds {
        let at = match kind.owned {
            true => {
                owner += 1;
                vec![owner - 1]
            }
            false => Vec::new(),
        };
        premise.push(yes(kind.large, at.clone()));
        conclusion.push(yes(kind.members, [&at[..], &[processes]].concat()));
    }
    // The sizes together, less the processes that there are for each but the first, less the few.
    let mut sum = kinds[0].size.clone();
    for kind in &kinds[1..] {
        sum = sum.plus(&kind.size).plus(&Amount {
            processes: -1,
            ..Amount::default()
        });
    }
    if let Some((body, fewer_than)) = outside {
        // Fewer than a/b are at most (a - 1)/b.
        sum = sum.plus(&fewer_than.times(-1, 1));
        conclusion.push(body.moved(&|_| processes).negated());
    }
    Axiom {
        processes,
        premise: Formula::And(premise),
        conclusion: Formula::And(conclusion),
        positive: sum,
    }
}

/// The large sets that a condition asks for.
fn large_sets(formula: &Formula) -> Vec<(&Formula, &Amount)> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(large_sets).collect(),
        Formula::Many(body, size) => vec![(body, size)],
        _ => Vec::new(),
    }
}

/// The sets that a condition says are small, each of processes by themselves.
fn few(formula: &Formula) -> Vec<(&Formula, &Amount)> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(few).collect(),
        Formula::Few(body, size) => {
            let mut spoken = Vec::new();
            let own = places(body, &mut spoken).is_some() && spoken.iter().all(|one| *one == 0);
            match own {
                true => vec![(body, size)],
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The places that a formula without quantifiers speaks of; nothing if it has some.
fn places(formula: &Formula, spoken: &mut Vec<usize>) -> Option<()> {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().try_for_each(|part| places(part, spoken))
        }
        Formula::Compare(left, _, right) => {
            for term in [left, right] {
                match term {
                    Term::Cell(place) => spoken.extend(&place.at),
                    Term::Process(one) => spoken.push(*one),
                    Term::Constant(_) => {}
                    Term::Sum(parts, _) => {
                        spoken.extend(parts.iter().flat_map(|(_, place)| &place.at));
                    }
                }
            }
            Some(())
        }
        _ => None,
    }
}

impl Formula {
    /// A formula without quantifiers about other places.
    #[must_use]
    pub fn moved(&self, to: &dyn Fn(usize) -> usize) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(|part| part.moved(to)).collect();
        let place = |place: &Place| Place {
            variable: place.variable,
            at: place.at.iter().map(|one| to(*one)).collect(),
        };
        let term = |term: &Term| match term {
            Term::Cell(one) => Term::Cell(place(one)),
            Term::Process(one) => Term::Process(to(*one)),
            Term::Constant(value) => Term::Constant(*value),
            Term::Sum(parts, constant) => {
                let parts = parts.iter().map(|(factor, one)| (*factor, place(one)));
                Term::Sum(parts.collect(), *constant)
            }
        };
        match self {
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Compare(left, relation, right) => {
                Formula::Compare(term(left), *relation, term(right))
            }
            other => other.clone(),
        }
    }
}
