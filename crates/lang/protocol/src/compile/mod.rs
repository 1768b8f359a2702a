//! Protocol to automata and transducers.
//!
//! A configuration is a word: a letter with the values of the globals (if there are any), a
//! letter for each process, and for each channel a separator and a letter for each value in it.

mod conditions;
mod configurations;
mod context;
mod counting;
mod evaluate;
mod expressions;
mod letters;
mod places;
mod sizes;
mod steps;
mod tracks;

use quotient_automata::{Alphabet, Nfa, Relation, Transducer};
use quotient_core::{Budget, Diagnostic, Stop};

use crate::model::{Condition, Demand, Expr, Protocol};
use conditions::Conditions;
use expressions::Expressions;

pub(crate) use evaluate::Known;
pub(crate) use letters::{Letters, Part};

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
    initial: Nfa,
    configurations: Nfa,
    relation: Relation,
    bad: Vec<(String, Nfa)>,
    liveness: Vec<Liveness>,
    /// The languages of the regular expressions over letters, by text and place.
    pub(crate) words: Expressions,
    /// The languages of the regular expressions over contents of channels.
    pub(crate) contents: Expressions,
}

/// A property that speaks of what must happen: each process that satisfies `from` comes to
/// satisfy `to`. Both are sets of letters.
#[derive(Debug, Clone)]
pub struct Liveness {
    /// The name of the property.
    pub name: String,
    /// The letters of a process that waits.
    pub from: quotient_automata::Predicate,
    /// The letters of a process that has what it waited for.
    pub to: quotient_automata::Predicate,
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

    /// The properties that speak of progress.
    pub fn liveness(&self) -> &[Liveness] {
        &self.liveness
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
    pub fn compile(&self, budget: &Budget) -> Result<Compiled, CompileError> {
        let letters = Letters::of(self, budget)?;
        let mut conditions = Conditions::new(self, &letters, budget);
        let configurations = conditions.configurations()?;
        let initial = conditions.initial(&configurations)?;
        let mut parts: Vec<(String, Transducer)> = Vec::new();
        for step in &self.steps {
            let transducer =
                steps::transducer(self, &letters, &mut conditions, step, &configurations)?;
            parts.push((step.name.clone(), transducer));
        }
        let enabled = parts.iter().map(|(_, part)| part.domain());
        let enabled = enabled.fold(Nfa::empty(letters.alphabet()), |all, one| all.union(&one));
        parts.extend(steps::losses(self, &letters, &configurations));
        let (mut bad, mut liveness) = (Vec::new(), Vec::new());
        for property in &self.properties {
            let forbidden = match &property.demand {
                Demand::Never(condition) => conditions.condition(condition)?,
                Demand::NoDeadlock => enabled.complement(budget)?.minimize(budget)?,
                Demand::LeadsTo(from, to) => {
                    let name = property.name.clone();
                    let (from, to) = (
                        letters.satisfying(self, from)?,
                        letters.satisfying(self, to)?,
                    );
                    liveness.push(Liveness { name, from, to });
                    continue;
                }
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
            initial,
            configurations,
            relation,
            bad,
            liveness,
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
