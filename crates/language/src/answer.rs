//! What is asked of a model, and what it answers.

use quotient_core::{Evidence, Span, Stop, Verdict};

use crate::{Json, Picture, Table, Trace};

/// A property of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Property {
    /// What it is called, in answers and for `--property`; unique in its file.
    pub name: String,
    /// Its number among those of the file, from 1, where properties are numbered.
    pub number: Option<usize>,
    /// What kind of property it is: `invariant`, `LTLSPEC`, `progress`.
    pub kind: String,
    /// The property as the file writes it. Evidence is about this text, not only about the name.
    pub text: String,
    /// Where it stands in the file; nowhere if a user gave it.
    pub span: Option<Span>,
    /// Whether it is one of the file.
    pub in_file: bool,
}

/// What is asked of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ask {
    /// Only these properties, by name or as the language takes them; all if there are none.
    pub properties: Vec<String>,
    /// How many threads may work, if that is said.
    pub threads: Option<usize>,
    /// Whether a property may hold because the model has no beginning; otherwise that is
    /// `unknown`. The workbench sets it from the setting `allow-empty`.
    pub allow_empty: bool,
    /// Whether reasons to doubt the model will be asked for.
    pub doubt: bool,
    /// Whether to tell which parts of the properties do not matter.
    pub vacuity: bool,
    /// Whether pictures and files of the run are wanted ([`Answer::exhibits`]).
    pub exhibits: bool,
    /// Whether nobody will see the evidence: what takes more work than the answer need not be looked for then.
    pub bare: bool,
}

/// The answer to one property.
///
/// ```
/// use quotient_core::Verdict;
/// use quotient_language::Answer;
/// let answer = Answer::new("mutex", Verdict::Holds).because("7 states looked at");
/// assert_eq!(answer.property, "mutex");
/// ```
#[derive(Debug, Clone)]
pub struct Answer {
    /// The name of the property.
    pub property: String,
    /// Its number among those of the file, where properties are numbered.
    pub number: Option<usize>,
    /// The answer itself.
    pub verdict: Verdict,
    /// The number that was asked for, where one was.
    pub value: Option<Number>,
    /// The method that gave it.
    pub method: Option<String>,
    /// How many refinements it took.
    pub refinements: u64,
    /// What shows it, in a line.
    pub because: String,
    /// The run that shows it.
    pub trace: Option<Trace>,
    /// Numbers that belong to it.
    pub table: Option<Table>,
    /// What others can check.
    pub evidence: Option<Evidence>,
    /// Pictures and files that belong to it.
    pub exhibits: Vec<Exhibit>,
    /// What else there is to say, as texts of one or more lines.
    pub notes: Vec<String>,
    /// The same for programs: further fields of the property.
    pub details: Vec<(String, Json)>,
    /// Whether a part of the property does not matter, if that was asked.
    pub vacuous: bool,
    /// What is said about places of the source: a page shows it there.
    pub remarks: Vec<(Span, String)>,
}

impl Answer {
    /// A bare answer.
    pub fn new(property: impl Into<String>, verdict: Verdict) -> Answer {
        Answer {
            property: property.into(),
            number: None,
            verdict,
            value: None,
            method: None,
            refinements: 0,
            because: String::new(),
            trace: None,
            table: None,
            evidence: None,
            exhibits: Vec::new(),
            notes: Vec::new(),
            details: Vec::new(),
            vacuous: false,
            remarks: Vec::new(),
        }
    }

    /// No answer, for a reason.
    pub fn unknown(property: impl Into<String>, why: Stop) -> Answer {
        let because = why.to_string();
        Answer::new(property, Verdict::Unknown(why)).because(because)
    }

    /// What shows it, in a line.
    #[must_use]
    pub fn because(mut self, because: impl Into<String>) -> Answer {
        self.because = because.into();
        self
    }

    /// The method that gave it.
    #[must_use]
    pub fn by(mut self, method: impl Into<String>) -> Answer {
        self.method = Some(method.into());
        self
    }

    /// The run that shows it.
    #[must_use]
    pub fn with_trace(mut self, trace: Trace) -> Answer {
        self.trace = Some(trace);
        self
    }

    /// What others can check.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Evidence) -> Answer {
        self.evidence = Some(evidence);
        self
    }
}

/// A number with bounds that it surely lies between.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// The best guess.
    pub value: f64,
    /// It is not less than this.
    pub lower: f64,
    /// It is not more than this.
    pub upper: f64,
    /// The number itself, written exactly, where it is known: `1/6`.
    pub exact: Option<String>,
}

/// A reason to doubt a model, or a verdict about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// For people: a sentence without a full stop.
    pub text: String,
    /// For programs: an object with at least `doubt`, the stable name of the reason.
    pub details: Json,
    /// The place in the source that it is about.
    pub span: Option<Span>,
}

impl Doubt {
    /// A reason with its stable name.
    pub fn new(name: &str, text: impl Into<String>) -> Doubt {
        let text = text.into();
        let details = serde_json::json!({ "doubt": name, "because": text });
        Doubt {
            text,
            details,
            span: None,
        }
    }
}

/// Something to look at beside an answer or a model.
#[derive(Debug, Clone)]
pub struct Exhibit {
    /// What it is called; files are named after it.
    pub name: String,
    /// A word about it.
    pub caption: String,
    /// How it looks; too large things have no picture.
    pub picture: Option<Picture>,
    /// Files that hold it: an ending (`tmb`, `toml`) and a text each. An ending of the form
    /// `=problem.toml` is the whole name of the file.
    pub files: Vec<(String, String)>,
}
