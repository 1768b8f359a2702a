//! A formula that is true of one system and false of the other.
//!
//! States that are the same become one first. Then all are in one block, and blocks part in
//! rounds by what their states can do into blocks of the round before. Two states that part in a
//! round can do something different into blocks that parted earlier, which gives a formula for
//! them made of formulas for those.

use std::collections::VecDeque;

use quotient_core::{Budget, Stop};
use quotient_lts::Relation;
use quotient_lts::evidence::ModalData;
use rustc_hash::{FxHashMap, FxHashSet};

use super::union::Union;
use crate::Action;

/// The parts of a formula that is true of the first system and false of the second, which are
/// not in one block.
pub(super) fn formula(
    union: &Union,
    relation: Relation,
    blocks: &[u32],
    budget: &Budget,
) -> Result<Vec<ModalData>, Stop> {
    let classes = Classes::of(union, relation, blocks, budget)?;
    let [first, second] = union.initial.map(|state| blocks[state.index()]);
    let rounds = classes.rounds(first, second, budget)?;
    let mut writer = Writer {
        union,
        classes: &classes,
        rounds: &rounds,
        parts: Vec::new(),
        numbers: FxHashMap::default(),
        known: FxHashMap::default(),
        budget,
    };
    writer.write((first, second))?;
    Ok(writer.parts)
}

/// The steps of each class of states that are the same.
struct Classes {
    rows: Vec<Vec<(Action, u32)>>,
    /// Whether silent steps inside a block do not count.
    branching: bool,
}

/// What a class can do: an action and the block where it leads.
type Can = Vec<(Action, u32)>;

impl Classes {
    fn of(
        union: &Union,
        relation: Relation,
        blocks: &[u32],
        budget: &Budget,
    ) -> Result<Classes, Stop> {
        let count = blocks.iter().max().map_or(0, |&last| last as usize + 1);
        let mut rows: Vec<Vec<(Action, u32)>> = vec![Vec::new(); count];
        let strong = relation == Relation::Strong;
        for (from, edge) in union.lts.all_edges() {
            let [from, target] = [from, edge.target].map(|state| blocks[state.index()]);
            if strong || !edge.action.is_tau() || from != target {
                rows[from as usize].push((edge.action, target));
            }
        }
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
        }
        let mut classes = Classes {
            rows,
            branching: relation == Relation::Branching,
        };
        if relation == Relation::Weak {
            classes = classes.with_silence(budget)?;
        }
        Ok(classes)
    }

    /// Any silence before and after each step, and as a step.
    fn with_silence(&self, budget: &Budget) -> Result<Classes, Stop> {
        let mut silent: Vec<Vec<u32>> = Vec::new();
        for class in 0..self.rows.len() as u32 {
            let reached = self.silently(class, |_| true, budget)?;
            silent.push(reached.into_iter().map(|(class, _)| class).collect());
        }
        let mut rows = Vec::new();
        for own in &silent {
            let mut row = Vec::new();
            for &before in own {
                row.push((Action::TAU, before));
                for &(action, target) in &self.rows[before as usize] {
                    if !action.is_tau() {
                        row.extend(silent[target as usize].iter().map(|&after| (action, after)));
                    }
                }
            }
            row.sort_unstable();
            row.dedup();
            budget.charge(row.len() as u64 + 1)?;
            rows.push(row);
        }
        Ok(Classes {
            rows,
            branching: false,
        })
    }

    /// All classes that silent steps through some lead to, nearest first, each with the one
    /// before it.
    fn silently(
        &self,
        from: u32,
        through: impl Fn(u32) -> bool,
        budget: &Budget,
    ) -> Result<Vec<(u32, u32)>, Stop> {
        let mut met: FxHashSet<u32> = FxHashSet::from_iter([from]);
        let mut reached = vec![(from, from)];
        let mut todo = VecDeque::from([from]);
        while let Some(class) = todo.pop_front() {
            budget.charge(1)?;
            for &(_, target) in self.silent(class) {
                if through(target) && met.insert(target) {
                    reached.push((target, class));
                    todo.push_back(target);
                }
            }
        }
        Ok(reached)
    }

    fn silent(&self, class: u32) -> impl Iterator<Item = &(Action, u32)> {
        let row = self.rows[class as usize].iter();
        row.take_while(|(action, _)| action.is_tau())
    }

    /// What a class can do into the blocks of a round.
    fn can(&self, class: u32, block_of: &[u32], budget: &Budget) -> Result<Can, Stop> {
        let own = block_of[class as usize];
        let mut can: Can = Vec::new();
        if !self.branching {
            let row = self.rows[class as usize].iter();
            can.extend(row.map(|&(action, target)| (action, block_of[target as usize])));
        } else {
            let inside = |class: u32| block_of[class as usize] == own;
            for (before, _) in self.silently(class, inside, budget)? {
                for &(action, target) in &self.rows[before as usize] {
                    if !action.is_tau() || !inside(target) {
                        can.push((action, block_of[target as usize]));
                    }
                }
            }
        }
        can.sort_unstable();
        can.dedup();
        budget.charge(can.len() as u64 + 1)?;
        Ok(can)
    }

    /// The blocks of each round, until two classes have parted.
    fn rounds(&self, first: u32, second: u32, budget: &Budget) -> Result<Vec<Vec<u32>>, Stop> {
        let mut rounds: Vec<Vec<u32>> = vec![vec![0; self.rows.len()]];
        let mut count = 1;
        loop {
            let last = &rounds[rounds.len() - 1];
            if last[first as usize] != last[second as usize] {
                return Ok(rounds);
            }
            let mut numbers: FxHashMap<(u32, Can), u32> = FxHashMap::default();
            let mut next = Vec::with_capacity(last.len());
            for (class, &block) in (0u32..).zip(last) {
                let can = self.can(class, last, budget)?;
                let fresh = numbers.len() as u32;
                next.push(*numbers.entry((block, can)).or_insert(fresh));
            }
            if numbers.len() == count {
                return Err(Stop::inconclusive("the blocks do not part"));
            }
            count = numbers.len();
            rounds.push(next);
        }
    }
}

