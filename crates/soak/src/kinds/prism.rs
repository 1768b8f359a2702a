//! Chains and decision processes.

use std::collections::BTreeMap;

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth, way};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "prism",
    generate,
    ways: |_, _| vec![way(&[("precision", "1e-4")])],
    instance: Instance::None,
    judge,
};

const PROPERTIES: &str = "model.props";

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let states = dice.within(2, 3 + size);
    let kind = dice.pick(&["dtmc", "mdp", "mdp", "dtmc", "ctmc"]);
    let mut text = format!("{kind}\nmodule m\ns : [0..{}] init 0;\n", states - 1);
    for state in 0..states {
        let choices = match kind {
            "mdp" => dice.within(1, 3),
            _ => 1,
        };
        for choice in 0..choices {
            let branches = dice.within(1, 3);
            let weights: Vec<usize> = (0..branches).map(|_| dice.within(1, 4)).collect();
            let total: usize = weights.iter().sum();
            let written = weights.iter().map(|weight| {
                let to = dice.below(states);
                match kind {
                    "ctmc" => format!("{weight} : (s'={to})"),
                    _ => format!("{weight}/{total} : (s'={to})"),
                }
            });
            let written: Vec<String> = written.collect();
            text += &format!("[c{choice}] s={state} -> {};\n", written.join(" + "));
        }
    }
    text += "endmodule\nrewards \"cost\"\n";
    for state in 0..states {
        if dice.chance(50) {
            text += &format!("s={state} : {};\n", dice.below(4));
        }
    }
    text += "endrewards\n";
    let mut properties = String::new();
    for number in 0..dice.within(1, 3) {
        let goal = dice.below(states);
        let both = |dice: &mut Dice| match kind {
            "mdp" => dice.pick(&["max", "min"]),
            _ => "",
        };
        let text = match dice.below(8) {
            0 | 1 => format!("P{}=? [ F s={goal} ]", both(dice)),
            2 => format!(
                "P{}=? [ s<{} U s={goal} ]",
                both(dice),
                dice.within(1, states)
            ),
            3 => format!("P{}=? [ F<={} s={goal} ]", both(dice), dice.within(0, 5)),
            4 => format!("P{}=? [ G s!={goal} ]", both(dice)),
            5 => format!("P>={}/8 [ F s={goal} ]", dice.within(0, 8)),
            6 => format!("P<={}/8 [ F s={goal} ]", dice.within(0, 8)),
            _ => format!("R{{\"cost\"}}{}=? [ F s={goal} ]", both(dice)),
        };
        properties += &format!("\"q{number}\": {text};\n");
    }
    Sample::of("prism", "model.prism", text)
        .beside(PROPERTIES, properties)
        .setting("properties", PROPERTIES)
}

/// A model of the generated form: for each state its choices, each with branches.
struct Read {
    decides: bool,
    choices: Vec<Vec<Vec<(f64, usize)>>>,
    cost: Vec<f64>,
}

/// Enough for chains of this size; what has not come to rest by then is not judged.
const ROUNDS: usize = 60_000;

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    let Some((_, properties)) = sample.files.iter().find(|(name, _)| name == PROPERTIES) else {
        return Vec::new();
    };
    let Some(read) = read(sample.text()) else {
        return Vec::new();
    };
    let mut truths = Vec::new();
    for line in properties.lines() {
        let line = line.trim_end_matches(';');
        let Some((name, text)) = line
            .strip_prefix('"')
            .and_then(|rest| rest.split_once("\": "))
        else {
            continue;
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(truth) = read.truth(&words) {
            truths.push((name.to_owned(), truth));
        }
    }
    truths
}

