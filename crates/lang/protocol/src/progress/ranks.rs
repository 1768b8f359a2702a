//! Steps that are taken only finitely often, because a number becomes smaller.
//!
//! What stands in a configuration has a weight: each process by its values, and by where it stands
//! seen from the one that is watched; each value in a channel; the globals. The sum is a whole number
//! that is never negative. If no step behind the freeze makes it larger, those that make it smaller
//! are taken only finitely often; of the others the same can then be asked with other weights.
//!
//! That a step makes a sum no larger is exact: a step is a transducer, and the most that any pair of
//! words differs by is the length of a longest path in it. No engine is used here: checking
//! evidence rests on it.

use std::collections::BTreeMap;

use quotient_automata::{Label, Letter, Predicate, Transducer};
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::rounds::Rounds;
use crate::Compiled;
use crate::compile::Part;
use crate::model::{Protocol, Value, Variable};

/// With more joint values than this each variable is weighed by itself.
const MOST_JOINT: usize = 40;
/// Larger weights are not believed: sums of them must fit a number.
const LARGEST: u32 = 1_000_000;

/// Weights by what they weigh, one list after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Ranks {
    pub(crate) lists: Vec<BTreeMap<String, u32>>,
}

/// Why weights show nothing.
pub(crate) enum Unsound {
    /// Something that is weighed is not there, or too heavy.
    Unknown(String),
    /// A step makes the sum larger.
    Grows(String),
    Stopped(Stop),
}

impl From<Stop> for Unsound {
    fn from(stop: Stop) -> Unsound {
        Unsound::Stopped(stop)
    }
}

/// What changes sums of weights.
pub(crate) trait Weighable {
    /// By how much it makes a sum larger at the most.
    fn most(&self, weights: &[i64], budget: &Budget) -> Result<Change, Stop>;
}

impl Ranks {
    /// The weights of a list by number, of what has these names.
    pub(super) fn weights_of(
        &self,
        list: &BTreeMap<String, u32>,
        names: &[String],
    ) -> Result<Vec<i64>, Unsound> {
        let mut weights = vec![0; names.len()];
        for (name, weight) in list {
            let place = names.iter().position(|known| known == name);
            let place = place.filter(|_| *weight <= LARGEST);
            let place = place.ok_or_else(|| Unsound::Unknown(name.clone()))?;
            weights[place] = i64::from(*weight);
        }
        Ok(weights)
    }

    /// The names of the parts that are taken only finitely often.
    pub(super) fn finite(&self, rounds: &Rounds, budget: &Budget) -> Result<Vec<String>, Unsound> {
        let mut left: Vec<&(String, Moves)> = rounds.moves.iter().collect();
        let mut finite = Vec::new();
        for list in &self.lists {
            let weights = self.weights_of(list, &rounds.letters.names)?;
            let mut more = Vec::new();
            for one in left {
                let (name, moves) = one;
                match moves.most(&weights, budget)? {
                    Change::AtMost(most, _) if most < 0 => finite.push(name.clone()),
                    Change::AtMost(0, _) | Change::Never => more.push(one),
                    _ => return Err(Unsound::Grows(name.clone())),
                }
            }
            left = more;
        }
        Ok(finite)
    }
}

/// What is weighed of each letter.
pub(crate) struct Letters {
    /// What can be weighed, by number.
    pub(crate) names: Vec<String>,
    kinds: Vec<Kind>,
    /// The kind of each letter.
    of: Vec<usize>,
}

/// Letters of which the same is weighed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Kind {
    /// Whether it is the process that is watched.
    watched: bool,
    /// What is weighed before the one that is watched, and behind it.
    sides: [Vec<usize>; 2],
}

