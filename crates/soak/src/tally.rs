//! What a soak came to.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that must not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Two ways to an answer gave different ones.
    Disagreement,
    /// A false claim was accepted.
    AcceptedForgery,
    /// Our own evidence was refused.
    RejectedEvidence,
    /// A panic, an abort or a hang.
    Crash,
    /// Work went on long after its budget ended.
    Overrun,
}

impl Class {
    /// Its name in files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Class::Disagreement => "disagreement",
            Class::AcceptedForgery => "accepted-forgery",
            Class::RejectedEvidence => "rejected-evidence",
            Class::Crash => "crash",
            Class::Overrun => "overrun",
        }
    }
}

/// Something that must not happen, and did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Find {
    /// What it is.
    pub class: Class,
    /// What was seen, for people.
    pub detail: String,
    /// The evidence that it is about, as JSON.
    pub evidence: Option<String>,
}

macro_rules! counts {
    ($($name:ident: $about:literal,)*) => {
        /// Numbers of a soak.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Tally {
            $(#[doc = $about] pub $name: u64,)*
        }

        impl Tally {
            /// Adds another.
            pub fn add(&mut self, other: &Tally) {
                $(self.$name += other.$name;)*
            }

            /// The numbers with what they count.
            pub fn rows(&self) -> Vec<(&'static str, u64)> {
                vec![$(($about, self.$name),)*]
            }
        }
    };
}

counts! {
    models: "models",
    invalid: "of these refused as no text of their language",
    questions: "checks, instances and runs made",
    answers: "definite answers",
    unknown: "unknown answers",
    compared: "answers compared with another way",
    judged: "answers compared with the naive judge",
    certified: "evidence accepted",
    undecided: "evidence not decided within the budget",
    without_evidence: "definite answers without evidence",
    forged: "forgeries",
    false_claims: "of these with a claim known to be false",
    accepted_true: "forgeries accepted whose claim is true or another question",
    mutants: "files with changed bytes",
    disagreements: "disagreements",
    accepted_forgeries: "accepted forgeries",
    rejected: "own evidence rejected",
    crashes: "crashes",
    overruns: "overruns",
}

impl Tally {
    /// Counts what must not happen.
    pub fn count(&mut self, class: Class) {
        match class {
            Class::Disagreement => self.disagreements += 1,
            Class::AcceptedForgery => self.accepted_forgeries += 1,
            Class::RejectedEvidence => self.rejected += 1,
            Class::Crash => self.crashes += 1,
            Class::Overrun => self.overruns += 1,
        }
    }

    /// How often something happened that must not.
    pub fn finds(&self) -> u64 {
        self.disagreements + self.accepted_forgeries + self.rejected + self.crashes + self.overruns
    }
}

/// The numbers of all languages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Seconds that it took.
    pub seconds: u64,
    /// The seed that it began with.
    pub seed: u64,
    /// By language.
    pub languages: BTreeMap<String, Tally>,
    /// All together.
    pub total: Tally,
}

impl Summary {
    /// Adds the numbers of a trial.
    pub fn add(&mut self, language: &str, tally: &Tally) {
        self.total.add(tally);
        let own = self.languages.entry(language.to_owned()).or_default();
        own.add(tally);
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} seconds, seed {}", self.seconds, self.seed)?;
        for (about, number) in self.total.rows() {
            writeln!(f, "{number:>12}  {about}")?;
        }
        writeln!(f)?;
        let head = ["models", "answers", "certified", "forged", "finds"];
        write!(f, "{:<12}", "language")?;
        head.iter().try_for_each(|name| write!(f, "{name:>12}"))?;
        for (language, tally) in &self.languages {
            let row = [
                tally.models,
                tally.answers,
                tally.certified,
                tally.forged,
                tally.finds(),
            ];
            write!(f, "\n{language:<12}")?;
            row.iter()
                .try_for_each(|number| write!(f, "{number:>12}"))?;
        }
        writeln!(f)
    }
}
