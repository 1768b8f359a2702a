//! Which way to look, and what to merge.

mod text;

pub use text::all_methods;

/// One way to check a property. It is written and read as text:
///
/// ```
/// use quotient_regular::Configuration;
/// let text = "forward predicates(bad, guards) key-states";
/// let configuration: Configuration = text.parse().unwrap();
/// assert_eq!(configuration.to_string(), text);
/// let error = "forward predicate(bad)".parse::<Configuration>().unwrap_err();
/// assert!(error.message.contains("predicate"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Configuration {
    /// Abstract regular model checking.
    Abstract {
        /// Where to begin.
        direction: Direction,
        /// Which states of an automaton to merge.
        abstraction: Abstraction,
    },
    /// Learning an invariant with the configurations reached at each length as the teacher
    /// (Chen, Hong, Lin and Rümmer 2017); for steps that keep the length.
    Learn,
}

impl Configuration {
    /// What to go on with when refinement has no effect any more: traces cannot tell accepting
    /// states from others, so longer ones may change nothing, where words up to a length do.
    ///
    /// ```
    /// use quotient_regular::Configuration;
    /// let traces: Configuration = "backward traces(2, +1)".parse().unwrap();
    /// assert_eq!(traces.fall_back().unwrap().to_string(), "backward length(2, +1)");
    /// let lengths: Configuration = "forward length(1, +1)".parse().unwrap();
    /// assert_eq!(lengths.fall_back(), None);
    /// ```
    pub fn fall_back(&self) -> Option<Configuration> {
        match self {
            Configuration::Abstract {
                direction,
                abstraction: Abstraction::Traces { traces, bound },
            } => Some(Configuration::Abstract {
                direction: *direction,
                abstraction: Abstraction::Lengths {
                    languages: match traces {
                        Traces::Future => Languages::Future,
                        Traces::PastSuffixes | Traces::PastPrefixes => Languages::Past,
                    },
                    bound: *bound,
                },
            }),
            _ => None,
        }
    }
}

/// Where to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the initial configurations, by post-images.
    Forward,
    /// From the bad configurations, by pre-images.
    Backward,
}

/// Which states of an automaton count as alike and are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Abstraction {
    /// None: exact sets, for finding violations.
    Exact,
    /// Those whose languages meet the same predicates (F_P and B_P).
    Predicates {
        /// What the language of a state is.
        languages: Languages,
        /// The predicates to begin with.
        initial: InitialPredicates,
        /// How many predicates a false alarm adds.
        refinement: Refinement,
    },
    /// Those whose languages agree on the words up to a length (F_n^L and B_n^L).
    Lengths {
        /// What the language of a state is.
        languages: Languages,
        /// The length.
        bound: Bound,
    },
    /// Those that agree on the beginnings, up to a length, of what they lead to (F_n^T), or on
    /// what leads to them (B_n^T).
    Traces {
        /// Which traces.
        traces: Traces,
        /// The length.
        bound: Bound,
    },
}

/// What the language of a state is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Languages {
    /// The words from the state to acceptance.
    Future,
    /// The words from the beginning to the state.
    Past,
}

/// Which bounded traces of a state are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Traces {
    /// The words that can be read from the state.
    Future,
    /// The words that can be read on a way into the state (suffixes of its past).
    PastSuffixes,
    /// The beginnings of words that lead to the state (prefixes of its past), as the thesis of
    /// Chalk (2018) and its tool have it.
    PastPrefixes,
}

/// The automata whose states are the first predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct InitialPredicates {
    /// The initial configurations.
    pub init: bool,
    /// The bad configurations.
    pub bad: bool,
    /// What each transducer can read.
    pub guards: bool,
    /// What each transducer can write.
    pub actions: bool,
}

/// How many states of the automaton of a false alarm become predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Refinement {
    /// All of them: no set disjoint from this false alarm is ever blown up into it again.
    #[default]
    AllStates,
    /// Those that meet the set that was abstracted too much.
    ImportantStates,
    /// One or two that suffice to exclude this false alarm, if there are.
    KeyStates,
}

/// A length and how it grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The length to begin with; at least one.
    pub initial: Amount,
    /// What a false alarm adds; at least one.
    pub increment: Amount,
}

/// A number, or the number of states of an automaton at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount {
    /// Of what.
    pub of: Measure,
    /// Half of it, rounded down.
    pub half: bool,
}

/// What an [`Amount`] is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The number itself.
    Number(u32),
    /// The states of the automaton of the initial configurations, as given.
    Init,
    /// The states of the automaton of the bad configurations, as given.
    Bad,
    /// The states of the set M_k that was abstracted too much; for increments.
    Set,
    /// The states of the set X_k of the false alarm; for increments.
    Alarm,
}

impl Amount {
    /// A number.
    pub fn number(number: u32) -> Amount {
        Amount {
            of: Measure::Number(number),
            half: false,
        }
    }
}
