//! What the page asks for, as work on the workbench: the same as the verbs of the command.

use std::sync::Arc;
use std::time::Instant;

use quotient_core::{
    Budget, Context, Diagnostic, Evidence, Rejection, Stop, Story, Trouble, Verdict,
};
use quotient_language::{
    Answer, Ask, Choice, Query, Random, Shown, Simulation, Trace, Verb, Viewed,
};
use quotient_report::{
    Drawings, Report, answer_json, answer_view, diagnostics_view, doubt_view, exhibit_view,
    overall, property_view, shown_view, simulation_view,
};
use quotient_workbench::{Pins, Request, Workbench, apart};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::Wanted;
use crate::runs::Run;

/// What every piece of work has.
pub(crate) struct Job {
    pub(crate) workbench: Workbench,
    pub(crate) request: Request,
}

/// What is asked of a run, beside the model.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Order {
    /// `check`, `vacuity`, `certify`, `instance`, `ask`.
    pub(crate) verb: String,
    pub(crate) model: Wanted,
    /// The properties that are meant; all if there are none.
    pub(crate) properties: Vec<String>,
    /// The evidence to certify.
    pub(crate) evidence: Option<Evidence>,
    /// The question to ask.
    pub(crate) query: String,
    /// How many seconds it may take, if less than the server allows.
    pub(crate) seconds: Option<f64>,
}

impl Job {
    /// Works on an order and tells the run about it.
    pub(crate) fn run(self, order: Order, budget: Budget, run: &Arc<Run>) {
        let began = Instant::now();
        let source = Wanted::source(&self.request);
        let cx = Context {
            budget: budget.clone(),
            story: Story::to([run.clone() as Arc<dyn quotient_core::Sink>]),
            ..Context::default()
        };
        let verb = order.verb.clone();
        let outcome = match verb.as_str() {
            "check" | "vacuity" => self.check(order, &cx, run, began),
            "certify" => self.certify(order, &cx),
            "instance" | "ask" => {
                let told = run.clone();
                let work = move || self.question(&order, &cx, &told, source.as_ref());
                apart(&budget, work).unwrap_or_else(|stop| Err(stop.into()))
            }
            _ => Err(Trouble::usage(format!("there is no `{verb}`"))),
        };
        let mut report = match outcome {
            Ok(report) => report,
            Err(Trouble::Invalid(diagnostics)) => Report {
                exit: 3,
                diagnostics,
                ..Report::default()
            },
            Err(Trouble::Stopped(stop)) => unknown(stop),
        };
        report.verb = verb;
        report.seconds = Some(began.elapsed().as_secs_f64());
        run.finish(report.to_json());
    }

    fn check(
        mut self,
        order: Order,
        cx: &Context,
        run: &Arc<Run>,
        began: Instant,
    ) -> Result<Report, Trouble> {
        let source = Wanted::source(&self.request);
        let vacuity = order.verb == "vacuity";
        let ask = Ask {
            properties: order.properties,
            doubt: true,
            vacuity,
            exhibits: true,
            ..Ask::default()
        };
        if vacuity {
            self.request.verb = Verb::Vacuity;
        }
        let (told, text) = (run.clone(), source.clone());
        let tell = move |answer: &Answer| {
            let mut view = answer_view(answer, text.as_ref(), Drawings::Small);
            view["seconds"] = json!(began.elapsed().as_secs_f64());
            told.tell("answer", view);
        };
        let checked = self.workbench.check(self.request, &ask, cx, tell)?;
        let source = source.as_ref();
        // What was not answered is told as well.
        for answer in checked
            .answers
            .iter()
            .filter(|answer| !answer.verdict.is_definite())
        {
            run.tell("answer", answer_view(answer, source, Drawings::Small));
        }
        run.tell("model", json!({
            "title": checked.title,
            "language": checked.about.map(|about| about.id),
            "doubts": checked.doubts.iter().map(|doubt| doubt_view(doubt, source)).collect::<Vec<_>>(),
            "exhibits": checked.exhibits.iter().map(|one| exhibit_view(one, Drawings::Small)).collect::<Vec<_>>(),
            "warnings": diagnostics_view(&checked.warnings),
        }));
        let verdict = overall(&checked.answers);
        Ok(Report {
            exit: verdict.exit_code(),
            verdict: Some(verdict),
            result: json!({
                "problem": checked.title,
                "language": checked.about.map(|about| about.id),
                "properties": checked.answers.iter().map(answer_json).collect::<Vec<_>>(),
                "doubts": checked.doubts.iter().map(|doubt| &doubt.details).collect::<Vec<_>>(),
            }),
            diagnostics: checked.warnings,
            ..Report::default()
        })
    }

