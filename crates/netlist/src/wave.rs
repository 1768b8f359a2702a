//! Runs as wave files (VCD, IEEE 1364), for wave viewers.

use std::fmt::Write;

/// A signal with its value in each step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// Its name.
    pub name: String,
    /// How many bits it has.
    pub width: usize,
    /// The bits in each step, the highest first.
    pub values: Vec<String>,
}

/// Waves as a file. A step takes ten units of time, of which a clock of our own is on for five.
///
/// ```
/// use quotient_netlist::wave::{Wave, to_vcd};
/// let count = Wave { name: "count".into(), width: 2, values: vec!["00".into(), "01".into()] };
/// let text = to_vcd("counter", &[count]);
/// assert!(text.contains("$var wire 2 \" count $end"));
/// assert!(text.contains("#10\n1!\nb01 \"\n"));
/// ```
pub fn to_vcd(title: &str, waves: &[Wave]) -> String {
    let mut text = String::from("$version Quotient $end\n$timescale 1ns $end\n");
    let _ = writeln!(text, "$scope module {} $end", name_of(title));
    let _ = writeln!(text, "$var wire 1 {} step $end", short(0));
    for (number, wave) in waves.iter().enumerate() {
        let (width, own) = (wave.width.max(1), short(number + 1));
        let _ = writeln!(text, "$var wire {width} {own} {} $end", name_of(&wave.name));
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    let steps = waves.iter().map(|wave| wave.values.len()).max();
    let steps = steps.unwrap_or(0);
    for step in 0..steps {
        let _ = writeln!(text, "#{}\n1{}", 10 * step, short(0));
        for (number, wave) in waves.iter().enumerate() {
            let Some(value) = wave.values.get(step) else {
                continue;
            };
            let before = step.checked_sub(1).and_then(|last| wave.values.get(last));
            if before == Some(value) {
                continue;
            }
            let own = short(number + 1);
            let _ = match wave.width {
                0 | 1 => writeln!(text, "{value}{own}"),
                _ => writeln!(text, "b{value} {own}"),
            };
        }
        let _ = writeln!(text, "#{}\n0{}", 10 * step + 5, short(0));
    }
    let _ = writeln!(text, "#{}", 10 * steps);
    text
}

/// The short name that the file gives a signal: printable letters from `!` on.
fn short(mut number: usize) -> String {
    const LETTERS: usize = 94;
    let mut name = String::new();
    loop {
        name.push((b'!' + (number % LETTERS) as u8) as char);
        number /= LETTERS;
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}

/// A name without blanks, which end names.
fn name_of(name: &str) -> String {
    let plain = |letter: char| match letter.is_whitespace() || letter.is_control() {
        true => '_',
        false => letter,
    };
    match name.is_empty() {
        true => "_".to_owned(),
        false => name.chars().map(plain).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_differ() {
        let names: std::collections::HashSet<String> = (0..20_000).map(short).collect();
        assert_eq!(names.len(), 20_000);
    }

    #[test]
    fn a_value_is_written_where_it_changes() {
        let values = ["1", "1", "0"].map(str::to_owned).to_vec();
        let wave = Wave {
            name: "a b".to_owned(),
            width: 1,
            values,
        };
        let text = to_vcd("m", &[wave]);
        assert!(text.contains("a_b"));
        assert_eq!(text.matches("1\"").count(), 1);
        assert_eq!(text.matches("0\"").count(), 1);
    }
}
