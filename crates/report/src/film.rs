//! The automata of attempts as a film: a state keeps its place from frame to frame.
//!
//! States of different automata are the same for the eye if the same shortest word leads to
//! them. A state of a set with states merged stands where the first of those stands that became
//! it; a state of a false alarm where the state of the merged set stands that its word leads to.
//! Frames that have few states together are drawn over one common drawing, in which a page shows
//! what belongs to each.

use std::collections::{BTreeMap, HashMap, VecDeque};

use quotient_automata::formats::{Reading, read};
use quotient_automata::{Nfa, State};
use quotient_core::{Budget, Source};
use quotient_language::{Exhibit, Graph, Json, Node, Picture};
use serde_json::json;

use crate::{Drawing, svg_with};

/// More states than these are not drawn together.
const MOST_NODES: usize = 40;

/// What an automaton is in the loop of approximation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// M_i: where the steps lead.
    Set,
    /// The same with states merged.
    Merged,
    /// X_i: what of it leads to the bad.
    Alarm,
}

/// One automaton with its place in the film.
struct Frame<'a> {
    exhibit: usize,
    attempt: u64,
    step: u64,
    kind: Kind,
    caption: &'a str,
    picture: &'a Graph,
    machine: Machine,
    /// What each state is called in the whole film.
    keys: Vec<String>,
    /// For each state of a set: the state that it became, where others became it, too.
    classes: Vec<Option<usize>>,
}

/// The film of the exhibits of an answer, if they are automata of attempts: `layouts` (drawings)
/// and `frames`, each with the number of its layout, `nodes` (the number in the drawing, whether
/// it accepts, and which others were merged with it, state by state), `edges`, and a `word` that
/// is in it.
///
/// ```
/// assert!(quotient_report::film(&[]).is_none());
/// ```
pub fn film(exhibits: &[Exhibit]) -> Option<Json> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for (number, exhibit) in exhibits.iter().enumerate() {
        frames.extend(frame(number, exhibit));
    }
    if frames.len() < 2 {
        return None;
    }
    name_states(&mut frames);
    let mut layouts: Vec<String> = Vec::new();
    let mut told: Vec<Json> = Vec::new();
    let mut from = 0;
    while from < frames.len() {
        let (to, numbers) = together(&frames, from);
        let (svg, frames) = (drawn(&frames[from..to], &numbers), &frames[from..to]);
        told.extend(frames.iter().map(|one| one.told(layouts.len(), &numbers)));
        layouts.push(svg);
        from = to;
    }
    Some(json!({ "layouts": layouts, "frames": told }))
}

/// The frames from one on that have few states together, and the numbers of those.
fn together(frames: &[Frame<'_>], from: usize) -> (usize, HashMap<String, usize>) {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (at, frame) in frames.iter().enumerate().skip(from) {
        let new = |key: &&String| !numbers.contains_key(*key);
        let more = frame.keys.iter().filter(new).count();
        if at > from && numbers.len() + more > MOST_NODES {
            return (at, numbers);
        }
        for key in &frame.keys {
            let next = numbers.len();
            numbers.entry(key.clone()).or_insert(next);
        }
    }
    (frames.len(), numbers)
}

/// One drawing for several frames: all their states and edges.
fn drawn(frames: &[Frame<'_>], numbers: &HashMap<String, usize>) -> String {
    let mut graph = Graph::new(String::new());
    for number in 0..numbers.len() {
        graph.node(Node::round(number.to_string()));
    }
    let mut labels: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    for frame in frames {
        for (state, key) in frame.keys.iter().enumerate() {
            let node = &mut graph.nodes[numbers[key]];
            node.initial |= frame.picture.nodes[state].initial;
            node.accepting |= frame.picture.nodes[state].accepting;
        }
        for edge in &frame.picture.edges {
            let ends = (
                numbers[&frame.keys[edge.source]],
                numbers[&frame.keys[edge.target]],
            );
            // The widest label makes room for all.
            let label = labels.entry(ends).or_default();
            if edge.label.chars().count() > label.chars().count() {
                *label = &edge.label;
            }
        }
    }
    for ((source, target), label) in labels {
        graph.edge(source, target, label);
    }
    svg_with(&graph, &Drawing::default())
}

impl Frame<'_> {
    fn told(&self, layout: usize, numbers: &HashMap<String, usize>) -> Json {
        let node = |(state, key): (usize, &String)| {
            let node = &self.picture.nodes[state];
            json!([numbers[key], node.accepting, self.classes[state]])
        };
        let mut labels: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for edge in &self.picture.edges {
            let ends = (
                numbers[&self.keys[edge.source]],
                numbers[&self.keys[edge.target]],
            );
            labels.entry(ends).or_default().push(&edge.label);
        }
        let edges = labels
            .iter()
            .map(|((source, target), labels)| json!([source, target, labels.join("\n")]));
        let kind = match self.kind {
            Kind::Set => "set",
            Kind::Merged => "merged",
            Kind::Alarm => "alarm",
        };
        json!({
            "exhibit": self.exhibit,
            "attempt": self.attempt,
            "step": self.step,
            "kind": kind,
            "caption": self.caption,
            "layout": layout,
            "nodes": self.keys.iter().enumerate().map(node).collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
            "word": self.machine.shortest(),
        })
    }
}