impl Letters {
    /// Of the letters of a protocol with this many processes watched.
    pub(super) fn new(protocol: &Protocol, marks: usize, compiled: &Compiled) -> Letters {
        let letters: Vec<Letter> = compiled.alphabet().letters().collect();
        let part = |letter: &Letter| compiled.letters.part(*letter);
        let (fields, globals) = (protocol.fields.len(), protocol.globals.len());
        let joint = |of: &dyn Fn(&Part) -> Option<Vec<Value>>| {
            let mut all: Vec<Vec<Value>> = letters.iter().filter_map(|one| of(part(one))).collect();
            all.sort_unstable();
            all.dedup();
            all.len() <= MOST_JOINT
        };
        let processes_joint = joint(&|part| match part {
            Part::Process(values) => values.get(..fields).map(<[Value]>::to_vec),
            _ => None,
        });
        let globals_joint = joint(&|part| match part {
            Part::Globals(values) => values.get(..globals).map(<[Value]>::to_vec),
            _ => None,
        });
        let mut all = Letters {
            names: Vec::new(),
            kinds: Vec::new(),
            of: Vec::new(),
        };
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut kinds: FxHashMap<Kind, usize> = FxHashMap::default();
        for letter in &letters {
            let mut number = |name: String| {
                let next = numbers.len();
                *numbers.entry(name).or_insert(next)
            };
            let kind = match part(letter) {
                Part::Process(values) => {
                    let watched = marks == 1 && values.get(fields) == Some(&1);
                    let own = values.get(..fields).unwrap_or_default();
                    let told = protocol.told(&protocol.fields, own, processes_joint);
                    let mut side = |side: &str| -> Vec<usize> {
                        let told = told.iter();
                        told.map(|text| number(format!("{side}{text}"))).collect()
                    };
                    let sides = match (marks == 1, watched) {
                        (false, _) => [side("process "), side("process ")],
                        (true, true) => [side("watched "), side("watched ")],
                        (true, false) => [side("before it "), side("behind it ")],
                    };
                    Kind { watched, sides }
                }
                Part::Globals(values) => {
                    let own = values.get(..globals).unwrap_or_default();
                    let told = protocol.told(&protocol.globals, own, globals_joint);
                    let told = told
                        .into_iter()
                        .map(|text| number(format!("globals {text}")));
                    Kind::plain(told.collect())
                }
                Part::Separator(_) => Kind::plain(Vec::new()),
                Part::Content(channel, value) => {
                    let channel = &protocol.channels[*channel];
                    let value = protocol.show(&channel.domain, *value);
                    Kind::plain(vec![number(format!("channel {}: {value}", channel.name))])
                }
            };
            let next = kinds.len();
            all.of.push(*kinds.entry(kind).or_insert(next));
        }
        let mut names: Vec<(String, usize)> = numbers.into_iter().collect();
        names.sort_unstable_by_key(|(_, number)| *number);
        all.names = names.into_iter().map(|(name, _)| name).collect();
        let mut known: Vec<(Kind, usize)> = kinds.into_iter().collect();
        known.sort_unstable_by_key(|(_, number)| *number);
        all.kinds = known.into_iter().map(|(kind, _)| kind).collect();
        all
    }

    /// How a step changes what is weighed.
    pub(super) fn moves(&self, part: &Transducer) -> Moves {
        let kinds = |letters: &Predicate| -> [Vec<Vec<usize>>; 3] {
            let mut seen = vec![false; self.kinds.len()];
            let mut all: [Vec<Vec<usize>>; 3] = Default::default();
            for letter in letters.letters() {
                let number = self.of[letter.index()];
                if std::mem::replace(&mut seen[number], true) {
                    continue;
                }
                let kind = &self.kinds[number];
                match kind.watched {
                    true => all[2].push(kind.sides[0].clone()),
                    false => {
                        all[0].push(kind.sides[0].clone());
                        all[1].push(kind.sides[1].clone());
                    }
                }
            }
            all
        };
        let mut arcs = Vec::new();
        for edge in part.edges() {
            let (source, target) = (edge.source.index(), edge.target.index());
            let what = match part.label(edge) {
                Label::Copy(letters) => What::Copied(kinds(letters)),
                Label::Pair(input, output) => {
                    What::Changed(input.as_ref().map(kinds), output.as_ref().map(kinds))
                }
            };
            arcs.push(Arc {
                source,
                target,
                what,
            });
        }
        Moves {
            states: part.len(),
            initial: part.initial().iter().map(|state| state.index()).collect(),
            accepting: part.accepting().ones().collect(),
            arcs,
        }
    }
}

impl Kind {
    fn plain(weighed: Vec<usize>) -> Kind {
        Kind {
            watched: false,
            sides: [weighed.clone(), weighed],
        }
    }
}

impl Protocol {
    /// Values as they are weighed: jointly or one by one.
    fn told(&self, variables: &[Variable], values: &[Value], jointly: bool) -> Vec<String> {
        let each = variables.iter().zip(values);
        let each = each.map(|(variable, value)| {
            format!(
                "{} = {}",
                variable.name,
                self.show(&variable.domain, *value)
            )
        });
        match jointly {
            true => vec![each.collect::<Vec<_>>().join(", ")],
            false => each.collect(),
        }
    }
}

/// A step, as far as it changes what is weighed.
pub(crate) struct Moves {
    states: usize,
    initial: Vec<usize>,
    accepting: Vec<usize>,
    arcs: Vec<Arc>,
}

struct Arc {
    source: usize,
    target: usize,
    what: What,
}

/// What is weighed of letters: before the one that is watched, behind it, and of the one itself.
type Weighed = [Vec<Vec<usize>>; 3];

enum What {
    /// The same letter is read and written.
    Copied(Weighed),
    /// One is read and another written, or nothing.
    Changed(Option<Weighed>, Option<Weighed>),
}

/// By how much a step makes a sum larger.
pub(crate) enum Change {
    /// It cannot be taken at all.
    Never,
    /// By so much at the most, as in this example: how often what is weighed is there more often.
    AtMost(i64, Vec<i64>),
    /// There is no bound: this can be repeated.
    Endless(Vec<i64>),
}

/// How much one move makes the sum larger, and what it reads and writes.
struct Best<'m> {
    gain: i64,
    read: Option<&'m Vec<usize>>,
    written: Option<&'m Vec<usize>>,
}

