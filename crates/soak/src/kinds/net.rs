//! Petri nets.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth, way};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "net",
    generate,
    ways: |_, _| vec![way(&[("states", "3")]), way(&[("states", "40")])],
    instance: Instance::None,
    judge,
};

const PROPERTIES: &str = "model.xml";

fn generate(dice: &mut Dice, size: usize) -> Sample {
    match dice.chance(20) {
        true => counters(dice),
        false => net(dice, size),
    }
}

fn net(dice: &mut Dice, size: usize) -> Sample {
    let places = dice.within(2, 3 + size);
    let transitions = dice.within(1, 3 + size);
    let mut text = String::from("net random\n");
    for place in 0..places {
        let tokens = [0, 0, 1, 1, 2, 5][dice.below(6)];
        text += &format!("pl p{place} ({tokens})\n");
    }
    for transition in 0..transitions {
        let side = |dice: &mut Dice, most: usize| {
            let count = dice.below(most + 1);
            let mut arcs = BTreeMap::new();
            for _ in 0..count {
                let weight = [1, 1, 1, 2, 3][dice.below(5)];
                arcs.insert(dice.below(places), weight);
            }
            let arcs = arcs.into_iter().map(|(place, weight)| match weight {
                1 => format!(" p{place}"),
                _ => format!(" p{place}*{weight}"),
            });
            arcs.collect::<String>()
        };
        // Mostly as many out as in, so that nets are bounded.
        let before = side(dice, 2);
        let after = side(dice, 2);
        text += &format!("tr t{transition}{before} ->{after}\n");
    }
    let mut xml = String::from("<property-set>\n");
    for number in 0..dice.within(1, 4) {
        let formula = match dice.below(10) {
            0 => format!(
                "<place-bound><place>p{}</place></place-bound>",
                dice.below(places)
            ),
            1 => "<exists-path><finally><deadlock/></finally></exists-path>".to_owned(),
            2..=4 => format!(
                "<exists-path><finally>{}</finally></exists-path>",
                condition(dice, places, transitions, 2)
            ),
            5 => format!(
                "<all-paths><globally><exists-path><finally>{}</finally></exists-path></globally></all-paths>",
                condition(dice, places, transitions, 1)
            ),
            6 => format!(
                "<all-paths><finally>{}</finally></all-paths>",
                condition(dice, places, transitions, 1)
            ),
            7 => format!(
                "<exists-path><until><before>{}</before><reach>{}</reach></until></exists-path>",
                condition(dice, places, transitions, 1),
                condition(dice, places, transitions, 1)
            ),
            8 => format!(
                "<all-paths><globally><finally>{}</finally></globally></all-paths>",
                condition(dice, places, transitions, 1)
            ),
            _ => format!(
                "<all-paths><globally>{}</globally></all-paths>",
                condition(dice, places, transitions, 2)
            ),
        };
        xml += &format!("<property><id>q{number}</id><formula>{formula}</formula></property>\n");
    }
    xml += "</property-set>\n";
    Sample::of("net", "model.net", text)
        .beside(PROPERTIES, xml)
        .setting("properties", PROPERTIES)
}

fn condition(dice: &mut Dice, places: usize, transitions: usize, depth: usize) -> String {
    let inner = |dice: &mut Dice| condition(dice, places, transitions, depth - 1);
    match dice.below(if depth == 0 { 4 } else { 7 }) {
        0 => format!(
            "<is-fireable><transition>t{}</transition></is-fireable>",
            dice.below(transitions)
        ),
        1 => format!(
            "<integer-le><tokens-count><place>p{}</place></tokens-count><tokens-count><place>p{}</place><place>p{}</place></tokens-count></integer-le>",
            dice.below(places),
            dice.below(places),
            dice.below(places)
        ),
        2 => format!(
            "<integer-le><integer-constant>{}</integer-constant><tokens-count><place>p{}</place></tokens-count></integer-le>",
            dice.below(5),
            dice.below(places)
        ),
        3 => format!(
            "<integer-le><tokens-count><place>p{}</place><place>p{}</place></tokens-count><integer-constant>{}</integer-constant></integer-le>",
            dice.below(places),
            dice.below(places),
            dice.below(6)
        ),
        4 => format!("<negation>{}</negation>", inner(dice)),
        5 => format!("<conjunction>{}{}</conjunction>", inner(dice), inner(dice)),
        _ => format!("<disjunction>{}{}</disjunction>", inner(dice), inner(dice)),
    }
}

