//! Pathways as plain data, and what reactions do.

use std::collections::BTreeMap;

use quotient_core::Span;
use quotient_logic::Formula;

use crate::runs::Atom;

/// A pathway: what is there at the start, how it reacts, and what is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pathway {
    pub(crate) title: Option<String>,
    /// Whether the order of molecules in a complex has no meaning.
    pub(crate) commutative: bool,
    pub(crate) species: Vec<Species>,
    /// In the order of the source.
    pub(crate) start: Vec<Portion>,
    pub(crate) reactions: Vec<Reaction>,
    /// The reactions, each in all ways in which its reactants can be there.
    pub(crate) rules: Vec<Rule>,
    pub(crate) questions: Vec<Asked>,
}

/// A molecule, or a complex of several.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Species(pub(crate) Vec<String>);

impl Species {
    /// As the source writes it.
    pub(crate) fn name(&self) -> String {
        self.0.join("*")
    }
}

/// How much of a species is there at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Portion {
    pub(crate) species: usize,
    /// Any amount if there is none.
    pub(crate) amount: Option<u64>,
}

/// A reaction that was seen in the laboratory.
#[derive(Debug, Clone)]
pub(crate) struct Reaction {
    pub(crate) name: String,
    pub(crate) left: Left,
    /// In the order of the source; several of one species are there several times.
    pub(crate) products: Vec<usize>,
    pub(crate) span: Span,
}

/// What reacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Left {
    /// An interaction of molecules, in this order: any two species that make it up react.
    Interaction(Vec<String>),
    /// Exactly these species.
    Gathered(Vec<usize>),
}

/// What a reaction takes and gives, by species.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) reaction: usize,
    pub(crate) take: Vec<(usize, u64)>,
    pub(crate) give: Vec<(usize, u64)>,
}

/// A question with its name.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) question: Question,
    pub(crate) span: Option<Span>,
}

/// What is asked about a pathway.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Question {
    /// Some aggregate that can be derived contains this.
    Can(Aggregate),
    /// This aggregate can be derived, and nothing beside it.
    Exactly(Aggregate),
    /// No aggregate that can be derived contains this.
    Never(Aggregate),
    /// A sum over species has this value in every aggregate.
    Always(Vec<(usize, i64)>, i64),
    /// All that end, end in the same aggregate.
    OneEnd,
    /// All runs fulfil a formula of linear time.
    Runs(Formula<Atom>),
}

/// How much there is of each species.
pub(crate) type Aggregate = Vec<u64>;

impl Rule {
    pub(crate) fn is_enabled(&self, aggregate: &[u64]) -> bool {
        self.take
            .iter()
            .all(|&(species, number)| aggregate[species] >= number)
    }

    /// What is there after the reaction, if it can happen.
    pub(crate) fn fire(&self, aggregate: &[u64]) -> Option<Aggregate> {
        if !self.is_enabled(aggregate) {
            return None;
        }
        let mut next = aggregate.to_vec();
        for &(species, number) in &self.take {
            next[species] -= number;
        }
        for &(species, number) in &self.give {
            next[species] = next[species].checked_add(number)?;
        }
        Some(next)
    }

    /// The least aggregate from which the reaction leads to at least the given one.
    pub(crate) fn before(&self, least: &[u64]) -> Aggregate {
        let mut before = least.to_vec();
        for &(species, number) in &self.give {
            before[species] = before[species].saturating_sub(number);
        }
        for &(species, number) in &self.take {
            before[species] = before[species].saturating_add(number);
        }
        before
    }

    /// What was there before the reaction, if it can lead to exactly the given aggregate.
    pub(crate) fn undo(&self, after: &[u64]) -> Option<Aggregate> {
        let mut before = after.to_vec();
        for &(species, number) in &self.give {
            before[species] = before[species].checked_sub(number)?;
        }
        for &(species, number) in &self.take {
            before[species] = before[species].saturating_add(number);
        }
        Some(before)
    }

    /// By how much the amount of a species changes.
    pub(crate) fn change(&self, species: usize) -> i64 {
        let of = |side: &[(usize, u64)]| {
            let found = side.iter().find(|(one, _)| *one == species);
            found.map_or(0, |&(_, number)| {
                i64::try_from(number).unwrap_or(i64::MAX / 4)
            })
        };
        of(&self.give) - of(&self.take)
    }

    /// Whether a sum is the same before and after it.
    pub(crate) fn keeps(&self, terms: &[(usize, i64)]) -> bool {
        let changes = terms
            .iter()
            .map(|&(one, factor)| i128::from(factor) * i128::from(self.change(one)));
        changes.sum::<i128>() == 0
    }
}

