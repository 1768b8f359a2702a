//! Conditions in the words of SMT-LIB 2, for solvers that are other programs.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::{Condition, Linear};

/// Declarations and assertions that say all of some conditions, in the logic `QF_LIA`. Integers are
/// called `i0`, `i1`…, Booleans `b0`…, unknowns `u0`…. Nothing where a number grew too large.
///
/// ```
/// use quotient_arithmetic::{Condition, Integer, Linear, to_smt};
/// let x = Linear::variable(Integer::from_index(0));
/// let text = to_smt(&[Condition::AtMostZero(x.times(-2).plus_constant(1))]).unwrap();
/// assert_eq!(text, "(declare-const i0 Int)\n(assert (<= (+ (* (- 2) i0) 1) 0))\n");
/// ```
pub fn to_smt(conditions: &[Condition]) -> Option<String> {
    let mut names = BTreeSet::new();
    let mut assertions = String::new();
    for condition in conditions {
        assertions.push_str("(assert ");
        write_condition(condition, &mut assertions, &mut names)?;
        assertions.push_str(")\n");
    }
    let mut text = String::new();
    for (kind, number) in names {
        let sort = if kind == 'i' { "Int" } else { "Bool" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "(declare-const {kind}{number} {sort})");
    }
    text.push_str(&assertions);
    Some(text)
}

/// The letter and number of a variable.
type Names = BTreeSet<(char, usize)>;

fn write_condition(condition: &Condition, text: &mut String, names: &mut Names) -> Option<()> {
    match condition {
        Condition::Constant(value) => text.push_str(if *value { "true" } else { "false" }),
        Condition::Boolean(number) => write_name('b', number.index(), text, names),
        Condition::Opaque(number) => write_name('u', *number, text, names),
        Condition::AtMostZero(sum) => write_bound("<=", sum, text, names)?,
        Condition::Zero(sum) => write_bound("=", sum, text, names)?,
        Condition::Not(inner) => {
            text.push_str("(not ");
            write_condition(inner, text, names)?;
            text.push(')');
        }
        Condition::And(parts) | Condition::Or(parts) => {
            let is_and = matches!(condition, Condition::And(_));
            // Without parts it is the constant; the constant beside others changes nothing.
            text.push_str(if is_and { "(and true" } else { "(or false" });
            for part in parts {
                text.push(' ');
                write_condition(part, text, names)?;
            }
            text.push(')');
        }
    }
    Some(())
}

fn write_bound(relation: &str, sum: &Linear, text: &mut String, names: &mut Names) -> Option<()> {
    if sum.is_lost() {
        return None;
    }
    let _ = write!(text, "({relation} ");
    write_sum(sum, text, names);
    text.push_str(" 0)");
    Some(())
}

fn write_sum(sum: &Linear, text: &mut String, names: &mut Names) {
    let (terms, constant) = sum.parts();
    let is_number = terms.is_empty() && sum.quotients().is_empty();
    if !is_number {
        text.push_str("(+ ");
    }
    for (variable, factor) in terms {
        write_multiple(*factor, text, |text| {
            write_name('i', variable.index(), text, names);
        });
    }
    for (quotient, factor) in sum.quotients() {
        write_multiple(*factor, text, |text| {
            // In SMT-LIB, too, division by a positive number rounds down.
            text.push_str("(div ");
            write_sum(&quotient.of, text, names);
            let _ = write!(text, " {})", quotient.by);
        });
    }
    text.push_str(&number(constant));
    if !is_number {
        text.push(')');
    }
}

/// A multiple of something, and a blank.
fn write_multiple(factor: i128, text: &mut String, of: impl FnOnce(&mut String)) {
    match factor {
        1 => of(text),
        _ => {
            let _ = write!(text, "(* {} ", number(factor));
            of(text);
            text.push(')');
        }
    }
    text.push(' ');
}

fn write_name(kind: char, number: usize, text: &mut String, names: &mut Names) {
    names.insert((kind, number));
    let _ = write!(text, "{kind}{number}");
}

fn number(number: i128) -> String {
    match number < 0 {
        true => format!("(- {})", number.unsigned_abs()),
        false => number.to_string(),
    }
}
