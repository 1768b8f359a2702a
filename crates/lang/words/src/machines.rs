//! Automata and transducers: what is shown and written of them.

use quotient_automata::Alphabet;
use quotient_automata::exhibits::Exhibits;
use quotient_automata::facts::{shown, summary, summary_json};
use quotient_automata::formats::{self, Document, Limits, Named};
use quotient_automata::pictures::machine_picture;
use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble};
use quotient_language::{Answer, Ask, Exhibit, Json, Model, Property, Shown, Viewed, Written};
use quotient_regular::telling::named_format;

/// A file that states no problem: it can be shown and converted.
pub(crate) struct MachineModel {
    pub(crate) document: Document,
    /// Why it cannot be checked.
    pub(crate) why: Diagnostic,
}

impl MachineModel {
    fn machines(&self) -> Machines<'_> {
        Machines {
            file: self.document.source.name(),
            format: self.document.format.name(),
            alphabet: &self.document.alphabet,
            all: &self.document.machines,
        }
    }
}

impl Model for MachineModel {
    fn warnings(&self) -> Vec<Diagnostic> {
        self.document.warnings.clone()
    }

    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn property(&mut self, _: &str) -> Result<Property, Trouble> {
        Err(self.why.clone().into())
    }

    fn check(&mut self, _: &Ask, _: &Context, _: &mut dyn FnMut(Answer)) -> Result<(), Trouble> {
        Err(self.why.clone().into())
    }

    fn certify(&mut self, _: &Evidence, _: &Property, _: &Budget) -> Result<Certified, Rejection> {
        Err(Rejection::unreadable(self.why.message.clone()))
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        self.machines().show(view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn quotient_language::Simulation>, Trouble> {
        Err(self.why.clone().into())
    }

    fn instance(&mut self, _: &Context) -> Result<quotient_language::Inspected, Trouble> {
        Err(self.why.clone().into())
    }

    fn convert(&mut self, to: &str, part: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        self.machines().convert(to, part, cx)
    }

    fn exhibits(&mut self, cx: &Context) -> Result<Vec<Exhibit>, Trouble> {
        let mut exhibits = Exhibits::new(formats::Format::Timbuk);
        let machines = self.document.machines.iter();
        machines
            .map(|named| exhibits.machine(&named.name, &named.name, named, &cx.budget))
            .collect()
    }
}

/// The machines of a file, or of a problem.
pub(crate) struct Machines<'a> {
    /// The name of the file.
    pub(crate) file: &'a str,
    /// What it is written in.
    pub(crate) format: &'a str,
    pub(crate) alphabet: &'a Alphabet,
    pub(crate) all: &'a [Named],
}

impl<'a> Machines<'a> {
    /// Facts and pictures of all of them, or of one.
    pub(crate) fn show(&self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        let machines = self.chosen(view.part.as_deref())?;
        let title = match &view.part {
            Some(part) => format!("{}#{part}", self.file),
            None => self.file.to_owned(),
        };
        let mut shown = shown(&title, self.format, self.alphabet, machines, &cx.budget);
        if let Json::Object(fields) = &mut shown.result {
            fields.shift_insert(0, "file".to_owned(), Json::from(self.file));
        }
        if view.picture {
            for named in machines {
                shown = shown.picture(machine_picture(named, None));
            }
        }
        Ok(shown)
    }

    /// All of them, or one, in another format.
    pub(crate) fn convert(
        &self,
        to: &str,
        part: Option<&str>,
        cx: &Context,
    ) -> Result<Written, Trouble> {
        let format = named_format(to)?;
        let machines = self.chosen(part)?;
        let written = formats::write(machines, format, &Limits::default(), &cx.budget)?;
        let lines: Vec<String> = machines.iter().map(summary).collect();
        let objects: Vec<Json> = machines.iter().map(summary_json).collect();
        let own = |(suffix, table): (&str, String)| (suffix.to_owned(), table);
        Ok(Written {
            text: written.text,
            companions: written.companions.into_iter().map(own).collect(),
            line: lines.join("\n"),
            details: vec![
                ("machines".to_owned(), Json::from(objects)),
                ("format".to_owned(), Json::from(format.name())),
            ],
            warnings: written.warnings,
            bytes: None,
        })
    }

    /// The machine of this name, or all.
    fn chosen(&self, part: Option<&str>) -> Result<&'a [Named], Diagnostic> {
        let Some(part) = part else {
            return Ok(self.all);
        };
        let names = || self.all.iter().map(|named| named.name.as_str());
        let Some(at) = names().position(|name| name == part) else {
            let there: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            return Err(Diagnostic::error(
                "no-such-part",
                format!("there is no `{part}` in {}", self.file),
            )
            .note(format!("there is {}", there.join(", ")))
            .did_you_mean(part, names()));
        };
        Ok(&self.all[at..=at])
    }
}
