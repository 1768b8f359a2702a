//! What expressions earn: in states, on leaving them, and by steps.

use quotient_core::{Diagnostic, Span};

use super::expression::{replaced, two};
use super::json::Part;
use super::model::Gives;
use super::property::Properties;
use crate::syntax::{Earns, Join, Node, RewardItem, RewardTree, Structure, Tree};

impl Properties<'_, '_> {
    /// Rewards for an expression: what it is worth in states, on leaving them, or in steps.
    pub(super) fn structure(
        &self,
        inner: &Tree,
        part: &Part,
        in_states: bool,
        span: Span,
    ) -> Result<Structure, Diagnostic> {
        let kinds: Vec<&str> = part
            .all("accumulate")
            .iter()
            .filter_map(Part::text)
            .collect();
        if let Some(given) = part.get("accumulate") {
            let known = |kind: &&str| ["steps", "time", "exit"].contains(kind);
            if given.list().len() != kinds.len() || kinds.is_empty() || !kinds.iter().all(known) {
                let message = "a list of `steps`, `time` and `exit` was expected";
                return Err(self.read.expressions.error("syntax", message, given.span));
            }
        } else if !in_states {
            let message = "`accumulate` is missing: what is earned is summed up";
            return Err(self.read.expressions.error("missing", message, part.span));
        }
        let has = |kind: &str| kinds.contains(&kind);
        let timed = self.takes_time();
        let mut items = Vec::new();
        let truth = Tree {
            node: Node::Truth(true),
            span,
        };
        let mut earn = |earns: Earns, value: Tree| {
            if !is_zero(&value) {
                items.push(RewardItem {
                    earns,
                    guard: truth.clone(),
                    value,
                    span,
                });
            }
        };
        // Averages of states count what edges give, too.
        let average = in_states && kinds.is_empty();
        if has("time") || has("exit") && !timed || average {
            earn(Earns::State, inner.clone());
        }
        if has("exit") && timed {
            earn(Earns::Step, inner.clone());
        }
        let after = match has("steps") {
            true => self.after_steps(inner)?,
            false => None,
        };
        if let Some(after) = after {
            for (command, value) in after {
                earn(Earns::Command(command), value);
            }
        } else if has("steps") || average {
            let usual = replaced(inner, &self.read.transient);
            if !average {
                earn(Earns::Step, usual.clone());
            }
            for (command, given) in self.read.given.iter().enumerate() {
                if let Some(value) = self.gained(inner, &usual, given) {
                    earn(Earns::Command(command), value);
                }
            }
        }
        let text = &self.read.expressions.source.text()[inner.span.range()];
        let mut name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = &self.read.model.rewards;
        let number = known.len() + self.rewards.borrow().len();
        if known.iter().any(|one| one.name.as_ref() == Some(&name))
            || !self.rewards.borrow().is_empty()
        {
            name = format!("{name} #{}", number + 1);
        }
        self.rewards.borrow_mut().push(RewardTree {
            name: Some(name.clone()),
            items,
        });
        Ok(Structure::Named(name, span))
    }

    /// What each command earns by an expression that a step may change, if it may: such an expression is worth
    /// what it is after all assignments of the step.
    pub(super) fn after_steps(
        &self,
        inner: &Tree,
    ) -> Result<Option<Vec<(usize, Tree)>>, Diagnostic> {
        let changes = |gives: &Gives| replaced(inner, &gives.lasting) != *inner;
        if !self.read.given.iter().flatten().any(changes) {
            return self.is_sum(inner).map(|()| None);
        }
        let modules = &self.read.model.modules;
        let mut commands = modules.iter().flat_map(|module| &module.commands);
        if modules.len() > 1 && !commands.all(|command| command.action.is_empty()) {
            let message = "what is earned by steps depends on variables that steps change: that cannot be computed \
                yet where automata act together";
            let error = self
                .read
                .expressions
                .error("not-supported", message, inner.span);
            return Err(error.help("give a transient variable the value on each edge"));
        }
        let usual = replaced(inner, &self.read.transient);
        let commands = self.read.given.iter().enumerate();
        let earned = commands.map(|(command, given)| {
            let branches = given.iter().map(|gives| {
                let mut all = self.read.transient.clone();
                all.extend(gives.lasting.clone());
                all.extend(gives.transient.clone());
                let value = replaced(inner, &all);
                match gives.weight.node {
                    Node::Whole(1) => value,
                    _ => two(Join::Times, gives.weight.clone(), value),
                }
            });
            let sum = branches.reduce(|one, other| two(Join::Plus, one, other));
            (command, sum.unwrap_or_else(|| usual.clone()))
        });
        Ok(Some(earned.collect()))
    }

    /// What automata give that act together is added up: that is right for a sum, each part of which only one of
    /// them changes.
    fn is_sum(&self, inner: &Tree) -> Result<(), Diagnostic> {
        if let Node::Two(Join::Plus | Join::Minus, left, right) = &inner.node {
            return self.is_sum(left).and_then(|()| self.is_sum(right));
        }
        let modules = self.read.model.modules.iter().enumerate();
        let commands =
            modules.flat_map(|(at, module)| module.commands.iter().map(move |one| (at, one)));
        let mut by: Option<usize> = None;
        for ((module, command), given) in commands.zip(&self.read.given) {
            let gives = |one: &Gives| replaced(inner, &one.transient) != *inner;
            if command.action.is_empty() || !given.iter().any(gives) {
                continue;
            }
            if by.is_some_and(|other| other != module) && !matches!(inner.node, Node::Name(_)) {
                let message = "several automata that act together change what this is worth: that cannot be computed \
                    yet, unless it is a sum of what each of them gives";
                let expressions = &self.read.expressions;
                return Err(expressions.error("not-supported", message, inner.span));
            }
            by = Some(module);
        }
        Ok(())
    }

    /// What an edge adds to the usual reward of a step, on average over its destinations.
    pub(super) fn gained(&self, inner: &Tree, usual: &Tree, given: &[Gives]) -> Option<Tree> {
        let mut sum: Option<Tree> = None;
        for gives in given {
            if gives.transient.is_empty() {
                continue;
            }
            let weight = &gives.weight;
            let mut all = self.read.transient.clone();
            all.extend(gives.transient.clone());
            let mut value = replaced(inner, &all);
            if value == *usual {
                continue;
            }
            if !is_zero(usual) {
                value = two(Join::Minus, value, usual.clone());
            }
            if weight.node != Node::Whole(1) {
                value = two(Join::Times, weight.clone(), value);
            }
            sum = Some(match sum {
                Some(sum) => two(Join::Plus, sum, value),
                None => value,
            });
        }
        sum
    }
}

fn is_zero(tree: &Tree) -> bool {
    match &tree.node {
        Node::Whole(number) => *number == 0,
        Node::Real(number) => number.is_zero(),
        _ => false,
    }
}
