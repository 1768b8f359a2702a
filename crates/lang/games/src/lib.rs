//! Games of two players about words of every length, as a language: the text form of the tool
//! SLRP.
//!
//! A file has the automata `I0` (initial words) and `F` (the goal) and the transducers `P1` and
//! `P2` (the moves of the players); or `Enabled` in place of `P1`, which says which processes a
//! fair scheduler may choose. [`LANGUAGE`] is all that a front end needs.

mod compile;
mod exhibits;
mod model;
mod read;
mod simulate;
mod text;

#[cfg(test)]
mod tests;

use quotient_core::{Context, Trouble};
use quotient_language::{About, Example, Files, Input, Language, Model, Settings, Sureness, Verb};

use model::GameModel;

/// The language.
///
/// ```
/// use quotient_core::{Context, Verdict};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// let example = &quotient_games::LANGUAGE.about().examples[0];
/// let (name, text) = example.files[0];
/// let input = Input::bytes(name, text.into());
/// let cx = Context::default();
/// let language = quotient_games::LANGUAGE;
/// let mut model = language.open(&input, &mut NoFiles, &Settings::default(), &cx)?;
/// let mut tell = |answer: quotient_language::Answer| assert_eq!(answer.verdict, Verdict::Holds);
/// model.check(&Ask::default(), &cx, &mut tell)?;
/// # Ok::<(), quotient_core::Trouble>(())
/// ```
pub const LANGUAGE: &dyn Language = &Games;

struct Games;

fn methods() -> Vec<(String, String)> {
    Vec::new()
}

const ABOUT: About = About {
    id: "game",
    name: "Game",
    text: "a game about words",
    line: "randomised protocols of any size: two players, a goal, fair schedulers (SLRP)",
    endings: &["slrp", "game"],
    offers: &[Verb::Check, Verb::Certify, Verb::Simulate, Verb::Show],
    settings: &[],
    formats: &[],
    starter: include_str!("../gallery/tokens.game"),
    methods,
    examples: &[
        Example {
            name: "tokens",
            title: "tokens on a line that are passed on or kept by a coin",
            files: &[("tokens.game", include_str!("../gallery/tokens.game"))],
        },
        Example {
            name: "israeli-jalfon",
            title: "tokens on a ring that go left or right",
            files: &[(
                "israeli-jalfon.game",
                include_str!("../gallery/israeli-jalfon.game"),
            )],
        },
        Example {
            name: "lehmann-rabin",
            title: "dining philosophers who toss coins",
            files: &[(
                "lehmann-rabin.game",
                include_str!("../gallery/lehmann-rabin.game"),
            )],
        },
        Example {
            name: "herman-fair",
            title: "tokens on a ring with a fair scheduler",
            files: &[(
                "herman-fair.game",
                include_str!("../gallery/herman-fair.game"),
            )],
        },
        Example {
            name: "moran",
            title: "two types that compete on a line, with a fair scheduler",
            files: &[("moran.game", include_str!("../gallery/moran.game"))],
        },
        Example {
            name: "herman-unfair",
            title: "tokens on a ring that an unfair scheduler keeps apart",
            files: &[(
                "herman-unfair.game",
                include_str!("../gallery/herman-unfair.game"),
            )],
        },
    ],
    guide: "docs/games.md",
};

impl Language for Games {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(ABOUT.endings);
        match input.source() {
            None => Sureness::No,
            Some(source) if read::begins(source) => Sureness::Certain,
            Some(_) => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        _: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let file = read::read(source)?;
        let game = compile::compile(&file, source, &cx.budget)?;
        Ok(Box::new(GameModel {
            source: source.clone(),
            file,
            game,
        }))
    }
}

/// Reads a text, for tests that no text makes a reader panic.
#[doc(hidden)]
pub fn read_any(text: &str) {
    let _ = read::read(&quotient_core::Source::new("any", text));
}
