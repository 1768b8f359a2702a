//! Repeatable random choices and random FSP texts.

pub(crate) use quotient_testkit::Random;

/// A random primitive process `P` with local processes `A[i:0..2]`, `B[i:0..2]` and `C`.
/// It uses choices, guards, conditions, indices and references that may be out of range.
pub(crate) fn process(random: &mut Random) -> String {
    let mut text = format!("P = {},\n", body(random, &[], 3));
    for name in ["A", "B"] {
        text += &format!("{name}[i:0..2] = {},\n", body(random, &["i"], 3));
    }
    text + &format!("C = {}.\n", body(random, &[], 2))
}

fn body(random: &mut Random, variables: &[&str], depth: usize) -> String {
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => reference(random, variables),
        1 | 2 if depth == 0 => reference(random, variables),
        1 => format!(
            "if ({}) then {} else {}",
            condition(random, variables),
            body(random, variables, depth - 1),
            body(random, variables, depth - 1)
        ),
        _ => {
            let count = 1 + random.below(3);
            let alternatives: Vec<String> = (0..count)
                .map(|_| alternative(random, variables, depth))
                .collect();
            format!("({})", alternatives.join(" | "))
        }
    }
}

fn alternative(random: &mut Random, variables: &[&str], depth: usize) -> String {
    let mut variables = variables.to_vec();
    let guard = match random.chance(30) {
        true => format!("when ({}) ", condition(random, &variables)),
        false => String::new(),
    };
    let mut labels = String::new();
    for _ in 0..1 + random.below(2) {
        let name = random.pick(&["a", "b", "c"]);
        let label = match random.below(5) {
            0 => format!("{name}[{}]", expression(random, &variables)),
            1 if !variables.contains(&"j") => {
                variables.push("j");
                format!("{name}[j:0..{}]", random.below(3))
            }
            2 => "{a, b.x}".to_string(),
            3 => format!("{name}[0..1]"),
            _ => name.to_string(),
        };
        labels += &format!("{label} -> ");
    }
    format!("{guard}{labels}{}", body(random, &variables, depth - 1))
}

fn reference(random: &mut Random, variables: &[&str]) -> String {
    match random.below(8) {
        0 => "P".to_string(),
        1 => "C".to_string(),
        2 => random.pick(&["STOP", "END", "ERROR"]).to_string(),
        3 | 4 => format!("A[({}) % 3]", expression(random, variables)),
        5 => format!("A[{}]", expression(random, variables)),
        6 => format!("B[{}]", expression(random, variables)),
        _ => format!("B[({}) & 1]", expression(random, variables)),
    }
}

fn condition(random: &mut Random, variables: &[&str]) -> String {
    let operator = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let left = expression(random, variables);
    let first = format!("{left} {operator} {}", expression(random, variables));
    match random.below(5) {
        0 => format!("!({first})"),
        1 => format!("{first} && {}", random.below(2)),
        2 => format!("{first} || {}", random.below(2)),
        _ => first,
    }
}

fn expression(random: &mut Random, variables: &[&str]) -> String {
    let atom = |random: &mut Random| match variables.is_empty() || random.chance(30) {
        true => random.below(4).to_string(),
        false => random.pick(variables).to_string(),
    };
    let left = atom(random);
    match random.below(4) {
        0 => format!("{left} + {}", atom(random)),
        1 => format!("{left} * {}", atom(random)),
        2 => format!("{left} + 1"),
        _ => left,
    }
}
