//! What is asked.

use crate::{Alphabet, Nfa, Relation};

/// A question about words: can the steps lead from an initial configuration to a bad one?
///
/// ```
/// use quotient_automata::{
///     Alphabet, Label, Nfa, Predicate, Problem, Property, Relation, Transducer,
/// };
/// let alphabet = Alphabet::new(["T", "N"])?;
/// let (t, n) = (alphabet.set(["T"])?, alphabet.set(["N"])?);
/// let token_first = Nfa::builder(&alphabet)
///     .initial(0).edge(0, &t, 1).edge(1, &n, 1).accepting(1)
///     .build();
/// let no_token = Nfa::builder(&alphabet).initial(0).edge(0, &n, 0).accepting(0).build();
/// let copy = Label::Copy(Predicate::all(&alphabet));
/// let pass = Transducer::builder(&alphabet)
///     .initial(0).edge(0, &copy, 0)
///     .edge(0, &Label::Pair(Some(t.clone()), Some(n.clone())), 1)
///     .edge(1, &Label::Pair(Some(n), Some(t)), 2)
///     .edge(2, &copy, 2).accepting(2)
///     .build();
/// let problem = Problem::new(
///     token_first,
///     vec![Property { name: "the token is not lost".into(), bad: no_token }],
///     Relation::new(&alphabet, vec![("pass".into(), pass)]),
/// )?;
/// assert_eq!(problem.properties().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    initial: Nfa,
    properties: Vec<Property>,
    relation: Relation,
}

/// One property: that no configuration of a set is ever reached.
#[derive(Debug, Clone)]
pub struct Property {
    /// What to call it.
    pub name: String,
    /// The configurations that must not be reached.
    pub bad: Nfa,
}

/// Why parts do not make a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// An automaton over another alphabet than the steps.
    #[error("{what} is over another alphabet than the transitions")]
    DifferentAlphabets {
        /// Which one.
        what: String,
    },
    /// Nothing to check.
    #[error("there is no property to check")]
    NoProperties,
    /// No transducer at all.
    #[error("there are no transitions")]
    NoTransitions,
    /// Two properties with one name.
    #[error("two properties are called `{0}`")]
    DuplicateProperty(String),
}

impl Problem {
    /// Puts the parts together.
    pub fn new(
        initial: Nfa,
        properties: Vec<Property>,
        relation: Relation,
    ) -> Result<Problem, ProblemError> {
        let different = |what: String| Err(ProblemError::DifferentAlphabets { what });
        if initial.alphabet() != relation.alphabet() {
            return different("the initial set".to_owned());
        }
        if relation.parts().is_empty() {
            return Err(ProblemError::NoTransitions);
        }
        if properties.is_empty() {
            return Err(ProblemError::NoProperties);
        }
        for (i, property) in properties.iter().enumerate() {
            if property.bad.alphabet() != relation.alphabet() {
                return different(format!("the bad set of `{}`", property.name));
            }
            if properties[..i].iter().any(|p| p.name == property.name) {
                return Err(ProblemError::DuplicateProperty(property.name.clone()));
            }
        }
        Ok(Problem {
            initial,
            properties,
            relation,
        })
    }

    /// The letters that configurations are made of.
    pub fn alphabet(&self) -> &Alphabet {
        self.relation.alphabet()
    }

    /// The initial configurations.
    pub fn initial(&self) -> &Nfa {
        &self.initial
    }

    /// The properties, in the order given.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The steps.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }
}
