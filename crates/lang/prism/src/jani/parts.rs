//! Parts of automata: declarations and assignments.

use std::collections::{BTreeMap, HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span};
use quotient_markov::Kind;

use super::arrays::Worth;
use super::expression::{Expressions, Functions, Scope, names, replaced, two};
use super::json::{Json, Part};
use crate::syntax::{
    CommandTree, Constant, Declaration, Join, ModelTree, Module, Node, Sort, Tree, UpdateTree,
};

/// A model without parts.
pub(super) fn empty((kind, timed, markovian): (Kind, bool, bool)) -> ModelTree {
    ModelTree {
        kind,
        timed,
        markovian,
        constants: Vec::new(),
        formulas: Vec::new(),
        labels: Vec::new(),
        globals: Vec::new(),
        modules: Vec::new(),
        renamed: Vec::new(),
        order: Vec::new(),
        rewards: Vec::new(),
        init: None,
        system: None,
    }
}

/// A part that must be a list, and is none: what it says would not be looked at.
fn no_list(part: &Part) -> Option<&Part> {
    const LISTS: [&str; 9] = [
        "automata",
        "edges",
        "destinations",
        "assignments",
        "locations",
        "initial-locations",
        "transient-values",
        "syncs",
        "properties",
    ];
    match &part.value {
        Json::List(parts) => parts.iter().find_map(no_list),
        Json::Object(fields) => fields.iter().find_map(|(name, field)| {
            let is_list = matches!(field.value, Json::List(_) | Json::Null);
            match LISTS.contains(&name.as_str()) && !is_list {
                true => Some(field),
                false => no_list(field),
            }
        }),
        _ => None,
    }
}

/// The functions of a model and its automata; what has the name of another is told.
pub(super) fn functions<'s>(
    source: &Source,
    root: &'s Part,
) -> Result<Functions<'s>, Vec<Diagnostic>> {
    let mut found = Functions::new();
    let mut wrong = Vec::new();
    let mut twice = |what: &str, name: &str, span: Span| {
        let message = format!("there are two {what} `{name}`");
        wrong.push(Diagnostic::error("twice", message).at(source, span, ""));
    };
    let mut automata = HashSet::new();
    if let Some(part) = no_list(root) {
        let error = Diagnostic::error("type", "a list was expected here");
        return Err(vec![error.at(source, part.span, "")]);
    }
    let mut all: Vec<(Option<String>, &Part)> = Vec::new();
    for automaton in root.all("automata") {
        let name = automaton.text_of("name").unwrap_or_default();
        if !automata.insert(name) {
            twice("automata", name, automaton.span);
        }
        let own = automaton.all("functions").iter();
        all.extend(own.map(|one| (Some(name.to_owned()), one)));
    }
    all.extend(root.all("functions").iter().map(|one| (None, one)));
    for (automaton, part) in all {
        let parameters = part.all("parameters").iter();
        let parameters: Vec<&str> = parameters.filter_map(|one| one.text_of("name")).collect();
        for (at, name) in parameters.iter().enumerate() {
            if parameters[..at].contains(name) {
                twice("parameters", name, part.span);
            }
        }
        let (Some(name), Some(body)) = (part.text_of("name"), part.get("body")) else {
            continue;
        };
        let parameters = parameters.into_iter().map(str::to_owned).collect();
        let key = (automaton, name.to_owned());
        if found.insert(key, (parameters, body)).is_some() {
            twice("functions", name, part.span);
        }
    }
    match wrong.is_empty() {
        true => Ok(found),
        false => Err(wrong),
    }
}

/// What kind of model it is, whether it has clocks, and whether only some edges have rates.
pub(super) fn kind(
    expressions: &Expressions<'_>,
    root: &Part,
) -> Result<(Kind, bool, bool), Diagnostic> {
    let part = expressions.field(root, "type")?;
    match part.text() {
        Some("dtmc") => Ok((Kind::Dtmc, false, false)),
        Some("mdp" | "lts") => Ok((Kind::Mdp, false, false)),
        Some("pta" | "ta") => Ok((Kind::Mdp, true, false)),
        Some("ctmc") => Ok((Kind::Ctmc, false, false)),
        Some("ma") => Ok((Kind::Mdp, false, true)),
        Some(other) => {
            let message = format!("models of type `{other}` cannot be read yet");
            let error = expressions.error("not-supported", message, part.span);
            Err(error.help("dtmc, mdp, ctmc, pta and ma can"))
        }
        None => Err(expressions.error("type", "`type` is a text", part.span)),
    }
}