    fn certify(self, order: Order, cx: &Context) -> Result<Report, Trouble> {
        let Some(evidence) = order.evidence else {
            return Err(Trouble::usage("there is no evidence to certify"));
        };
        let pins = Pins {
            properties: order.properties,
            ..Pins::default()
        };
        let (workbench, inner) = (self.workbench, cx.clone());
        let work = move || workbench.certify(self.request, vec![evidence], &pins, &inner);
        let judged = apart(&cx.budget, work)??;
        let verdicts = judged.iter().map(|one| match &one.outcome {
            Ok(_) => Verdict::Holds,
            Err(Rejection::Stopped(stop)) => Verdict::Unknown(stop.clone()),
            Err(_) => Verdict::Violated,
        });
        let verdict = Verdict::all(verdicts);
        let pieces = judged.iter().map(|one| {
            let mut piece = json!({
                "property": one.evidence.property,
                "question": one.question,
                "claim": one.evidence.verdict().to_string(),
                "accepted": one.outcome.is_ok(),
            });
            match &one.outcome {
                Ok(certified) => piece["facts"] = json!(certified.facts),
                Err(rejection) => piece["because"] = json!(rejection.to_string()),
            }
            piece
        });
        Ok(Report {
            exit: verdict.exit_code(),
            result: json!({ "evidence": pieces.collect::<Vec<_>>() }),
            verdict: Some(verdict),
            ..Report::default()
        })
    }

    /// One instance, or a question that is no property.
    fn question(
        mut self,
        order: &Order,
        cx: &Context,
        run: &Run,
        source: Option<&quotient_core::Source>,
    ) -> Result<Report, Trouble> {
        if order.verb == "ask" {
            let mut opened = self.workbench.open(&mut self.request, Verb::Ask, cx)?;
            let query = Query {
                text: order.query.clone(),
                limit: 100,
            };
            let shown = opened.model.ask(&query, cx)?;
            run.tell("shown", shown_view(&shown, Drawings::Small));
            let verdict = shown.open.map(Verdict::Unknown);
            return Ok(Report {
                exit: verdict.as_ref().map_or(0, Verdict::exit_code),
                verdict,
                result: shown.result,
                diagnostics: shown.warnings,
                ..Report::default()
            });
        }
        let mut opened = self.workbench.open(&mut self.request, Verb::Instance, cx)?;
        let found = opened.model.instance(cx)?;
        for answer in &found.answers {
            run.tell("answer", answer_view(answer, source, Drawings::Small));
        }
        let sizes: Vec<Value> = found
            .sizes
            .iter()
            .map(|(what, size)| json!([what, size]))
            .collect();
        run.tell(
            "instance",
            json!({ "what": found.what, "sizes": sizes, "notes": found.notes }),
        );
        let verdict = overall(&found.answers);
        Ok(Report {
            exit: verdict.exit_code(),
            verdict: Some(verdict),
            result: json!({
                "what": found.what,
                "answers": found.answers.iter().map(answer_json).collect::<Vec<_>>(),
            }),
            ..Report::default()
        })
    }

    /// What the text is, what is wrong with it, and what can be asked of it: quick.
    pub(crate) fn look(mut self, budget: &Budget) -> Value {
        let source = Wanted::source(&self.request);
        let cx = Context {
            budget: budget.clone(),
            ..Context::default()
        };
        let language = self.workbench.language_of(&self.request);
        let about = match &language {
            Ok(language) => language.about(),
            Err(trouble) => return json!({ "diagnostics": trouble_view(trouble) }),
        };
        let mut view = json!({ "language": about.id });
        match self.workbench.open(&mut self.request, Verb::Check, &cx) {
            Ok(opened) => {
                let properties = opened.model.properties();
                view["title"] = json!(opened.title);
                view["properties"] = properties
                    .iter()
                    .map(|one| property_view(one, source.as_ref()))
                    .collect();
                view["diagnostics"] = diagnostics_view(&opened.model.warnings());
            }
            Err(trouble) => view["diagnostics"] = trouble_view(&trouble),
        }
        view
    }

    /// What there is to see of the model, or of a part of it.
    pub(crate) fn show(mut self, part: Option<String>, budget: &Budget) -> Result<Value, Trouble> {
        let cx = Context {
            budget: budget.clone(),
            ..Context::default()
        };
        let mut opened = self.workbench.open(&mut self.request, Verb::Show, &cx)?;
        let mut view = Viewed {
            part,
            picture: true,
        };
        let mut shown = opened.model.show(&view, &cx);
        // Where there is no one picture, what can be looked at is told all the same.
        if view.part.is_none() && !matches!(shown, Ok(Shown { ref parts, .. }) if !parts.is_empty())
        {
            view.picture = false;
            let told = opened.model.show(&view, &cx);
            match (&mut shown, told) {
                (Ok(shown), Ok(told)) => shown.parts = told.parts,
                (Err(_), told) => shown = told,
                _ => {}
            }
        }
        Ok(shown_view(&shown?, Drawings::Small))
    }

