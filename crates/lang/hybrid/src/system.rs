//! Systems that formulas are asked about: worlds and arrows that a file gives.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use quotient_core::{Budget, Diagnostic, Source, Stop};
use quotient_lts::{Actions, ERROR, State, aldebaran};

use crate::formula::{Formula, Sentence};
use crate::truth::{Truth, Worlds};

/// The most worlds.
pub(crate) const MOST_WORLDS: usize = 10_000_000;

/// Worlds and arrows, with what is true where.
#[derive(Debug, Clone, Default)]
pub(crate) struct System {
    pub(crate) worlds: usize,
    /// Where a question is asked.
    pub(crate) initial: usize,
    /// The arrows of each relation.
    pub(crate) arrows: Vec<Vec<(u32, u32)>>,
    /// Where each letter is true.
    pub(crate) letters: Vec<BTreeSet<usize>>,
    /// The world of each nominal, if it has one.
    pub(crate) nominals: Vec<Option<usize>>,
    /// Whether a file gives worlds numbers instead of names.
    pub(crate) numbered: bool,
    /// The relation that is all others together, if there is one.
    pub(crate) together: Option<usize>,
}

impl System {
    /// How many arrows there are.
    pub(crate) fn size(&self) -> usize {
        let all = self.arrows.iter().map(Vec::len);
        let counted = all.enumerate().filter(|(at, _)| Some(*at) != self.together);
        counted.map(|(_, arrows)| arrows).sum()
    }

    /// A system from an Aldebaran file, with the names of its relations: its labels, and all of
    /// them together as `step`.
    pub(crate) fn aldebaran(source: &Source) -> Result<(System, Vec<String>), Diagnostic> {
        let mut actions = Actions::new();
        let lts = aldebaran::read(source, &mut actions)?;
        let mut names: Vec<String> = Vec::new();
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let mut system = System {
            // The error state is a world like others, the last one.
            worlds: lts.states() + usize::from(lts.has_error()),
            numbered: true,
            ..System::default()
        };
        let place = |state: State| match state {
            ERROR => lts.states() as u32,
            state => state.into(),
        };
        system.initial = place(lts.initial()) as usize;
        let mut all = Vec::new();
        for (from, edge) in lts.all_edges() {
            let relation = *numbers.entry(edge.action.index()).or_insert_with(|| {
                names.push(actions.name(edge.action).to_owned());
                system.arrows.push(Vec::new());
                names.len() - 1
            });
            let arrow = (place(from), place(edge.target));
            system.arrows[relation].push(arrow);
            all.push(arrow);
        }
        if !names.iter().any(|name| name == "step") {
            names.push("step".to_owned());
            system.together = Some(system.arrows.len());
            system.arrows.push(all);
        }
        Ok((system, names))
    }

    /// Notes where a nominal is.
    pub(crate) fn place(&mut self, nominal: usize, world: usize) {
        if self.nominals.len() <= nominal {
            self.nominals.resize(nominal + 1, None);
        }
        self.nominals[nominal] = Some(world);
    }

    /// Notes that a letter is true at a world.
    pub(crate) fn mark(&mut self, letter: usize, world: usize) {
        if self.letters.len() <= letter {
            self.letters.resize(letter + 1, BTreeSet::new());
        }
        self.letters[letter].insert(world);
    }

    /// Adds an arrow.
    pub(crate) fn arrow(&mut self, relation: usize, from: usize, to: usize) {
        if self.arrows.len() <= relation {
            self.arrows.resize(relation + 1, Vec::new());
        }
        self.arrows[relation].push((from as u32, to as u32));
    }

    /// The worlds of nominals, for formulas all of whose nominals have one.
    fn names(&self, formula: &Formula) -> Vec<usize> {
        let mut names: Vec<usize> = self.nominals.iter().map(|one| one.unwrap_or(0)).collect();
        names.resize(names.len().max(formula.sizes().0), 0);
        names
    }

    /// Why a formula cannot be asked here: it speaks of something that the system does not say.
    pub(crate) fn refuses(&self, formula: &Formula, names: &[String]) -> Option<String> {
        let bound = bound(formula);
        let mut found = None;
        formula.visit(&mut |part| match part {
            Formula::Nominal(at) | Formula::At(at, _)
                if !bound.contains(at) && self.nominals.get(*at).copied().flatten().is_none() =>
            {
                let name = names.get(*at).map_or("?", String::as_str);
                found = Some(format!("the nominal `{name}` is no world of the system"));
            }
            Formula::Base(Sentence::Hybrid(_)) => {
                found = Some("a system has letters, and no models inside of its worlds".to_owned());
            }
            Formula::Base(Sentence::Condition(condition))
                if condition.holds(&[], &self.values(0)).is_none() =>
            {
                found = Some("a system has letters, and no numbers".to_owned());
            }
            _ => {}
        });
        found
    }

    /// What is true of the letters at a world.
    fn values(&self, world: usize) -> Vec<bool> {
        let letters = self.letters.iter();
        letters.map(|worlds| worlds.contains(&world)).collect()
    }

    /// The worlds where a formula is true, all at once, from its parts up.
    pub(crate) fn true_at(&self, formula: &Formula, budget: &Budget) -> Result<Vec<bool>, Stop> {
        let variables = bound(formula);
        let mut sets = Sets {
            system: self,
            budget,
            closed: HashMap::new(),
            kept: HashMap::new(),
        };
        free(formula, &variables, &mut sets.closed);
        let mut names = self.names(formula);
        sets.of(formula, &mut names).map(|set| set.to_vec())
    }

    /// Whether a formula is true at the initial world, by the definition of truth at a world:
    /// for certificates.
    pub(crate) fn holds(&self, formula: &Formula, budget: &Budget) -> Result<bool, Stop> {
        Truth::new(self, formula, budget).holds(formula, self.initial, &mut self.names(formula))
    }
}