/// Two classes, the first of which the formula is to be true of.
type Pair = (u32, u32);

/// How a formula for two classes is made.
#[derive(Debug, Clone)]
struct Plan {
    /// The formula is one for the classes the other way round, negated.
    negated: bool,
    action: Action,
    /// Formulas that hold after the action.
    then: Vec<Pair>,
    /// Formulas that hold during the silent steps before it: one of each list.
    during: Vec<Vec<Pair>>,
}

struct Writer<'a> {
    union: &'a Union,
    classes: &'a Classes,
    rounds: &'a [Vec<u32>],
    parts: Vec<ModalData>,
    numbers: FxHashMap<ModalData, usize>,
    /// The formulas for two classes.
    known: FxHashMap<Pair, usize>,
    budget: &'a Budget,
}

impl Writer<'_> {
    /// Writes a formula for two classes after all that it is made of; with a stack of its own,
    /// since it can be as deep as there are rounds.
    fn write(&mut self, pair: Pair) -> Result<(), Stop> {
        let mut plans: FxHashMap<Pair, Plan> = FxHashMap::default();
        let mut open = vec![pair];
        while let Some(&pair) = open.last() {
            self.budget.charge(1)?;
            if self.known.contains_key(&pair) {
                open.pop();
                continue;
            }
            let plan = match plans.get(&pair) {
                Some(plan) => plan.clone(),
                None => {
                    let plan = self.plan(pair)?;
                    plans.insert(pair, plan.clone());
                    plan
                }
            };
            let needed = plan.then.iter().chain(plan.during.iter().flatten());
            let missing = needed.filter(|needed| !self.known.contains_key(needed));
            let before = open.len();
            open.extend(missing);
            if open.len() == before {
                let number = self.made(&plan);
                self.known.insert(pair, number);
                open.pop();
            }
        }
        // The formula comes last, even if it was made on the way.
        let number = self.known[&pair];
        if number + 1 < self.parts.len() {
            self.parts.truncate(number + 1);
        }
        Ok(())
    }

    /// The round in which two classes part.
    fn parting(&self, (one, other): Pair) -> usize {
        let differ = |round: &Vec<u32>| round[one as usize] != round[other as usize];
        // Once parted they never meet again.
        self.rounds.partition_point(|round| !differ(round))
    }

    fn plan(&self, pair: Pair) -> Result<Plan, Stop> {
        let before = self.parting(pair).saturating_sub(1);
        let block_of = &self.rounds[before];
        let cans = [
            self.classes.can(pair.0, block_of, self.budget)?,
            self.classes.can(pair.1, block_of, self.budget)?,
        ];
        let only = |one: &Can, other: &Can| -> Vec<(Action, u32)> {
            let own = one.iter().filter(|can| other.binary_search(can).is_err());
            own.copied().collect()
        };
        // What the other cannot do at all makes the shortest formula.
        let mut best: Option<Plan> = None;
        for (negated, (one, other)) in [(false, pair), (true, (pair.1, pair.0))] {
            let [own, theirs] = match negated {
                false => [&cans[0], &cans[1]],
                true => [&cans[1], &cans[0]],
            };
            for (action, block) in only(own, theirs).into_iter().take(8) {
                let plan = self.plan_by(one, other, action, block, block_of)?;
                let plan = Plan { negated, ..plan };
                let size =
                    |plan: &Plan| plan.then.len() + plan.during.iter().map(Vec::len).sum::<usize>();
                if best.as_ref().is_none_or(|best| size(&plan) < size(best)) {
                    best = Some(plan);
                }
            }
        }
        best.ok_or_else(|| Stop::inconclusive("the blocks do not part"))
    }

    /// The one can do an action into a block, the other cannot.
    fn plan_by(
        &self,
        one: u32,
        other: u32,
        action: Action,
        block: u32,
        block_of: &[u32],
    ) -> Result<Plan, Stop> {
        let rows = &self.classes.rows;
        let mut plan = Plan {
            negated: false,
            action,
            then: Vec::new(),
            during: Vec::new(),
        };
        let leads = |class: u32| {
            let mut row = rows[class as usize].iter();
            row.find(|step| step.0 == action && block_of[step.1 as usize] == block)
        };
        let mut targets: Vec<u32> = Vec::new();
        let mut target = leads(one).map(|step| step.1);
        if self.classes.branching {
            let own = block_of[one as usize];
            let inside = |class: u32| block_of[class as usize] == own;
            // The way of the one to where it does the action.
            let reached = self.classes.silently(one, inside, self.budget)?;
            let last = reached.iter().find(|(class, _)| leads(*class).is_some());
            let mut way: Vec<u32> = last.map(|(class, _)| *class).into_iter().collect();
            target = way
                .first()
                .and_then(|&class| leads(class))
                .map(|step| step.1);
            while let Some(&class) = way.last()
                && class != one
            {
                let before = reached.iter().find(|(reached, _)| *reached == class);
                way.extend(before.map(|(_, before)| *before));
            }
            // Where the other gets by silent steps inside the block, and where it leaves it.
            let mut exits: Vec<u32> = Vec::new();
            for (class, _) in self.classes.silently(other, inside, self.budget)? {
                for &(own, next) in &rows[class as usize] {
                    if own == action {
                        targets.push(next);
                    }
                    if own.is_tau() && !inside(next) {
                        exits.push(next);
                    }
                }
            }
            if action.is_tau() {
                targets.push(other);
            }
            exits.sort_unstable();
            exits.dedup();
            for exit in exits {
                let beyond = self.classes.silently(exit, |_| true, self.budget)?;
                let mut all = beyond.iter().flat_map(|(class, _)| &rows[*class as usize]);
                if action.is_tau() || all.any(|step| step.0 == action) {
                    plan.during.push(way.iter().map(|&on| (on, exit)).collect());
                }
            }
        } else {
            let row = rows[other as usize].iter();
            targets.extend(row.filter(|step| step.0 == action).map(|step| step.1));
        }
        let target = target.ok_or_else(|| Stop::inconclusive("the blocks do not part"))?;
        targets.sort_unstable();
        targets.dedup();
        plan.then = targets.into_iter().map(|other| (target, other)).collect();
        Ok(plan)
    }

    /// Writes the formula of a plan whose parts are written.
    fn made(&mut self, plan: &Plan) -> usize {
        let all = |pairs: &[Pair], known: &FxHashMap<Pair, usize>| -> Vec<usize> {
            let mut all: Vec<usize> = pairs.iter().map(|pair| known[pair]).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let then = all(&plan.then, &self.known);
        let then = self.all(then);
        let name = self.union.name(plan.action);
        let step = match self.classes.branching {
            false => ModalData::Can(name, then),
            true => {
                let mut during = Vec::new();
                for choice in &plan.during {
                    let choice = all(choice, &self.known);
                    during.push(match choice[..] {
                        [one] => one,
                        _ => self.part(ModalData::Some(choice)),
                    });
                }
                during.sort_unstable();
                during.dedup();
                let during = self.all(during);
                ModalData::Until(during, name, then)
            }
        };
        let step = self.part(step);
        match plan.negated {
            false => step,
            true => self.part(ModalData::Not(step)),
        }
    }

    fn all(&mut self, parts: Vec<usize>) -> usize {
        match parts[..] {
            [one] => one,
            _ => self.part(ModalData::All(parts)),
        }
    }

    /// The number of a part, each written once.
    fn part(&mut self, part: ModalData) -> usize {
        if let Some(&number) = self.numbers.get(&part) {
            return number;
        }
        self.numbers.insert(part.clone(), self.parts.len());
        self.parts.push(part);
        self.parts.len() - 1
    }
}
