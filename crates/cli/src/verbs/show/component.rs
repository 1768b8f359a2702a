//! Components, shown: states, alphabet, transitions, and what they are made of.

use quotient_core::Source;
use quotient_fsp::{Shared, Structure, write_labels};
use quotient_language::Graph as Picture;
use quotient_language::text::wrap;
use quotient_lts::{Part, Tie, structure_picture};
use serde_json::{Value, json};

use super::Show;
use crate::check::components::{Component, Components, wrapped};
use crate::failure::Failure;
use crate::outputs::count;
use crate::reply::Reply;
use crate::session::Session;

/// Transitions of components with more states are not printed.
const MOST_PRINTED: usize = 60;

impl Show {
    /// Shows one component, or lists those of a file.
    pub(super) fn component(
        &self,
        source: &Source,
        part: Option<&str>,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let components = Components::read(source, &self.constants, session)?;
        let name = self.name.as_deref().or(part);
        if self.structure {
            return self.structure(source, &components, name, session);
        }
        let drawn = self.svg.is_some() || self.dot.is_some();
        let names = components.names();
        if name.is_none() && names.len() > 1 && !drawn && !self.minimise {
            return list(source, &components, session);
        }
        let mut component = components.chosen(name, session)?;
        if self.minimise {
            component = component.minimised(session)?;
        }
        let made_of = name.or(names.first().copied());
        let structure = match components.structure(made_of, session) {
            Ok((_, structure)) => Some(structure),
            Err(Failure::Stopped(_)) => None,
            Err(other) => return Err(other),
        };
        let mut reply = Reply {
            text: text(source, &component, structure.as_ref()),
            result: json!({ "file": source.name(), "component": describe(&component, true) }),
            ..Reply::default()
        };
        if drawn {
            self.draw(&mut reply, &component.picture())?;
        }
        Ok(reply)
    }

    /// Shows what a composite is made of.
    fn structure(
        &self,
        source: &Source,
        components: &Components,
        name: Option<&str>,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let (name, structure) = components.structure(name, session)?;
        let mut reply = Reply {
            text: structure_text(&name, &structure),
            result: json!({ "file": source.name(), "structure": structure_json(&name, &structure) }),
            ..Reply::default()
        };
        if self.svg.is_some() || self.dot.is_some() {
            self.draw(&mut reply, &drawn_structure(&name, &structure))?;
        }
        Ok(reply)
    }
}

fn drawn_structure(name: &str, structure: &Structure) -> Picture {
    let alone = |number: usize| {
        let own = structure.shared.iter();
        let own = own.filter(move |shared| shared.components == [number]);
        own.flat_map(|shared| &shared.actions).map(String::as_str)
    };
    let parts: Vec<Part> = structure
        .components
        .iter()
        .enumerate()
        .map(|(number, member)| Part {
            name: member.name.clone(),
            watches: member.watches,
            alone: write_labels(alone(number)),
        })
        .collect();
    let ties = structure.shared.iter();
    let ties = ties.filter(|shared| shared.components.len() > 1);
    let ties: Vec<Tie> = ties
        .map(|shared| Tie {
            parts: shared.components.clone(),
            actions: labels(&shared.actions),
        })
        .collect();
    structure_picture(name, &parts, &ties)
}

/// A set of labels without the outermost brackets.
fn labels(names: &[String]) -> String {
    let set = write_labels(names.iter().map(String::as_str));
    set[1..set.len() - 1].to_owned()
}

fn structure_text(name: &str, structure: &Structure) -> String {
    let mut text = format!(
        "{name}: {}\n",
        count(structure.components.len(), "component")
    );
    for member in &structure.components {
        let watches = if member.watches { ", only watches" } else { "" };
        let line = format!(
            "{} ({}{watches})",
            member.name,
            count(member.states, "state")
        );
        text.push_str(&format!("  {}\n", wrapped(&line, 76, 4)));
    }
    let (own, shared): (Vec<&Shared>, Vec<&Shared>) = structure
        .shared
        .iter()
        .partition(|shared| shared.components.len() == 1);
    for (title, kind) in [("shared", shared), ("alone", own)] {
        for one in kind {
            let names: Vec<&str> = one
                .components
                .iter()
                .map(|&number| structure.components[number].name.as_str())
                .collect();
            let line = format!("{title}: {} by {}", labels(&one.actions), names.join(", "));
            text.push_str(&format!("  {}\n", wrapped(&line, 76, 4)));
        }
    }
    text
}

