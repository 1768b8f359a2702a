//! The interface without a server: one question, answered at once and on this thread.

use std::sync::Arc;
use std::time::Duration;

use quotient_core::Budget;
use quotient_workbench::Workbench;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Api, with};
use crate::http::{Request, Response};
use crate::jobs::Order;
use crate::runs::{Outlet, Run};
use crate::shelf::Shelf;

/// Answers questions of the interface as the server does, but without files of its own: all texts
/// come with the question.
///
/// A question has a `method`, a `path` after `/api/` and a `body`. What is answered has a `status`
/// and a `body`; a run is told by things with an `event` and its `data` first, and its `body` is
/// the whole report.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use quotient_web::Alone;
/// use quotient_workbench::Workbench;
/// let told = Arc::new(Mutex::new(Vec::new()));
/// let hear = told.clone();
/// let alone = Alone::new(Workbench::empty());
/// alone.answer(br#"{ "method": "GET", "path": "about" }"#, move |line| {
///     hear.lock().unwrap().push(line.clone());
/// });
/// assert_eq!(told.lock().unwrap()[0]["status"], 200);
/// ```
pub struct Alone(Api);

impl std::fmt::Debug for Alone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Alone({:?})", self.0.workbench)
    }
}

/// How long a run may take unless it is said.
const RUN_TIME: Duration = Duration::from_secs(300);

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Question {
    method: String,
    path: String,
    body: Value,
}

impl Alone {
    /// With these languages, five minutes for a run, and no ceiling on memory.
    pub fn new(workbench: Workbench) -> Alone {
        Alone(Api::new(workbench, Shelf::none(), RUN_TIME, None))
    }

    /// With a ceiling on the memory of the program while it runs, in bytes.
    #[must_use]
    pub fn within(mut self, memory: u64) -> Alone {
        self.0.run_memory = Some(memory);
        self
    }

    /// Answers a question; what is said is given to `hear`, the answer last.
    pub fn answer(&self, question: &[u8], hear: impl Fn(&Value) + Send + Sync + 'static) {
        let hear = Arc::new(hear);
        let response = match serde_json::from_slice::<Question>(question) {
            Ok(question) => self.respond(question, hear.clone()),
            Err(error) => Response::error(400, &format!("not understood: {error}")),
        };
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        hear(&json!({ "status": response.status, "body": body }));
    }

    fn respond(
        &self,
        question: Question,
        hear: Arc<impl Fn(&Value) + Send + Sync + 'static>,
    ) -> Response {
        let body = question.body.to_string().into_bytes();
        let request = Request::of(&question.method, &format!("/api/{}", question.path), body);
        match (request.method.as_str(), question.path.as_str()) {
            ("POST", "runs") => with(&request, |order: Order| {
                let (verb, budget, work) = match self.0.prepared(order) {
                    Ok(prepared) => prepared,
                    Err(refusal) => return refusal,
                };
                let outlet = move |name: &str, data: &Value| {
                    hear(&json!({ "event": name, "data": data }));
                };
                Response::json(&Run::alone(&verb, budget, Outlet(Box::new(outlet)), work))
            }),
            _ => {
                let budget = match self.0.run_memory {
                    Some(memory) => Budget::new(None, Some(memory)),
                    None => Budget::unlimited(),
                };
                self.0.answer(&request, &budget)
            }
        }
    }
}
