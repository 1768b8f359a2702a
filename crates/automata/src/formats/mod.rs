//! Automata and transducers as files.
//!
//! [`read`] finds out the format from the text, or is told; [`read_all`] reads the files of
//! one problem over their common alphabet; [`write()`] writes. Readers are liberal, writers
//! strict, and what was written reads back as the same language or relation. The grammars are
//! in `docs/formats.md`.
//!
//! ```
//! use quotient_automata::formats::{Format, Reading, read};
//! use quotient_core::{Budget, Source, Trouble};
//! let text = "Ops x:0 T:1 N:1\nAutomaton one_token\nStates p q\nFinal States q\n\
//!             Transitions\nx() -> p\nT(p) -> q\nnot_in{T}(q) -> q\n";
//! let document = read(&Source::new("init.tmb", text), &Reading::default(), &Budget::unlimited())?;
//! assert_eq!(document.format, Format::Timbuk);
//! assert_eq!(document.automaton()?.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabets;
mod bits;
mod bytes;
mod cursor;
mod detect;
mod document;
mod dot;
mod draft;
mod fsa;
mod fsm;
mod json;
mod limits;
mod mata;
mod resolve;
mod slrp;
mod timbuk;
mod write;

use std::sync::Arc;

use quotient_core::{Budget, Source, Trouble};

pub use alphabets::{LETTERS_LIKE_BITS, LETTERS_OF_BITS, different_alphabets};
pub use bytes::decode;
pub use detect::{Clue, detect};
pub use document::{Document, Kind, Machine, Named, Parts, Role};
pub use limits::Limits;

pub use write::{Written, write};

/// The formats for automata and transducers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Timbuk, plain and symbolic.
    Timbuk,
    /// Prolog terms of the FSA Utilities.
    Fsa,
    /// Finite-state machines as text, of AT&T and OpenFst.
    Fsm,
    /// `.mata` and VTF.
    Mata,
    /// SLRP problems.
    Slrp,
    /// JSON problems.
    Json,
    /// Graphviz; only written.
    Dot,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = [
        Format::Timbuk,
        Format::Fsa,
        Format::Fsm,
        Format::Mata,
        Format::Slrp,
        Format::Json,
        Format::Dot,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Timbuk => "Timbuk",
            Format::Fsa => "FSA",
            Format::Fsm => "FSM",
            Format::Mata => "mata",
            Format::Slrp => "SLRP",
            Format::Json => "JSON",
            Format::Dot => "DOT",
        }
    }

    /// The usual extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Timbuk => "tmb",
            Format::Fsa => "pl",
            Format::Fsm => "fsm",
            Format::Mata => "mata",
            Format::Slrp => "slrp",
            Format::Json => "json",
            Format::Dot => "dot",
        }
    }

    /// The format that a file name or a word on a command line asks for.
    ///
    /// ```
    /// use quotient_automata::formats::Format;
    /// assert_eq!(Format::named("timbuk"), Some(Format::Timbuk));
    /// assert_eq!(Format::named("out/step.vtf"), Some(Format::Mata));
    /// assert_eq!(Format::named("init"), None);
    /// ```
    pub fn named(name: &str) -> Option<Format> {
        let word = name.rsplit(['.', '/']).next().unwrap_or(name);
        Some(match word.to_ascii_lowercase().as_str() {
            "timbuk" | "tmb" => Format::Timbuk,
            "fsa" | "pl" => Format::Fsa,
            "fsm" | "fst" | "att" => Format::Fsm,
            "mata" | "vtf" => Format::Mata,
            "slrp" => Format::Slrp,
            "json" => Format::Json,
            "dot" | "gv" => Format::Dot,
            _ => return None,
        })
    }
}

/// What a reader is told besides the text.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The format, if the user says it; else the text shows it.
    pub format: Option<Format>,
    /// What is needed, where the text can be read as either (a Timbuk file with letters only
    /// is also the transducer that copies).
    pub expect: Option<Kind>,
    /// Symbol tables of a finite-state machine: one for both sides, or input and output.
    pub symbols: Vec<Source>,
    /// How large the input may be.
    pub limits: Limits,
}