/// An exhibit as a frame, if it is the automaton of an attempt.
fn frame(number: usize, exhibit: &Exhibit) -> Option<Frame<'_>> {
    let (attempt, step, kind) = place(&exhibit.caption)?;
    let Some(Picture::Graph(picture)) = &exhibit.picture else {
        return None;
    };
    let (_, text) = exhibit.files.iter().find(|(ending, _)| ending == "tmb")?;
    let machine = Machine::read(text)?;
    (machine.nfa.len() == picture.nodes.len()).then(|| Frame {
        exhibit: number,
        attempt,
        step,
        kind,
        caption: &exhibit.caption,
        picture,
        classes: vec![None; machine.nfa.len()],
        keys: Vec::new(),
        machine,
    })
}

/// `attempt 2: M_3 with states merged (…)` as numbers.
fn place(caption: &str) -> Option<(u64, u64, Kind)> {
    let (_, rest) = caption.split_once("attempt ")?;
    let (attempt, rest) = rest.split_once(": ")?;
    let (kind, rest) = match rest.strip_prefix("M_") {
        Some(rest) => (Kind::Set, rest),
        None => (Kind::Alarm, rest.strip_prefix("X_")?),
    };
    let end = rest.find(|letter: char| !letter.is_ascii_digit());
    let (step, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let kind = match rest.starts_with(" with states merged") {
        true => Kind::Merged,
        false => kind,
    };
    Some((attempt.parse().ok()?, step.parse().ok()?, kind))
}

/// Names the states of all frames, and says which were merged.
fn name_states(frames: &mut [Frame<'_>]) {
    let mut known: HashMap<(u64, u64, Kind), usize> = HashMap::new();
    for at in 0..frames.len() {
        let (before, rest) = frames.split_at_mut(at);
        let frame = &mut rest[0];
        let place = |kind: Kind| known.get(&(frame.attempt, frame.step, kind)).copied();
        let model = match frame.kind {
            Kind::Set => None,
            Kind::Merged => place(Kind::Set),
            Kind::Alarm => place(Kind::Merged).or(place(Kind::Set)),
        };
        let mut keys: Vec<Option<String>> = vec![None; frame.machine.nfa.len()];
        if let Some(model) = model.map(|model| &mut before[model]) {
            match frame.kind {
                Kind::Merged => merged(model, &frame.machine, &mut keys),
                _ => within(model, &frame.machine, &mut keys),
            }
        }
        let mut taken: Vec<String> = keys.iter().flatten().cloned().collect();
        for (state, key) in keys.iter_mut().enumerate() {
            if key.is_none() {
                let mut own = frame.machine.words[state]
                    .clone()
                    .unwrap_or(format!("?{state}"));
                while taken.contains(&own) {
                    own.push('\'');
                }
                taken.push(own.clone());
                *key = Some(own);
            }
        }
        frame.keys = keys.into_iter().flatten().collect();
        known.insert((frame.attempt, frame.step, frame.kind), at);
    }
}

/// A state of a merged set stands where the first of those stands that became it.
fn merged(set: &mut Frame<'_>, merged: &Machine, keys: &mut [Option<String>]) {
    let became: Vec<Option<usize>> = (set.machine.words.iter())
        .map(|word| merged.after(word.as_deref()?))
        .collect();
    for &state in &set.machine.order {
        if let Some(to) = became[state]
            && keys[to].is_none()
        {
            keys[to] = Some(set.keys[state].clone());
        }
    }
    let alone = |to: usize| became.iter().filter(|own| **own == Some(to)).count() < 2;
    for (class, to) in set.classes.iter_mut().zip(&became) {
        *class = to.filter(|&to| !alone(to));
    }
}

/// A state of a false alarm stands where the state of the set is that its word leads to.
fn within(set: &Frame<'_>, alarm: &Machine, keys: &mut [Option<String>]) {
    for &state in &alarm.order {
        let word = alarm.words[state].as_deref();
        let to = word.and_then(|word| set.machine.after(word));
        let key = to.map(|to| set.keys[to].clone());
        if key.is_some() && !keys.contains(&key) {
            keys[state] = key;
        }
    }
}

/// An automaton with the shortest words to its states.
struct Machine {
    nfa: Nfa,
    /// The shortest word to each state, letters by name with a separator after each.
    words: Vec<Option<String>>,
    /// The states in the order of those words.
    order: Vec<usize>,
}

const AFTER: char = '\u{1f}';

impl Machine {
    fn read(text: &str) -> Option<Machine> {
        let budget = Budget::unlimited();
        let document = read(
            &Source::new("frame.tmb", text),
            &Reading::default(),
            &budget,
        )
        .ok()?;
        let nfa = document.automaton().ok()?.clone();
        let mut words: Vec<Option<String>> = vec![None; nfa.len()];
        let mut order = Vec::new();
        let mut waiting: VecDeque<State> = nfa.initial().iter().copied().collect();
        for state in &waiting {
            words[state.index()] = Some(String::new());
        }
        while let Some(state) = waiting.pop_front() {
            order.push(state.index());
            let edges = nfa.edges_from(state).iter();
            let mut next: Vec<_> = edges
                .filter_map(|edge| Some((nfa.label(edge).as_ref()?.first()?, edge.target)))
                .collect();
            next.sort_unstable();
            for (letter, target) in next {
                if words[target.index()].is_none() {
                    let before = words[state.index()].clone().unwrap_or_default();
                    words[target.index()] =
                        Some(format!("{before}{}{AFTER}", nfa.alphabet().name(letter)));
                    waiting.push_back(target);
                }
            }
        }
        Some(Machine { nfa, words, order })
    }

    /// The state after a word.
    fn after(&self, word: &str) -> Option<usize> {
        let mut state = *self.nfa.initial().first()?;
        for name in word.split_terminator(AFTER) {
            let letter = self.nfa.alphabet().letter(name)?;
            let mut edges = self.nfa.edges_from(state).iter();
            let reads = |edge: &&quotient_automata::Edge| {
                let letters = self.nfa.label(edge).as_ref();
                letters.is_some_and(|letters| letters.contains(letter))
            };
            state = edges.find(reads)?.target;
        }
        Some(state.index())
    }

    /// The shortest word that is accepted.
    fn shortest(&self) -> Option<Vec<&str>> {
        let accepts = |state: &&usize| self.nfa.accepting().contains(**state);
        let word = self.words[*self.order.iter().find(accepts)?].as_deref()?;
        Some(word.split_terminator(AFTER).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exhibit(caption: &str, states: usize, text: &str) -> Exhibit {
        let mut graph = Graph::new("");
        for state in 0..states {
            graph.node(Node::round(state.to_string()));
        }
        Exhibit {
            name: caption.to_owned(),
            caption: caption.to_owned(),
            picture: Some(graph.into()),
            files: vec![("tmb".to_owned(), text.to_owned())],
        }
    }

    const HEAD: &str = "Ops x:0 a:1 b:1\nAutomaton m\n";

    #[test]
    fn a_caption_says_where_a_frame_belongs() {
        let of = |text: &str| place(text);
        assert_eq!(of("attempt 2: M_31 (automaton)"), Some((2, 31, Kind::Set)));
        assert_eq!(
            of("(attempts 1 to 3 were not kept) attempt 4: X_0"),
            Some((4, 0, Kind::Alarm))
        );
        let merged = "attempt 0: M_1 with states merged (x)";
        assert_eq!(of(merged), Some((0, 1, Kind::Merged)));
        assert_eq!(of("an inductive invariant (attempt x: M_)"), None);
        assert_eq!(of("attempt : M_"), None);
    }

    #[test]
    fn states_keep_their_places_and_say_with_whom_they_were_merged() {
        // a, then a, then a: merged, all a.
        let set = format!(
            "{HEAD}States q0 q1 q2\nFinal States q2\nTransitions\nx() -> q0\na(q0) -> q1\na(q1) -> q2\n"
        );
        let merged =
            format!("{HEAD}States q0\nFinal States q0\nTransitions\nx() -> q0\na(q0) -> q0\n");
        let next = format!(
            "{HEAD}States q0 q1\nFinal States q1\nTransitions\nx() -> q1\nb(q1) -> q0\na(q1) -> q1\n"
        );
        let film = film(&[
            exhibit("attempt 0: M_0", 3, &set),
            exhibit("attempt 0: M_0 with states merged", 1, &merged),
            exhibit("attempt 0: M_1", 2, &next),
        ])
        .unwrap();
        assert_eq!(film["layouts"].as_array().unwrap().len(), 1);
        let frames = film["frames"].as_array().unwrap();
        assert_eq!(
            frames[0]["nodes"],
            json!([[0, false, 0], [1, false, 0], [2, false, 0]])
        );
        assert_eq!(frames[1]["nodes"][0][0], 0);
        // Its first state is the one that begins, and is where the others began.
        assert_eq!(
            frames[2]["nodes"],
            json!([[3, false, null], [0, false, null]])
        );
        assert_eq!(frames[0]["word"], json!(["a", "a"]));
    }

    #[test]
    fn what_is_no_automaton_is_no_frame() {
        assert!(
            film(&[
                exhibit("attempt 0: M_0", 1, "nonsense"),
                exhibit("x", 1, "")
            ])
            .is_none()
        );
    }
}
