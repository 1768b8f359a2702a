//! The model that a request means: a file of the folder or an example, with what is being edited
//! on top.

use std::collections::BTreeMap;

use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_language::{About, Files, Input, MemoryFiles, fits_pattern};
use quotient_workbench::{Access, Folder, Request, Workbench};
use serde::Deserialize;

use crate::shelf::{MOST_BYTES, Shelf};

/// A model as the page names it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Wanted {
    /// The path of the file to open, from the folder or from the example.
    path: String,
    /// The example that it belongs to; otherwise it is a file of the folder.
    example: Option<String>,
    /// Texts that are being edited, by path: they go before those that are saved.
    texts: BTreeMap<String, String>,
    /// The language, if the user says it.
    language: Option<String>,
    /// Settings by name; flags have an empty value.
    settings: Vec<(String, String)>,
}

impl Wanted {
    /// The text to point into, if there is one.
    pub(crate) fn source(request: &Request) -> Option<Source> {
        request.input.source().cloned()
    }

    /// The request that it stands for.
    pub(crate) fn request(
        &self,
        workbench: &Workbench,
        shelf: &Shelf,
        budget: &Budget,
    ) -> Result<Request, Trouble> {
        let missing = |why: &str| {
            let message = format!("cannot read `{}`: {why}", self.path);
            Trouble::from(Diagnostic::error("unreadable", message))
        };
        let base: Box<dyn Files + Send> = match &self.example {
            Some(name) => Box::new(example(workbench, name).ok_or_else(|| missing("no example"))?),
            None => match shelf.inside(&self.path) {
                Some(real) => {
                    let folder = real.parent().unwrap_or(&real).to_path_buf();
                    Box::new(Folder::at(folder, Access::Inside, MOST_BYTES, budget))
                }
                // A text that was never saved.
                None => Box::new(MemoryFiles::default()),
            },
        };
        let folder = match self.path.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => String::new(),
        };
        let mut files = Overlay {
            // Files of an example are named from its first file, those of a folder from theirs.
            below: match &self.example {
                Some(_) => folder.clone(),
                None => String::new(),
            },
            folder,
            texts: self.texts.clone(),
            base,
        };
        let bytes = match self.texts.get(&self.path) {
            Some(text) => text.clone().into_bytes(),
            None if self.example.is_some() => {
                let own = self.path.strip_prefix(files.folder.as_str());
                files
                    .read(own.unwrap_or(&self.path))
                    .map_err(|why| missing(&why))?
            }
            None => shelf.read(&self.path).map_err(|why| missing(&why))?,
        };
        let mut request = Request {
            files: Box::new(files),
            ..Request::of(Input::bytes(self.path.as_str(), bytes))
        };
        request.language.clone_from(&self.language);
        request.settings.clone_from(&self.settings);
        Ok(request)
    }
}

/// The files of an example: `NAME`, or `LANGUAGE/NAME` where several have one of that name.
fn example(workbench: &Workbench, name: &str) -> Option<MemoryFiles> {
    let own = |about: &'static About| about.examples.iter().map(move |one| (about.id, one));
    let mut all = workbench.abouts().flat_map(own);
    let (_, found) = all.find(|(id, one)| match name.split_once('/') {
        Some((language, name)) => *id == language && one.name == name,
        None => one.name == name,
    })?;
    Some(found.files.iter().copied().collect())
}

/// Files with edited texts on top.
struct Overlay {
    /// The folder of the model, as texts are named.
    folder: String,
    /// The folder of the model, as the files below are named.
    below: String,
    texts: BTreeMap<String, String>,
    base: Box<dyn Files + Send>,
}

impl Files for Overlay {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let own = path.strip_prefix("./").unwrap_or(path);
        match self.texts.get(&format!("{}{own}", self.folder)) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.base.read(&format!("{}{own}", self.below)),
        }
    }

    fn find(&mut self, pattern: &str) -> Result<Vec<String>, String> {
        let below = self.base.find(&format!("{}{pattern}", self.below))?;
        let strip = |path: &String| {
            let own = path.strip_prefix(self.below.as_str());
            own.unwrap_or(path).to_owned()
        };
        let mut found: Vec<String> = below.iter().map(strip).collect();
        let edited = self.texts.keys().filter_map(|path| {
            let own = path.strip_prefix(self.folder.as_str())?;
            fits_pattern(pattern, own).then(|| own.to_owned())
        });
        found.extend(edited);
        found.sort();
        found.dedup();
        Ok(found)
    }
}
