//! The interface for programs, which the page uses, too. `docs/web.md` describes it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use quotient_core::{Budget, Trouble};
use quotient_language::{About, Input, Kind, Setting, Verb};
use quotient_report::{Drawing, dot, draw_run, read_graph, svg_with, tikz};
use quotient_workbench::{Workbench, apart};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::jobs::{Job, Moves, Order, trouble_view};
use crate::model::Wanted;
use crate::runs::{Run, Runs};
use crate::shelf::Shelf;

/// How long a look, a picture or a step of a simulation may take.
const QUICK: Duration = Duration::from_secs(8);
/// How many of those may be under way.
const MOST_QUICK: usize = 6;

/// Endings of files with properties, which are given along with a model.
const BESIDE: &[&str] = &["props", "pctl", "csl", "prctl"];

/// What requests are answered from.
pub(crate) struct Api {
    pub(crate) workbench: Workbench,
    pub(crate) shelf: Shelf,
    pub(crate) runs: Runs,
    /// The file to open first, if one was named.
    pub(crate) first: Option<String>,
    pub(crate) run_time: Duration,
    pub(crate) run_memory: Option<u64>,
    pub(crate) quick: AtomicUsize,
    pub(crate) budget: Budget,
}

/// A model, and perhaps more.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    model: Wanted,
    part: Option<String>,
    to: String,
    #[serde(flatten)]
    moves: Value,
}

impl Api {
    pub(crate) fn new(
        workbench: Workbench,
        shelf: Shelf,
        time: Duration,
        memory: Option<u64>,
    ) -> Api {
        Api {
            workbench,
            shelf,
            runs: Runs::default(),
            first: None,
            run_time: time,
            run_memory: memory,
            quick: AtomicUsize::new(0),
            budget: Budget::unlimited(),
        }
    }

    /// The answer to a request with the right token; events of runs are answered elsewhere. The
    /// budget ends when nobody waits for it any more.
    pub(crate) fn answer(&self, request: &Request, client: &Budget) -> Response {
        let parts: Vec<&str> = request.path.split('/').skip(2).collect();
        match (request.method.as_str(), &parts[..]) {
            ("GET", ["about"]) => Response::json(&self.about()),
            ("GET", ["files"]) => Response::json(&self.files()),
            ("GET", ["file"]) => self.read(request),
            ("PUT", ["file"]) => with(request, |saved: Saved| self.save(&saved)),
            ("POST", ["look"]) => with(request, |asked: Asked| {
                self.quick(client, &asked.model, |job, budget| Ok(job.look(&budget)))
            }),
            ("POST", ["show"]) => with(request, |asked: Asked| {
                let part = asked.part.clone();
                self.quick(client, &asked.model, move |job, budget| {
                    job.show(part, &budget)
                })
            }),
            ("POST", ["convert"]) => with(request, |asked: Asked| {
                let (to, part) = (asked.to.clone(), asked.part.clone());
                self.quick(client, &asked.model, move |job, budget| {
                    job.convert(&to, part.as_deref(), &budget)
                })
            }),
            ("POST", ["simulate"]) => with(request, |asked: Asked| {
                let mut moves = asked.moves.clone();
                if let Some(object) = moves.as_object_mut() {
                    object.retain(|name, _| MOVES.contains(&name.as_str()));
                }
                match serde_json::from_value::<Moves>(moves) {
                    Ok(moves) => self.quick(client, &asked.model, move |job, budget| {
                        job.simulate(&moves, &budget)
                    }),
                    Err(error) => Response::error(400, &error.to_string()),
                }
            }),
            ("POST", ["draw"]) => with(request, |wish: Wish| self.draw(client, &wish)),
            ("POST", ["runs"]) => with(request, |order: Order| self.begin(order)),
            ("GET", ["runs", id]) => match self.runs.get(id) {
                Some(run) => Response::json(&run.report().unwrap_or(json!({ "running": true }))),
                None => Response::error(404, "there is no such run"),
            },
            ("DELETE", ["runs", id]) => match self.runs.get(id) {
                Some(run) => {
                    run.cancel();
                    Response::json(&json!({}))
                }
                None => Response::error(404, "there is no such run"),
            },
            (
                _,
                [
                    "about" | "files" | "file" | "look" | "show" | "simulate" | "convert" | "draw"
                    | "runs",
                    ..,
                ],
            ) => Response::error(405, "this is not how it is asked for"),
            _ => Response::error(404, "there is nothing here"),
        }
    }

    fn about(&self) -> Value {
        let languages: Vec<Value> = self.workbench.abouts().map(language).collect();
        json!({
            "quotient": env!("CARGO_PKG_VERSION"),
            "folder": self.shelf.name(),
            "first": self.first,
            "seconds": self.run_time.as_secs_f64(),
            "languages": languages,
        })
    }