/// Counters that start with any number of tokens, and a set that should not be covered.
fn counters(dice: &mut Dice) -> Sample {
    let names = ["a", "b", "c", "d"];
    let count = dice.within(2, 4);
    let names = &names[..count];
    let mut text = format!("vars\n  {}\nrules\n", names.join(" "));
    for _ in 0..dice.within(1, 4) {
        let (from, to) = (dice.below(count), dice.below(count));
        let extra = dice.below(count);
        let guard = match extra != from && dice.chance(40) {
            true => format!(
                "{} >= 1, {} >= {}",
                names[from],
                names[extra],
                dice.within(1, 2)
            ),
            false => format!("{} >= {}", names[from], dice.within(1, 2)),
        };
        let effect = match from == to {
            true => format!("    {}' = {} - 1;", names[from], names[from]),
            false => format!(
                "    {0}' = {0} - 1,\n    {1}' = {1} + {2};",
                names[from],
                names[to],
                dice.within(1, 2)
            ),
        };
        text += &format!("  {guard} ->\n{effect}\n");
    }
    let start = |dice: &mut Dice, name: &str| match dice.below(3) {
        0 => format!("{name} >= 1"),
        1 => format!("{name} = 1"),
        _ => format!("{name} = 0"),
    };
    let init: Vec<String> = names.iter().map(|name| start(dice, name)).collect();
    text += &format!("init\n  {}\ntarget\n", init.join(", "));
    text += &format!("  {} >= {}\n", names[dice.below(count)], dice.within(1, 3));
    Sample::of("net", "model.spec", text)
}

/// A net of the generated form.
struct Net {
    start: Vec<u64>,
    transitions: Vec<(Vec<(usize, u64)>, Vec<(usize, u64)>)>,
}

/// What is judged is searched to this number of markings.
const MOST_MARKINGS: usize = 3_000;

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    let Some((_, xml)) = sample.files.iter().find(|(name, _)| name == PROPERTIES) else {
        return Vec::new();
    };
    let Some(net) = read(sample.text()) else {
        return Vec::new();
    };
    let (markings, complete) = net.markings();
    let mut truths = Vec::new();
    for line in xml.lines() {
        let Some((name, formula)) = line
            .strip_prefix("<property><id>")
            .and_then(|rest| rest.split_once("</id><formula>"))
        else {
            continue;
        };
        let tokens: Vec<&str> = formula
            .split(['<', '>'])
            .map(str::trim)
            .filter(|token| !token.is_empty())
            .collect();
        if let Some(truth) = net.truth(&tokens, &markings, complete) {
            truths.push((name.to_owned(), truth));
        }
    }
    truths
}

fn read(text: &str) -> Option<Net> {
    let mut net = Net {
        start: Vec::new(),
        transitions: Vec::new(),
    };
    let place = |word: &str| -> Option<(usize, u64)> {
        let (name, weight) = word.split_once('*').unwrap_or((word, "1"));
        Some((name.strip_prefix('p')?.parse().ok()?, weight.parse().ok()?))
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["net", _] => {}
            ["pl", name, tokens] => {
                let number: usize = name.strip_prefix('p')?.parse().ok()?;
                let tokens = tokens.strip_prefix('(')?.strip_suffix(')')?;
                (number == net.start.len()).then_some(())?;
                net.start.push(tokens.parse().ok()?);
            }
            ["tr", name, ref rest @ ..] => {
                let number: usize = name.strip_prefix('t')?.parse().ok()?;
                (number == net.transitions.len()).then_some(())?;
                let arrow = rest.iter().position(|word| *word == "->")?;
                let side = |words: &[&str]| -> Option<Vec<_>> {
                    words.iter().map(|word| place(word)).collect()
                };
                let arcs = (side(&rest[..arrow])?, side(&rest[arrow + 1..])?);
                let known = |arcs: &[(usize, u64)]| arcs.iter().all(|arc| arc.0 < net.start.len());
                (known(&arcs.0) && known(&arcs.1)).then_some(())?;
                net.transitions.push(arcs);
            }
            _ => return None,
        }
    }
    Some(net)
}

