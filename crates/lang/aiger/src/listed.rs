//! Counterexamples as ABC lists them: plain bits, names with their values, or a line of columns for
//! each step. They name no property that could be relied on: it is the first that the run shows.

use std::collections::HashMap;

use quotient_netlist::{Bits, Circuit, Literal, Run};

/// The most steps of a run, and the most inputs in all of them together.
const MOST_STEPS: usize = 1_000_000;
const MOST_INPUTS: usize = 50_000_000;

/// What a list says, before it is fitted to a circuit.
struct Listed {
    /// Values of latches at the start, as far as they are given.
    start: Vec<Option<bool>>,
    inputs: Vec<Vec<bool>>,
}

/// Reads a list: the property that it shows, and its run. Nothing if the text is no list of any
/// kind; what is wrong with one is told in a line.
pub(crate) fn read(circuit: &Circuit, text: &str) -> Option<Result<(String, Run), String>> {
    let plain = without_remarks(text);
    let first = plain.lines().next()?;
    let is_bits = |line: &str| line.chars().all(|letter| "01x".contains(letter));
    let listed = if plain.contains('@') {
        named(circuit, &plain, told_length(text))
    } else if columns(text).is_some() {
        in_columns(text)
    } else if text.contains("# DONE") && is_bits(first.trim()) {
        bits(circuit, &plain)
    } else {
        return None;
    };
    Some(listed.and_then(|listed| fitted(circuit, listed)))
}

/// The text without what stands behind a `#`.
fn without_remarks(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('#').next());
    let lines: Vec<&str> = lines.map(Option::unwrap_or_default).collect();
    lines.join("\n")
}

/// The number of steps that a remark tells: the last ones may have nothing that matters.
fn told_length(text: &str) -> usize {
    let told = text
        .lines()
        .find_map(|line| line.strip_prefix("# COUNTEREXAMPLE LENGTH:"));
    told.and_then(|told| told.trim().parse().ok()).unwrap_or(0)
}

fn is_on(letter: char) -> Result<bool, String> {
    match letter {
        '0' | 'x' => Ok(false),
        '1' => Ok(true),
        _ => Err(format!("`{letter}` is no bit")),
    }
}

/// One line of bits, or one for the latches and one for each step: the same bits in the same order.
fn bits(circuit: &Circuit, text: &str) -> Result<Listed, String> {
    let (latches, inputs) = (circuit.latches().len(), circuit.inputs().len());
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let all: Vec<bool> = letters.map(is_on).collect::<Result<_, _>>()?;
    let fits = all.len() >= latches
        && match inputs {
            0 => all.len() == latches,
            _ => (all.len() - latches).is_multiple_of(inputs),
        };
    if !fits {
        let found = all.len();
        return Err(format!(
            "{found} bits are not {latches} latches and {inputs} inputs for each step"
        ));
    }
    let (start, rest) = all.split_at(latches);
    let steps = match inputs {
        // The first line is that of the latches.
        0 => vec![Vec::new(); text.split('\n').count().saturating_sub(1).max(1)],
        _ => rest.chunks(inputs).map(<[bool]>::to_vec).collect(),
    };
    Ok(Listed {
        start: start.iter().copied().map(Some).collect(),
        inputs: steps,
    })
}

/// The columns of the lines after the first, where that is `1`: latches, inputs, outputs, latches.
fn columns(text: &str) -> Option<Vec<[&str; 4]>> {
    let mut lines = text.lines();
    if lines.next()?.trim() != "1" {
        return None;
    }
    let lines = lines.filter(|line| !line.is_empty());
    let all: Option<Vec<[&str; 4]>> = lines
        .map(|line| {
            let columns: Vec<&str> = line.split(' ').collect();
            columns.try_into().ok()
        })
        .collect();
    all.filter(|all| !all.is_empty())
}

