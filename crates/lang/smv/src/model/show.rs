//! What there is to see of a model.

use std::time::Duration;

use quotient_core::{Context, Diagnostic, Stop, Trouble};
use quotient_language::text::count;
use quotient_language::{Json, Shown, Table, Viewed};
use quotient_symbolic::{Config, Reachable};
use serde_json::json;

use super::{Opened, pictures};
use crate::program::{Assignment, Domain, Kind, Node, NodeId, Program, VariableId, When};
use crate::session::Session;

/// Counting the reachable states is given up after this long.
const PATIENCE: Duration = Duration::from_secs(5);
/// Larger sets of states are not counted just to be shown.
const MOST_NODES: usize = 1 << 20;
/// More variables than these are not listed to be chosen from.
const MOST_PARTS: usize = 500;
/// Longer types are cut.
const WIDEST_TYPE: usize = 40;

impl Opened {
    /// Facts and pictures of the model, or of a part of it.
    pub(super) fn look(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        let over = self.chosen()?;
        match &view.part {
            Some(part) => self.look_at(part, view.picture),
            None => self.whole(&over, view.picture, cx),
        }
    }

    fn whole(
        &mut self,
        over: &[VariableId],
        picture: bool,
        cx: &Context,
    ) -> Result<Shown, Trouble> {
        let counted = self.counted(over, picture, cx)?;
        let program = self.file.program();
        let kinds = |kind: Kind| {
            program
                .variables()
                .iter()
                .filter(move |one| one.kind == kind)
        };
        let of_kind = |kind: Kind| kinds(kind).count();
        let bits: u32 = program
            .variables()
            .iter()
            .map(|one| bits(&one.domain))
            .sum();
        let mut shown = Shown::titled(format!("{}: an SMV model", self.source.name()));
        let variables = count(of_kind(Kind::State) + of_kind(Kind::Frozen), "variable");
        let inputs = of_kind(Kind::Input);
        let mut size = vec![variables];
        if inputs > 0 {
            size.push(count(inputs, "input"));
        }
        size.push(count(program.defines().len(), "definition"));
        size.push(count(self.entries.len(), "specification"));
        shown = shown.fact(
            "size",
            format!("{}; {}", size.join(", "), count(bits as usize, "bit")),
        );
        shown = shown.fact("says", sections(program));
        shown = shown.fact(
            "reachable",
            match &counted.reachable {
                Ok(found) => reachable_text(found),
                Err(stop) => format!("not counted: {stop}"),
            },
        );
        shown = shown.blank().table(variable_table(program));
        if !program.defines().is_empty() {
            let mut table = Table::new(["definition", "type"]);
            for (name, node) in program.defines() {
                table.row([name.clone(), program.type_of(*node).to_string()]);
            }
            shown = shown.blank().table(table);
        }
        if !self.entries.is_empty() {
            let mut table = Table::new(["", "kind", "specification"]);
            for (at, entry) in self.entries.iter().enumerate() {
                let property = &entry.property;
                let text = match property.name == property.text {
                    true => property.text.clone(),
                    false => format!("{}: {}", property.name, property.text),
                };
                table.row([(at + 1).to_string(), property.kind.clone(), text]);
            }
            shown = shown.blank().table(table);
        }
        let result = self.result(&counted.reachable);
        let names = program.variables().iter().map(|one| one.name.as_str());
        shown = shown.parts(names.take(MOST_PARTS)).result(result);
        if picture {
            let states = counted.quotient.map(|found| {
                let title = format!("{}: states", self.source.name());
                pictures::states(program, &found, title)
            });
            // What was asked for comes first.
            shown.pictures.extend(states.map(Into::into));
            shown = shown.picture(pictures::dependencies(program, self.source.name(), None));
        }
        Ok(shown)
    }

    /// Counts the reachable states, and takes them together for a picture.
    fn counted(
        &mut self,
        over: &[VariableId],
        picture: bool,
        cx: &Context,
    ) -> Result<Counted, Trouble> {
        let given_up = |stop: Stop| Counted {
            reachable: Err(stop),
            quotient: None,
        };
        let patient = Context {
            budget: cx.budget.child_for(PATIENCE),
            ..cx.clone()
        };
        let config = super::config(cx);
        let config = Config {
            nodes: config.nodes.min(MOST_NODES),
            room: config.room.min(MOST_NODES),
            ..config
        };
        let mut file = self.file.clone();
        file.retain_specifications(|_| false);
        let opened = Session::open(file, config, &patient);
        let mut session = match opened {
            Ok(session) => session,
            Err(Trouble::Stopped(stop)) => {
                cx.budget.poll()?;
                return Ok(given_up(stop));
            }
            // What is wrong with the model is told by `check`; its text can be shown.
            Err(Trouble::Invalid(_)) => {
                let why = "the model has mistakes, which `check` tells";
                return Ok(given_up(Stop::inconclusive(why)));
            }
        };
        let reachable = session.checker().reachable();
        let quotient = match (&reachable, picture) {
            (Ok(_), true) => pictures::Seen::through(&mut session, over)?,
            _ => None,
        };
        cx.budget.poll()?;
        Ok(Counted {
            reachable,
            quotient,
        })
    }

