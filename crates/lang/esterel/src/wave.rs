//! Runs for wave viewers: VCD.

use std::fmt::Write;

use num_traits::ToPrimitive;

use crate::kernel::Program;
use crate::react::Reaction;
use crate::value::Value;

/// A run as value changes: the presence of each signal of the interface, and values of numbers.
pub(crate) fn vcd(program: &Program, reactions: &[Reaction]) -> String {
    let mut text = String::from("$timescale 1 ns $end\n");
    let _ = writeln!(text, "$scope module {} $end", program.name);
    let interface = &program.signals[..program.interface];
    for (id, signal) in interface.iter().enumerate() {
        let _ = writeln!(text, "$var wire 1 s{id} {} $end", signal.name);
        if signal.kind.as_ref().is_some_and(|kind| kind.is_number()) {
            let _ = writeln!(text, "$var real 64 v{id} {}_value $end", signal.name);
        }
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    for (instant, reaction) in reactions.iter().enumerate() {
        let _ = writeln!(text, "#{}", instant * 10);
        let before = instant.checked_sub(1).map(|at| &reactions[at]);
        for id in 0..interface.len() {
            let present = reaction.present[id];
            if before.is_none_or(|before| before.present[id] != present) {
                let _ = writeln!(text, "{}s{id}", u8::from(present));
            }
            let value = &reaction.values[id];
            if let Some(Value::Number(number)) = value
                && before.is_none_or(|before| before.values[id] != *value)
            {
                let _ = writeln!(text, "r{} v{id}", number.to_f64().unwrap_or(0.0));
            }
        }
    }
    let _ = writeln!(text, "#{}", reactions.len() * 10);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_tell_what_changes() {
        let program =
            crate::tests::program("module M: input A; output V : integer; halt end module");
        let reaction = |present: bool, value: i64| Reaction {
            present: vec![present, true],
            values: vec![
                None,
                Some(Value::Number(num_bigint::BigInt::from(value).into())),
            ],
            ..Reaction::default()
        };
        let text = vcd(
            &program,
            &[reaction(true, 3), reaction(true, 4), reaction(false, 4)],
        );
        let changes: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.starts_with('#'))
            .collect();
        let expected = [
            "#0", "1s0", "1s1", "r3 v1", "#10", "r4 v1", "#20", "0s0", "#30",
        ];
        assert_eq!(changes, expected);
    }
}
