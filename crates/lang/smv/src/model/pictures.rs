//! Pictures of a model: who depends on whom, and its states.

use std::collections::BTreeMap;

use quotient_core::Stop;
use quotient_language::{Graph, Node};

use super::show::{type_text, variables_of};
use crate::evaluate::State;
use crate::program::{Kind, NodeId, Program, VariableId, When};
use crate::session::Session;

/// More states make no picture.
const MOST_STATES: usize = 60;
/// More values in a node are only told when it is pointed at.
const MOST_LINES: usize = 6;
/// More edges between variables make no picture.
const MOST_EDGES: usize = 2000;

/// How a variable depends on another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Dependency {
    next: bool,
    initially: bool,
    constrained: bool,
}

/// Which variables each variable depends on.
fn all_dependencies(program: &Program) -> BTreeMap<(VariableId, VariableId), Dependency> {
    let mut found: BTreeMap<(VariableId, VariableId), Dependency> = BTreeMap::new();
    for assignment in program.assignments() {
        for (source, _) in variables_of(program, assignment.value) {
            let one = found.entry((source, assignment.variable)).or_default();
            match assignment.when {
                When::Initially => one.initially = true,
                When::Next | When::Always => one.next = true,
            }
        }
    }
    for &constraint in program.transitions() {
        let mentioned = variables_of(program, constraint);
        for &(target, _) in mentioned.iter().filter(|&&(_, next)| next) {
            for &(source, next) in &mentioned {
                if !next && found.len() <= MOST_EDGES {
                    found.entry((source, target)).or_default().constrained = true;
                }
            }
        }
    }
    found
}

/// The variables that a variable depends on, and those that depend on it.
pub(super) fn neighbours(program: &Program, id: VariableId) -> (Vec<VariableId>, Vec<VariableId>) {
    let all = all_dependencies(program);
    let before = all.keys().filter(|&&(_, target)| target == id);
    let after = all.keys().filter(|&&(source, _)| source == id);
    (
        before.map(|&(source, _)| source).collect(),
        after.map(|&(_, target)| target).collect(),
    )
}

/// The variables that an expression mentions.
pub(super) fn mentioned(program: &Program, root: NodeId) -> Vec<VariableId> {
    let mut found: Vec<VariableId> = variables_of(program, root)
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    found.dedup();
    found
}

/// Who is in whose `next` (whole lines), `init` or TRANS (dashed); of one variable only its
/// neighbours.
pub(super) fn dependencies(program: &Program, name: &str, of: Option<VariableId>) -> Graph {
    let mut graph = Graph::new(format!("{name}: what depends on what"));
    let all = all_dependencies(program);
    let counts = |source: VariableId, target: VariableId| {
        of.is_none_or(|one| one == source || one == target)
    };
    let mut numbers: BTreeMap<VariableId, usize> = BTreeMap::new();
    for id in program.variable_ids() {
        let is_near = all
            .keys()
            .any(|&(source, target)| (source == id || target == id) && counts(source, target));
        if of.is_some_and(|one| one != id && !is_near) {
            continue;
        }
        let variable = program.variable(id);
        let node = match variable.kind {
            Kind::Input => Node::round(&variable.name),
            Kind::State | Kind::Frozen => Node::boxed(&variable.name),
        };
        let mut node = node
            .hint(type_text(program, &variable.domain, 60))
            .id(&variable.name);
        node.marked = of == Some(id);
        numbers.insert(id, graph.node(node));
    }
    for (&(source, target), how) in &all {
        let ends = (numbers.get(&source), numbers.get(&target));
        let (Some(&from), Some(&to)) = ends else {
            continue;
        };
        if !counts(source, target) {
            continue;
        }
        match how {
            Dependency { next: true, .. } => graph.edge(from, to, ""),
            Dependency {
                constrained: true, ..
            } => graph.faint_edge(from, to, "TRANS"),
            _ => graph.faint_edge(from, to, "init"),
        }
    }
    graph
}

/// The reachable states, seen through some variables.
pub(super) struct Seen {
    variables: Vec<VariableId>,
    classes: Vec<State>,
    initial: Vec<bool>,
    edges: Vec<(usize, usize)>,
}

impl Seen {
    /// Through the chosen variables, or all; nothing if that is too much to see.
    pub(super) fn through(
        session: &mut Session,
        over: &[VariableId],
    ) -> Result<Option<Seen>, Stop> {
        let program = session.file().program();
        let is_state = |id: &VariableId| program.variable(*id).kind != Kind::Input;
        let variables: Vec<VariableId> = match over.is_empty() {
            true => program.variable_ids().filter(is_state).collect(),
            false => over.iter().copied().filter(is_state).collect(),
        };
        let ids: Vec<_> = variables
            .iter()
            .map(|&id| session.compiled().variable(id))
            .collect();
        let found = match session.checker().quotient(&ids, MOST_STATES) {
            Ok(found) => found,
            // A picture less is no harm.
            Err(_) => return Ok(None),
        };
        let program = session.file().program();
        let compiled = session.compiled();
        Ok(found.map(|found| {
            let classes = found.classes.iter();
            let classes: Vec<State> = classes.map(|one| compiled.state(program, one)).collect();
            // In the order of their values, as people list them.
            let mut order: Vec<usize> = (0..classes.len()).collect();
            order.sort_by_key(|&at| &classes[at]);
            let mut place = vec![0; order.len()];
            (order.iter().enumerate()).for_each(|(now, &before)| place[before] = now);
            let edges = found.edges.iter();
            Seen {
                variables,
                initial: order.iter().map(|&at| found.initial[at]).collect(),
                edges: edges.map(|&(from, to)| (place[from], place[to])).collect(),
                classes: order.iter().map(|&at| classes[at].clone()).collect(),
            }
        }))
    }
}

/// The states as a graph: a node for the values of the variables, an edge for some step.
pub(super) fn states(program: &Program, seen: &Seen, title: String) -> Graph {
    let mut graph = Graph::new(title);
    for (class, &initial) in seen.classes.iter().zip(&seen.initial) {
        let lines: Vec<String> = seen
            .variables
            .iter()
            .map(|&id| {
                let value = program.show(class.value(id));
                format!("{} = {value}", program.variable(id).name)
            })
            .collect();
        let mut label: Vec<&str> = lines.iter().take(MOST_LINES).map(String::as_str).collect();
        if lines.len() > MOST_LINES {
            label.push("…");
        }
        let mut node = Node::boxed(label.join("\n")).hint(lines.join("\n"));
        node.initial = initial;
        graph.node(node);
    }
    for &(from, to) in &seen.edges {
        graph.edge(from, to, "");
    }
    graph
}
