//! The two traits that a language implements.

use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble};

use crate::{
    About, Answer, Ask, Doubt, Exhibit, Files, Input, Property, Settings, Shown, Simulation,
    Sureness,
};

/// A modelling language: how to recognise a text, and how to open it.
pub trait Language: Sync {
    /// What it says about itself.
    fn about(&self) -> &'static About;

    /// How sure it is that this is one of its texts. Quick: a look at the beginning, not a parse.
    fn recognises(&self, input: &Input) -> Sureness;

    /// Reads a model. All mistakes are told at once.
    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble>;
}

/// An opened model: what it can be asked.
///
/// What a language does not offer it leaves out, both here and in [`About::offers`]; the
/// workbench says so in one way for all of them, and never calls what is not offered.
pub trait Model {
    /// What the model is called; by default the name of its file.
    fn title(&self) -> Option<String> {
        None
    }

    /// What is odd about the text, though it can be used.
    fn warnings(&self) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// The constants of the model with the values in force, by name: evidence for other values is
    /// evidence about another model.
    fn constants(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The properties of the file, in its order.
    fn properties(&self) -> Vec<Property>;

    /// The property that a user or evidence names: one of the file, or, where the language takes
    /// formulas, one that is not in it.
    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let all = self.properties();
        let found = all.iter().find(|property| property.name == name);
        found
            .cloned()
            .ok_or_else(|| no_such_property(name, &all).into())
    }

    /// Whether the model has any beginning. Of one that has none everything is true, which is
    /// hardly ever what was meant: the workbench takes such answers, and evidence for them, for
    /// nothing unless [`ALLOW_EMPTY`](crate::ALLOW_EMPTY) is set. Found without an engine, since
    /// `certify` asks it, too. Languages whose models always begin leave it out.
    fn can_begin(&mut self, budget: &Budget) -> Result<bool, Trouble> {
        let _ = budget;
        Ok(true)
    }

    /// Answers what is asked, each answer as soon as it is there. A question may be answered once more when there is more
    /// to say: the later answer counts.
    ///
    /// An error after some answers does not take them back; properties that were asked for and
    /// not answered count as unknown.
    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble>;

    /// Checks evidence about a property of this model, with code that shares nothing with the
    /// engines but plain data. The envelope has been checked: format, language, settings (they
    /// are those that this model was opened with), and that the property is the one of the file.
    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection>;

    /// Evidence about this model in a file of another tool, such as a witness in a format of the
    /// field, with the name of the property that it is about; or why there is none in it, in a
    /// line. Nothing where no such files are known. It is checked as any other evidence.
    fn foreign_evidence(&mut self, text: &str) -> Option<Result<(String, Evidence), String>> {
        let _ = text;
        None
    }

    /// Reasons to doubt the model, asked for after a check.
    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let _ = cx;
        Ok(Vec::new())
    }

    /// What belongs beside the answers of a check on a page: parts of the model, as pictures and
    /// files. Asked for after a check that was told to keep them.
    fn exhibits(&mut self, cx: &Context) -> Result<Vec<Exhibit>, Trouble> {
        let _ = cx;
        Ok(Vec::new())
    }

    /// What there is to see of the model, or of a part of it.
    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        let _ = (view, cx);
        Err(not_offered())
    }

    /// A run that begins.
    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let _ = cx;
        Err(not_offered())
    }

    /// Searches one instance completely; settings say which.
    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let _ = cx;
        Err(not_offered())
    }

    /// Answers a question that is no property.
    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        let _ = (query, cx);
        Err(not_offered())
    }

    /// Writes the model, or a part of it, in another format.
    fn convert(&mut self, to: &str, part: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        let _ = (to, part, cx);
        Err(not_offered())
    }
}

/// What to show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Viewed {
    /// A part of the model, by name; the whole if there is none.
    pub part: Option<String>,
    /// Whether a picture is wanted: without one, what only pictures need is not computed.
    pub picture: bool,
}

/// A question with its wishes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The question, in the words of the language.
    pub text: String,
    /// The most answers to list.
    pub limit: usize,
}

/// What the search of one instance found.
#[derive(Debug, Clone, Default)]
pub struct Inspected {
    /// What was searched, in a few words: `3 processes`.
    pub what: String,
    /// How much of what there is: `("configurations", 44)`.
    pub sizes: Vec<(&'static str, u64)>,
    /// An answer for each property.
    pub answers: Vec<Answer>,
    /// What else there is to say; whole lines.
    pub notes: Vec<String>,
}

/// A model in another format.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The text; empty where it is none.
    pub text: String,
    /// The file of a format that is no text.
    pub bytes: Option<Vec<u8>>,
    /// Texts that belong beside it, by what is added to the name of the file, `.syms`, or put in the
    /// place of its ending, `*.sta`.
    pub companions: Vec<(String, String)>,
    /// What was written, in a line.
    pub line: String,
    /// The same for programs: fields of the result.
    pub details: Vec<(String, crate::Json)>,
    /// What could not be written as it was.
    pub warnings: Vec<Diagnostic>,
}

/// A property that is not there, with those that are.
fn no_such_property(name: &str, all: &[Property]) -> Diagnostic {
    let names: Vec<String> = all.iter().map(|one| format!("`{}`", one.name)).collect();
    let error = Diagnostic::error("no-such-property", format!("there is no property `{name}`"));
    let error = match names.is_empty() {
        true => error.note("the model has no properties"),
        false => error.note(format!("there is {}", names.join(", "))),
    };
    error.did_you_mean(name, all.iter().map(|one| one.name.as_str()))
}

/// The workbench asks only for what is offered; who asks otherwise hears this.
fn not_offered() -> Trouble {
    Diagnostic::error("not-offered", "the language does not offer this").into()
}
