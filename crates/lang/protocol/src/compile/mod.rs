//! Protocol to automata and transducers.
//!
//! A configuration is a word: a letter with the values of the globals (if there are any), a
//! letter for each process, and for each channel a separator and a letter for each value in it.

mod approximate;
mod conditions;
mod configurations;
mod context;
mod counting;
mod evaluate;
mod expressions;
mod imports;
mod letters;
mod places;
mod sizes;
mod steps;
mod tracks;

use quotient_automata::{Alphabet, Nfa, Relation, Transducer};
use quotient_core::{Budget, Diagnostic, Stop};

use crate::model::{Condition, Demand, Expr, Property, Protocol};
use conditions::Conditions;
use expressions::Expressions;

pub(crate) use evaluate::Known;
pub(crate) use letters::{Letters, Part, product};

/// Why a protocol has no automata.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// Something is wrong with the protocol.
    #[error("{0}")]
    Protocol(Box<Diagnostic>),
    /// The budget ended.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

impl From<Diagnostic> for CompileError {
    fn from(diagnostic: Diagnostic) -> Self {
        CompileError::Protocol(Box::new(diagnostic))
    }
}

/// A protocol as automata: what it begins with, what it does, what must not be.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub(crate) letters: Letters,
    /// Where the protocol is approximated: its own letters.
    source_letters: Option<Letters>,
    /// The names of the steps that were added.
    auxiliary: Vec<String>,
    initial: Nfa,
    configurations: Nfa,
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

    /// The configurations that each safety property forbids, by name.
    pub fn bad(&self) -> &[(String, Nfa)] {
        &self.bad
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
    pub fn compile(&self, budget: &Budget) -> Result<Compiled, CompileError> {
        self.compile_tracking(1, budget)
    }

    /// Compiles the protocol; where steps read the others one by one, it is kept exactly who of
    /// so many processes has seen whom and who has seen them. The more are tracked, the closer
    /// the approximation and the larger the alphabet. Other protocols are compiled exactly
    /// whatever the number.
    pub fn compile_tracking(
        &self,
        tracked: usize,
        budget: &Budget,
    ) -> Result<Compiled, CompileError> {
        if !self.reads_one_by_one() {
            return self.compile_plainly(budget);
        }
        let letters = Letters::of(self, budget)?;
        let (approximated, added) = self.approximated(tracked);
        approximated.compile_at_once(Some(letters), added, budget)
    }

    /// Compiles a protocol that reads at once.
    pub(crate) fn compile_plainly(&self, budget: &Budget) -> Result<Compiled, CompileError> {
        self.compile_at_once(None, Vec::new(), budget)
    }

    /// The configurations of which a condition is true.
    pub(crate) fn language(
        &self,
        compiled: &Compiled,
        expr: &Expr,
        budget: &Budget,
    ) -> Result<Nfa, CompileError> {
        let mut conditions = Conditions::new(self, &compiled.letters, budget);
        Ok(conditions.expression(expr, 0, &[])?.to_nfa())
    }

    fn compile_at_once(
        &self,
        source_letters: Option<Letters>,
        auxiliary: Vec<String>,
        budget: &Budget,
    ) -> Result<Compiled, CompileError> {
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
        let mut domains: Vec<Nfa> = Vec::new();
        let deadlock = |property: &Property| matches!(property.demand, Demand::NoDeadlock);
        if self.properties.iter().any(deadlock) {
            match &self.surely {
                None => domains.extend(parts.iter().map(|(_, part)| part.domain())),
                Some(surely) => {
                    for step in surely {
                        let sure = steps::transducer(
                            self,
                            &letters,
                            &mut conditions,
                            step,
                            &configurations,
                        )?;
                        domains.push(sure.domain());
                    }
                }
            }
        }
        parts.extend(steps::losses(self, &letters, &configurations));
        let mut bad = Vec::new();
        for property in &self.properties {
            let forbidden = match &property.demand {
                Demand::Never(condition) => conditions.condition(condition)?,
                Demand::NoDeadlock => {
                    let enabled = domains
                        .iter()
                        .fold(Nfa::empty(letters.alphabet()), |all, one| all.union(one));
                    enabled.complement(budget)?.minimize(budget)?
                }
                // Reduced to safety when it is checked.
                Demand::LeadsTo(..) => continue,
            };
            let forbidden = forbidden
                .intersection(&configurations, budget)?
                .minimize(budget)?;
            bad.push((property.name.clone(), forbidden.to_nfa()));
        }
        let relation = Relation::new(letters.alphabet(), parts);
        let (initial, configurations) = (initial.to_nfa(), configurations.to_nfa());
        let (words, contents) = conditions.into_expressions();
        Ok(Compiled {
            letters,
            source_letters,
            auxiliary,
            initial,
            configurations,
            relation,
            bad,
            words,
            contents,
        })
    }

    /// What must be true of the first configuration beside the initial values.
    fn initial_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.initially.iter()
    }

    fn size_is_assumed(&self, size: i32) -> bool {
        let yes = |expr: &Expr| evaluate::sizes(expr, size) != Some(0);
        self.assumptions.iter().all(yes)
    }
}
