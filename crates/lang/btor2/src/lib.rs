//! Word-level models in BTOR2 files, as a language.

mod check;
mod dependence;
mod foreign;
mod model;
mod show;
mod trace;
mod walk;
mod witness;

use quotient_circuit::telling;
use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Example, Files, Format, Input, Language, Model, Settings, Sureness, Verb,
};

use quotient_netlist::words;

use model::WordModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Source};
/// use quotient_language::{Input, NoFiles, Settings};
/// let text = "1 sort bitvec 1\n2 state 1\n3 bad 2\n";
/// let input = Input::text(&Source::new("t.btor2", text));
/// let language = quotient_btor2::LANGUAGE;
/// let model = language.open(&input, &mut NoFiles, &Settings::default(), &Context::default());
/// assert_eq!(model.unwrap().properties()[0].name, "b0");
/// ```
pub const LANGUAGE: &dyn Language = &Btor2;

struct Btor2;

const ABOUT: About = About {
    id: "btor2",
    name: "BTOR2",
    text: "a word-level model",
    line: "word-level models: words of any width, arrays, bad states, constraints, justice",
    endings: &["btor2", "btor"],
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Show,
        Verb::Convert,
    ],
    settings: telling::SETTINGS,
    formats: &[
        Format {
            name: "aag",
            endings: &["aag"],
            line: "AIGER 1.9, ascii: bit by bit",
        },
        telling::AIG,
        telling::BLIF,
    ],
    starter: include_str!("../gallery/counter.btor2"),
    methods: telling::methods,
    examples: &[
        Example {
            name: "counter",
            title: "a counter of 32 bits that counts or doubles: 1000 is reached",
            files: &[("counter.btor2", include_str!("../gallery/counter.btor2"))],
        },
        Example {
            name: "fifo",
            title: "a queue with a memory: its counter fits its pointers",
            files: &[("fifo.btor2", include_str!("../gallery/fifo.btor2"))],
        },
    ],
    guide: "docs/circuits.md",
};

impl Language for Btor2 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        let text = input.source().map(|source| source.text());
        match text.is_some_and(words::looks_like) {
            true => Sureness::Certain,
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        settings: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let words = words::read(source)?;
        let model = WordModel::new(source, words, settings.clone(), &cx.budget)?;
        Ok(Box::new(model))
    }
}
