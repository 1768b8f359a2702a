//! What is odd about a step, though it has a meaning.

use super::vocabulary::Words;
use super::{Resolver, Topology};
use crate::compile::Known;
use crate::model::{Action, Assigned, Broadcast, Chosen, Expr, Value, Who};
use crate::syntax::tree;

impl Resolver<'_> {
    /// `for p` reaches the process that takes the step as well: worth a word where that matters.
    pub(super) fn warn_of_self(
        &mut self,
        guard: &[Expr],
        people: usize,
        actions: &[Action],
        written: &[tree::Action],
    ) {
        for (number, (action, written)) in actions.iter().zip(written).enumerate() {
            let (Action::Broadcast(broadcast), tree::Action::Broadcast { name, side, .. }) =
                (action, written)
            else {
                continue;
            };
            if *side != tree::Side::Any || self.leaves_itself(guard, people, broadcast) {
                continue;
            }
            let differs = |(field, value): &(usize, Assigned)| {
                let own = |action: &Action| match action {
                    Action::SetField(0, set, own) if set == field => Some(own.clone()),
                    _ => None,
                };
                let after = actions[number + 1..].iter().find_map(own);
                let before = actions[..number].iter().rev().find_map(own);
                let same = before.is_some_and(|before| match (&before.value, &value.value) {
                    (Chosen::Exactly(Expr::Constant(one)), Chosen::Exactly(other)) => {
                        *other == Expr::Constant(*one)
                    }
                    _ => false,
                });
                after.is_none() && !same
            };
            if broadcast.assignments.iter().any(differs) {
                let place = name.span;
                // With the kind of processes, where one is said.
                let text = self.source.text()[..place.range().end]
                    .rsplit("for ")
                    .next();
                let text = text.filter(|text| text.split_whitespace().count() <= 2);
                let text = text.unwrap_or(&name.text);
                let message = format!("`for {text}` reaches the process that takes the step, too");
                self.warnings.push(
                    quotient_core::Diagnostic::warning("for-self", message)
                        .at(self.source, place, "")
                        .help(format!(
                            "write `for other {text}` if only the others are meant"
                        ))
                        .note("what the step sets of its own process behind this counts"),
                );
            }
        }
    }

    /// Neighbours take part in all that a step may do: where only one alternative speaks of one, the others
    /// cannot be taken either where there is none.
    pub(super) fn warn_of_neighbours(&mut self, step: &tree::Step) {
        let named = |of: &dyn Fn(&mut Words)| {
            let mut words = Words::default();
            of(&mut words);
            let mut inside = Words::default();
            let macros = self.file.macros.iter();
            let macros = macros.filter(|definition| words.contains(&definition.name.text));
            macros.for_each(|definition| inside.of_expression(&definition.body));
            let neighbours: &[&'static str] = match self.is_tree() {
                true => &["parent"],
                false => &["left", "right"],
            };
            let neighbours = neighbours.iter().copied();
            let named = neighbours.filter(|word| words.contains(word) || inside.contains(word));
            named.collect::<Vec<_>>()
        };
        let asked = named(&|words| {
            step.guard
                .iter()
                .for_each(|guard| words.of_expression(guard))
        });
        let alternatives = step.alternatives.iter();
        let alternatives = alternatives.map(|actions| named(&|words| words.of_actions(actions)));
        let alternatives: Vec<Vec<&str>> = alternatives.collect();
        let is_ring = (self.file.topology).is_some_and(|(topology, _)| topology == Topology::Ring);
        let mut all: Vec<&str> = alternatives.iter().flatten().copied().collect();
        all.extend(&asked);
        // In a ring each has both neighbours, but these are two only if three stand there.
        let both = all.contains(&"left") && all.contains(&"right");
        let of_one = all.iter().copied().find(|word| {
            let has = |named: &Vec<&str>| named.contains(word);
            !asked.contains(word) && !alternatives.iter().all(has) && (!is_ring || both)
        });
        if let Some(word) = of_one {
            let message = format!("only one alternative speaks of `{word}`");
            let message = match alternatives
                .iter()
                .filter(|named| named.contains(&word))
                .count()
            {
                1 => message,
                _ => format!("not all alternatives speak of `{word}`"),
            };
            self.warnings.push(
                quotient_core::Diagnostic::warning("neighbour-of-one", message)
                    .at(self.source, step.name.span, "")
                    .note(match is_ring {
                        true => "where `left` and `right` are one process, none of the others can be taken".to_owned(),
                        false => format!("where there is no `{word}`, none of the others can be taken"),
                    })
                    .help("make a step of each alternative, unless that is meant"),
            );
        }
    }

    /// Whether those whom `for` reaches are never the process that takes the step: what is said of
    /// them and what is said of it exclude each other, by one variable (its kind, as a rule).
    fn leaves_itself(&self, guard: &[Expr], people: usize, broadcast: &Broadcast) -> bool {
        let own = |who: Who| if who == people { 0 } else { who };
        let only = broadcast.only.renumbered(&own);
        let mut parts = Vec::new();
        guard.iter().for_each(|part| conjuncts(part, &mut parts));
        conjuncts(&only, &mut parts);
        (0..self.fields.len()).any(|field| {
            let about = parts.iter().filter(|part| speaks_of(part, field));
            let about: Vec<&&Expr> = about.collect();
            let is_false = |value: Value| {
                let mut letter = vec![0; self.fields.len()];
                letter[field] = value;
                let known = Known {
                    globals: None,
                    people: vec![Some(&letter)],
                    choices: &[],
                };
                about.iter().any(|part| known.value(part) == Some(0))
            };
            !about.is_empty() && self.fields[field].domain.values().into_iter().all(is_false)
        })
    }
}

/// The parts that all must hold.
pub(super) fn conjuncts<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match expr {
        Expr::And(all) => all.iter().for_each(|part| conjuncts(part, into)),
        other => into.push(other),
    }
}

/// Whether a condition speaks of one variable of the process itself, and of nothing else.
fn speaks_of(expr: &Expr, field: usize) -> bool {
    let (mut own, mut more) = (false, !expr.is_plain());
    expr.walk(&mut |part| match part {
        Expr::Field(0, known) if *known == field => own = true,
        Expr::Field(..) | Expr::Pair(..) | Expr::Global(_) | Expr::Choice(_) | Expr::Size => {
            more = true;
        }
        _ => {}
    });
    own && !more
}
