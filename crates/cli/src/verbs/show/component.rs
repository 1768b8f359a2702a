//! Components, shown: states, alphabet, transitions.

use quotient_core::Source;
use quotient_report::{component_picture, dot, svg, wrap};
use serde_json::{Value, json};

use super::Show;
use crate::check::components::{Component, Components};
use crate::failure::Failure;
use crate::outputs::{count, write_file};
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
        let drawn = self.svg.is_some() || self.dot.is_some();
        let names = components.names();
        if name.is_none() && names.len() > 1 && !drawn {
            return list(source, &components, session);
        }
        let component = components.chosen(name, session)?;
        let mut reply = Reply {
            text: text(&component),
            result: json!({ "file": source.name(), "component": describe(&component, true) }),
            ..Reply::default()
        };
        let picture = || component_picture(&component.name, &component.lts, &component.actions);
        let pictures = [(&self.svg, "svg"), (&self.dot, "dot")];
        for (out, kind) in pictures {
            let Some(out) = out else { continue };
            let drawn = match kind {
                "svg" => svg(&picture()),
                _ => dot(&picture()),
            };
            match out.as_str() {
                "-" => reply.product = Some(drawn),
                path => {
                    write_file(path, &drawn)?;
                    reply.text.push_str(&format!("wrote {path}\n"));
                }
            }
        }
        Ok(reply)
    }
}

/// All components of a file with their sizes; what is too large is said to be.
fn list(source: &Source, components: &Components, session: &Session) -> Result<Reply, Failure> {
    let mut text = format!("{}: components\n", source.name());
    let mut described = Vec::new();
    let names = components.names();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0).min(40);
    for name in names {
        let (sizes, about) = match components.get(name, session) {
            Ok(component) => (sizes(&component), describe(&component, false)),
            Err(Failure::Stopped(stop)) => (
                format!("not built: {stop}"),
                json!({ "name": name, "because": stop.to_string() }),
            ),
            Err(other) => return Err(other),
        };
        text.push_str(&format!("  {name:<width$}  {sizes}\n"));
        described.push(about);
    }
    Ok(Reply {
        text,
        result: json!({ "file": source.name(), "components": described }),
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

fn text(component: &Component) -> String {
    let lts = &component.lts;
    let mut names: Vec<&str> = lts
        .alphabet()
        .iter()
        .map(|&action| component.actions.name(action))
        .collect();
    names.sort_unstable();
    let mut text = format!("{}: {}\n", component.name, sizes(component));
    let alphabet = wrap(&format!("alphabet: {}", names.join(", ")), 78);
    text.push_str(&format!("  {}\n", alphabet.replace('\n', "\n    ")));
    if lts.states() > MOST_PRINTED {
        text.push_str("  (too many transitions to print; --svg and --dot draw them)\n");
        return text;
    }
    for line in component.fsp().lines() {
        let indent = line.len() - line.trim_start().len() + 4;
        let wrapped = wrap(line, 78).replace('\n', &format!("\n{:indent$}", ""));
        text.push_str(&format!("  {wrapped}\n"));
    }
    text
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
