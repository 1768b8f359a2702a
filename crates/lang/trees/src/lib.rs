//! Systems shaped like trees, as a modelling language.
//!
//! Configurations are trees, sets of them tree automata, steps transducers or rewriting rules:
//! can steps from an initial tree lead to a bad one? [`LANGUAGE`] is all that a front end needs.
//!
//! ```
//! use quotient_core::{Context, Verdict};
//! use quotient_language::{Ask, Input, NoFiles, Settings};
//! use quotient_tree_systems::LANGUAGE;
//! let example = LANGUAGE.about().examples.iter().find(|one| one.name == "percolate").unwrap();
//! let (name, text) = example.files[0];
//! let input = Input::bytes(name, text.into());
//! let (settings, cx) = (Settings::default(), Context::default());
//! let mut model = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx)?;
//! let mut verdicts = Vec::new();
//! model.check(&Ask::default(), &cx, &mut |answer| verdicts.push(answer.verdict))?;
//! assert_eq!(verdicts, [Verdict::Holds]);
//! # Ok::<(), quotient_core::Trouble>(())
//! ```

mod about;
mod ask;
mod explore;
mod manifest;
mod model;
mod problem;
mod show;
mod simulate;
mod tell;

use quotient_core::{Context, Trouble};
use quotient_language::{About, Files, Input, Language, Model, Settings, Sureness};
use quotient_trees::timbuk::{self, looks_like_trees};

use model::TreeModel;

/// Systems shaped like trees.
pub const LANGUAGE: &dyn Language = &Trees;

struct Trees;

impl Language for Trees {
    fn about(&self) -> &'static About {
        &about::ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let ending = input.has_ending(about::ENDINGS);
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        match manifest::is_manifest(source.text()) || looks_like_trees(source) {
            true => Sureness::Certain,
            false => Sureness::No.with_ending(ending),
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let problem = match manifest::is_manifest(source.text()) {
            true => manifest::read(source, files)?,
            false => {
                let file = timbuk::read(source)?;
                if let Some(mistake) = problem::second_initial(source, &file) {
                    return Err(mistake.into());
                }
                problem::of_file(source, file)
            }
        };
        Ok(Box::new(TreeModel::new(input.name(), problem, settings)?))
    }
}