impl Worlds for System {
    fn count(&self) -> usize {
        self.worlds
    }

    fn arrows(&self, tell: &mut dyn FnMut(usize, usize, usize)) {
        for (relation, arrows) in self.arrows.iter().enumerate() {
            for &(from, to) in arrows {
                tell(relation, from as usize, to as usize);
            }
        }
    }

    fn satisfies(&self, sentence: &Sentence, world: usize, _: &Budget) -> Result<bool, Stop> {
        Ok(match sentence {
            // What a base that is a hybrid logic itself says, a system has no values for.
            Sentence::Hybrid(_) => false,
            Sentence::Condition(condition) => {
                condition.holds(&[], &self.values(world)) == Some(true)
            }
        })
    }
}

/// A name for a part of a formula, as long as the formula stays where it is.
pub(crate) fn address(formula: &Formula) -> usize {
    std::ptr::from_ref(formula) as usize
}

/// The variables of binders and quantifiers.
pub(crate) fn bound(formula: &Formula) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    formula.visit(&mut |part| {
        if let Formula::ForAll(at, _) | Formula::Here(at, _) = part {
            found.insert(*at);
        }
    });
    found
}

/// The variables that a formula leaves open, and of each part whether it has none.
pub(crate) fn free(
    formula: &Formula,
    variables: &BTreeSet<usize>,
    closed: &mut HashMap<usize, bool>,
) -> BTreeSet<usize> {
    let own = |at: &usize| variables.get(at).copied().into_iter().collect();
    let mut open: BTreeSet<usize> = match formula {
        Formula::Nominal(at) | Formula::At(at, _) => own(at),
        _ => BTreeSet::new(),
    };
    match formula {
        Formula::Constant(_) | Formula::Base(_) | Formula::Nominal(_) => {}
        Formula::And(one, other) | Formula::Or(one, other) => {
            open.extend(free(one, variables, closed));
            open.extend(free(other, variables, closed));
        }
        Formula::Not(inner)
        | Formula::At(_, inner)
        | Formula::Some(_, inner)
        | Formula::Every(_, inner)
        | Formula::Anywhere(inner)
        | Formula::Everywhere(inner) => open.extend(free(inner, variables, closed)),
        Formula::ForAll(at, inner) | Formula::Here(at, inner) => {
            open.extend(free(inner, variables, closed));
            open.remove(at);
        }
    }
    closed.insert(address(formula), open.is_empty());
    open
}

/// Sets of worlds, from parts to the whole.
struct Sets<'a> {
    system: &'a System,
    budget: &'a Budget,
    closed: HashMap<usize, bool>,
    kept: HashMap<usize, Rc<Vec<bool>>>,
}

impl Sets<'_> {
    fn of(&mut self, formula: &Formula, names: &mut Vec<usize>) -> Result<Rc<Vec<bool>>, Stop> {
        let key = address(formula);
        if let Some(set) = self.kept.get(&key) {
            return Ok(set.clone());
        }
        let set = Rc::new(self.made(formula, names)?);
        if self.closed.get(&key) == Some(&true) {
            self.kept.insert(key, set.clone());
        }
        Ok(set)
    }

    fn made(&mut self, formula: &Formula, names: &mut Vec<usize>) -> Result<Vec<bool>, Stop> {
        let worlds = self.system.worlds;
        self.budget.charge(worlds as u64 / 8 + 1)?;
        let all = |value: bool| vec![value; worlds];
        Ok(match formula {
            Formula::Constant(value) => all(*value),
            Formula::Base(Sentence::Hybrid(_)) => all(false),
            Formula::Base(Sentence::Condition(condition)) => {
                let value = |world| condition.holds(&[], &self.system.values(world));
                (0..worlds)
                    .map(|world| value(world) == Some(true))
                    .collect()
            }
            Formula::Nominal(at) => {
                let mut set = all(false);
                set[names[*at]] = true;
                set
            }
            Formula::Not(inner) => self.of(inner, names)?.iter().map(|one| !one).collect(),
            Formula::And(one, other) | Formula::Or(one, other) => {
                let (one, other) = (self.of(one, names)?, self.of(other, names)?);
                let both = matches!(formula, Formula::And(..));
                let pairs = one.iter().zip(other.iter());
                pairs
                    .map(|(one, other)| if both { *one && *other } else { *one || *other })
                    .collect()
            }
            Formula::At(at, inner) => all(self.of(inner, names)?[names[*at]]),
            Formula::Some(relation, inner) | Formula::Every(relation, inner) => {
                let some = matches!(formula, Formula::Some(..));
                let inner = self.of(inner, names)?;
                let arrows = self.system.arrows.get(*relation).map_or(&[][..], |all| all);
                self.budget.charge(arrows.len() as u64 / 8)?;
                let mut set = all(!some);
                for &(from, to) in arrows {
                    if inner[to as usize] == some {
                        set[from as usize] = some;
                    }
                }
                set
            }
            Formula::Anywhere(inner) => all(self.of(inner, names)?.contains(&true)),
            Formula::Everywhere(inner) => all(!self.of(inner, names)?.contains(&false)),
            Formula::Here(at, inner) => {
                let mut set = all(false);
                for (world, one) in set.iter_mut().enumerate() {
                    names[*at] = world;
                    *one = self.of(inner, names)?[world];
                }
                set
            }
            Formula::ForAll(at, inner) => {
                let mut set = all(true);
                for value in 0..worlds {
                    names[*at] = value;
                    let inner = self.of(inner, names)?;
                    for (one, inner) in set.iter_mut().zip(inner.iter()) {
                        *one &= inner;
                    }
                }
                set
            }
        })
    }
}
