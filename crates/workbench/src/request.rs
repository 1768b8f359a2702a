//! What a front end asks for, and how it is opened.

use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::{About, Files, Input, Language, Model, Settings, Sureness, Verb};

use crate::Workbench;

/// A model that is to be opened, with what is to be done with it.
pub struct Request {
    /// The text or folder.
    pub input: Input,
    /// The files beside it.
    pub files: Box<dyn Files + Send>,
    /// The id of the language, if the user says it.
    pub language: Option<String>,
    /// Settings by name, as they were given; flags have an empty value.
    pub settings: Vec<(String, String)>,
    /// For which verb a check is made: `vacuity` is one, too, and has settings of its own.
    pub verb: Verb,
}

impl Request {
    /// A text without files beside it.
    pub fn of(input: Input) -> Request {
        Request {
            input,
            files: Box::new(quotient_language::NoFiles),
            language: None,
            settings: Vec::new(),
            verb: Verb::Check,
        }
    }
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("input", &self.input.name())
            .field("language", &self.language)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// An opened model.
pub struct Opened {
    /// What its language says about itself.
    pub about: &'static About,
    /// The settings that it was opened with.
    pub settings: Settings,
    /// The model.
    pub model: Box<dyn Model>,
    /// What it is called.
    pub title: String,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened")
            .field("language", &self.about.id)
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}

impl Workbench {
    /// The language of a request: the one that is named, or the one that recognises it.
    pub fn language_of(&self, request: &Request) -> Result<&'static dyn Language, Trouble> {
        Ok(match &request.language {
            Some(name) => self.named(name)?,
            None => self.recognise(&request.input)?,
        })
    }

    /// Opens a model for a verb: finds the language, refuses what it does not offer and settings
    /// that it does not know, and reads the text.
    pub fn open(&self, request: &mut Request, verb: Verb, cx: &Context) -> Result<Opened, Trouble> {
        let language = self.language_of(request)?;
        let about = language.about();
        self.refuse(about, verb)?;
        not_blank(&request.input)?;
        let settings = Settings::new(about.name, about.settings, verb, &request.settings)?;
        let opened = self.open_with(request, language, settings, cx);
        let guessed =
            request.language.is_none() && language.recognises(&request.input) == Sureness::ByName;
        opened.map_err(|trouble| match guessed {
            true => with_language(trouble, about, &request.input),
            false => trouble,
        })
    }

    /// Opens a model of a known language with settings that were looked at.
    pub(crate) fn open_with(
        &self,
        request: &mut Request,
        language: &'static dyn Language,
        settings: Settings,
        cx: &Context,
    ) -> Result<Opened, Trouble> {
        let model = language.open(&request.input, request.files.as_mut(), &settings, cx)?;
        let title = model
            .title()
            .unwrap_or_else(|| request.input.name().to_owned());
        Ok(Opened {
            about: language.about(),
            settings,
            model,
            title,
        })
    }
}

/// A file without a word in it is no model: whatever is true of nothing is not what anybody asked.
fn not_blank(input: &Input) -> Result<(), Diagnostic> {
    match input.source() {
        Some(source) if source.text().trim().is_empty() => {
            Err(Diagnostic::error("empty-file", "the file is empty").in_source(source))
        }
        _ => Ok(()),
    }
}

/// Where not even the first word can be read, and nothing but the ending of the file says what it is, somebody may wonder
/// what it was taken for.
fn with_language(mut trouble: Trouble, about: &About, input: &Input) -> Trouble {
    let (Trouble::Invalid(all), Some(source)) = (&mut trouble, input.source()) else {
        return trouble;
    };
    let begin = source.text().len() - source.text().trim_start().len();
    let first = all.first_mut().filter(|first| {
        let place = first.labels.first();
        place.is_some_and(|place| place.span.start <= begin)
    });
    if let Some(first) = first {
        let text = about.text;
        let note = format!("by the ending of its name, the file was read as {text}");
        first.notes.push(note);
        let help = "if it is something else, say so: `--language NAME`";
        first.help.push(help.to_owned());
    }
    trouble
}