    /// The files of the folder that look like models, or like files of models.
    fn files(&self) -> Value {
        let abouts: Vec<&About> = self.workbench.abouts().collect();
        let fits = |name: &str| {
            let input = Input::bytes(name, Vec::new());
            let formats = abouts.iter().flat_map(|about| about.formats);
            let endings = abouts.iter().map(|about| about.endings);
            endings
                .chain(formats.map(|format| format.endings))
                .chain([BESIDE])
                .any(|own| input.has_ending(own))
        };
        let (files, more) = self.shelf.list(&fits);
        json!({ "files": files, "more": more })
    }

    fn read(&self, request: &Request) -> Response {
        let path = request.parameter("path").unwrap_or_default();
        match self.shelf.read(path) {
            Ok(bytes) => {
                let length = bytes.len();
                let input = Input::bytes(path, bytes);
                let text = input.source().map(quotient_core::Source::text);
                Response::json(&json!({ "path": path, "text": text, "bytes": length }))
            }
            Err(why) => Response::error(404, &why),
        }
    }

    fn save(&self, saved: &Saved) -> Response {
        let now = self.shelf.read(&saved.path).ok();
        let before = saved.before.as_ref().map(|text| text.clone().into_bytes());
        if now.is_some() && now != before && !saved.over {
            return Response::error(409, "the file has changed on the disk");
        }
        match self.shelf.write(&saved.path, saved.text.as_bytes()) {
            Ok(()) => Response::json(&json!({ "path": saved.path })),
            Err(why) => Response::error(403, &why),
        }
    }

    /// Work that is done while the client waits.
    fn quick(
        &self,
        client: &Budget,
        wanted: &Wanted,
        work: impl FnOnce(Job, Budget) -> Result<Value, Trouble> + Send + 'static,
    ) -> Response {
        let _place = match Place::take(&self.quick, client) {
            Some(place) => place,
            None => return Response::error(429, "too much is asked at once; try again"),
        };
        let budget = client.child_for(QUICK);
        let request = match wanted.request(&self.workbench, &self.shelf, &budget) {
            Ok(request) => request,
            Err(trouble) => {
                return Response::json(&json!({ "diagnostics": trouble_view(&trouble) }));
            }
        };
        let job = Job {
            workbench: self.workbench.clone(),
            request,
        };
        let own = budget.clone();
        let outcome = catch_unwind(AssertUnwindSafe(|| apart(&budget, move || work(job, own))));
        let value = match outcome {
            Ok(Ok(Ok(value))) => value,
            Ok(Ok(Err(trouble))) => {
                json!({ "diagnostics": trouble_view(&trouble), "failed": true })
            }
            Ok(Err(stop)) => json!({ "diagnostics": trouble_view(&stop.into()), "failed": true }),
            Err(_) => return Response::error(500, "an internal error, which is a bug in quotient"),
        };
        Response::json(&value)
    }

    /// Draws a graph again, as somebody wants to see it.
    fn draw(&self, client: &Budget, wish: &Wish) -> Response {
        let Some(_place) = Place::take(&self.quick, client) else {
            return Response::error(429, "too much is asked at once; try again");
        };
        if !wish.run.is_null() {
            let text = draw_run(&wish.run, wish.first, wish.to == "waves");
            return Response::json(&json!({ "text": text }));
        }
        let Some(graph) = read_graph(&wish.graph) else {
            return Response::error(400, "this is no graph");
        };
        let drawing = Drawing {
            down: wish.down,
            open: wish.open.clone(),
            reveal: wish.reveal.clone(),
            ..Drawing::default()
        };
        let text = match wish.to.as_str() {
            "dot" => dot(&graph),
            "tikz" => tikz(&graph),
            _ => svg_with(&graph, &drawing),
        };
        Response::json(&json!({ "text": text }))
    }

    /// Queues a run.
    fn begin(&self, order: Order) -> Response {
        let (verb, budget, work) = match self.prepared(order) {
            Ok(prepared) => prepared,
            Err(refusal) => return refusal,
        };
        match self.runs.add(&verb, budget, work) {
            Some(run) => {
                let mut response = Response::json(&json!({ "id": run.id }));
                response.status = 202;
                response
            }
            None => Response::error(503, "too many runs are waiting"),
        }
    }