impl Pathway {
    pub(crate) fn species_of(&self, parts: &[String]) -> Option<usize> {
        self.species.iter().position(|one| one.0 == parts)
    }

    /// A species by its name.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        let mut parts: Vec<String> = name.split('*').map(|part| part.trim().to_owned()).collect();
        if self.commutative {
            parts.sort();
        }
        self.species_of(&parts)
    }

    /// The aggregate at the start, with as little as may be.
    pub(crate) fn least_start(&self) -> Aggregate {
        let mut all = vec![0; self.species.len()];
        for portion in &self.start {
            all[portion.species] += portion.amount.unwrap_or(0);
        }
        all
    }

    /// Which species may be there in any amount at the start.
    pub(crate) fn unlimited(&self) -> Vec<bool> {
        let mut all = vec![false; self.species.len()];
        for portion in self.start.iter().filter(|one| one.amount.is_none()) {
            all[portion.species] = true;
        }
        all
    }

    /// The aggregate at the start, if there is only one.
    pub(crate) fn only_start(&self) -> Option<Aggregate> {
        let exact = self.start.iter().all(|portion| portion.amount.is_some());
        exact.then(|| self.least_start())
    }

    /// Whether it may begin with an aggregate.
    pub(crate) fn may_start(&self, aggregate: &[u64]) -> bool {
        let least = self.least_start();
        let unlimited = self.unlimited();
        let fits = |at: usize| match unlimited[at] {
            true => aggregate[at] >= least[at],
            false => aggregate[at] == least[at],
        };
        aggregate.len() == least.len() && (0..least.len()).all(fits)
    }

    /// What a rule takes.
    pub(crate) fn needs(&self, rule: &Rule) -> Aggregate {
        let mut all = vec![0; self.species.len()];
        for &(species, number) in &rule.take {
            all[species] = number;
        }
        all
    }

    /// An aggregate in words.
    pub(crate) fn words(&self, aggregate: &[u64]) -> String {
        let held = self.species.iter().zip(aggregate).filter(|(_, n)| **n > 0);
        let words: Vec<String> = held
            .map(|(species, &number)| match number {
                1 => species.name(),
                _ => format!("{number} {}", species.name()),
            })
            .collect();
        match words.is_empty() {
            true => "nothing".to_owned(),
            false => words.join(" & "),
        }
    }

    /// An aggregate by name, without what is not there.
    pub(crate) fn by_name(&self, aggregate: &[u64]) -> BTreeMap<String, u64> {
        let held = self.species.iter().zip(aggregate).filter(|(_, n)| **n > 0);
        held.map(|(species, &number)| (species.name(), number))
            .collect()
    }

    /// Makes the rules from the reactions: every interaction in all ways in which two species
    /// that are known make it up.
    pub(crate) fn compile(&mut self) {
        let mut rules: Vec<Rule> = Vec::new();
        for (number, reaction) in self.reactions.iter().enumerate() {
            let lefts = match &reaction.left {
                Left::Gathered(all) => vec![all.clone()],
                Left::Interaction(parts) => self.splits(parts),
            };
            for left in lefts {
                let rule = Rule {
                    reaction: number,
                    take: counted(&left),
                    give: counted(&reaction.products),
                };
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        self.rules = rules;
    }

    fn splits(&self, parts: &[String]) -> Vec<Vec<usize>> {
        let pair = |left: &[String], right: &[String]| {
            Some(vec![self.species_of(left)?, self.species_of(right)?])
        };
        if !self.commutative {
            let cuts = 1..parts.len();
            let found = cuts.filter_map(|cut| pair(&parts[..cut], &parts[cut..]));
            return found.collect();
        }
        // Each molecule goes to one side or the other; the first stays left.
        let mut all = Vec::new();
        for choice in 0..1_u32 << (parts.len().saturating_sub(1)).min(16) {
            let right = |at: usize| at > 0 && choice >> (at - 1) & 1 == 1;
            let side = |wanted: bool| -> Vec<String> {
                let some = parts.iter().enumerate();
                let some = some.filter(|(at, _)| right(*at) == wanted);
                some.map(|(_, part)| part.clone()).collect()
            };
            all.extend(pair(&side(false), &side(true)));
        }
        all
    }
}

/// Species with how often they are there, in order.
pub(crate) fn counted(all: &[usize]) -> Vec<(usize, u64)> {
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for &species in all {
        *counts.entry(species).or_default() += 1;
    }
    counts.into_iter().collect()
}
