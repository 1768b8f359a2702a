//! A terminating tableau for hybrid logic with `@` and the universal modality.
//!
//! Worlds carry sets of formulas. Nominals that meet at a world make worlds one; what is true
//! everywhere is put everywhere; a diamond makes a world unless an earlier world already has all
//! the formulas of the one it stands in (without converse modalities, anywhere blocking by
//! inclusion is enough). A disjunction with a side that what is known contradicts is no choice; the others
//! are tried one after the other on copies.

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};

use crate::formula::Formula;

/// An open branch: the worlds that count, with their formulas.
#[derive(Debug, Clone, Default)]
pub(crate) struct Branch {
    pub(crate) labels: Vec<BTreeSet<Formula>>,
    /// Arrows: relation, from, to.
    pub(crate) arrows: Vec<(usize, usize, usize)>,
    pub(crate) nominals: Vec<usize>,
    pub(crate) here: usize,
}

#[derive(Clone)]
struct Tableau {
    labels: Vec<BTreeSet<Formula>>,
    /// The world that a world has become.
    same: Vec<usize>,
    arrows: BTreeSet<(usize, usize, usize)>,
    nominals: Vec<Option<usize>>,
    everywhere: BTreeSet<Formula>,
    /// Worlds and formulas that are not worked off yet.
    waiting: Vec<(usize, Formula)>,
    /// Disjunctions not decided yet.
    choices: Vec<(usize, Formula)>,
}

/// What disjunctions ask for.
enum Next {
    /// Both sides of one contradict what is known.
    Closed,
    /// Some have only one side left, which now waits.
    Forced,
    /// One of two formulas at a world.
    Choice(usize, Formula, Formula),
    Nothing,
}

/// The most worlds of a branch.
const MOST_WORLDS: usize = 2_000;

/// An open branch for formulas in normal form that are to be true at one world, if there is one.
pub(crate) fn open_branch(
    formulas: &[Formula],
    nominals: usize,
    budget: &Budget,
) -> Result<Option<Branch>, Stop> {
    let mut start = Tableau {
        labels: vec![BTreeSet::new()],
        same: vec![0],
        arrows: BTreeSet::new(),
        nominals: vec![None; nominals],
        everywhere: BTreeSet::new(),
        waiting: formulas
            .iter()
            .rev()
            .map(|formula| (0, formula.clone()))
            .collect(),
        choices: Vec::new(),
    };
    // Every nominal has a world.
    for nominal in 0..nominals {
        let world = start.world();
        start.waiting.push((world, Formula::Nominal(nominal)));
    }
    let mut branches = vec![start];
    while let Some(mut branch) = branches.pop() {
        budget.charge(1)?;
        if !branch.saturate(budget)? {
            continue;
        }
        match branch.next_choice() {
            Next::Closed => continue,
            Next::Forced => {
                branches.push(branch);
                continue;
            }
            Next::Choice(world, one, other) => {
                let mut second = branch.clone();
                // Where the first was tried without success it is false.
                second
                    .waiting
                    .extend(opposite(&one).map(|one| (world, one)));
                second.waiting.push((world, other));
                branches.push(second);
                branch.waiting.push((world, one));
                branches.push(branch);
                continue;
            }
            Next::Nothing => {}
        }
        if !branch.expand() {
            return Ok(Some(branch.finished()));
        }
        if branch.labels.len() > MOST_WORLDS {
            return Err(Stop::bound("worlds", MOST_WORLDS as u64));
        }
        branches.push(branch);
    }
    Ok(None)
}

impl Tableau {
    fn world(&mut self) -> usize {
        self.labels.push(BTreeSet::new());
        self.same.push(self.same.len());
        let world = self.labels.len() - 1;
        self.waiting.extend(
            self.everywhere
                .iter()
                .map(|formula| (world, formula.clone())),
        );
        world
    }

    fn find(&self, mut world: usize) -> usize {
        while self.same[world] != world {
            world = self.same[world];
        }
        world
    }

    fn live(&self) -> Vec<usize> {
        (0..self.labels.len())
            .filter(|world| self.same[*world] == *world)
            .collect()
    }