impl Net {
    fn fires(&self, marking: &[u64], transition: usize) -> Option<Vec<u64>> {
        let (before, after) = &self.transitions[transition];
        let mut marking = marking.to_vec();
        for &(place, weight) in before {
            marking[place] = marking[place].checked_sub(weight)?;
        }
        for &(place, weight) in after {
            marking[place] += weight;
        }
        Some(marking)
    }

    /// Markings from the start on, and whether these are all.
    fn markings(&self) -> (Vec<Vec<u64>>, bool) {
        let mut seen: BTreeSet<Vec<u64>> = [self.start.clone()].into();
        let mut waiting: VecDeque<Vec<u64>> = [self.start.clone()].into();
        while let Some(marking) = waiting.pop_front() {
            for transition in 0..self.transitions.len() {
                let Some(next) = self.fires(&marking, transition) else {
                    continue;
                };
                if seen.len() >= MOST_MARKINGS {
                    return (seen.into_iter().collect(), false);
                }
                if seen.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
        }
        (seen.into_iter().collect(), true)
    }

    fn truth(&self, tokens: &[&str], markings: &[Vec<u64>], complete: bool) -> Option<Truth> {
        match tokens {
            ["place-bound", "place", place, ..] => {
                let place: usize = place.strip_prefix('p')?.parse().ok()?;
                let most = markings.iter().map(|one| one[place]).max()?;
                complete.then_some(Truth::Value(most as f64))
            }
            ["exists-path", "finally", rest @ ..] => {
                let found = self.any(rest, markings, true)?;
                (found || complete).then_some(Truth::of(found))
            }
            ["all-paths", "globally", rest @ ..] => {
                let found = self.any(rest, markings, false)?;
                (found || complete).then_some(Truth::of(!found))
            }
            _ => None,
        }
    }

    fn any(&self, tokens: &[&str], markings: &[Vec<u64>], wanted: bool) -> Option<bool> {
        for marking in markings {
            if self.value(&mut tokens.iter(), marking)? == wanted {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The value of the formula that begins here, read from beginning to end.
    fn value(&self, tokens: &mut std::slice::Iter<&str>, marking: &[u64]) -> Option<bool> {
        let name = *tokens.next()?;
        let number = |text: &str| text[1..].parse::<usize>().ok();
        Some(match name {
            "deadlock/" => {
                let mut all = 0..self.transitions.len();
                all.all(|one| self.fires(marking, one).is_none())
            }
            "is-fireable" => {
                let mut any = false;
                while *tokens.next()? == "transition" {
                    let transition = number(tokens.next()?)?;
                    (transition < self.transitions.len()).then_some(())?;
                    any |= self.fires(marking, transition).is_some();
                    tokens.next()?;
                }
                any
            }
            "integer-le" => {
                let left = sum(tokens, marking)?;
                let right = sum(tokens, marking)?;
                tokens.next()?;
                left <= right
            }
            "negation" => {
                let inner = self.value(tokens, marking)?;
                tokens.next()?;
                !inner
            }
            "conjunction" | "disjunction" => {
                let (left, right) = (self.value(tokens, marking)?, self.value(tokens, marking)?);
                tokens.next()?;
                match name {
                    "conjunction" => left && right,
                    _ => left || right,
                }
            }
            _ => return None,
        })
    }
}

fn sum(tokens: &mut std::slice::Iter<&str>, marking: &[u64]) -> Option<u64> {
    match *tokens.next()? {
        "integer-constant" => {
            let number = tokens.next()?.parse().ok()?;
            tokens.next()?;
            Some(number)
        }
        "tokens-count" => {
            let mut total = 0;
            while *tokens.next()? == "place" {
                let place: usize = tokens.next()?[1..].parse().ok()?;
                total += marking.get(place)?;
                tokens.next()?;
            }
            Some(total)
        }
        _ => None,
    }
}