fn in_columns(text: &str) -> Result<Listed, String> {
    let all = columns(text).unwrap_or_default();
    let bits = |column: &str| column.chars().map(is_on).collect::<Result<Vec<bool>, _>>();
    let inputs = all.iter().map(|columns| bits(columns[1]));
    let first = all.first().map_or("", |columns| columns[0]);
    Ok(Listed {
        start: bits(first)?.into_iter().map(Some).collect(),
        inputs: inputs.collect::<Result<_, _>>()?,
    })
}

/// Names with steps and values, `name@2=1`. What is not named is 0.
fn named(circuit: &Circuit, text: &str, length: usize) -> Result<Listed, String> {
    let (latches, inputs) = (circuit.latches().len(), circuit.inputs().len());
    let mut numbers: HashMap<String, (bool, usize)> = HashMap::new();
    for number in 0..latches {
        numbers.insert(format!("lo{number}"), (true, number));
        numbers.insert(circuit.latch_name(number), (true, number));
    }
    for number in 0..inputs {
        numbers.insert(format!("pi{number}"), (false, number));
    }
    for number in 0..inputs {
        numbers.insert(circuit.input_name(number), (false, number));
    }
    let too_many = |steps: usize| steps > MOST_STEPS || steps.saturating_mul(inputs) > MOST_INPUTS;
    if too_many(length) {
        return Err(format!("{length} steps are too many"));
    }
    let mut listed = Listed {
        start: vec![None; latches],
        inputs: vec![vec![false; inputs]; length],
    };
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('@') {
        let name = name.trim();
        let (step, value) = after
            .split_once('=')
            .ok_or_else(|| format!("`{}` has no value", short(name)))?;
        let step: usize = (step.parse()).map_err(|_| format!("`{}` is no step", short(step)))?;
        if too_many(step.saturating_add(1)) {
            return Err(format!("{step} steps are too many"));
        }
        let mut letters = value.chars();
        let on = is_on(letters.next().unwrap_or(' '))?;
        rest = letters.as_str();
        if listed.inputs.len() <= step {
            listed.inputs.resize(step + 1, vec![false; inputs]);
        }
        match numbers.get(name) {
            Some(&(true, number)) if step == 0 => listed.start[number] = Some(on),
            Some(&(true, _)) => {}
            Some(&(false, number)) => listed.inputs[step][number] = on,
            // Signals inside that have no name in the file: what they are follows.
            None if is_inner(name) => {}
            None => return Err(format!("there is no input `{}`", short(name))),
        }
    }
    Ok(listed)
}

fn is_inner(name: &str) -> bool {
    let number = name.strip_prefix('n').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The run of a list, and what it shows in its last step. Latches start as the circuit says where it
/// says so: some lists are of a circuit in which they start with 0.
fn fitted(circuit: &Circuit, listed: Listed) -> Result<(String, Run), String> {
    let latches = circuit.latches();
    if listed.start.len() != latches.len() {
        let (found, of) = (listed.start.len(), latches.len());
        return Err(format!("it starts with {found} latches of {of}"));
    }
    let inputs = circuit.inputs().len();
    if let Some(step) = listed.inputs.iter().find(|step| step.len() != inputs) {
        let found = step.len();
        return Err(format!("its steps have {found} inputs of {inputs}"));
    }
    let given = latches.iter().zip(&listed.start);
    let start: Vec<bool> = given
        .map(|(latch, given)| latch.start.or(*given).unwrap_or_default())
        .collect();
    let run = Run {
        start: start.into(),
        inputs: listed.inputs.into_iter().map(Bits::from).collect(),
        back_to: None,
    };
    let (letter, asked): (char, &[Literal]) = match circuit.bad.is_empty() {
        true if circuit.justice.is_empty() => ('o', &circuit.outputs),
        _ => ('b', &circuit.bad),
    };
    let mut last = None;
    let Ok(()) = run.walk(circuit, |state| {
        last = Some(state);
        Ok::<(), std::convert::Infallible>(())
    });
    let last = last.ok_or("it has no steps")?;
    match asked.iter().position(|&signal| last.is_on(signal)) {
        Some(number) => Ok((format!("{letter}{number}"), run)),
        None => Err("none of the signals that are asked about is on in its last step".to_owned()),
    }
}