    /// One variable, definition or specification.
    fn look_at(&mut self, part: &str, picture: bool) -> Result<Shown, Trouble> {
        let program = self.file.program();
        let variable = program
            .variable_ids()
            .find(|&id| program.variable(id).name == part);
        if let Some(id) = variable {
            return Ok(self.look_at_variable(id, picture));
        }
        let defined = program.defines().iter().find(|(name, _)| name == part);
        if let Some((name, node)) = defined {
            let mut shown = Shown::titled(format!("{name}: a definition"))
                .fact("type", program.type_of(*node).to_string())
                .fact("written", self.written(*node));
            let about = pictures::mentioned(program, *node);
            shown = shown.fact("mentions", names(program, &about));
            let result = json!({ "name": name, "type": program.type_of(*node).to_string() });
            return Ok(shown.result(json!({ "definition": result })));
        }
        let entry = self.entries.iter().find(|entry| {
            let number = entry.property.number.map(|number| number.to_string());
            entry.property.name == part || number.as_deref() == Some(part)
        });
        let Some(entry) = entry else {
            let known = program.variables().iter().map(|one| one.name.as_str());
            let known = known.chain(program.defines().iter().map(|(name, _)| name.as_str()));
            let known = known.chain(self.entries.iter().map(|one| one.property.name.as_str()));
            let message = format!("the model has no part `{part}`");
            let error = Diagnostic::error("no-such-part", message).in_source(&self.source);
            let help = "a part is a variable, a definition or a specification";
            return Err(error.did_you_mean(part, known).help(help).into());
        };
        let property = &entry.property;
        let mut shown = Shown::titled(format!("{}: a {}", property.name, property.kind))
            .fact("formula", property.text.clone());
        if let Some(specification) = entry.specification(program.specifications()) {
            let mut about: Vec<VariableId> = (specification.formula.atoms().into_iter())
                .flat_map(|&atom| pictures::mentioned(program, atom))
                .collect();
            about.sort_unstable();
            about.dedup();
            shown = shown.fact("mentions", names(program, &about));
        }
        Ok(shown.result(json!({ "specification": self.specification_json(property) })))
    }

    fn look_at_variable(&self, id: VariableId, picture: bool) -> Shown {
        let program = self.file.program();
        let variable = program.variable(id);
        let what = match variable.kind {
            Kind::State => "a variable",
            Kind::Input => "an input",
            Kind::Frozen => "a variable that never changes",
        };
        let mut shown = Shown::titled(format!("{}: {what}", variable.name))
            .fact("type", type_text(program, &variable.domain, usize::MAX))
            .fact("values", values(&variable.domain));
        for assignment in program.assignments() {
            if assignment.variable == id {
                let when = match assignment.when {
                    When::Initially => "initially",
                    When::Next => "next",
                    When::Always => "always",
                };
                shown = shown.fact(when, self.written(assignment.value));
            }
        }
        let (before, after) = pictures::neighbours(program, id);
        shown = shown
            .fact("depends on", names(program, &before))
            .fact("matters for", names(program, &after))
            .result(json!({ "variable": variable_json(program, id) }));
        if picture {
            let graph = pictures::dependencies(program, &variable.name, Some(id));
            shown = shown.picture(graph);
        }
        shown
    }

    /// An expression as it is written in the source, on one line.
    fn written(&self, node: NodeId) -> String {
        super::marked::text_of(&self.source, self.file.program().span(node))
    }

    /// The variables of `--over`.
    fn chosen(&self) -> Result<Vec<VariableId>, Trouble> {
        let program = self.file.program();
        let find = |name: String| {
            let found = program
                .variable_ids()
                .find(|&id| program.variable(id).name == name);
            found.ok_or_else(|| {
                let message = format!("the model has no variable `{name}`");
                let known = program.variables().iter().map(|one| one.name.as_str());
                let error = Diagnostic::error("no-such-variable", message);
                error.in_source(&self.source).did_you_mean(&name, known)
            })
        };
        let found: Result<Vec<VariableId>, Diagnostic> =
            self.over().into_iter().map(find).collect();
        Ok(found?)
    }

    fn result(&self, reachable: &Result<Reachable, Stop>) -> Json {
        let program = self.file.program();
        let variables = program.variable_ids();
        let variables: Vec<Json> = variables.map(|id| variable_json(program, id)).collect();
        let defined = program.defines().iter().map(
            |(name, node)| json!({ "name": name, "type": program.type_of(*node).to_string() }),
        );
        let specifications = self.entries.iter();
        let specifications = specifications.map(|entry| self.specification_json(&entry.property));
        json!({
            "file": self.source.name(),
            "variables": variables,
            "definitions": defined.collect::<Vec<_>>(),
            "specifications": specifications.collect::<Vec<_>>(),
            "reachable": match reachable {
                Ok(found) => json!({
                    "states": found.exactly,
                    "diameter": found.diameter,
                    "nodes": found.nodes,
                }),
                Err(_) => Json::Null,
            },
        })
    }

