//! A problem that was opened: what it can be asked.

use quotient_automata::Nfa;
use quotient_automata::Problem;
use quotient_automata::exhibits::Exhibits;
use quotient_automata::formats::{Format, Named};
use quotient_certify::{WordProblem, certify_words};
use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble};
use quotient_language::{
    Answer, Ask, Doubt, Exhibit, Inspected, Model, Property, Settings, Shown, Simulation, Viewed,
    Written,
};
use quotient_regular::{Configuration, Property as Bad, check, telling};

use crate::instance::Instance;
use crate::liveness;
use crate::machines::Machines;
use crate::problem_files::{ProblemFile, Stated};
use crate::property::properties;
use crate::simulate::Run;

/// A problem with the settings it was opened with.
pub(crate) struct ProblemModel {
    /// The name of its file or folder.
    name: String,
    title: Option<String>,
    /// The question: that of the file, or what `liveness` makes of it.
    problem: Problem,
    stated: Vec<Stated>,
    configuration: Option<Configuration>,
    timeout: Option<std::time::Duration>,
    warnings: Vec<Diagnostic>,
    /// The parts as the file has them, and what it is written in.
    machines: Vec<Named>,
    format: &'static str,
    settings: Settings,
    /// What the last check left: reasons to doubt, and the maker of its exhibits.
    doubts: Vec<Doubt>,
    exhibits: Exhibits<'static>,
}

impl ProblemModel {
    pub(crate) fn new(
        name: &str,
        file: ProblemFile,
        settings: &Settings,
        cx: &Context,
    ) -> Result<ProblemModel, Trouble> {
        let machines = telling::parts(&file.problem);
        let problem = liveness::apply(file.problem, settings, &cx.budget)?;
        Ok(ProblemModel {
            name: name.to_owned(),
            title: file.name,
            problem,
            stated: file.stated,
            configuration: file.configuration,
            timeout: file.timeout,
            warnings: file.warnings,
            machines,
            format: "problem",
            settings: settings.clone(),
            doubts: Vec::new(),
            exhibits: Exhibits::new(Format::Timbuk),
        })
    }

    /// Of one file with the whole problem: its format, and its machines with their own names.
    pub(crate) fn written_as(&mut self, format: &'static str, machines: Vec<Named>) {
        self.format = format;
        self.machines = machines;
    }

    /// The problem with only the properties asked for, if any are.
    fn asked(&mut self, ask: &Ask) -> Result<Problem, Trouble> {
        if ask.properties.is_empty() {
            return Ok(self.problem.clone());
        }
        for name in &ask.properties {
            self.property(name)?;
        }
        let wanted = |property: &&Bad| ask.properties.contains(&property.name);
        let kept = self.problem.properties().iter().filter(wanted).cloned();
        let (initial, relation) = (self.problem.initial(), self.problem.relation());
        Problem::new(initial.clone(), kept.collect(), relation.clone())
            .map_err(|error| Diagnostic::error("problem", error.to_string()).into())
    }

    fn parts(&self) -> Machines<'_> {
        Machines {
            file: &self.name,
            format: self.format,
            alphabet: match self.machines.first() {
                Some(named) => named.machine.alphabet(),
                None => self.problem.alphabet(),
            },
            all: &self.machines,
        }
    }

    fn length(&self) -> Option<usize> {
        self.settings.whole("length").map(|length| length as usize)
    }
}

impl Model for ProblemModel {
    fn title(&self) -> Option<String> {
        self.title.clone()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.warnings.clone()
    }

    fn properties(&self) -> Vec<Property> {
        properties(&self.problem, &self.stated, &self.settings)
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let problem = self.asked(ask)?;
        let options = telling::options(&self.settings, ask, self.configuration.clone())?;
        self.exhibits = Exhibits::new(telling::out_format(&self.settings)?);
        let mut cx = Context {
            budget: cx.budget.clone(),
            story: cx.story.clone(),
            ..Context::default()
        };
        // What is left to tell after a verdict is not cut short by the deadline of the file.
        let whole = cx.budget.clone();
        if let Some(timeout) = self.timeout {
            cx.budget = cx.budget.child_for(timeout);
        }
        let report = check(&problem, &options, &cx);
        self.doubts = report.doubts.iter().map(telling::doubt).collect();
        let family = self.settings.flag("family");
        for answer in &report.answers {
            let mut told = telling::answer(answer, &problem, family);
            if ask.exhibits {
                let machines = telling::machines(answer, true);
                told.exhibits = self
                    .exhibits
                    .of_answer(&answer.property, &machines, &whole)?;
            }
            tell(told);
        }
        Ok(())
    }

    fn can_begin(&mut self, _: &Budget) -> Result<bool, Trouble> {
        Ok(!self.problem.initial().is_empty_language())
    }

    /// Checks an invariant or a run by the independent checker, against the parts as the files
    /// have them.
    ///
    /// Beside that checker the readers of the files are trusted, and, where `liveness` is set,
    /// the reduction of progress to reachability (`quotient_automata::liveness`): what is
    /// certified is the reduced problem. The engine is not.
    fn certify(
        &mut self,
        evidence: &Evidence,
        _: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let own = |property: &Bad| (property.name.clone(), property.bad.clone());
        let bad: Vec<(String, Nfa)> = self.problem.properties().iter().map(own).collect();
        let question = WordProblem {
            initial: self.problem.initial(),
            bad: &bad,
            relation: self.problem.relation(),
        };
        certify_words(evidence, &question, budget)
    }

    fn doubts(&mut self, _: &Context) -> Result<Vec<Doubt>, Trouble> {
        Ok(self.doubts.clone())
    }

    fn exhibits(&mut self, cx: &Context) -> Result<Vec<Exhibit>, Trouble> {
        let parts = telling::parts(&self.problem);
        self.exhibits.problem(&parts, &cx.budget)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        self.parts().show(view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Run::new(self.problem.clone(), self.length())))
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let Some(length) = self.length() else {
            return Err(
                Diagnostic::error("usage", "it is not said how long words are")
                    .help("say it with --length, as in `--length 4`")
                    .into(),
            );
        };
        Instance::new(&self.problem, length).search(&cx.budget)
    }

    fn convert(&mut self, to: &str, part: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        self.parts().convert(to, part, cx)
    }
}
