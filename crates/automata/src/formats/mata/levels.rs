//! Transducers with levels: from a state of level 0 a letter is read, from one of level 1 a
//! letter is written, and a move that stays on level 0 copies.

use quotient_core::{Diagnostic, Source};
use rustc_hash::FxHashMap;

use super::lines::Word;
use crate::formats::draft::{DraftLabel, DraftMachine, Letters, Names};

/// The levels of the states, as far as declared; others are on level 0.
#[derive(Debug, Default)]
pub(super) struct Levels {
    output: FxHashMap<u32, bool>,
}

impl Levels {
    /// `state:level`.
    pub(super) fn add(
        &mut self,
        source: &Source,
        word: &Word<'_>,
        states: &mut Names,
    ) -> Result<(), Diagnostic> {
        let (name, output) = match word.text.rsplit_once(':') {
            Some((name, "0")) => (name, false),
            Some((name, "1")) => (name, true),
            _ => {
                let message = format!("`{}` gives no level", word.text);
                return Err(Diagnostic::error("levels", message).at(
                    source,
                    word.span,
                    "expected `state:0` or `state:1`",
                ));
            }
        };
        match self.output.insert(states.intern(name), output) {
            Some(before) if before != output => {
                let message = format!("`{name}` is on two levels");
                Err(Diagnostic::error("levels", message).at(source, word.span, "the second one"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn is_used(&self) -> bool {
        !self.output.is_empty()
    }

    fn is_output(&self, state: u32) -> bool {
        self.output.get(&state).copied().unwrap_or(false)
    }
}

/// Joins the two halves of each step, so that steps that read and write one letter are seen
/// as such. Where that would multiply the edges, the halves stay as they are.
pub(super) fn fuse(
    source: &Source,
    machine: DraftMachine,
    levels: &Levels,
) -> Result<DraftMachine, Diagnostic> {
    let mut fused = DraftMachine::new(machine.name.as_str(), machine.role, machine.kind);
    fused.shown_at = machine.shown_at;
    fused.states = machine.states.clone();
    fused.initial = machine.initial.clone();
    fused.accepting = machine.accepting.clone();
    // By middle state: what leads in and what leads out, letters joined for each end.
    let mut halves: FxHashMap<u32, [FxHashMap<u32, Vec<&DraftLabel>>; 2]> = FxHashMap::default();
    for &(from, label, to) in &machine.edges {
        let label = &machine.labels[label as usize];
        match (levels.is_output(from), levels.is_output(to)) {
            (false, false) => fused.edge(from, label.clone(), to),
            (false, true) => halves.entry(to).or_default()[0]
                .entry(from)
                .or_default()
                .push(label),
            (true, false) => halves.entry(from).or_default()[1]
                .entry(to)
                .or_default()
                .push(label),
            (true, true) => {
                let message = format!(
                    "`{}` and `{}` are both on the output level",
                    machine.states.name(from),
                    machine.states.name(to)
                );
                return Err(Diagnostic::error("levels", message)
                    .in_source(source)
                    .help("after writing, a transducer is back on level 0"));
            }
        }
    }
    let ends: rustc_hash::FxHashSet<u32> = machine
        .initial
        .iter()
        .chain(&machine.accepting)
        .copied()
        .collect();
    let mut middles: Vec<_> = halves.into_iter().collect();
    middles.sort_unstable_by_key(|(middle, _)| *middle);
    for (middle, [into, out]) in middles {
        let (mut into, mut out) = (parts(into), parts(out));
        let is_small = into.len() * out.len() <= 4 * (into.len() + out.len());
        if is_small && !ends.contains(&middle) {
            for (from, input) in &into {
                for (to, output) in &out {
                    fused.edge(*from, DraftLabel::Pair(input.clone(), output.clone()), *to);
                }
            }
            continue;
        }
        for (from, input) in into.drain(..) {
            fused.edge(from, DraftLabel::Pair(input, None), middle);
        }
        for (to, output) in out.drain(..) {
            fused.edge(middle, DraftLabel::Pair(None, output), to);
        }
    }
    Ok(fused)
}

/// For each end the joined letters, and ε apart.
fn parts(ends: FxHashMap<u32, Vec<&DraftLabel>>) -> Vec<(u32, Option<Letters>)> {
    let mut parts = Vec::new();
    let mut ends: Vec<_> = ends.into_iter().collect();
    ends.sort_unstable_by_key(|(end, _)| *end);
    for (end, labels) in ends {
        let mut joined: Vec<u32> = Vec::new();
        for label in labels {
            match label {
                DraftLabel::Copy(Letters::In(letters)) => joined.extend_from_slice(letters),
                DraftLabel::Copy(other) => parts.push((end, Some(other.clone()))),
                DraftLabel::Pair(..) => parts.push((end, None)),
            }
        }
        if !joined.is_empty() {
            parts.push((end, Some(Letters::listed(joined, false))));
        }
    }
    parts
}
