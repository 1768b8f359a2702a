//! All mistakes of a text at once.

use quotient_core::{Budget, Diagnostic};

use super::{Model, Options};
use crate::Trouble;
use crate::compile::Compiler;
use crate::parse::MOST_ERRORS;
use crate::syntax::{CompositeBody, CompositeTerm, Definition, Name};

impl Model {
    /// What was found, and the mistakes of all processes and composites, in the order of the text.
    pub(super) fn all_mistakes(
        &self,
        mut found: Vec<Diagnostic>,
        options: &Options,
        budget: &Budget,
    ) -> Vec<Diagnostic> {
        let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span.start);
        let known: Vec<&str> = self.processes().chain(self.composites()).collect();
        let compiler = Compiler::new(&self.source, &self.specification, options, budget);
        let Ok(mut compiler) = compiler else {
            return found;
        };
        for name in known {
            if found.len() > MOST_ERRORS || budget.poll().is_err() {
                break;
            }
            match compiler.whole(name) {
                Ok(_) => {}
                // One circle is met by each of its members.
                Err(Trouble::Invalid(more)) => {
                    found.extend(more.into_iter().filter(|one| one.code != "recursion"));
                    compiler.start_again();
                }
                Err(Trouble::Stopped(_)) => break,
            }
        }
        // A composite does not get beyond the first of its parts that is wrong.
        for definition in &self.specification.definitions {
            if let Definition::Composite(composite) = definition {
                let used = used(&composite.body);
                let unknown = used
                    .into_iter()
                    .filter(|name| !compiler.defines(&name.text));
                found.extend(unknown.map(|name| compiler.undefined(name)));
            }
            if found.len() > 2 * MOST_ERRORS || budget.poll().is_err() {
                break;
            }
        }
        found.sort_by_key(place);
        found.dedup_by(|one, other| place(one) == place(other) && one.code == other.code);
        found.truncate(MOST_ERRORS);
        found
    }
}

/// The names of the processes that a composite puts together.
pub(super) fn used(body: &CompositeBody) -> Vec<&Name> {
    let mut names = Vec::new();
    let mut todo = vec![body];
    while let Some(body) = todo.pop() {
        match body {
            CompositeBody::Labelled { term, .. } => match term {
                CompositeTerm::Process(call) => names.push(&call.name),
                CompositeTerm::Parallel(bodies) => todo.extend(bodies),
            },
            CompositeBody::ForAll(_, body) => todo.push(body),
            CompositeBody::If {
                then, otherwise, ..
            } => {
                todo.push(then);
                todo.extend(otherwise.as_deref());
            }
        }
    }
    names
}