/// Reads one file.
pub fn read(source: &Source, reading: &Reading, budget: &Budget) -> Result<Document, Trouble> {
    let draft = read_draft(source, reading, budget)?;
    let kept = draft.bits.is_some().then(|| Arc::new(draft.clone()));
    let mut documents = resolve::resolve(vec![draft], &reading.limits, budget)?;
    let mut document = documents.pop().expect("one draft makes one document");
    document.draft = kept;
    Ok(document)
}

/// Brings files with formulas over bits ([`Document::has_bits`]) that were read one by one over
/// the letters that all of them tell apart, without reading them again. Other files stay as they
/// are.
///
/// ```
/// use quotient_automata::formats::{Reading, read, share_bits};
/// use quotient_core::{Budget, Source};
/// let file = |formula: &str| {
///     let text = format!("@NFA-bits\n%Initial q\n%Final r\nq {formula} r\n");
///     read(&Source::new("file", text), &Reading::default(), &Budget::unlimited())
/// };
/// let (mut one, mut other) = (file("a1")?, file("a1 & a2")?);
/// share_bits(&mut [&mut one, &mut other], &Default::default(), &Budget::unlimited())?;
/// assert_eq!(one.alphabet, other.alphabet);
/// assert_eq!(one.alphabet.len(), 3);
/// # Ok::<(), quotient_core::Trouble>(())
/// ```
pub fn share_bits(
    documents: &mut [&mut Document],
    limits: &Limits,
    budget: &Budget,
) -> Result<(), Trouble> {
    let mut with_bits: Vec<_> = documents
        .iter_mut()
        .filter_map(|document| Some((document.draft.clone()?, document)))
        .collect();
    if with_bits.len() < 2 {
        return Ok(());
    }
    let drafts = with_bits.iter().map(|(draft, _)| draft.as_ref().clone());
    let together = resolve::resolve(drafts.collect(), limits, budget)?;
    for ((draft, document), shared) in with_bits.iter_mut().zip(together) {
        ***document = shared;
        document.draft = Some(Arc::clone(draft));
    }
    Ok(())
}

/// Reads the files of one problem: all get the same alphabet, the union of theirs in this
/// order, and `not_in {…}` speaks of it. A warning says when that gives a file letters that
/// it does not declare.
///
/// ```
/// use quotient_automata::formats::{Kind, Reading, read_all};
/// use quotient_core::{Budget, Source, Trouble};
/// let init = Source::new("init", "fa(r(fsa_preds),1,[0],[0],[trans(0,a,0)],[]).");
/// let step = Source::new("step", "fa(t(fsa_preds,fsa_preds),1,[0],[0],[trans(0,a/b,0)],[]).");
/// let files = [(init, Reading::default()), (step, Reading::default())];
/// let documents = read_all(&files, &Budget::unlimited())?;
/// assert_eq!(documents[0].automaton()?.alphabet(), documents[1].transducer()?.alphabet());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_all(sources: &[(Source, Reading)], budget: &Budget) -> Result<Vec<Document>, Trouble> {
    let drafts = sources
        .iter()
        .map(|(source, reading)| read_draft(source, reading, budget))
        .collect::<Result<Vec<_>, _>>()?;
    let limits = sources
        .first()
        .map_or_else(Limits::default, |(_, reading)| reading.limits);
    resolve::resolve(drafts, &limits, budget)
}

fn read_draft(
    source: &Source,
    reading: &Reading,
    budget: &Budget,
) -> Result<draft::Draft, Trouble> {
    reading.limits.check_bytes(source)?;
    let format = match reading.format {
        Some(format) => format,
        None => detect::readable(source)?,
    };
    let mut draft = match format {
        Format::Timbuk => timbuk::read(source, reading, budget),
        Format::Fsa => fsa::read(source, budget),
        Format::Fsm => fsm::read(source, reading, budget),
        Format::Mata => mata::read(source, budget),
        Format::Slrp => slrp::read(source, budget),
        Format::Json => json::read(source, budget),
        Format::Dot => Err(detect::write_only(source).into()),
    }?;
    let several = draft.machines.len() > 1;
    for (number, machine) in (1..).zip(&mut draft.machines) {
        if machine.name.is_empty() {
            machine.name = match several {
                true => format!("{}#{number}", source.name()),
                false => source.name().to_owned(),
            };
        }
    }
    Ok(draft)
}
