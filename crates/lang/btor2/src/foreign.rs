//! Witnesses of other tools.

use std::collections::BTreeMap;

use quotient_netlist::Bits;
use quotient_netlist::words::{Chosen, Model, NodeId, Operand, WordRun};

/// The most steps of a run.
const MOST_STEPS: usize = 1_000_000;

/// What the lines of a frame are about.
#[derive(Clone, Copy)]
enum Frame {
    States(usize),
    Inputs(usize),
}

/// Reads a witness: the property that it is about, and its run. What is wrong is told in a line.
pub(crate) fn read(model: &Model, text: &str) -> Result<(String, WordRun), String> {
    let lines = text.lines().map(|line| line.split(';').next());
    let mut lines = lines
        .map(|line| line.unwrap_or_default().trim())
        .filter(|line| !line.is_empty());
    if lines.next() != Some("sat") {
        return Err("a witness begins with `sat`".to_owned());
    }
    let properties = lines.next().unwrap_or_default();
    let named = |word: &&str| {
        let number = word.strip_prefix(['b', 'j']).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let Some(property) = properties.split_whitespace().find(named) else {
        return Err("the second line names a property, such as `b0` or `j0`".to_owned());
    };
    let mut run = WordRun::default();
    let mut frame = None;
    for line in lines {
        if line == "." {
            if run.steps.is_empty() {
                return Err("the witness has no steps".to_owned());
            }
            if let Some(number) = property.strip_prefix('j') {
                let number: Option<usize> = number.parse().ok();
                let justice = number.and_then(|number| model.justice.get(number));
                let none = || format!("the model has no justice `{property}`");
                let mut signals = justice.ok_or_else(none)?.0.clone();
                signals.extend(model.fairness.iter().map(|one| one.signal));
                come_back(model, &signals, &mut run)?;
            }
            return Ok((property.to_owned(), run));
        }
        let next = |number: &str, run: &mut WordRun| -> Result<usize, String> {
            let number: usize = number.parse().map_err(|_| odd(line))?;
            if number > run.steps.len() || number >= MOST_STEPS {
                return Err(format!("a step is missing before `{}`", short(line)));
            }
            if number == run.steps.len() {
                run.steps.push(BTreeMap::new());
            }
            Ok(number)
        };
        if let Some(number) = line.strip_prefix('#') {
            frame = Some(Frame::States(next(number, &mut run)?));
            continue;
        }
        if let Some(number) = line.strip_prefix('@') {
            frame = Some(Frame::Inputs(next(number, &mut run)?));
            continue;
        }
        let (step, node, rest) = assigned(model, frame, line)?;
        choose(&mut run.steps[step], node, &rest, line)?;
    }
    Err("a witness ends with a line `.`".to_owned())
}

/// Finds out where a run goes on for ever: in the first step that its last one leads to, or, where the
/// last step is there to show it, in the first one with the states of that, as far as they matter.
fn come_back(model: &Model, signals: &[Operand], run: &mut WordRun) -> Result<(), String> {
    let Some(steps) = run.evaluated(model) else {
        return Err("its values do not fit the model".to_owned());
    };
    let (last, before) = steps.split_last().ok_or("the witness has no steps")?;
    let matter = model.states_that_matter(signals);
    run.back_to = steps.iter().position(|step| last.leads_to(step, &matter));
    if run.back_to.is_none() {
        run.back_to = before
            .iter()
            .position(|step| last.has_states_of(step, &matter));
        run.steps.truncate(before.len());
    }
    match run.back_to {
        Some(_) => Ok(()),
        None => Err("it comes back to none of its states".to_owned()),
    }
}

/// The step and the node that a line is about, and its other words.
fn assigned<'t>(
    model: &Model,
    frame: Option<Frame>,
    line: &'t str,
) -> Result<(usize, NodeId, Vec<&'t str>), String> {
    let mut words = line.split_whitespace();
    let index: usize = (words.next().unwrap_or_default().parse()).map_err(|_| odd(line))?;
    let (step, node) = match frame {
        None => return Err(format!("`{}` is before the first step", short(line))),
        Some(Frame::States(step)) => (step, model.states().get(index).map(|one| one.node)),
        Some(Frame::Inputs(step)) => (step, model.inputs().get(index).map(|one| one.0)),
    };
    let node = node.ok_or_else(|| format!("`{}`: there is no such number", short(line)))?;
    Ok((step, node, words.collect()))
}

/// Takes over what a line says of a node: bits, or an index in brackets and bits.
fn choose(
    step: &mut BTreeMap<usize, Chosen>,
    node: NodeId,
    words: &[&str],
    line: &str,
) -> Result<(), String> {
    let Some(first) = words.first() else {
        return Err(odd(line));
    };
    let bracketed = first
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'));
    let Some(at) = bracketed else {
        step.insert(node.index(), Chosen::Word(bits(first, line)?));
        return Ok(());
    };
    let element = bits(words.get(1).ok_or_else(|| odd(line))?, line)?;
    let array = step
        .entry(node.index())
        .or_insert_with(|| Chosen::Array(Vec::new()));
    match array {
        Chosen::Array(some) => some.push((bits(at, line)?, element)),
        _ => return Err(odd(line)),
    }
    Ok(())
}

/// Bits as they are written, the highest first; any value is 0.
fn bits(word: &str, line: &str) -> Result<Bits, String> {
    let bit = |letter| match letter {
        '0' | 'x' => Ok(false),
        '1' => Ok(true),
        _ => Err(odd(line)),
    };
    let bits: Result<Vec<bool>, String> = word.chars().rev().map(bit).collect();
    Ok(bits?.into())
}

fn odd(line: &str) -> String {
    format!("`{}` is not understood", short(line))
}

fn short(line: &str) -> String {
    line.chars().take(40).collect()
}
