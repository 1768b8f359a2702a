//! How automata are put together, and where runs begin.

use quotient_core::Span;

use super::expression::{Scope, two};
use super::json::Part;
use super::model::{Copy, Read, Reader};
use crate::syntax::{Join, Node, System, Tree, Vector};

impl Reader {
    /// Which edges happen together.
    pub(super) fn system(&mut self, read: &mut Read<'_>, root: &Part, copies: &[Copy<'_>]) {
        let system = root.get("system");
        let syncs = system.and_then(|one| one.get("syncs"));
        let mut vectors = Vec::new();
        for part in syncs.map_or(&[][..], Part::list) {
            let actions = part.all("synchronise");
            if actions.len() != copies.len() {
                let message = "a vector has an action or `null` for each element of the system";
                let error = read.expressions.error("vector", message, part.span);
                self.mistakes.push(error);
                continue;
            }
            let parts = actions.iter().enumerate();
            let parts: Vec<(usize, String)> = parts
                .filter_map(|(number, action)| Some((number, action.text()?.to_owned())))
                .collect();
            self.check_order(read, &parts, part.span);
            vectors.push(Vector {
                parts,
                result: part.text_of("result").unwrap_or_default().to_owned(),
            });
        }
        if syncs.is_none() && copies.len() == 1 {
            // One automaton alone: all of its edges can happen.
            let edges = copies[0].automaton.all("edges").iter();
            let mut actions: Vec<&str> = edges.filter_map(|edge| edge.text_of("action")).collect();
            actions.sort_unstable();
            actions.dedup();
            vectors.extend(actions.into_iter().map(|action| Vector {
                parts: vec![(0, action.to_owned())],
                result: action.to_owned(),
            }));
        }
        read.model.system = Some(System::Vectors(vectors));
    }

    /// Assignments with an index are put into each other for each automaton alone: that is wrong
    /// if one reads late what another of the same vector assigns.
    fn check_order(&mut self, read: &Read<'_>, parts: &[(usize, String)], span: Span) {
        for (one, _) in parts {
            for (other, _) in parts.iter().filter(|(other, _)| other != one) {
                let late = &self.assigned[*one].1;
                let clash = late.intersection(&self.assigned[*other].0).next();
                if let Some(name) = clash {
                    let message = format!(
                        "`{name}` is assigned by one automaton and read, after an assignment with \
                         a lower index, by another that synchronises with it"
                    );
                    let error = read.expressions.error("not-supported", message, span);
                    self.mistakes.push(error);
                    return;
                }
            }
        }
    }

    /// Where runs begin, if that is not one value for each variable.
    pub(super) fn restrictions(&mut self, read: &mut Read<'_>, root: &Part, copies: &[Copy<'_>]) {
        let none = Scope::default();
        let all = copies.iter().map(|copy| (copy.automaton, &copy.scope));
        let mut restricted = false;
        for (part, scope) in [(root, &none)].into_iter().chain(all) {
            let Some(part) = part.get("restrict-initial") else {
                continue;
            };
            let tree = read.expressions.wrapped(part, scope);
            if let Some(tree) = self.keep(tree)
                && tree.node != Node::Truth(true)
            {
                restricted = true;
                self.starts.push(tree);
            }
        }
        if restricted || self.free {
            let all = std::mem::take(&mut self.starts);
            let truth = Tree {
                node: Node::Truth(true),
                span: root.span,
            };
            let all = all.into_iter();
            read.model.init = Some(
                all.reduce(|left, right| two(Join::And, left, right))
                    .unwrap_or(truth),
            );
        }
    }
}
