//! What an engine answers.

use serde::{Deserialize, Serialize};

/// The answer to a question about a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", content = "reason", rename_all = "kebab-case")]
pub enum Verdict {
    /// The property is true; the evidence is a certificate.
    Holds,
    /// The property is false; the evidence is a trace.
    Violated,
    /// Neither was established, for the reason given.
    Unknown(Stop),
}

impl Verdict {
    /// The word for it: `holds`, `violated` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// For programs: `verdict`, and for an unknown one `reason` and `because` (the reason in
    /// words).
    pub fn fields(&self) -> Vec<(&'static str, serde_json::Value)> {
        let mut fields = vec![("verdict", self.name().into())];
        if let Verdict::Unknown(stop) = self {
            let reason = serde_json::to_value(stop).unwrap_or_default();
            fields.push(("reason", reason));
            fields.push(("because", stop.to_string().into()));
        }
        fields
    }

    /// The exit code of a command that ends with this verdict: 0, 1 or 2.
    /// (3 is for usage and input errors, which are not verdicts.)
    pub fn exit_code(&self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Violated => 1,
            Verdict::Unknown(_) => 2,
        }
    }

    /// Whether the question is answered.
    pub fn is_definite(&self) -> bool {
        !matches!(self, Verdict::Unknown(_))
    }

    /// The verdict of several questions asked together: violated if any is, else unknown if
    /// any is, else holds.
    ///
    /// ```
    /// use quotient_core::{Stop, Verdict};
    /// let all = Verdict::all([Verdict::Holds, Verdict::Unknown(Stop::Interrupted)]);
    /// assert_eq!(all.exit_code(), 2);
    /// ```
    pub fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let mut overall = Verdict::Holds;
        for verdict in verdicts {
            match verdict {
                Verdict::Violated => return Verdict::Violated,
                Verdict::Unknown(_) if overall == Verdict::Holds => overall = verdict,
                _ => {}
            }
        }
        overall
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Holds => f.write_str("holds"),
            Verdict::Violated => f.write_str("violated"),
            Verdict::Unknown(stop) => write!(f, "unknown ({stop})"),
        }
    }
}

/// Why work ended without a definite answer.
///
/// It travels as the error of every operation that polls a [`Budget`](crate::Budget) and ends
/// as the reason of [`Verdict::Unknown`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Stop {
    /// The deadline passed.
    #[error("out of time")]
    Time,
    /// The memory ceiling was reached.
    #[error("out of memory")]
    Memory,
    /// The allowance of work units was used up (the deterministic sibling of [`Stop::Time`]).
    #[error("out of work units")]
    Work,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// Another method answered first.
    #[error("another method answered first")]
    Superseded,
    /// A limit that the user or the method set was reached.
    #[error("{what} reached the limit of {limit}")]
    Bound {
        /// What was counted.
        what: String,
        /// How much of it was allowed.
        limit: u64,
    },
    /// The method has nothing left to refine.
    #[error("the method is exhausted: {why}")]
    Exhausted {
        /// What cannot be refined any further.
        why: String,
    },
    /// The approximation cannot decide the question.
    #[error("inconclusive: {why}")]
    Inconclusive {
        /// What stands in the way.
        why: String,
    },
}

impl Stop {
    /// A limit was reached: `Stop::bound("refinements", 100)`.
    pub fn bound(what: impl Into<String>, limit: u64) -> Stop {
        Stop::Bound {
            what: what.into(),
            limit,
        }
    }

    /// Nothing is left to refine.
    pub fn exhausted(why: impl Into<String>) -> Stop {
        Stop::Exhausted { why: why.into() }
    }

    /// The method cannot decide the question.
    pub fn inconclusive(why: impl Into<String>) -> Stop {
        Stop::Inconclusive { why: why.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_violation_outweighs_unknowns() {
        let all = [
            Verdict::Unknown(Stop::Time),
            Verdict::Holds,
            Verdict::Violated,
        ];
        assert_eq!(Verdict::all(all), Verdict::Violated);
        assert_eq!(Verdict::all([]), Verdict::Holds);
    }

    #[test]
    fn exit_codes_are_stable() {
        let codes = [
            Verdict::Holds,
            Verdict::Violated,
            Verdict::Unknown(Stop::Memory),
        ];
        assert_eq!(codes.map(|verdict| verdict.exit_code()), [0, 1, 2]);
    }
}
