//! A model in JANI: an automaton for each module, and a vector for each event.

use std::collections::HashSet;

use quotient_core::Trouble;
use quotient_language::Written;
use quotient_markov::Kind;
use serde_json::{Value as Json, json};

use crate::instance::{Command, Earned, Event, Instance, Item, Term, Update, Value};
use crate::syntax::{Join, Name};

/// Writes a model with all its constants known. Labels and rewards are transient variables.
pub(crate) fn write(instance: &Instance) -> Result<Written, Trouble> {
    if instance.time.is_some() {
        return Err(Trouble::usage(
            "a model with clocks cannot be written as JANI",
        ));
    }
    let writer = Writer::new(instance)?;
    let model = writer.model();
    let text = serde_json::to_string_pretty(&model);
    let text = text.map_err(|error| Trouble::usage(error.to_string()))? + "\n";
    let (automata, variables) = (instance.modules.len(), instance.variables.len());
    Ok(Written {
        text,
        line: format!("JANI: {automata} automata, {variables} variables"),
        ..Written::default()
    })
}

struct Writer<'i> {
    instance: &'i Instance,
    /// The names of transient variables for labels and rewards.
    labels: Vec<String>,
    rewards: Vec<String>,
    /// The action of each event inside of its automata; none if nobody else takes part in it.
    actions: Vec<Option<String>>,
}

