//! Why there is no model, in the words of its text.

use quotient_core::{Diagnostic, Source, Span, Trouble};
use quotient_probability::{Misbuilt, Undefined};

use crate::instance::Instance;

/// Something has no value in a state.
pub(crate) fn undefined(
    instance: &Instance,
    source: &Source,
    span: Span,
    none: &Undefined,
) -> Trouble {
    no_value(instance, source, span, &none.state).into()
}

fn no_value(instance: &Instance, source: &Source, span: Span, state: &[i64]) -> Diagnostic {
    let message = "this has no value: a number is too large or a function not defined";
    Diagnostic::error("no-value", message)
        .at(source, span, "")
        .note(format!("in the state {}", instance.state_text(state)))
}

fn tiny(source: &Source) -> Diagnostic {
    let message = "a probability or a rate is too small to be told from 0";
    Diagnostic::error("number", message)
        .in_source(source)
        .help("leave such a step out, or give it more than 1e-290")
}

/// Why there is no model, in the words of its text.
pub(crate) fn misbuilt(instance: &Instance, why: Misbuilt) -> Trouble {
    let source = &instance.source;
    let at = |command: usize, update: usize| {
        let command = &instance.commands[command];
        command
            .updates
            .get(update)
            .map_or(command.span, |update| update.span)
    };
    if let Some((span, state)) = valueless(instance, &why) {
        return no_value(instance, source, span, state).into();
    }
    let in_state = |state: &[i64]| format!("in the state {}", instance.state_text(state));
    match why {
        Misbuilt::Stopped(stop) => stop.into(),
        Misbuilt::NoStart => {
            let error = Diagnostic::error("no-start", "no state fulfils `init`");
            error.in_source(source).into()
        }
        Misbuilt::Tiny => tiny(source).into(),
        Misbuilt::Start => {
            let message = "`init` has no value for some values of the variables: a number is too \
                large or a function not defined";
            let error = Diagnostic::error("no-value", message);
            error.in_source(source).into()
        }
        Misbuilt::Guard { command, state } => {
            let span = instance.commands[command].span;
            no_value(instance, source, span, &state).into()
        }
        Misbuilt::Conflict {
            commands,
            variable,
            state,
        } => {
            let name = &instance.variables[variable].name;
            let message = format!("`{name}` gets two values by commands that happen together");
            let mut error = Diagnostic::error("twice", message);
            for &command in &commands {
                error = error.at(source, instance.commands[command as usize].span, "");
            }
            error.note(in_state(&state)).into()
        }
        Misbuilt::OutOfRange {
            command,
            update,
            variable,
            value,
            state,
        } => {
            let variable = &instance.variables[variable];
            let message = format!(
                "`{}` gets the value {value}, outside of [{}..{}]",
                variable.name, variable.low, variable.high
            );
            Diagnostic::error("out-of-range", message)
                .at(source, at(command, update), "by this update")
                .note(in_state(&state))
                .help("guard the command, or widen the range")
                .into()
        }
        Misbuilt::Sum {
            command,
            sum,
            state,
        } => {
            let message = format!("the probabilities of this command add up to {sum}, not to 1");
            Diagnostic::error("sum", message)
                .at(source, instance.commands[command].span, "")
                .note(in_state(&state))
                .into()
        }
        Misbuilt::Weight {
            command,
            update,
            value,
            state,
        } => {
            let message = format!("{value} is neither a probability nor a rate");
            Diagnostic::error("weight", message)
                .at(source, at(command, update), "")
                .note(in_state(&state))
                .into()
        }
        Misbuilt::Earned {
            structure,
            item,
            value,
            state,
        } => {
            let message = format!("{value} cannot be earned: rewards are finite and not negative");
            let span = instance.rewards[structure].items[item].span;
            Diagnostic::error("reward", message)
                .at(source, span, "")
                .note(in_state(&state))
                .into()
        }
    }
}

/// Where something has no value, and in which state, if that is what is wrong.
fn valueless<'w>(instance: &Instance, why: &'w Misbuilt) -> Option<(Span, &'w [i64])> {
    let (span, value, state) = match why {
        Misbuilt::OutOfRange {
            command,
            update,
            value,
            state,
            ..
        }
        | Misbuilt::Weight {
            command,
            update,
            value,
            state,
        } => {
            let update = &instance.commands[*command].updates[*update];
            (update.span, value, state)
        }
        Misbuilt::Earned {
            structure,
            item,
            value,
            state,
        } => {
            let item = &instance.rewards[*structure].items[*item];
            (item.span, value, state)
        }
        _ => return None,
    };
    value.is_nan().then_some((span, state))
}
