//! Where in the text a step is written.

use quotient_core::Span;
use rustc_hash::FxHashMap;

use super::definition::base;
use crate::Step;
use crate::model::own_label;
use crate::syntax::{Alternative, Body, Definition, Process};
use crate::{Model, plain_label};

/// The places of actions in processes, looked up as they are asked for.
pub(super) struct Places<'a> {
    model: &'a Model,
    /// What a process writes: the beginning of a label, whether an index or a set follows, and
    /// where it stands.
    written: FxHashMap<&'a str, Vec<(String, bool, Span)>>,
    found: FxHashMap<(String, String), Option<Span>>,
}

impl<'a> Places<'a> {
    pub(super) fn new(model: &'a Model) -> Places<'a> {
        Places {
            model,
            written: FxHashMap::default(),
            found: FxHashMap::default(),
        }
    }

    /// The place of a step: where one of those who take part writes the action, if it does so at
    /// one place only. Actions that were given other names are not looked for.
    pub(super) fn of(&mut self, step: &Step) -> Option<Span> {
        let mut movers = step.moves.iter();
        movers.find_map(|one| self.in_component(&one.component, &step.label))
    }

    fn in_component(&mut self, component: &str, label: &str) -> Option<Span> {
        let key = (component.to_owned(), label.to_owned());
        if let Some(&known) = self.found.get(&key) {
            return known;
        }
        let own = own_label(label, component).to_owned();
        let written = self.written(base(component));
        let mut fitting = written.iter().filter(|(start, more, _)| {
            let rest = own.strip_prefix(start.as_str());
            rest.is_some_and(|rest| {
                rest.is_empty() || *more && (start.is_empty() || rest.starts_with('.'))
            })
        });
        let found = match (fitting.next(), fitting.next()) {
            (Some(&(_, _, span)), None) => Some(span),
            _ => None,
        };
        self.found.insert(key, found);
        found
    }

    fn written(&mut self, name: &str) -> &[(String, bool, Span)] {
        let model = self.model;
        let mut definitions = model.specification().definitions.iter();
        let process = definitions.find_map(|definition| match definition {
            Definition::Process(process) if process.name.text == name => Some(process),
            _ => None,
        });
        let Some(process) = process else {
            return &[];
        };
        self.written
            .entry(&process.name.text)
            .or_insert_with(|| labels(process, model.source().text()))
    }
}

/// All action labels of a process.
fn labels(process: &Process, text: &str) -> Vec<(String, bool, Span)> {
    let mut todo: Vec<&Body> = process.locals.iter().map(|local| &local.body).collect();
    let mut all = Vec::new();
    while let Some(body) = todo.pop() {
        match body {
            Body::Reference { .. } => {}
            Body::Choice(alternatives) => {
                for Alternative { actions, next, .. } in alternatives {
                    for label in actions {
                        let written = text.get(label.span.range()).unwrap_or_default();
                        let start = written.split(['[', '{']).next().unwrap_or_default();
                        let more = start.len() < written.len();
                        let start = start.trim().trim_end_matches('.');
                        all.push((plain_label(start), more, label.span));
                    }
                    todo.push(next);
                }
            }
            Body::If {
                then, otherwise, ..
            } => {
                todo.push(then);
                todo.extend(otherwise.as_deref());
            }
        }
    }
    all
}
