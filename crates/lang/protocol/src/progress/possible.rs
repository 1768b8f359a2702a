//! When a step can be taken, as a condition.

use quotient_core::Span;

use crate::compile::product;
use crate::model::{Action, Bound, Comparison, Expr, Operation, Protocol, Step};

/// That there are witnesses and values with which the step can be taken.
pub(super) fn can_be_taken(protocol: &Protocol, step: &Step) -> Expr {
    let domains = step.choices.iter().map(|(_, domain)| domain.values());
    let guard = match takes_from_channels(step) {
        true => {
            let ready = step.alternatives.iter();
            let ready = ready.map(|actions| is_ready(protocol, actions));
            Expr::And(vec![step.guard.clone(), Expr::Or(ready.collect())])
        }
        false => step.guard.clone(),
    };
    let choices = product(domains);
    let guards = choices.iter().map(|choice| guard.with_choices(choice));
    let mut can = Expr::Or(guards.collect());
    for _ in 1..step.people.len() {
        can = Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(can),
        };
    }
    can
}

fn takes_from_channels(step: &Step) -> bool {
    let mut actions = step.alternatives.iter().flatten();
    actions.any(|action| taken(action).is_some())
}

/// What an action takes out of a channel, and which.
fn taken(action: &Action) -> Option<(usize, &Expr)> {
    match action {
        Action::Channel(Operation::Receive | Operation::Pop, channel, value) => {
            Some((*channel, value))
        }
        _ => None,
    }
}

/// That channels begin with what actions take out of them.
fn is_ready(protocol: &Protocol, actions: &[Action]) -> Expr {
    let mut all = Vec::new();
    for (number, channel) in protocol.channels.iter().enumerate() {
        let own = actions.iter().filter_map(taken);
        let wanted: Vec<&Expr> = own
            .filter(|(at, _)| *at == number)
            .map(|(_, one)| one)
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let names = |values: &[i32]| -> Vec<String> {
            let values = values.iter();
            values
                .map(|value| protocol.show(&channel.domain, *value))
                .collect()
        };
        let domain = channel.domain.values();
        let rest = format!("({})*", names(&domain).join(" | "));
        let fronts = product(wanted.iter().map(|_| domain.clone()));
        let fronts = fronts.into_iter().map(|front| {
            let text = format!("{} {rest}", names(&front).join(" "));
            let mut parts = vec![Expr::Matches(number, text, Span::default())];
            for (value, is) in wanted.iter().zip(front) {
                let (value, is) = (Box::new((*value).clone()), Box::new(Expr::Constant(is)));
                parts.push(Expr::Compare(Comparison::Equal, value, is));
            }
            Expr::And(parts)
        });
        all.push(Expr::Or(fronts.collect()));
    }
    Expr::And(all)
}
