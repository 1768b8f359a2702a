//! Components, shown: what there is, states, alphabet, transitions, and what they are made of.

use quotient_core::{Context, Trouble};
use quotient_language::text::{count, wrap_indented};
use quotient_language::{Block, Json, Shown, Viewed};
use quotient_lts::{Action, ERROR, Lts, State};
use serde_json::json;

use super::opened::Opened;
use super::parts::{Component, MOST_WORK};
use super::structure::{structure_drawn, structure_json, structure_shown};
use crate::model::Part;
use crate::{Structure, write_labels};

/// Transitions of components with more states are not printed.
const MOST_PRINTED: usize = 60;
/// The width of a page.
const WIDTH: usize = 78;
/// Of a composite, more parts are not named in a list.
const FEW_NAMED: usize = 8;

impl Opened {
    /// Shows one component or what it is made of, or lists those of the text.
    pub(super) fn shown(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        let part = view.part.as_deref();
        let file = self.model.source().name().to_owned();
        if self.wishes.structure {
            let (name, structure) = self.structure_of(part, cx)?;
            let mut shown = structure_shown(&name, &structure);
            shown.result = json!({ "file": file, "structure": structure_json(&name, &structure) });
            return Ok(match view.picture {
                true => shown.picture(structure_drawn(&name, &structure)),
                false => shown,
            });
        }
        let part = part.or(self.options.system.as_deref());
        if part.is_none() && self.names().len() > 1 && self.wishes.minimise.is_none() {
            let shown = self.list(&file, cx)?;
            // The whole is drawn as what it is made of.
            return Ok(match view.picture.then(|| self.structure_of(None, cx)) {
                Some(Ok((name, structure))) => shown.picture(structure_drawn(&name, &structure)),
                _ => shown,
            });
        }
        let component = self.chosen(part, cx)?;
        let made_of = part.or(self.names().first().copied());
        let structure = match self.structure_of(made_of, cx) {
            Ok((_, structure)) => Some(structure),
            Err(Trouble::Stopped(_)) => None,
            Err(other) => return Err(other),
        };
        let mut shown = described(&file, &component, structure.as_ref());
        shown.result = json!({ "file": file, "component": object(&component) });
        Ok(match view.picture {
            true => shown.picture(component.picture()),
            false => shown,
        })
    }

    /// All processes with their sizes, and all composites with what they are made of: nothing is
    /// multiplied out for that.
    fn list(&self, file: &str, cx: &Context) -> Result<Shown, Trouble> {
        let budget = cx.budget.child_with_work(MOST_WORK);
        let parts = self.model.parts(&self.options, &budget)?;
        let mut shown = Shown::titled(format!("{file}: components"));
        let width = parts.iter().map(|part| part.name().chars().count()).max();
        let width = width.unwrap_or(0).min(40);
        let mut all = Vec::new();
        for part in &parts {
            cx.budget.poll()?;
            let name = part.name();
            let is_property = self.model.is_property(name);
            let (kind, text, mut object) = match part {
                Part::Process(_, Ok(lts)) => ("process", sizes(lts), facts(name, lts)),
                Part::Process(_, Err(stop)) => {
                    let object = json!({ "name": name, "because": stop.to_string() });
                    ("process", format!("not built: {stop}"), object)
                }
                Part::Composite(_, made_of) => {
                    let object = json!({ "name": name, "parts": made_of });
                    ("composite", listed(made_of), object)
                }
            };
            let kind = if is_property { "property" } else { kind };
            object["kind"] = json!(kind);
            let line = format!("{kind:<9}  {name:<width$}  {text}");
            let line = wrap_indented(line.trim_end(), WIDTH, width + 15);
            shown.blocks.push(Block::Verbatim(format!("  {line}")));
            all.push(object);
        }
        let mut result = json!({ "file": file, "components": all });
        for (kind, names) in self.others() {
            let line = format!("{kind}: {}", names.join(", "));
            let line = wrap_indented(&line, WIDTH, 4);
            shown.blocks.push(Block::Verbatim(format!("  {line}")));
            result[kind] = json!(names);
        }
        let names = parts.iter().map(Part::name);
        Ok(shown.parts(names).result(result))
    }

