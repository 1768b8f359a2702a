//! A model with the files and settings that belong to it.

use quotient_language::{Input, MemoryFiles};
use quotient_workbench::Request;
use serde::{Deserialize, Serialize};

/// Settings by name, as a user gives them.
pub type Given = Vec<(String, String)>;

/// A model as texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The language, by id.
    pub language: String,
    /// Files by name; the first is the one to open.
    pub files: Vec<(String, String)>,
    /// Settings that are part of every question, as a file of properties is.
    pub settings: Given,
}

impl Sample {
    /// A model of one file.
    pub fn of(language: &str, name: &str, text: impl Into<String>) -> Sample {
        Sample {
            language: language.to_owned(),
            files: vec![(name.to_owned(), text.into())],
            settings: Vec::new(),
        }
    }

    /// With a file beside it.
    #[must_use]
    pub fn beside(mut self, name: &str, text: impl Into<String>) -> Sample {
        self.files.push((name.to_owned(), text.into()));
        self
    }

    /// With a setting that is part of every question.
    #[must_use]
    pub fn setting(mut self, name: &str, value: &str) -> Sample {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The text that is opened.
    pub fn text(&self) -> &str {
        self.files.first().map_or("", |(_, text)| text)
    }

    /// How long all its texts are together.
    pub fn len(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A request to open it, with further settings.
    pub fn request(&self, more: &[(String, String)]) -> Request {
        let (name, text) = self.files.first().cloned().unwrap_or_default();
        let mut request = Request::of(Input::bytes(name, text.into_bytes()));
        request.files = Box::new(self.files.iter().cloned().collect::<MemoryFiles>());
        request.language = Some(self.language.clone());
        request.settings = self.settings.iter().chain(more).cloned().collect();
        request
    }
}
