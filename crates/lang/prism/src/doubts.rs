//! Reasons to doubt a model: what can never happen in it, and where it stops.

use quotient_language::Doubt;
use quotient_language::text::count;
use quotient_probability::Built;

use crate::instance::Instance;

/// Why the answer may be another one than was meant, where nothing was built for it.
pub(crate) fn settled_at_once() -> Doubt {
    let text = "the initial state alone settles what was asked: no other state was looked at";
    Doubt::new("settled-at-once", text)
}

/// Reasons to doubt a model that was built.
pub(crate) fn doubts(instance: &Instance, built: &Built) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let place = |number: usize| {
        let (line, _) = instance
            .source
            .position(instance.commands[number].span.start);
        line
    };
    let named = |action: &str| match action.is_empty() {
        true => String::new(),
        false => format!(" [{action}]"),
    };
    let mut blocked = vec![false; instance.commands.len()];
    for (number, event) in instance.events.iter().enumerate() {
        if !built.happened.contains(number) {
            continue;
        }
        for &command in event.parts.iter().flatten() {
            blocked[command as usize] = true;
        }
    }
    for (number, command) in instance.commands.iter().enumerate() {
        let module = &instance.modules[command.module].0;
        let what = format!(
            "the command{} of `{module}` in line {}",
            named(&command.action),
            place(number)
        );
        let mut doubt = if !built.enabled.contains(number) {
            // A guard that was never looked at belongs to a synchronisation that others block.
            Doubt::new("never-enabled", format!("{what} can never happen"))
        } else if !blocked[number] {
            let text = format!("{what} never finds partners to synchronise with");
            Doubt::new("never-synchronises", text)
        } else {
            continue;
        };
        doubt.span = Some(command.span);
        doubts.push(doubt);
    }
    for (&number, sum) in &built.scaled {
        let text = format!(
            "the probabilities of the command{} in line {} add up to {sum}, not to 1; they are \
             divided by that",
            named(&instance.commands[number].action),
            place(number)
        );
        let mut doubt = Doubt::new("sum", text);
        doubt.span = Some(instance.commands[number].span);
        doubts.push(doubt);
    }
    let stuck = built.model.deadlocks.count_ones(..);
    if let Some(first) = built.model.deadlocks.ones().next() {
        let state = instance.state_text(&built.states.values(first));
        let text = format!(
            "{} no command can leave; each got a loop, as in PRISM (the first: {state})",
            count(stuck, "state")
        );
        doubts.push(Doubt::new("deadlock", text));
    }
    doubts
}