    /// Works off all that needs no choice; `false` if the branch closes.
    fn saturate(&mut self, budget: &Budget) -> Result<bool, Stop> {
        while let Some((world, formula)) = self.waiting.pop() {
            budget.charge(1)?;
            let world = self.find(world);
            if !self.labels[world].insert(formula.clone()) {
                continue;
            }
            if self.clashes(world, &formula) {
                return Ok(false);
            }
            match formula {
                Formula::And(one, other) => self.waiting.extend([(world, *one), (world, *other)]),
                Formula::Or(..) => self.choices.push((world, formula)),
                Formula::Nominal(nominal) => {
                    match self.nominals[nominal].map(|other| self.find(other)) {
                        Some(other) if other != world => self.merge(other, world),
                        _ => self.nominals[nominal] = Some(world),
                    }
                }
                Formula::At(nominal, inner) => {
                    let named = match self.nominals[nominal] {
                        Some(named) => self.find(named),
                        None => {
                            let named = self.world();
                            self.waiting.push((named, Formula::Nominal(nominal)));
                            named
                        }
                    };
                    self.waiting.push((named, *inner));
                }
                Formula::Everywhere(inner) => self.spread(*inner),
                Formula::Every(relation, inner) => {
                    let targets: Vec<usize> = self.after(world, relation).collect();
                    self.waiting
                        .extend(targets.into_iter().map(|to| (to, (*inner).clone())));
                }
                // Diamonds wait until nothing else is left.
                _ => {}
            }
        }
        Ok(true)
    }

    /// Whether a formula just noted contradicts another one of its world, or itself.
    fn clashes(&self, world: usize, formula: &Formula) -> bool {
        let label = &self.labels[world];
        match formula {
            Formula::Constant(value) => !value,
            Formula::Not(inner) => label.contains(inner),
            Formula::Base(_) | Formula::Nominal(_) => {
                label.contains(&Formula::Not(Box::new(formula.clone())))
            }
            _ => false,
        }
    }

    /// Puts a formula into all worlds, now and later.
    fn spread(&mut self, formula: Formula) {
        let live = self.live();
        self.waiting
            .extend(live.into_iter().map(|world| (world, formula.clone())));
        self.everywhere.insert(formula);
    }

