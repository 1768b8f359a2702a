//! When two systems count as the same, or the one as a refinement of the other.

use serde::{Deserialize, Serialize};

/// What two systems are compared by. The error state and a good end can be seen: they count as
/// actions that nothing else does.
///
/// ```
/// use quotient_lts::Relation;
/// assert_eq!(Relation::named("failures"), Some(Relation::Failures));
/// assert_eq!(Relation::Weak.name(), "weak");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// What can be seen to happen, one action after the other.
    Traces,
    /// The same, and what can be refused afterwards, once silent steps have come to an end.
    Failures,
    /// The same, and where silent steps can go on for ever; after that everything is allowed.
    FailuresDivergences,
    /// Weak bisimulation (observation equivalence): silent steps do not count.
    Weak,
    /// Branching bisimulation: silent steps count where they decide something.
    Branching,
    /// Strong bisimulation: silent steps count like others.
    Strong,
}

impl Relation {
    /// All of them, from the coarsest to the finest.
    pub const ALL: [Relation; 6] = [
        Relation::Traces,
        Relation::Failures,
        Relation::FailuresDivergences,
        Relation::Weak,
        Relation::Branching,
        Relation::Strong,
    ];

    /// Its name, as settings have it.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Traces => "traces",
            Relation::Failures => "failures",
            Relation::FailuresDivergences => "failures-divergences",
            Relation::Weak => "weak",
            Relation::Branching => "branching",
            Relation::Strong => "strong",
        }
    }

    /// What it is called in sentences, after "up to".
    pub fn words(self) -> &'static str {
        match self {
            Relation::Traces => "traces",
            Relation::Failures => "failures",
            Relation::FailuresDivergences => "failures and divergences",
            Relation::Weak => "weak bisimulation",
            Relation::Branching => "branching bisimulation",
            Relation::Strong => "strong bisimulation",
        }
    }

    /// The one with a name.
    pub fn named(name: &str) -> Option<Relation> {
        Relation::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether it is a bisimulation: then it has no direction.
    pub fn is_bisimulation(self) -> bool {
        matches!(
            self,
            Relation::Weak | Relation::Branching | Relation::Strong
        )
    }
}
