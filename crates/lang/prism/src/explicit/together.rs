//! All explicit files of PRISM in one: transitions, states, labels and rewards below each other, each part with
//! a comment as its head.

use quotient_core::{Diagnostic, Source, Span};

use super::{Earned, Listed, MOST_MISTAKES, mistake, tra};

/// What a part is about.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Transitions,
    States,
    Labels,
    StateRewards,
    StepRewards,
}

/// The part that a comment begins.
fn head(line: &str) -> Option<Part> {
    let words = line.trim().strip_prefix('#')?.trim();
    let heads = [
        ("Transitions", Part::Transitions),
        ("States", Part::States),
        ("Labels", Part::Labels),
        ("State rewards", Part::StateRewards),
        ("Transition rewards", Part::StepRewards),
    ];
    let mut heads = heads.into_iter();
    heads
        .find(|(name, _)| {
            let rest = words.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('('))
        })
        .map(|found| found.1)
}

/// Whether a text begins with transitions under such a head, and goes on with another part.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let begins = lines.next().and_then(head) == Some(Part::Transitions);
    begins && lines.any(|line| head(line).is_some())
}

/// The text with nothing but the lines of one part, each at its place.
fn alone(source: &Source, from: usize, to: usize) -> Source {
    let text = source.text();
    let blank = |part: &str| -> String {
        let sign = |one: u8| if one == b'\n' { '\n' } else { ' ' };
        part.bytes().map(sign).collect()
    };
    let text = format!("{}{}", blank(&text[..from]), &text[from..to]);
    Source::new(source.name(), text)
}

/// Reads all parts.
pub(super) fn read(source: &Source) -> Result<Listed, Vec<Diagnostic>> {
    // A name of rewards stands above their head, and belongs to it.
    let mut found: Vec<(Part, usize)> = Vec::new();
    let (mut at, mut named) = (0, None);
    for line in source.text().split_inclusive('\n') {
        let title = line.trim_start().starts_with("# Reward structure");
        if title {
            named = Some(at);
        }
        if let Some(part) = head(line) {
            found.push((part, named.take().unwrap_or(at)));
        } else if !title && !line.trim().is_empty() {
            named = None;
        }
        at += line.len();
    }
    let ends = found.iter().skip(1).map(|one| one.1).chain([at]);
    let parts: Vec<(Part, Source)> = found
        .iter()
        .zip(ends)
        .map(|(&(part, from), to)| (part, alone(source, from, to)))
        .collect();
    let mut wrong = Vec::new();
    for what in [Part::Transitions, Part::States, Part::Labels] {
        let mut same = found.iter().filter(|one| one.0 == what).skip(1);
        if let Some((_, second)) = same.next() {
            let place = Span::new(*second, second + 1);
            wrong.push(mistake(
                source,
                place,
                "there is a second part of this kind",
            ));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let of = |what: Part| parts.iter().find(|one| one.0 == what).map(|one| &one.1);
    let mut listed = tra::begun(of(Part::Transitions).unwrap_or(source))?;
    if let Some(part) = of(Part::States) {
        tra::variables(part, &mut listed, &mut wrong);
    }
    if let Some(part) = of(Part::Labels) {
        tra::labels(part, &mut listed, &mut wrong);
    }
    rewards(&parts, &mut listed, &mut wrong);
    wrong.truncate(MOST_MISTAKES);
    if listed.initial.is_empty() {
        listed.initial.push(0);
    }
    match wrong.is_empty() {
        true => Ok(listed),
        false => Err(wrong),
    }
}

/// What states and steps earn: parts of one name beside each other are one structure.
fn rewards(parts: &[(Part, Source)], listed: &mut Listed, wrong: &mut Vec<Diagnostic>) {
    let mut known: Vec<(Earned, Vec<Part>)> = Vec::new();
    for (part, source) in parts {
        let mut earned = Earned::default();
        match part {
            Part::StateRewards => tra::state_rewards(source, listed, &mut earned, wrong),
            Part::StepRewards => tra::step_rewards(source, listed, &mut earned, wrong),
            _ => continue,
        }
        match known.last_mut() {
            Some((last, has)) if last.name == earned.name && !has.contains(part) => {
                last.states.extend(earned.states);
                last.choices.extend(earned.choices);
                has.push(*part);
            }
            _ => known.push((earned, vec![*part])),
        }
    }
    listed.rewards = known.into_iter().map(|one| one.0).collect();
}