fn read(text: &str) -> Option<Read> {
    let mut lines = text.lines();
    let kind = lines.next()?;
    let decides = kind == "mdp";
    let mut read: BTreeMap<usize, Vec<Vec<(f64, usize)>>> = BTreeMap::new();
    let mut cost = BTreeMap::new();
    for line in lines {
        if let Some((_, rest)) = line
            .strip_prefix("[c")
            .and_then(|rest| rest.split_once("] "))
        {
            let (guard, updates) = rest.trim_end_matches(';').split_once(" -> ")?;
            let state: usize = guard.strip_prefix("s=")?.parse().ok()?;
            let mut branches = Vec::new();
            for update in updates.split(" + ") {
                let (weight, target) = update.split_once(" : (s'=")?;
                let (part, whole) = weight.split_once('/').unwrap_or((weight, "1"));
                let weight = part.parse::<f64>().ok()? / whole.parse::<f64>().ok()?;
                branches.push((weight, target.trim_end_matches(')').parse().ok()?));
            }
            let total: f64 = branches.iter().map(|(weight, _)| weight).sum();
            if kind == "ctmc" {
                // Chances without time are those of the embedded chain; costs are not judged.
                for branch in &mut branches {
                    branch.0 /= total;
                }
            } else if (total - 1.0).abs() > 1e-9 {
                return None;
            }
            read.entry(state).or_default().push(branches);
        } else if let Some((guard, value)) = line.trim_end_matches(';').split_once(" : ")
            && let Some(state) = guard.strip_prefix("s=")
        {
            let more: f64 = value.parse().ok()?;
            *cost.entry(state.parse::<usize>().ok()?).or_insert(0.0) += more;
        }
    }
    let states = read.len();
    let choices: Vec<_> = read.into_values().collect();
    let in_range = |one: &(f64, usize)| one.1 < states;
    if !choices.iter().flatten().flatten().all(in_range) || cost.keys().any(|one| *one >= states) {
        return None;
    }
    // Several commands for one state are a choice only where somebody decides.
    if !decides && choices.iter().any(|one| one.len() != 1) {
        return None;
    }
    let cost = match kind {
        "ctmc" => Vec::new(),
        _ => (0..states)
            .map(|state| cost.get(&state).copied().unwrap_or(0.0))
            .collect(),
    };
    Some(Read {
        decides,
        choices,
        cost,
    })
}

impl Read {
    fn truth(&self, words: &[&str]) -> Option<Truth> {
        let goal = |word: &str| word.strip_prefix("s=")?.parse::<usize>().ok();
        let extreme = |word: &str| word.contains("max");
        Some(match words {
            [asked, "[", "F", target, "]"] if asked.starts_with("P") => {
                let target = goal(target)?;
                if let Some(bound) = asked.strip_prefix("P>=") {
                    let value = self.reach(&|_| true, target, false, None)?;
                    return decided(value, bound, true);
                }
                if let Some(bound) = asked.strip_prefix("P<=") {
                    let value = self.reach(&|_| true, target, true, None)?;
                    return decided(value, bound, false);
                }
                Truth::Value(self.reach(&|_| true, target, extreme(asked), None)?)
            }
            [asked, "[", bounded, target, "]"] if bounded.starts_with("F<=") => {
                (!self.cost.is_empty()).then_some(())?;
                let steps = bounded[3..].parse().ok()?;
                Truth::Value(self.reach(&|_| true, goal(target)?, extreme(asked), Some(steps))?)
            }
            [asked, "[", "G", target, "]"] => {
                let target = target.strip_prefix("s!=")?.parse().ok()?;
                // The most that stays away is what is left of the least that comes.
                let most = extreme(asked) || !self.decides;
                Truth::Value(1.0 - self.reach(&|_| true, target, !most, None)?)
            }
            [asked, "[", before, "U", target, "]"] => {
                let below: usize = before.strip_prefix("s<")?.parse().ok()?;
                let allowed = move |state: usize| state < below;
                Truth::Value(self.reach(&allowed, goal(target)?, extreme(asked), None)?)
            }
            _ => return None,
        })
    }

    /// The chance to get to a state through allowed ones: the greatest or the least.
    fn reach(
        &self,
        allowed: &dyn Fn(usize) -> bool,
        target: usize,
        most: bool,
        steps: Option<usize>,
    ) -> Option<f64> {
        let states = self.choices.len();
        (target < states).then_some(())?;
        let mut values: Vec<f64> = (0..states).map(|one| f64::from(one == target)).collect();
        for _ in 0..steps.unwrap_or(ROUNDS) {
            let next: Vec<f64> = (0..states)
                .map(|state| {
                    if state == target || !allowed(state) {
                        return values[state];
                    }
                    let chances = self.choices[state].iter().map(|branches| {
                        let parts = branches.iter().map(|&(chance, to)| chance * values[to]);
                        parts.sum::<f64>()
                    });
                    match most {
                        true => chances.fold(0.0, f64::max),
                        false => chances.fold(1.0, f64::min),
                    }
                })
                .collect();
            let moved = values.iter().zip(&next).map(|(old, new)| (old - new).abs());
            let moved = moved.fold(0.0, f64::max);
            values = next;
            if steps.is_none() && moved == 0.0 {
                break;
            }
        }
        Some(values[0])
    }
}

/// Whether a value meets a bound, unless it is too near to it to say.
fn decided(value: f64, bound: &str, at_least: bool) -> Option<Truth> {
    let (part, whole) = bound.split_once('/')?;
    let bound = part.parse::<f64>().ok()? / whole.parse::<f64>().ok()?;
    let distance = value - bound;
    (distance.abs() > 1e-6).then(|| Truth::of((distance > 0.0) == at_least))
}