    /// A run that is given by the choices that were taken, and where it stands then.
    pub(crate) fn simulate(mut self, moves: &Moves, budget: &Budget) -> Result<Value, Trouble> {
        let source = Wanted::source(&self.request);
        let cx = Context {
            budget: budget.clone(),
            ..Context::default()
        };
        let mut opened = self
            .workbench
            .open(&mut self.request, Verb::Simulate, &cx)?;
        let mut simulation = opened.model.simulate(&cx)?;
        let mut taken = Vec::new();
        let mut refused = Value::Null;
        for &choice in &moves.choices {
            if choice >= simulation.choices(&cx)?.len() {
                return Err(Trouble::usage("the run does not fit the model any more"));
            }
            simulation.take(choice, &cx)?;
            taken.push(choice);
        }
        if let Some(step) = follow(simulation.as_mut(), &moves.follow, &mut taken, &cx)? {
            let because = simulation.refusal(&step.action);
            refused = json!({ "action": step.action, "because": because });
        }
        let mut random = Random::new(moves.seed);
        for _ in 0..moves.random.min(1_000) {
            let choices = simulation.choices(&cx)?;
            if choices.is_empty() {
                break;
            }
            let place = random.below(choices.len());
            simulation.take(place, &cx)?;
            taken.push(place);
        }
        let status = simulation.status(&cx)?;
        let choices = simulation.choices(&cx)?;
        let mut view = simulation_view(&simulation.trace(), &choices, &status, source.as_ref());
        view["choices_taken"] = json!(taken);
        view["refused"] = refused;
        Ok(view)
    }

    /// The model, or a part of it, in another format.
    pub(crate) fn convert(
        mut self,
        to: &str,
        part: Option<&str>,
        budget: &Budget,
    ) -> Result<Value, Trouble> {
        let cx = Context {
            budget: budget.clone(),
            ..Context::default()
        };
        let mut opened = self.workbench.open(&mut self.request, Verb::Convert, &cx)?;
        let written = opened.model.convert(to, part, &cx)?;
        let bytes = written.bytes.unwrap_or_default();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(json!({
            "text": written.text,
            "hex": hex,
            "line": written.line,
            "companions": written.companions,
        }))
    }
}

/// The way of a simulation.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Moves {
    /// Choices by number, as they were taken.
    choices: Vec<usize>,
    /// Then the steps of a run that is known by its actions.
    follow: Vec<Followed>,
    /// Then so many at random.
    random: usize,
    seed: u64,
}

/// A step of a run that is known: what happened, and what was so after it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Followed {
    action: String,
    columns: Vec<String>,
    cells: Vec<String>,
}

/// Goes the way of a run that is known from elsewhere, as far as it goes; the step that cannot
/// be taken is given. Steps are found by their names and by what is so after them.
fn follow<'a>(
    simulation: &mut dyn Simulation,
    steps: &'a [Followed],
    taken: &mut Vec<usize>,
    cx: &Context,
) -> Result<Option<&'a Followed>, Trouble> {
    // A simulation that has begun by itself is at the first step already.
    let begun = !simulation.trace().steps.is_empty();
    for step in steps.iter().skip(usize::from(begun)) {
        let choices = simulation.choices(cx)?;
        let wanted = simulation.spelled(&step.action);
        let named = |choice: &Choice| {
            step.action.is_empty() || choice.action == wanted || choice.action == step.action
        };
        let mut places: Vec<usize> = (0..choices.len())
            .filter(|&at| named(&choices[at]))
            .collect();
        if places.is_empty() {
            places = (0..choices.len()).collect();
        }
        let mut found = None;
        for &place in &places {
            simulation.take(place, cx)?;
            let fits = agrees(&simulation.trace(), step);
            simulation.undo();
            if fits {
                found = Some(place);
                break;
            }
        }
        let by_name = places.iter().copied().find(|&place| named(&choices[place]));
        let nameless = step.cells.is_empty();
        match found.or(by_name.filter(|_| nameless || places.len() == 1)) {
            Some(place) => {
                simulation.take(place, cx)?;
                taken.push(place);
            }
            None => return Ok(Some(step)),
        }
    }
    Ok(None)
}

/// Whether a run ends as a step says, in all that both tell.
fn agrees(trace: &Trace, step: &Followed) -> bool {
    let Some(last) = trace.steps.last() else {
        return false;
    };
    let mut both = 0;
    for (column, cell) in trace.columns.iter().zip(&last.cells) {
        let place = step.columns.iter().position(|own| own == column);
        match place.and_then(|place| step.cells.get(place)) {
            Some(own) if *own == cell.text => both += 1,
            Some(_) => return false,
            None => {}
        }
    }
    both > 0
}

/// What is wrong, for the page.
pub(crate) fn trouble_view(trouble: &Trouble) -> Value {
    match trouble {
        Trouble::Invalid(mistakes) => diagnostics_view(mistakes),
        Trouble::Stopped(stop) => {
            let text = format!("not looked at completely: {stop}");
            diagnostics_view(&[Diagnostic::warning("stopped", text)])
        }
    }
}

fn unknown(stop: Stop) -> Report {
    Report {
        exit: 2,
        verdict: Some(Verdict::Unknown(stop)),
        ..Report::default()
    }
}
