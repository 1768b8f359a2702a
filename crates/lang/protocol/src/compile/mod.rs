//! Protocol to automata and transducers.
//!
//! A configuration is a word: a letter with the values of the globals (if there are any), a
//! letter for each process, and for each channel a separator and a letter for each value in it.

mod approximate;
mod assumed;
mod beginning;
mod conditions;
mod configurations;
mod context;
mod counting;
mod evaluate;
mod expressions;
mod fits;
mod imports;
mod in_common;
mod letters;
mod places;
mod plain;
mod sizes;
mod steps;
mod tracks;

use std::borrow::Cow;

use quotient_automata::{Alphabet, Canonical, Nfa, Relation, Transducer};
use quotient_core::{Budget, Trouble};

use crate::model::{Condition, Demand, Expr, Nature, Property, Protocol, Step};
use conditions::Conditions;
use expressions::Expressions;

pub(crate) use approximate::Followable;
pub(crate) use evaluate::Known;
pub(crate) use letters::{Letters, Part, product};

/// A protocol as automata: what it begins with, what it does, what must not be.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub(crate) letters: Letters,
    /// Where the protocol is approximated: its own letters.
    source_letters: Option<Letters>,
    /// The names of the steps that were added.
    auxiliary: Vec<String>,
    /// Where it is approximated: how many processes are tracked.
    tracked: usize,
    initial: Nfa,
    configurations: Nfa,
    well_formed: Canonical,
    relation: Relation,
    bad: Vec<(String, Nfa)>,
    /// The languages of the regular expressions over letters, by text and place.
    pub(crate) words: Expressions,
    /// The languages of the regular expressions over contents of channels.
    pub(crate) contents: Expressions,
}

impl Compiled {
    /// The letters that configurations are made of.
    pub fn alphabet(&self) -> &Alphabet {
        self.relation.alphabet()
    }

    /// The configurations that the protocol begins with, for every number of processes.
    pub fn initial(&self) -> &Nfa {
        &self.initial
    }

    /// All well-formed configurations, reachable or not.
    pub fn configurations(&self) -> &Nfa {
        &self.configurations
    }

    /// One transducer for each step, by name.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// The same with other steps.
    pub(crate) fn with_relation(&self, relation: Relation) -> Compiled {
        Compiled {
            relation,
            ..self.clone()
        }
    }

    /// The configurations that each safety property forbids, by name.
    pub fn bad(&self) -> &[(String, Nfa)] {
        &self.bad
    }

    /// Whether it is an approximation in which nobody is tracked.
    pub(crate) fn tracks_nobody(&self) -> bool {
        self.tracked == 0
    }

    /// Whether more can happen than in the protocol, because steps read one by one.
    pub fn is_approximation(&self) -> bool {
        self.source_letters.is_some()
    }

    /// Whether a step of this name was added by the compiler.
    pub fn is_auxiliary(&self, step: &str) -> bool {
        self.auxiliary.iter().any(|known| known == step)
    }

    /// The letters of the protocol, without what was added.
    pub(crate) fn source_letters(&self) -> &Letters {
        self.source_letters.as_ref().unwrap_or(&self.letters)
    }
}

