//! A problem made ready for the engines.

use std::sync::Arc;

use quotient_automata::{Alphabet, Canonical, Dfa, Nfa, Relation, State, Step, Transducer, Word};
use quotient_core::{Budget, Stop, Story};

use crate::{Identity, Problem};

/// A set of configurations: a canonical automaton that several places may hold.
pub type Set = Arc<Canonical>;

/// A [`Problem`] in the form that every method works on: computed once, shared by all.
#[derive(Debug)]
pub struct System {
    relation: Relation,
    step: Step,
    step_has_identity: bool,
    length_preserving: bool,
    initial: Set,
    initial_given: Nfa,
    properties: Vec<PreparedProperty>,
}

#[derive(Debug)]
struct PreparedProperty {
    name: String,
    bad: Set,
    bad_given: Nfa,
}

impl System {
    /// Prepares a problem; tells the story when a step that changes nothing is added.
    pub fn new(
        problem: &Problem,
        identity: Identity,
        budget: &Budget,
        story: &Story,
    ) -> Result<System, Stop> {
        let relation = problem.relation().clone();
        let mut union = relation.union();
        let contained = is_universal(&*union.diagonal().canonical(budget)?);
        let add = match identity {
            Identity::Auto => !contained,
            Identity::Add => true,
            Identity::AsGiven => false,
        };
        if add {
            union = union.union(&Transducer::identity(problem.alphabet()));
            story.note("a step that changes nothing is added to the transitions");
        }
        let automata = problem.properties().iter().map(|property| &property.bad);
        let automata: Vec<&Nfa> = automata.chain([problem.initial()]).collect();
        let predicates = automata.iter().flat_map(|nfa| nfa.labels()).flatten();
        let step = Step::new(&union, predicates);
        let mut properties = Vec::new();
        for property in problem.properties() {
            properties.push(PreparedProperty {
                name: property.name.clone(),
                bad: Arc::new(property.bad.canonical(budget)?),
                bad_given: property.bad.without_epsilon(budget)?.trim(),
            });
        }
        Ok(System {
            length_preserving: union.is_length_preserving(),
            step_has_identity: contained || add,
            initial: Arc::new(problem.initial().canonical(budget)?),
            initial_given: problem.initial().without_epsilon(budget)?.trim(),
            relation,
            step,
            properties,
        })
    }

    /// The letters.
    pub fn alphabet(&self) -> &Alphabet {
        self.relation.alphabet()
    }

    /// The named transitions as given.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// All transitions together, the step that changes nothing included if it was added.
    pub fn step(&self) -> &Step {
        &self.step
    }

    /// Whether a configuration may surely stay as it is.
    pub fn step_has_identity(&self) -> bool {
        self.step_has_identity
    }

    /// Whether steps never change the length of a configuration.
    pub fn is_length_preserving(&self) -> bool {
        self.length_preserving
    }

    /// The initial configurations.
    pub fn initial(&self) -> &Set {
        &self.initial
    }

    /// The initial configurations, by the automaton as given (without ε and useless states).
    pub fn initial_given(&self) -> &Nfa {
        &self.initial_given
    }

    /// How many properties there are.
    pub fn property_count(&self) -> usize {
        self.properties.len()
    }

    /// The name of a property.
    pub fn property_name(&self, property: usize) -> &str {
        &self.properties[property].name
    }

    /// The bad configurations of a property.
    pub fn bad(&self, property: usize) -> &Set {
        &self.properties[property].bad
    }

    /// The bad configurations, by the automaton as given (without ε and useless states).
    pub fn bad_given(&self, property: usize) -> &Nfa {
        &self.properties[property].bad_given
    }
}

/// Whether every word is accepted, for a minimal automaton.
fn is_universal(minimal: &Dfa) -> bool {
    minimal.len() == 1
        && minimal.is_accepting(State(0))
        && minimal.row(State(0)).iter().all(|&next| next != Dfa::NONE)
}

/// The set of a single word.
pub(crate) fn single(alphabet: &Alphabet, word: &Word, budget: &Budget) -> Result<Canonical, Stop> {
    let mut builder = Nfa::builder(alphabet).initial(0);
    for (i, &letter) in (0u32..).zip(word) {
        let letter = quotient_automata::Predicate::of(alphabet, [letter]);
        builder.add_edge(State(i), &letter, State(i + 1));
    }
    let end = State(word.len() as u32);
    builder.add_accepting(end);
    builder.build().canonical(budget)
}