    /// What else the text defines: what it is called, and its names.
    fn others(&self) -> Vec<(&'static str, Vec<&str>)> {
        let model = &self.model;
        let all = [
            ("progress", model.progress_properties().collect::<Vec<_>>()),
            ("assertions", model.assertions().collect()),
            ("fluents", model.fluents().collect()),
            ("menus", model.menus().collect()),
            ("constants", model.constants().collect()),
        ];
        let some = all.into_iter().filter(|(_, names)| !names.is_empty());
        some.collect()
    }
}

/// The names of the parts of a composite.
fn listed(names: &[&str]) -> String {
    let mut listed: Vec<&str> = names.iter().copied().take(FEW_NAMED).collect();
    if names.len() > FEW_NAMED {
        listed.push("…");
    }
    format!("of {}", listed.join(", "))
}

fn sizes(lts: &Lts) -> String {
    let mut sizes = format!(
        "{}, {}, {}",
        count(lts.states(), "state"),
        count(lts.transitions(), "transition"),
        count(lts.alphabet().len(), "action")
    );
    if lts.has_error() {
        sizes.push_str(", can err");
    }
    sizes
}

fn described(file: &str, component: &Component, structure: Option<&Structure>) -> Shown {
    let lts = &component.lts;
    let mut shown = Shown::titled(format!("{}: {}", component.name, sizes(lts)));
    let mut line = |text: String| shown.blocks.push(Block::Verbatim(format!("  {text}")));
    if let Some(before) = component.before {
        line(format!("minimised, {} before", count(before, "state")));
    }
    if let Some(structure) = structure.filter(|structure| structure.components.len() > 1) {
        line(wrap_indented(&made_of(structure), WIDTH, 4));
    }
    let names = lts.alphabet().iter();
    let alphabet = write_labels(names.map(|&action| component.actions.name(action)));
    line(wrap_indented(&format!("alphabet: {alphabet}"), WIDTH, 4));
    if lts.states() > MOST_PRINTED {
        let text = format!(
            "(too many transitions to print: `quotient convert '{file}#{}' - --to aut` lists them)",
            component.name
        );
        line(wrap_indented(&text, WIDTH, 4));
        return shown;
    }
    for text in component.fsp().lines() {
        let indent = text.len() - text.trim_start().len() + 4;
        line(wrap_indented(text, WIDTH, indent));
    }
    shown
}

/// The components of a composite, and how many states they could have together.
fn made_of(structure: &Structure) -> String {
    /// More are not listed.
    const FEW: usize = 12;
    let all = &structure.components;
    let mut names: Vec<String> = all
        .iter()
        .take(FEW)
        .map(|member| format!("{} ({})", member.name, member.states))
        .collect();
    if all.len() > FEW {
        names.push(format!("… ({} components)", all.len()));
    }
    format!("made of: {}", names.join(" || "))
}

/// The sizes of a transition system for programs.
fn facts(name: &str, lts: &Lts) -> Json {
    json!({
        "name": name,
        "states": lts.states(),
        "transitions": lts.transitions(),
        "actions": lts.alphabet().len(),
        "deterministic": lts.is_deterministic(),
        "error": lts.has_error(),
        "end": lts.end().map(State::index),
    })
}

/// A component for programs.
fn object(component: &Component) -> Json {
    let lts = &component.lts;
    let name = |action: Action| component.actions.name(action);
    let mut object = json!({
        "name": component.name,
        "states": lts.states(),
        "transitions": lts.transitions(),
        "alphabet": lts.alphabet().iter().map(|&action| name(action)).collect::<Vec<_>>(),
        "deterministic": lts.is_deterministic(),
        "error": lts.has_error(),
        "end": lts.end().map(State::index),
    });
    if let Some(before) = component.before {
        object["minimisedFrom"] = json!(before);
    }
    let target = |state: State| (state != ERROR).then_some(state.index());
    let edges = lts
        .all_edges()
        .map(|(from, edge)| json!([from.index(), name(edge.action), target(edge.target)]));
    object["initial"] = json!(target(lts.initial()));
    object["edges"] = edges.collect();
    object
}
