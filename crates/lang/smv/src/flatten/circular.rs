//! Assignments that depend on each other.
//!
//! `x := f(y); y := g(x)` says nothing that can be computed in some order. The same holds for
//! `init` and for `next` assignments; `x := …` counts for both.

use super::Flattener;
use crate::program::{Assignment, Node, VariableId, When};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Flattener {
    /// Reports a circle among the assignments of initial states, or of next states.
    pub(super) fn check_circular_assignments(&mut self) {
        for when in [When::Initially, When::Next] {
            let edges = self.dependencies(when);
            if let Some(circle) = find_circle(&edges) {
                self.report_assignments(&circle, when);
            }
        }
    }

    /// For every variable, the variables that its value depends on at the same time.
    fn dependencies(&self, when: When) -> Vec<Vec<VariableId>> {
        let mut edges = vec![Vec::new(); self.program.variables.len()];
        let counts =
            |assignment: &&Assignment| assignment.when == when || assignment.when == When::Always;
        for assignment in self.program.assignments.iter().filter(counts) {
            let same_time = assignment.when == When::Next;
            let below = self.program.nodes.below([assignment.value]);
            edges[assignment.variable.index()] = below
                .into_iter()
                .filter_map(|id| match self.program.nodes.node(id) {
                    Node::Variable { variable, next } if next == same_time => Some(variable),
                    _ => None,
                })
                .collect();
        }
        edges
    }

    fn report_assignments(&mut self, circle: &[VariableId], when: When) {
        let name = |id: &VariableId| format!("`{}`", self.program.variable(*id).name);
        let mut names: Vec<String> = circle.iter().map(name).collect();
        names.push(names[0].clone());
        let place = |id: &VariableId| {
            let assigns = |assignment: &&Assignment| {
                let fits = assignment.when == when || assignment.when == When::Always;
                fits && assignment.variable == *id
            };
            let found = self.program.assignments.iter().find(assigns);
            found.map(|assignment| assignment.span).unwrap_or_default()
        };
        let message = format!("the value of {} depends on itself", names[0]);
        let mut error = self.error("smv-circular", message, place(&circle[0]));
        for through in &circle[1..] {
            error = error.at(&self.source, place(through), "through this");
        }
        let error = error.note(format!("the circle is {}", names.join(" -> ")));
        self.report(match when {
            When::Next => error.help("use the value before the step, or a TRANS constraint"),
            _ => error.help("use an INVAR or INIT constraint instead of assignments"),
        });
    }
}

/// A circle in a graph, by depth-first search.
fn find_circle(edges: &[Vec<VariableId>]) -> Option<Vec<VariableId>> {
    let mut marks = vec![Mark::New; edges.len()];
    for start in 0..edges.len() {
        if marks[start] != Mark::New {
            continue;
        }
        let mut path = vec![(VariableId(start as u32), 0)];
        marks[start] = Mark::Open;
        while let Some((at, next)) = path.last_mut() {
            let Some(&target) = edges[at.index()].get(*next) else {
                marks[at.index()] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match marks[target.index()] {
                Mark::Done => {}
                Mark::New => {
                    marks[target.index()] = Mark::Open;
                    path.push((target, 0));
                }
                Mark::Open => {
                    let on_circle = path.iter().map(|&(at, _)| at);
                    return Some(on_circle.skip_while(|&at| at != target).collect());
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&[u32]]) -> Vec<Vec<VariableId>> {
        let row = |row: &&[u32]| row.iter().copied().map(VariableId).collect();
        edges.iter().map(row).collect()
    }

    #[test]
    fn circles_are_found_wherever_they_start() {
        assert_eq!(find_circle(&graph(&[&[1, 2], &[2], &[]])), None);
        assert_eq!(find_circle(&graph(&[&[0]])), Some(vec![VariableId(0)]));
        let circle = find_circle(&graph(&[&[1], &[2], &[3], &[1]]));
        assert_eq!(
            circle,
            Some(vec![VariableId(1), VariableId(2), VariableId(3)])
        );
    }
}