    /// The verb of an order, what it may use, and its work.
    pub(crate) fn prepared(
        &self,
        order: Order,
    ) -> Result<(String, Budget, impl FnOnce(&Arc<Run>) + Send + 'static), Response> {
        let known = matches!(
            order.verb.as_str(),
            "check" | "vacuity" | "certify" | "instance" | "ask"
        );
        if !known {
            return Err(Response::error(400, "there is no such verb"));
        }
        let wished = order
            .seconds
            .filter(|seconds| seconds.is_finite() && *seconds > 0.0);
        let time = wished.map_or(self.run_time, |seconds| {
            Duration::try_from_secs_f64(seconds)
                .unwrap_or(self.run_time)
                .min(self.run_time)
        });
        // The clock of a run begins with its work, so that it can wait as long as it must.
        let outer = Budget::new(None, self.run_memory);
        let (workbench, shelf) = (self.workbench.clone(), self.shelf.clone());
        let verb = order.verb.clone();
        let work = move |run: &Arc<Run>| {
            let budget = run.budget.child_for(time);
            let request = match order.model.request(&workbench, &shelf, &budget) {
                Ok(request) => request,
                Err(trouble) => {
                    return run.finish(json!({ "exit": 3, "diagnostics": trouble_view(&trouble) }));
                }
            };
            let job = Job { workbench, request };
            if catch_unwind(AssertUnwindSafe(|| job.run(order, budget, run))).is_err() {
                let message = "an internal error, which is a bug in quotient";
                let bug = quotient_core::Diagnostic::error("bug", message);
                run.finish(json!({ "exit": 3, "diagnostics": trouble_view(&bug.into()) }));
            }
        };
        Ok((verb, outer, work))
    }
}

/// What the way of a simulation is made of.
const MOVES: [&str; 4] = ["choices", "follow", "random", "seed"];

/// A file to save.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Saved {
    path: String,
    text: String,
    /// What the file was when it was opened: one that is another by now is not written over.
    before: Option<String>,
    /// Written over all the same.
    over: bool,
}

/// A graph, and how it is to be drawn.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Wish {
    graph: Value,
    /// Whether layers are below each other.
    down: bool,
    /// Nodes whose group is not folded.
    open: Vec<usize>,
    /// Nodes that are to be seen.
    reveal: Vec<usize>,
    /// `svg`, `dot` or `tikz`; of a run, `lanes` or `waves`.
    to: String,
    /// Instead of a graph, a part of a run, with the number of its first step.
    run: Value,
    first: usize,
}

/// A place among those who are served at once; free again when dropped.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(taken: &'a AtomicUsize, client: &Budget) -> Option<Place<'a>> {
        let until = std::time::Instant::now() + QUICK;
        loop {
            let more = |number: usize| (number < MOST_QUICK).then_some(number + 1);
            if taken.fetch_update(SeqCst, SeqCst, more).is_ok() {
                return Some(Place(taken));
            }
            if std::time::Instant::now() > until || client.poll().is_err() {
                return None;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// Reads what was sent along.
pub(crate) fn with<T: DeserializeOwned>(
    request: &Request,
    answer: impl FnOnce(T) -> Response,
) -> Response {
    match serde_json::from_slice::<T>(&request.body) {
        Ok(value) => answer(value),
        Err(error) => Response::error(400, &format!("not understood: {error}")),
    }
}

/// What a language says about itself, for forms and lists.
fn language(about: &'static About) -> Value {
    let files = |example: &quotient_language::Example| {
        let files = example
            .files
            .iter()
            .map(|(path, text)| json!({ "path": path, "text": text }));
        json!({ "name": example.name, "title": example.title, "files": files.collect::<Vec<_>>() })
    };
    let formats = about.formats.iter().map(
        |format| json!({ "name": format.name, "line": format.line, "endings": format.endings }),
    );
    json!({
        "id": about.id,
        "name": about.name,
        "text": about.text,
        "line": about.line,
        "endings": about.endings,
        "offers": about.offers.iter().map(|verb| verb.name()).collect::<Vec<_>>(),
        "settings": about.settings.iter().map(setting).collect::<Vec<_>>(),
        "formats": formats.collect::<Vec<_>>(),
        "methods": (about.methods)(),
        "starter": about.starter,
        "examples": about.examples.iter().map(files).collect::<Vec<_>>(),
        "guide": about.guide,
    })
}

fn setting(setting: &Setting) -> Value {
    let (kind, choices, bounds) = match setting.kind {
        Kind::Flag => ("flag", json!(null), json!(null)),
        Kind::Text => ("text", json!(null), json!(null)),
        Kind::Whole { least, most } => ("whole", json!(null), json!([least, most])),
        Kind::Choice(choices) => ("choice", json!(choices), json!(null)),
        Kind::Assignment => ("assignment", json!(null), json!(null)),
        Kind::File => ("file", json!(null), json!(null)),
    };
    let verbs = Verb::ALL.iter().filter(|verb| setting.is_for(**verb));
    json!({
        "name": setting.name,
        "kind": kind,
        "choices": choices,
        "bounds": bounds,
        "value": setting.value,
        "many": setting.many,
        "default": setting.default,
        "help": setting.help,
        "group": setting.group,
        "example": setting.example,
        "verbs": verbs.map(|verb| verb.name()).collect::<Vec<_>>(),
    })
}