/// What an automaton does with an input when it can do nothing else: it stays as it is.
pub(super) fn always(module: &Module, action: &str, span: Span) -> CommandTree {
    let guards = module.commands.iter();
    let guards = guards.filter(|command| command.action == action);
    let any = guards
        .map(|command| command.guard.clone())
        .reduce(|left, right| two(Join::Or, left, right));
    let node = match any {
        Some(any) => Node::Not(Box::new(any)),
        None => Node::Truth(true),
    };
    CommandTree {
        rated: false,
        action: action.to_owned(),
        guard: Tree { node, span },
        updates: vec![UpdateTree {
            weight: None,
            assignments: Vec::new(),
            span,
        }],
        span,
    }
}

pub(super) fn at(place: &str, number: usize, span: Span) -> Tree {
    let name = Tree {
        node: Node::Name(place.to_owned()),
        span,
    };
    let number = Tree {
        node: Node::Whole(number as i64),
        span,
    };
    two(Join::Equal, name, number)
}

/// What assignments give to variables, all at once.
pub(super) struct Assigned {
    pub(super) values: HashMap<String, Tree>,
    /// What is read after other assignments, and not assigned before.
    pub(super) read_late: Vec<String>,
}

pub(super) fn assigned(
    expressions: &Expressions<'_>,
    transient: &HashMap<String, Tree>,
    scope: &Scope,
    parts: Vec<&Part>,
) -> Result<Assigned, Diagnostic> {
    let mut by_index: BTreeMap<i64, Vec<&Part>> = BTreeMap::new();
    for part in parts {
        let index = match part.get("index").map(|index| &index.value) {
            Some(Json::Number(text)) => text.parse().unwrap_or(0),
            _ => 0,
        };
        by_index.entry(index).or_default().push(part);
    }
    let mut values: HashMap<String, Tree> = HashMap::new();
    let mut read_late = Vec::new();
    for (round, group) in by_index.into_values().enumerate() {
        let mut known = transient.clone();
        known.extend(values.clone());
        let mut next = HashMap::new();
        let mut seen = HashSet::new();
        for part in group {
            let reference = expressions.field(part, "ref")?;
            if let Some(name) = reference.text().filter(|name| !seen.insert(*name)) {
                let message = format!("`{name}` gets two values at once");
                return Err(expressions.error("twice", message, part.span));
            }
            let value = expressions.field(part, "value")?;
            let told = expressions.array_assigned(reference, value, scope, &next)?;
            for (name, value) in told {
                if round > 0 {
                    let mut found = Vec::new();
                    names(&value, &mut found);
                    let late = found.into_iter().filter(|one| !values.contains_key(*one));
                    read_late.extend(late.map(str::to_owned));
                }
                next.insert(name, value);
            }
        }
        for (name, value) in next {
            values.insert(name, replaced(&value, &known));
        }
    }
    Ok(Assigned { values, read_late })
}

pub(super) fn constant(expressions: &Expressions<'_>, part: &Part) -> Result<Constant, Diagnostic> {
    let told = expressions.field(part, "type")?;
    let mut bounds = Vec::new();
    for (name, join) in [
        ("lower-bound", Join::AtLeast),
        ("upper-bound", Join::AtMost),
    ] {
        if let Some(bound) = told.get(name) {
            bounds.push((join, expressions.tree(bound, &Scope::default())?));
        }
    }
    let kind = told.get("base").unwrap_or(told);
    let sort = match kind.text() {
        Some("bool") => Sort::Truth,
        Some("int") => Sort::Whole,
        Some("real") => Sort::Real,
        _ => {
            let message = "constants are of type `int`, `real` or `bool`";
            return Err(expressions.error("type", message, kind.span));
        }
    };
    let value = match part.get("value") {
        Some(value) => Some(expressions.tree(value, &Scope::default())?),
        None => None,
    };
    Ok(Constant {
        name: expressions.text(part, "name")?.to_owned(),
        sort,
        value,
        bounds,
        span: part.span,
    })
}

/// A variable, what kind of value it has, and whether it is transient.
pub(super) type Declared = (Declaration, Sort, bool);