    fn specification_json(&self, property: &quotient_language::Property) -> Json {
        json!({
            "number": property.number,
            "kind": property.kind,
            "name": property.name,
            "formula": property.text,
        })
    }
}

/// What was found out about the reachable states.
struct Counted {
    reachable: Result<Reachable, Stop>,
    quotient: Option<pictures::Seen>,
}

fn reachable_text(found: &Reachable) -> String {
    let states = match found.exactly.as_str() {
        "1" => "1 state".to_owned(),
        many if many.len() > 12 => format!("{many} states (about {:.2e})", found.about),
        many => format!("{many} states"),
    };
    format!("{states}, at most {} away", count(found.diameter, "step"))
}

/// How many assignments and constraints there are.
fn sections(program: &Program) -> String {
    let assigned = |when: When| {
        let of_kind = |one: &&Assignment| one.when == when;
        program.assignments().iter().filter(of_kind).count()
    };
    let sections = [
        (assigned(When::Initially), "init assignment"),
        (assigned(When::Next), "next assignment"),
        (assigned(When::Always), "plain assignment"),
        (program.init().len(), "INIT constraint"),
        (program.invariants().len(), "INVAR constraint"),
        (program.transitions().len(), "TRANS constraint"),
        (program.justice().len(), "fairness constraint"),
        (program.compassion().len(), "compassion constraint"),
    ];
    let said: Vec<String> = sections
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|&(number, what)| count(number, what))
        .collect();
    match said.is_empty() {
        true => "nothing: every state is initial and every step possible".to_owned(),
        false => said.join(", "),
    }
}

fn variable_table(program: &Program) -> Table {
    let mut table = Table::new(["variable", "kind", "type", "values"]);
    for variable in program.variables() {
        table.row([
            variable.name.clone(),
            kind_text(variable.kind).to_owned(),
            type_text(program, &variable.domain, WIDEST_TYPE),
            values(&variable.domain),
        ]);
    }
    table
}

fn variable_json(program: &Program, id: VariableId) -> Json {
    let variable = program.variable(id);
    json!({
        "name": variable.name,
        "kind": kind_text(variable.kind),
        "type": type_text(program, &variable.domain, usize::MAX),
        "values": values(&variable.domain),
    })
}

fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::State => "state",
        Kind::Input => "input",
        Kind::Frozen => "frozen",
    }
}

/// A type as SMV writes it, cut if it is too wide.
pub(super) fn type_text(program: &Program, domain: &Domain, widest: usize) -> String {
    let text = match domain {
        Domain::Boolean => "boolean".to_owned(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Enumeration(values) => {
            let values: Vec<String> = values.iter().map(|&value| program.show(value)).collect();
            format!("{{{}}}", values.join(", "))
        }
        Domain::Word {
            signed: false,
            width,
        } => format!("unsigned word[{width}]"),
        Domain::Word {
            signed: true,
            width,
        } => format!("signed word[{width}]"),
    };
    match text.chars().count() > widest {
        true => text.chars().take(widest - 1).chain(['…']).collect(),
        false => text,
    }
}

/// How many values there are.
fn values(domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "2".to_owned(),
        Domain::Range(low, high) => (u128::from(high.abs_diff(*low)) + 1).to_string(),
        Domain::Enumeration(values) => values.len().to_string(),
        Domain::Word { width, .. } if *width < 127 => (1u128 << width).to_string(),
        Domain::Word { width, .. } => format!("2^{width}"),
    }
}

/// How many bits the values take.
fn bits(domain: &Domain) -> u32 {
    match domain {
        Domain::Boolean => 1,
        Domain::Range(low, high) => u64::BITS - high.abs_diff(*low).leading_zeros(),
        Domain::Enumeration(values) => usize::BITS - (values.len() - 1).leading_zeros(),
        Domain::Word { width, .. } => *width,
    }
}

fn names(program: &Program, variables: &[VariableId]) -> String {
    let names: Vec<&str> = variables
        .iter()
        .map(|&id| program.variable(id).name.as_str())
        .collect();
    match names.is_empty() {
        true => "nothing".to_owned(),
        false => names.join(", "),
    }
}

/// The variables of an expression, in order.
pub(super) fn variables_of(program: &Program, root: NodeId) -> Vec<(VariableId, bool)> {
    let below = program.nodes_below([root]).into_iter();
    let mut found: Vec<(VariableId, bool)> = below
        .filter_map(|id| match program.node(id) {
            Node::Variable { variable, next } => Some((variable, next)),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found
}