impl Weighable for Moves {
    /// The longest way from where the transducer begins to where it ends, with what was read and what
    /// was written of the one that is watched.
    fn most(&self, weights: &[i64], budget: &Budget) -> Result<Change, Stop> {
        let node = |state: usize, read: bool, written: bool| {
            state * 4 + usize::from(read) * 2 + usize::from(written)
        };
        let mut links: Vec<(usize, usize, Best<'_>)> = Vec::new();
        for arc in &self.arcs {
            for (read, written) in [(false, false), (false, true), (true, false), (true, true)] {
                let from = node(arc.source, read, written);
                for (passes_read, passes_written, best) in arc.what.best((read, written), weights) {
                    let to = node(arc.target, read || passes_read, written || passes_written);
                    links.push((from, to, best));
                }
            }
        }
        budget.charge(1 + links.len() as u64 / 64)?;
        let size = self.states * 4;
        let mut far: Vec<Option<i64>> = vec![None; size];
        let mut by: Vec<Option<usize>> = vec![None; size];
        for &state in &self.initial {
            far[node(state, false, false)] = Some(0);
        }
        let mut last = None;
        for _ in 0..=size {
            last = None;
            budget.poll()?;
            for (number, (from, to, best)) in links.iter().enumerate() {
                let Some(way) = far[*from].map(|way| way + best.gain) else {
                    continue;
                };
                if far[*to].is_none_or(|known| known < way) {
                    (far[*to], by[*to], last) = (Some(way), Some(number), Some(*to));
                }
            }
            if last.is_none() {
                break;
            }
        }
        if let Some(mut at) = last {
            // Far enough back it is a circle.
            for _ in 0..size {
                at = by[at].map_or(at, |link| links[link].0);
            }
            return Ok(Change::Endless(changes(
                &links,
                &by,
                at,
                true,
                weights.len(),
            )));
        }
        let ends = self
            .accepting
            .iter()
            .flat_map(|state| state * 4..state * 4 + 4);
        let farthest = ends.filter_map(|end| Some((far[end]?, end))).max();
        Ok(match farthest {
            None => Change::Never,
            Some((way, end)) => {
                Change::AtMost(way, changes(&links, &by, end, false, weights.len()))
            }
        })
    }
}

/// What changes on the way to a node, or round a circle.
fn changes(
    links: &[(usize, usize, Best<'_>)],
    by: &[Option<usize>],
    end: usize,
    circle: bool,
    size: usize,
) -> Vec<i64> {
    let mut change = vec![0; size];
    let mut at = end;
    while let Some(link) = by[at] {
        let (from, _, best) = &links[link];
        best.read
            .into_iter()
            .flatten()
            .for_each(|&one| change[one] -= 1);
        best.written
            .into_iter()
            .flatten()
            .for_each(|&one| change[one] += 1);
        at = *from;
        if circle && at == end {
            break;
        }
    }
    change
}

impl What {
    /// The moves that make the sum largest: whether they read and write the one that is watched, where
    /// it was read and written already or not.
    fn best<'m>(
        &'m self,
        (read, written): (bool, bool),
        weights: &[i64],
    ) -> Vec<(bool, bool, Best<'m>)> {
        let heavy = |all: &[usize]| -> i64 { all.iter().map(|&one| weights[one]).sum() };
        // Of the ones that are not watched those on the side, then the one that is.
        let mut all = Vec::new();
        match self {
            What::Copied(letters) => {
                let plain = (letters[usize::from(read)].iter()).zip(&letters[usize::from(written)]);
                let plain = plain.max_by_key(|(before, after)| heavy(after) - heavy(before));
                let watched = letters[2].first().map(|one| (one, one));
                for (passes, both) in [(false, plain), (true, watched)] {
                    if let Some((before, after)) = both {
                        let best = Best {
                            gain: heavy(after) - heavy(before),
                            read: Some(before),
                            written: Some(after),
                        };
                        all.push((passes, passes, best));
                    }
                }
            }
            What::Changed(input, output) => {
                let lightest = |all: &'m Vec<Vec<usize>>| all.iter().min_by_key(|one| heavy(one));
                let heaviest = |all: &'m Vec<Vec<usize>>| all.iter().max_by_key(|one| heavy(one));
                let options = |weighed: &'m Option<Weighed>,
                               passed: bool,
                               choose: &dyn Fn(&'m Vec<Vec<usize>>) -> Option<&'m Vec<usize>>|
                 -> Vec<(bool, Option<&'m Vec<usize>>)> {
                    let Some(weighed) = weighed else {
                        return vec![(false, None)];
                    };
                    let plain = choose(&weighed[usize::from(passed)]).map(|one| (false, Some(one)));
                    let watched = choose(&weighed[2]).map(|one| (true, Some(one)));
                    plain.into_iter().chain(watched).collect()
                };
                for (passes_read, reads) in options(input, read, &lightest) {
                    for (passes_written, writes) in options(output, written, &heaviest) {
                        let best = Best {
                            gain: writes.map_or(0, |one| heavy(one))
                                - reads.map_or(0, |one| heavy(one)),
                            read: reads,
                            written: writes,
                        };
                        all.push((passes_read, passes_written, best));
                    }
                }
            }
        }
        all
    }
}