/// The variables of a declaration: one for each element of an array and each member of a datatype.
pub(super) fn declarations(
    expressions: &Expressions<'_>,
    part: &Part,
    scope: &Scope,
) -> Result<Vec<Declared>, Diagnostic> {
    let kind = expressions.field(part, "type")?;
    if !matches!(kind.text_of("kind"), Some("array" | "datatype")) {
        return Ok(vec![declaration(expressions, part, kind, scope)?]);
    }
    let name = expressions.text(part, "name")?;
    let name = scope.renamed.get(name).map_or(name, String::as_str);
    let initial = part.get("initial-value").ok_or_else(|| {
        let message =
            format!("the shape of `{name}` is told by an initial value, which is missing");
        expressions.error("array", message, part.span)
    })?;
    let worth = expressions.worth(initial, scope, &|_, _| Ok(None))?;
    let named = worth.named(name, part.span);
    let mut kinds = Vec::new();
    kinds_of(expressions, kind, &worth, &mut kinds)?;
    let mut found = Vec::new();
    let elements = named.leaves().into_iter().zip(worth.leaves());
    for ((element, value), kind) in elements.zip(kinds) {
        let (mut one, sort, is_transient) = declaration(expressions, part, kind, scope)?;
        if let Node::Name(name) = &element.node {
            one.name.clone_from(name);
        }
        one.init = Some(value.clone());
        found.push((one, sort, is_transient));
    }
    let mut arrays = expressions.arrays.borrow_mut();
    arrays.insert(name.to_owned(), named);
    Ok(found)
}

/// The types of all values of a variable with this value, one after the other.
fn kinds_of<'p>(
    expressions: &Expressions<'p>,
    kind: &'p Part,
    worth: &Worth,
    found: &mut Vec<&'p Part>,
) -> Result<(), Diagnostic> {
    match (worth, kind.text_of("kind")) {
        (Worth::Many(parts), Some("array")) => {
            let base = expressions.field(kind, "base")?;
            let mut each = parts.iter();
            each.try_for_each(|part| kinds_of(expressions, base, part, found))
        }
        (Worth::Members(members), Some("datatype")) => {
            let name = expressions.text(kind, "ref")?;
            let told = expressions.datatypes.get(name).copied();
            let told = told.map_or(&[][..], |part| part.all("members"));
            for (member, part) in members {
                let one = told.iter().find(|one| one.text_of("name") == Some(member));
                let Some(one) = one.filter(|_| told.len() == members.len()) else {
                    let message = format!("a value of `{name}` has other members");
                    return Err(expressions.error("array", message, kind.span));
                };
                kinds_of(expressions, expressions.field(one, "type")?, part, found)?;
            }
            Ok(())
        }
        (Worth::One(_), other) if !matches!(other, Some("array" | "datatype")) => {
            found.push(kind);
            Ok(())
        }
        _ => {
            let message = "the initial value is of another type";
            Err(expressions.error("array", message, kind.span))
        }
    }
}

/// A variable of this type.
fn declaration(
    expressions: &Expressions<'_>,
    part: &Part,
    kind: &Part,
    scope: &Scope,
) -> Result<Declared, Diagnostic> {
    let name = expressions.text(part, "name")?.to_owned();
    let is_transient = part.says("transient");
    let span = part.span;
    let whole = |number: i32| Tree {
        node: Node::Whole(number.into()),
        span,
    };
    let base = kind.get("base").unwrap_or(kind).text().unwrap_or_default();
    let bound = |name: &str, other: i32| match kind.get(name) {
        Some(part) => expressions.tree(part, scope),
        None => Ok(whole(other)),
    };
    let (sort, range) = match (base, is_transient) {
        ("bool", _) => (Sort::Truth, None),
        ("int", _) => {
            let low = bound("lower-bound", i32::MIN)?;
            (Sort::Whole, Some((low, bound("upper-bound", i32::MAX)?)))
        }
        ("clock", false) => (Sort::Whole, Some((whole(0), whole(0)))),
        ("real", true) => (Sort::Real, None),
        (other, _) => {
            let message = format!("`{name}` of type `{other}` cannot be read yet");
            let error = expressions.error("not-supported", message, kind.span);
            return Err(error.help("variables are bool, int or bounded int"));
        }
    };
    let init = match part.get("initial-value") {
        Some(Part {
            value: Json::Null, ..
        })
        | None => (base == "clock").then(|| whole(0)),
        Some(value) if matches!(value.text_of("op"), Some("av" | "ac" | "dv")) => None,
        Some(value) => Some(expressions.tree(value, scope)?),
    };
    let name = scope.renamed.get(&name).unwrap_or(&name).clone();
    let declaration = Declaration {
        name,
        span,
        range,
        init,
        clock: base == "clock",
    };
    Ok((declaration, sort, is_transient))
}