    fn after(&self, world: usize, relation: usize) -> impl Iterator<Item = usize> + '_ {
        let all = self
            .arrows
            .range((relation, world, 0)..=(relation, world, usize::MAX));
        all.map(|(_, _, to)| self.find(*to))
    }

    /// Two worlds are one: the younger becomes the older.
    fn merge(&mut self, one: usize, other: usize) {
        let (keep, drop) = (one.min(other), one.max(other));
        self.same[drop] = keep;
        let formulas = std::mem::take(&mut self.labels[drop]);
        // All of them are worked off again where they are now.
        let own = std::mem::take(&mut self.labels[keep]);
        self.waiting.extend(
            formulas
                .into_iter()
                .chain(own)
                .map(|formula| (keep, formula)),
        );
        let arrows = std::mem::take(&mut self.arrows);
        let moved = |world: usize| if world == drop { keep } else { world };
        self.arrows = arrows
            .into_iter()
            .map(|(relation, from, to)| (relation, moved(from), moved(to)))
            .collect();
        // Boxes of worlds before the merged one hold of it by now; boxes of it are worked off again.
    }

    /// What the disjunctions ask for next; those that are true by now are forgotten.
    fn next_choice(&mut self) -> Next {
        let (mut open, mut forced) = (Vec::new(), Vec::new());
        for (world, choice) in std::mem::take(&mut self.choices) {
            let world = self.find(world);
            let Formula::Or(one, other) = &choice else {
                continue;
            };
            match (self.value(world, one), self.value(world, other)) {
                (Some(true), _) | (_, Some(true)) => {}
                (Some(false), Some(false)) => return Next::Closed,
                (Some(false), None) => forced.push((world, (**other).clone())),
                (None, Some(false)) => forced.push((world, (**one).clone())),
                (None, None) => open.push((world, choice)),
            }
        }
        self.choices = open;
        if !forced.is_empty() {
            self.waiting.append(&mut forced);
            return Next::Forced;
        }
        match self.choices.pop() {
            Some((world, Formula::Or(one, other))) => Next::Choice(world, *one, *other),
            _ => Next::Nothing,
        }
    }

    /// What the formulas of the worlds say of a formula at one of them, as far as that is seen at once.
    fn value(&self, world: usize, formula: &Formula) -> Option<bool> {
        if self.labels[world].contains(formula) {
            return Some(true);
        }
        match formula {
            Formula::Constant(value) => Some(*value),
            Formula::Base(_) | Formula::Nominal(_) | Formula::Not(_) => {
                let opposite = opposite(formula)?;
                self.labels[world].contains(&opposite).then_some(false)
            }
            Formula::And(one, other) => match self.value(world, one) {
                Some(true) => self.value(world, other),
                Some(false) => Some(false),
                None => self.value(world, other).filter(|value| !value),
            },
            Formula::Or(one, other) => match self.value(world, one) {
                Some(false) => self.value(world, other),
                Some(true) => Some(true),
                None => self.value(world, other).filter(|value| *value),
            },
            Formula::At(nominal, inner) => {
                let named = self.find(self.nominals[*nominal]?);
                self.value(named, inner)
            }
            Formula::Everywhere(inner) if self.everywhere.contains(inner) => Some(true),
            Formula::Everywhere(inner) => {
                let mut values = self.live().into_iter().map(|at| self.value(at, inner));
                values.any(|value| value == Some(false)).then_some(false)
            }
            Formula::Anywhere(inner) => {
                let mut values = self.live().into_iter().map(|at| self.value(at, inner));
                values.any(|value| value == Some(true)).then_some(true)
            }
            Formula::Every(relation, inner) | Formula::Some(relation, inner) => {
                let some = matches!(formula, Formula::Some(..));
                let mut values = self.after(world, *relation).map(|at| self.value(at, inner));
                values.any(|value| value == Some(some)).then_some(some)
            }
            _ => None,
        }
    }

    /// The first world that has all the formulas of this one, if that is another one.
    fn blocker(&self, world: usize) -> Option<usize> {
        let mut earlier = self.live().into_iter().take_while(|other| *other < world);
        earlier.find(|other| self.labels[world].is_subset(&self.labels[*other]))
    }

    fn is_somewhere(&self, formula: &Formula) -> bool {
        let live = self.live();
        live.iter()
            .any(|world| self.labels[*world].contains(formula))
    }

    /// Makes a world that a diamond asks for; `false` if none is asked for.
    fn expand(&mut self) -> bool {
        for world in self.live() {
            let mut blocked = None;
            for formula in self.labels[world].clone() {
                match formula {
                    Formula::Anywhere(inner) if !self.is_somewhere(&inner) => {
                        let new = self.world();
                        self.waiting.push((new, *inner));
                        return true;
                    }
                    Formula::Some(relation, inner) => {
                        if self
                            .after(world, relation)
                            .any(|to| self.labels[to].contains(&inner))
                        {
                            continue;
                        }
                        if *blocked.get_or_insert_with(|| self.blocker(world).is_some()) {
                            continue;
                        }
                        let new = self.world();
                        self.arrows.insert((relation, world, new));
                        self.waiting.push((new, *inner));
                        let boxes = self.labels[world]
                            .iter()
                            .filter_map(|formula| match formula {
                                Formula::Every(of, inner) if *of == relation => {
                                    Some((new, (**inner).clone()))
                                }
                                _ => None,
                            });
                        let boxes: Vec<_> = boxes.collect();
                        self.waiting.extend(boxes);
                        return true;
                    }
                    _ => {}
                }
            }
        }
        false
    }

    /// The worlds that are not blocked, with arrows to those that block led to the blockers.
    fn finished(&self) -> Branch {
        let live = self.live();
        let stands = |world: usize| {
            let world = self.find(world);
            self.blocker(world).unwrap_or(world)
        };
        let kept: Vec<usize> = live
            .iter()
            .copied()
            .filter(|world| stands(*world) == *world)
            .collect();
        let number = |world: usize| {
            kept.iter()
                .position(|other| *other == stands(world))
                .unwrap_or_default()
        };
        let arrows = self
            .arrows
            .iter()
            .filter(|(_, from, _)| kept.contains(&self.find(*from)));
        Branch {
            labels: kept
                .iter()
                .map(|world| self.labels[*world].clone())
                .collect(),
            arrows: arrows
                .map(|&(relation, from, to)| (relation, number(from), number(to)))
                .collect(),
            nominals: self
                .nominals
                .iter()
                .map(|world| number(world.unwrap_or_default()))
                .collect(),
            here: number(0),
        }
    }
}

/// The opposite of a sentence, a nominal, or the negation of one.
fn opposite(formula: &Formula) -> Option<Formula> {
    match formula {
        Formula::Not(inner) => Some((**inner).clone()),
        Formula::Base(_) | Formula::Nominal(_) => Some(Formula::Not(Box::new(formula.clone()))),
        _ => None,
    }
}