impl Protocol {
    /// Compiles the protocol, exactly: the words of a length that the transducers reach are the
    /// configurations of that size that the steps reach.
    ///
    /// ```
    /// use quotient_core::{Budget, Source};
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, critical }
    ///     step enter: when at = idle and forall other p: p.at = idle then at := critical
    ///     step leave: when at = critical then at := idle
    /// ";
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// let compiled = protocol.compile(&Budget::unlimited())?;
    /// assert_eq!(compiled.alphabet().len(), 2);
    /// assert!(compiled.initial().accepts(&compiled.alphabet().word("idle idle idle")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Steps that read the others one by one are approximated: more can happen than in the
    /// protocol. See [`Protocol::compile_tracking`].
    pub fn compile(&self, budget: &Budget) -> Result<Compiled, Trouble> {
        self.compile_tracking(1, budget)
    }

    /// Compiles the protocol; where steps read the others one by one, it is kept exactly who of
    /// so many processes has seen whom and who has seen them. The more are tracked, the closer
    /// the approximation and the larger the alphabet. Other protocols are compiled exactly
    /// whatever the number.
    pub fn compile_tracking(&self, tracked: usize, budget: &Budget) -> Result<Compiled, Trouble> {
        let mut compiled = self.compile_steps(tracked, budget)?;
        for name in self.property_names() {
            self.compile_property(&mut compiled, name, budget)?;
        }
        Ok(compiled)
    }

    /// The same without properties: [`compile_property`](Protocol::compile_property) adds them.
    pub fn compile_steps(&self, tracked: usize, budget: &Budget) -> Result<Compiled, Trouble> {
        let own = self.with_assumptions_asked();
        own.fits_words()?;
        if !own.reads_one_by_one() {
            return own.compile_plainly(budget);
        }
        let letters = Letters::of(&own, budget)?;
        let (approximated, added) = own.approximated(tracked);
        let compiled = approximated.compile_at_once(Some(letters), added, budget)?;
        Ok(Compiled {
            tracked,
            ..compiled
        })
    }

    /// Adds what a safety property forbids, unless it is there.
    pub fn compile_property(
        &self,
        compiled: &mut Compiled,
        name: &str,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let protocol = self.compiled_as(compiled);
        let property = protocol.properties.iter().find(|known| known.name == name);
        let is_there = compiled.bad.iter().any(|(known, _)| known == name);
        let Some(property) = property.filter(|_| !is_there) else {
            return Ok(());
        };
        let mut conditions = Conditions::new(&protocol, &compiled.letters, budget);
        conditions.source_letters = compiled.source_letters.as_ref();
        let forbidden = protocol.forbidden(property, &mut conditions, compiled)?;
        let (words, contents) = conditions.into_expressions();
        compiled.words.extend(words);
        compiled.contents.extend(contents);
        // Progress is reduced to safety when it is checked.
        if let Some(forbidden) = forbidden {
            compiled.bad.push((name.to_owned(), forbidden.to_nfa()));
        }
        Ok(())
    }

    /// The protocol as it was compiled, which may be an approximation.
    fn compiled_as(&self, compiled: &Compiled) -> Cow<'_, Protocol> {
        let own = self.with_assumptions_asked();
        match compiled.is_approximation() {
            true => Cow::Owned(own.approximated(compiled.tracked).0),
            false => own,
        }
    }

    /// Compiles a protocol that reads at once, without its properties.
    pub(crate) fn compile_plainly(&self, budget: &Budget) -> Result<Compiled, Trouble> {
        self.compile_at_once(None, Vec::new(), budget)
    }

    /// The configurations of which a condition is true.
    pub(crate) fn language(
        &self,
        compiled: &Compiled,
        expr: &Expr,
        budget: &Budget,
    ) -> Result<Nfa, Trouble> {
        let mut conditions = Conditions::new(self, &compiled.letters, budget);
        Ok(conditions.expression(expr, 0, &[])?.to_nfa())
    }

    fn compile_at_once(
        &self,
        source_letters: Option<Letters>,
        auxiliary: Vec<String>,
        budget: &Budget,
    ) -> Result<Compiled, Trouble> {
        let letters = Letters::of(self, budget)?;
        let mut conditions = Conditions::new(self, &letters, budget);
        conditions.source_letters = source_letters.as_ref();
        let configurations = conditions.configurations()?;
        let initial = conditions.initial(&configurations)?;
        let mut parts: Vec<(String, Transducer)> = Vec::new();
        for step in &self.steps {
            let transducer = match &step.import {
                Some(import) => imports::step(self, import, &configurations, budget)?,
                None => steps::transducer(self, &letters, &mut conditions, step, &configurations)?,
            };
            match parts.last_mut().filter(|(name, _)| *name == step.name) {
                Some((_, before)) => *before = before.union(&transducer).reduce(),
                None => parts.push((step.name.clone(), transducer)),
            }
        }
        parts.extend(steps::losses(self, &letters, &configurations));
        let relation = Relation::new(letters.alphabet(), parts);
        let initial = initial.to_nfa();
        let (words, contents) = conditions.into_expressions();
        Ok(Compiled {
            letters,
            source_letters,
            auxiliary,
            tracked: 1,
            initial,
            configurations: configurations.to_nfa(),
            well_formed: configurations,
            relation,
            bad: Vec::new(),
            words,
            contents,
        })
    }

    /// The configurations that a property forbids, if it is one of safety.
    fn forbidden(
        &self,
        property: &Property,
        conditions: &mut Conditions<'_>,
        compiled: &Compiled,
    ) -> Result<Option<Canonical>, Trouble> {
        let budget = conditions.tracks.budget;
        let well_formed = &compiled.well_formed;
        Ok(match &property.demand {
            Demand::Never(condition) => {
                let forbidden = conditions.condition(condition)?;
                let forbidden = forbidden.intersection(well_formed, budget)?;
                Some(forbidden.minimize(budget)?)
            }
            Demand::NoDeadlock => {
                // One step after the other: the set of steps that cannot be taken is never a
                // state of its own.
                let mut stuck = well_formed.clone();
                for domain in self.domains(conditions, compiled)? {
                    let unable = domain.complement(budget)?;
                    let unable = unable.intersection(&stuck, budget)?;
                    stuck = unable.minimize(budget)?;
                }
                Some(stuck)
            }
            Demand::LeadsTo(..) | Demand::Happens(_) => None,
        })
    }

    /// For each step, where it can surely be taken; what goes wrong is nobody's doing.
    fn domains(
        &self,
        conditions: &mut Conditions<'_>,
        compiled: &Compiled,
    ) -> Result<Vec<Nfa>, Trouble> {
        let Some(surely) = &self.surely else {
            let parts = compiled.relation.parts().iter();
            let counts = |step: &Step| step.nature != Nature::Fault;
            let own = parts.filter(|(name, _)| {
                let mut steps = self.steps.iter();
                steps.any(|step| step.name == *name && counts(step))
            });
            return Ok(own.map(|(_, part)| part.domain()).collect());
        };
        let letters = &compiled.letters;
        let domain = |step: &Step| {
            let sure = steps::transducer(self, letters, conditions, step, &compiled.well_formed)?;
            Ok(sure.domain())
        };
        let counts = surely.iter().filter(|step| step.nature != Nature::Fault);
        counts.map(domain).collect()
    }

    /// What must be true of the first configuration beside the initial values.
    fn initial_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.initially.iter()
    }
}