fn structure_json(name: &str, structure: &Structure) -> Value {
    let members = structure.components.iter().map(
        |member| json!({ "name": member.name, "states": member.states, "watches": member.watches }),
    );
    let shared = structure.shared.iter();
    let shared = shared.map(|one| json!({ "components": one.components, "actions": one.actions }));
    json!({
        "name": name,
        "components": members.collect::<Vec<_>>(),
        "shared": shared.collect::<Vec<_>>(),
    })
}

/// All components of a file with their sizes; what is too large is said to be.
fn list(source: &Source, components: &Components, session: &Session) -> Result<Reply, Failure> {
    let mut text = format!("{}: components\n", source.name());
    let mut described = Vec::new();
    let names = components.names();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0).min(40);
    for name in names {
        let kind = components.kind(name);
        let (sizes, mut about) = match components.get(name, session) {
            Ok(component) => (sizes(&component), describe(&component, false)),
            Err(Failure::Stopped(stop)) => (
                format!("not built: {stop}"),
                json!({ "name": name, "because": stop.to_string() }),
            ),
            Err(other) => return Err(other),
        };
        about["kind"] = json!(kind);
        let line = format!("{kind:<9}  {name:<width$}  {sizes}");
        text.push_str(&format!("  {}\n", wrapped(&line, 78, width + 15)));
        described.push(about);
    }
    let mut result = json!({ "file": source.name(), "components": described });
    for (kind, names) in components.others() {
        let line = format!("{kind}: {}", names.join(", "));
        text.push_str(&format!("  {}\n", wrapped(&line, 78, 4)));
        result[kind] = json!(names);
    }
    Ok(Reply {
        text,
        result,
        ..Reply::default()
    })
}

fn sizes(component: &Component) -> String {
    let lts = &component.lts;
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

fn text(source: &Source, component: &Component, structure: Option<&Structure>) -> String {
    let lts = &component.lts;
    let mut text = format!("{}: {}\n", component.name, sizes(component));
    if let Some(before) = component.before {
        let before = count(before, "state");
        text.push_str(&format!("  minimised, {before} before\n"));
    }
    if let Some(structure) = structure.filter(|structure| structure.components.len() > 1) {
        text.push_str(&format!("  {}\n", wrapped(&made_of(structure), 78, 4)));
    }
    let names = lts.alphabet().iter();
    let alphabet = write_labels(names.map(|&action| component.actions.name(action)));
    let alphabet = wrapped(&format!("alphabet: {alphabet}"), 78, 4);
    text.push_str(&format!("  {alphabet}\n"));
    if lts.states() > MOST_PRINTED {
        let line = format!(
            "(too many transitions to print: `quotient convert '{}#{}' - --to aut` lists them)",
            source.name(),
            component.name
        );
        text.push_str(&format!("  {}\n", wrapped(&line, 78, 4)));
        return text;
    }
    for line in component.fsp().lines() {
        let indent = line.len() - line.trim_start().len() + 4;
        let wrapped = wrap(line, 78).replace('\n', &format!("\n{:indent$}", ""));
        text.push_str(&format!("  {wrapped}\n"));
    }
    text
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

/// A component for programs.
fn describe(component: &Component, whole: bool) -> Value {
    let lts = &component.lts;
    let name = |action: quotient_compose::Action| component.actions.name(action);
    let mut object = json!({
        "name": component.name,
        "states": lts.states(),
        "transitions": lts.transitions(),
        "alphabet": lts.alphabet().iter().map(|&action| name(action)).collect::<Vec<_>>(),
        "deterministic": lts.is_deterministic(),
        "error": lts.has_error(),
        "end": lts.end(),
    });
    if let Some(before) = component.before {
        object["minimisedFrom"] = json!(before);
    }
    if whole {
        let target = |state| (state != quotient_compose::ERROR).then_some(state);
        let edges = lts
            .all_edges()
            .map(|(from, edge)| json!([from, name(edge.action), target(edge.target)]));
        object["initial"] = json!(target(lts.initial()));
        object["edges"] = edges.collect();
    }
    object
}