impl<'i> Writer<'i> {
    fn new(instance: &'i Instance) -> Result<Writer<'i>, Trouble> {
        let mut taken: HashSet<String> = HashSet::new();
        taken.extend(instance.variables.iter().map(|one| one.name.clone()));
        let mut free = |name: &str| {
            let mut name = name.to_owned();
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        let labels = instance.labels.iter().map(|one| free(&one.0)).collect();
        let rewards = instance.rewards.iter().enumerate();
        let rewards = rewards.map(|(number, one)| match &one.name {
            Some(name) => free(name),
            None => free(&format!("rewards{}", number + 1)),
        });
        let rewards: Vec<String> = rewards.collect();
        let mut used: HashSet<String> = HashSet::new();
        let mut actions = Vec::new();
        for event in &instance.events {
            let name = match event.action {
                0 => None,
                action => Some(instance.actions[action as usize - 1].clone()),
            };
            if name.is_none() && event.parts.len() == 1 {
                actions.push(None);
                continue;
            }
            let mut name = name.unwrap_or_else(|| "together".to_owned());
            while !used.insert(name.clone()) {
                name.push('_');
            }
            actions.push(Some(name));
        }
        let items = instance.rewards.iter().flat_map(|one| &one.items);
        let by_command = items
            .clone()
            .any(|one| matches!(one.earns, Earned::Command(_)));
        if by_command && instance.events.iter().any(|event| event.parts.len() > 1) {
            let text = "rewards of edges that synchronise cannot be written as JANI again";
            return Err(Trouble::usage(text));
        }
        Ok(Writer {
            instance,
            labels,
            rewards,
            actions,
        })
    }

    fn model(&self) -> Json {
        let instance = self.instance;
        let mut variables: Vec<Json> = instance
            .variables
            .iter()
            .map(|one| {
                let kind = match one.truth {
                    true => json!("bool"),
                    false => json!({
                        "kind": "bounded", "base": "int",
                        "lower-bound": one.low, "upper-bound": one.high,
                    }),
                };
                let mut variable = json!({"name": one.name, "type": kind});
                if instance.init.is_none() {
                    variable["initial-value"] = match one.truth {
                        true => json!(one.init != 0),
                        false => json!(one.init),
                    };
                }
                variable
            })
            .collect();
        let transient = |name: &String, kind: &str, usual: Json| json!({"name": name, "type": kind, "transient": true, "initial-value": usual});
        let labels = self
            .labels
            .iter()
            .map(|name| transient(name, "bool", json!(false)));
        variables.extend(labels);
        let rewards = self
            .rewards
            .iter()
            .map(|name| transient(name, "real", json!(0)));
        variables.extend(rewards);
        let modules = instance.modules.iter().enumerate();
        let automata: Vec<Json> = modules
            .map(|(number, one)| self.automaton(number, &one.0))
            .collect();
        let elements = instance
            .modules
            .iter()
            .map(|one| json!({"automaton": one.0}));
        let elements: Vec<Json> = elements.collect();
        let named = self.actions.iter().flatten().chain(&instance.actions);
        let named: std::collections::BTreeSet<&String> = named.collect();
        let named: Vec<Json> = named
            .into_iter()
            .map(|name| json!({"name": name}))
            .collect();
        let mut model = json!({
            "jani-version": 1,
            "name": "model",
            "type": instance.kind_name(),
            "features": ["derived-operators"],
            "actions": named,
            "variables": variables,
            "automata": automata,
            "system": {"elements": elements, "syncs": self.vectors()},
            "properties": [],
        });
        if let Some(init) = &instance.init {
            model["restrict-initial"] = json!({"exp": self.term(init)});
        }
        model
    }

    /// Which automata take part in each event.
    fn vectors(&self) -> Vec<Json> {
        let mut vectors = Vec::new();
        for (event, action) in self.instance.events.iter().zip(&self.actions) {
            let Some(action) = action else {
                continue;
            };
            let mut parts = vec![Json::Null; self.instance.modules.len()];
            for part in &event.parts {
                if let Some(module) = self.module_of(part) {
                    parts[module] = json!(action);
                }
            }
            let mut vector = json!({"synchronise": parts});
            if event.action != 0 {
                let result = &self.instance.actions[event.action as usize - 1];
                vector["result"] = json!(result);
            }
            vectors.push(vector);
        }
        vectors
    }

    fn module_of(&self, part: &[u32]) -> Option<usize> {
        let first = part.first()?;
        Some(self.instance.commands[*first as usize].module)
    }

    fn automaton(&self, number: usize, name: &str) -> Json {
        let mut location = json!({"name": "here"});
        if number == 0 {
            location["transient-values"] = json!(self.in_states());
        }
        let mut edges = Vec::new();
        for (event, action) in self.instance.events.iter().zip(&self.actions) {
            for (at, part) in event.parts.iter().enumerate() {
                if self.module_of(part) != Some(number) {
                    continue;
                }
                for &command in part {
                    let earned = self.earned(event, at == 0, command);
                    let command = &self.instance.commands[command as usize];
                    edges.extend(self.edges(command, action.as_ref(), &earned));
                }
            }
        }
        json!({
            "name": name,
            "locations": [location],
            "initial-locations": ["here"],
            "edges": edges,
        })
    }

    /// What labels and rewards are in states.
    fn in_states(&self) -> Vec<Json> {
        let labels = self.instance.labels.iter().zip(&self.labels);
        let labels =
            labels.map(|((_, term, _), name)| json!({"ref": name, "value": self.term(term)}));
        let mut values: Vec<Json> = labels.collect();
        for (structure, name) in self.instance.rewards.iter().zip(&self.rewards) {
            let items = structure.items.iter();
            let items = items.filter(|one| one.earns == Earned::State);
            if let Some(sum) = self.sum(items) {
                values.push(json!({"ref": name, "value": sum}));
            }
        }
        values
    }

    /// What is earned by a command in an event, as assignments: only one of its parts says so.
    fn earned(&self, event: &Event, first: bool, command: u32) -> Vec<Json> {
        let mut values = Vec::new();
        for (structure, name) in self.instance.rewards.iter().zip(&self.rewards) {
            let items = structure.items.iter().filter(|one| match one.earns {
                Earned::State => false,
                Earned::Action(action) => first && action == event.action,
                Earned::Step => first,
                Earned::Command(by) => by == command,
            });
            if let Some(sum) = self.sum(items) {
                values.push(json!({"ref": name, "value": sum}));
            }
        }
        values
    }

    fn sum<'t>(&self, items: impl Iterator<Item = &'t Item>) -> Option<Json> {
        let each = items.map(|item| {
            let value = self.term(&item.value);
            match &item.guard {
                Term::Value(guard) if guard.holds() => value,
                guard => json!({"op": "ite", "if": self.term(guard), "then": value, "else": 0}),
            }
        });
        each.reduce(|left, right| json!({"op": "+", "left": left, "right": right}))
    }

    /// A command as an edge; one with rates as an edge for each of these, whose products are those of
    /// the rates.
    fn edges(&self, command: &Command, action: Option<&String>, earned: &[Json]) -> Vec<Json> {
        let rated = self.instance.kind == Kind::Ctmc || command.rated;
        let destination = |update: &Update| {
            let assignments = update.assignments.iter().map(|(variable, value)| {
                let name = &self.instance.variables[*variable].name;
                json!({"ref": name, "value": self.term(value)})
            });
            let mut assignments: Vec<Json> = assignments.collect();
            assignments.extend(earned.iter().cloned());
            json!({"location": "here", "assignments": assignments})
        };
        let edge = |rate: Option<Json>, destinations: Vec<Json>| {
            let mut edge = json!({
                "location": "here",
                "guard": {"exp": self.term(&command.guard)},
                "destinations": destinations,
            });
            if let Some(action) = action {
                edge["action"] = json!(action);
            }
            if let Some(rate) = rate {
                edge["rate"] = json!({"exp": rate});
            }
            edge
        };
        if rated {
            let each = command.updates.iter();
            return each
                .map(|update| edge(Some(self.term(&update.weight)), vec![destination(update)]))
                .collect();
        }
        let destinations = command.updates.iter().map(|update| {
            let mut one = destination(update);
            one["probability"] = json!({"exp": self.term(&update.weight)});
            one
        });
        vec![edge(None, destinations.collect())]
    }

    fn term(&self, term: &Term) -> Json {
        let two =
            |op: &str, left: Json, right: Json| json!({"op": op, "left": left, "right": right});
        match term {
            Term::Value(value) => number(value),
            Term::Variable(variable, _) => json!(self.instance.variables[*variable].name),
            Term::Not(of) => json!({"op": "¬", "exp": self.term(of)}),
            Term::Negative(of) => two("-", json!(0), self.term(of)),
            Term::Two(join, left, right) => two(sign(*join), self.term(left), self.term(right)),
            Term::If(condition, one, other) => json!({
                "op": "ite",
                "if": self.term(condition),
                "then": self.term(one),
                "else": self.term(other),
            }),
            Term::Call(name, parts) => {
                let mut parts = parts.iter().map(|part| self.term(part));
                let first = parts.next().unwrap_or(Json::Null);
                match name {
                    Name::Min => parts.fold(first, |left, right| two("min", left, right)),
                    Name::Max => parts.fold(first, |left, right| two("max", left, right)),
                    Name::Floor => json!({"op": "floor", "exp": first}),
                    Name::Ceil => json!({"op": "ceil", "exp": first}),
                    Name::Abs => json!({"op": "abs", "exp": first}),
                    Name::Round => json!({"op": "floor", "exp": two("+", first, json!(0.5))}),
                    Name::Sqrt => two("pow", first, json!(0.5)),
                    Name::Pow => two("pow", first, parts.next().unwrap_or(Json::Null)),
                    Name::Mod => two("%", first, parts.next().unwrap_or(Json::Null)),
                    Name::Log => two("log", first, parts.next().unwrap_or(Json::Null)),
                }
            }
        }
    }
}

/// A number; a fraction as a quotient, so that nothing is rounded as long as its parts are doubles.
fn number(value: &Value) -> Json {
    match value {
        Value::Truth(holds) => json!(holds),
        Value::Whole(number) => json!(number),
        Value::Real(number, exact) => {
            let text = exact.as_ref().map(ToString::to_string);
            let parts = text.as_deref().and_then(|text| {
                let (over, under) = text.split_once('/')?;
                Some((over.parse::<i64>().ok()?, under.parse::<i64>().ok()?))
            });
            match parts.filter(|(over, under)| over.abs().max(*under) < 1 << 53) {
                Some((over, under)) => json!({"op": "/", "left": over, "right": under}),
                None => json!(number),
            }
        }
    }
}

fn sign(join: Join) -> &'static str {
    match join {
        Join::And => "∧",
        Join::Or => "∨",
        Join::Implies => "⇒",
        Join::Iff | Join::Equal => "=",
        Join::Unequal => "≠",
        Join::Less => "<",
        Join::AtMost => "≤",
        Join::Greater => ">",
        Join::AtLeast => "≥",
        Join::Plus => "+",
        Join::Minus => "-",
        Join::Times => "*",
        Join::Divide => "/",
    }
}
