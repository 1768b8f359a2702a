//! The languages, by name and by text.

use quotient_core::{Diagnostic, Source};
use quotient_language::{About, Input, Language, Sureness, Verb};

use crate::languages::{LANGUAGES, MORE};

/// The languages that can be used.
#[derive(Clone)]
pub struct Workbench {
    languages: Vec<&'static dyn Language>,
}

impl Default for Workbench {
    fn default() -> Workbench {
        Workbench::standard()
    }
}

impl std::fmt::Debug for Workbench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.abouts().map(|about| about.id))
            .finish()
    }
}

impl Workbench {
    /// All languages that come with the program.
    pub fn standard() -> Workbench {
        Workbench {
            languages: LANGUAGES.to_vec(),
        }
    }

    /// No languages: for programs that bring their own.
    pub fn empty() -> Workbench {
        Workbench {
            languages: Vec::new(),
        }
    }

    /// With one more language.
    #[must_use]
    pub fn with(mut self, language: &'static dyn Language) -> Workbench {
        self.languages.push(language);
        self
    }

    /// The languages, in the order in which they are listed.
    pub fn languages(&self) -> &[&'static dyn Language] {
        &self.languages
    }

    /// What the languages say about themselves.
    pub fn abouts(&self) -> impl Iterator<Item = &'static About> {
        self.languages.iter().map(|language| language.about())
    }

    /// The language with an id or name.
    pub fn named(&self, name: &str) -> Result<&'static dyn Language, Diagnostic> {
        let is = |about: &About| {
            about.id.eq_ignore_ascii_case(name) || about.name.eq_ignore_ascii_case(name)
        };
        let found = self.languages.iter().find(|language| is(language.about()));
        found.copied().ok_or_else(|| {
            let ids: Vec<&str> = self.abouts().map(|about| about.id).collect();
            let message = format!("there is no language `{name}`");
            let error = Diagnostic::error("no-such-language", message)
                .note(format!("there is {}", ids.join(", ")))
                .did_you_mean(name, ids.iter().copied());
            self.with_more(error)
        })
    }

    /// An error about a missing language tells, where the build has only some, how to get all.
    pub fn with_more(&self, error: Diagnostic) -> Diagnostic {
        match MORE {
            Some(more) => error.help(more),
            None => error,
        }
    }

    /// The language that a text is in: the surest wins; a tie, or nobody, is an error that says
    /// what was considered.
    pub fn recognise(&self, input: &Input) -> Result<&'static dyn Language, Diagnostic> {
        let mut sure: Vec<(Sureness, &'static dyn Language)> = self
            .languages
            .iter()
            .map(|&language| (language.recognises(input), language))
            .filter(|(sureness, _)| *sureness > Sureness::No)
            .collect();
        let Some(best) = sure.iter().map(|(sureness, _)| *sureness).max() else {
            return Err(self.nobody(input));
        };
        sure.retain(|(sureness, _)| *sureness == best);
        // Who is used to the ending of the file knows better.
        let is_usual = |language: &dyn Language| input.has_ending(language.about().endings);
        if sure.iter().any(|(_, language)| is_usual(*language)) {
            sure.retain(|(_, language)| is_usual(*language));
        }
        match sure[..] {
            [(_, language)] => Ok(language),
            _ => {
                let ids: Vec<&str> = sure.iter().map(|(_, one)| one.about().id).collect();
                let message = "this text could be in several languages";
                Err(Diagnostic::error("ambiguous-language", message)
                    .in_source(&named(input))
                    .note(format!("it looks like {}", ids.join(" or ")))
                    .help(format!("say which: `--language {}`", ids[0])))
            }
        }
    }

    fn nobody(&self, input: &Input) -> Diagnostic {
        if let (None, Err(no_text)) = (input.names(), input.require_text()) {
            return no_text;
        }
        let names: Vec<&str> = self.abouts().map(|about| about.name).collect();
        let mut endings: Vec<String> = self
            .abouts()
            .flat_map(|about| about.endings)
            .map(|ending| format!(".{ending}"))
            .collect();
        endings.dedup();
        let what = match (input.names(), input.source()) {
            (Some(_), _) => "this folder is no problem that is known here",
            (_, Some(source)) if source.text().trim().is_empty() => "the text is empty",
            _ => "no language recognises this text",
        };
        let error = Diagnostic::error("unknown-language", what)
            .in_source(&named(input))
            .note(format!("considered: {}", names.join(", ")))
            .note(format!("usual endings: {}", endings.join(" ")))
            .help("if you know the language, say it: `--language NAME`");
        self.with_more(error)
    }

    /// Refuses what a language does not offer, in one way for all of them.
    pub fn refuse(&self, about: &About, verb: Verb) -> Result<(), Diagnostic> {
        if about.offers.contains(&verb) {
            return Ok(());
        }
        let offers: Vec<String> = about
            .offers
            .iter()
            .map(|verb| format!("`{}`", verb.name()))
            .collect();
        let others: Vec<&str> = self
            .abouts()
            .filter(|other| other.offers.contains(&verb))
            .map(|other| other.name)
            .collect();
        let name = verb.name();
        let message = format!("`{name}` has no meaning for {}", about.text);
        let mut error = Diagnostic::error("not-offered", message).help(format!(
            "{} offers {}",
            about.name,
            offers.join(", ")
        ));
        if !others.is_empty() {
            error = error.note(format!("`{name}` is for {}", others.join(", ")));
        }
        Err(error)
    }
}

/// A source that only has the name of an input.
fn named(input: &Input) -> Source {
    Source::new(input.name(), "")
}
