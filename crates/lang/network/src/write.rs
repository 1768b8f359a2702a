//! Networks in the format of functions, `.bnet`.

use quotient_core::Diagnostic;
use quotient_language::Written;
use quotient_language::text::count;

use crate::network::{Network, Update, is_constant};

/// The network as a text that [`network::read`](crate::network::read) reads as the same one.
pub(crate) fn bnet(network: &Network) -> Result<Written, Diagnostic> {
    let mut text = String::from("targets, factors\n");
    for (name, update) in network.names.iter().zip(&network.updates) {
        if !is_readable(name) {
            let message = format!("`{name}` cannot be a name in this format");
            return Err(Diagnostic::error("name", message));
        }
        text.push_str(name);
        text.push_str(", ");
        write(update, &network.names, Strength::Or, &mut text);
        text.push('\n');
    }
    for question in &network.questions {
        text.push_str(&format!("\n#check {}: {}", question.name, question.text));
    }
    if !network.questions.is_empty() {
        text.push('\n');
    }
    let mut warnings = Vec::new();
    if !network.levels.is_empty() {
        let message = "each level is written as a variable of its own, so that there are states that mean \
                       nothing, such as `x_2` without `x_1`; attractors have none of them";
        warnings.push(Diagnostic::warning("left-out", message));
    }
    if !network.fixed.is_empty() && !network.questions.is_empty() {
        let message = "what is fixed is written as a constant: questions of the new file are about all states, also \
                       those in which it has another level yet";
        warnings.push(Diagnostic::warning("left-out", message));
    }
    Ok(Written {
        text,
        line: count(network.names.len(), "variable"),
        warnings,
        ..Written::default()
    })
}

/// Whether functions can speak of a name.
fn is_readable(name: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || "_.[]".contains(letter);
    let begins = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    begins && name.chars().all(fits) && !is_constant(name)
}

/// What an operand may be without parentheses, from weak to strong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Or,
    Xor,
    And,
    Not,
}

fn write(update: &Update, names: &[String], least: Strength, text: &mut String) {
    let (strength, sign) = match update {
        Update::Constant(value) => return text.push(if *value { '1' } else { '0' }),
        Update::Variable(at) => return text.push_str(&names[*at]),
        Update::Not(inner) => {
            text.push('!');
            return write(inner, names, Strength::Not, text);
        }
        Update::And(..) => (Strength::And, " & "),
        Update::Or(..) => (Strength::Or, " | "),
        Update::Xor(..) => (Strength::Xor, " ^ "),
    };
    if strength < least {
        text.push('(');
    }
    if let Update::And(one, other) | Update::Or(one, other) | Update::Xor(one, other) = update {
        write(one, names, strength, text);
        text.push_str(sign);
        write(other, names, strength, text);
    }
    if strength < least {
        text.push(')');
    }
}
