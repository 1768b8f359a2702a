//! Random path formulas about random models: evidence, which takes another automaton than the
//! engine, tells the same and convinces the checker; what is moved does not.

use crate::common::{Asked, answers, line_of, open, spelled_out};
use quotient_core::{Budget, Evidence, Rejection};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

const STATES: u64 = 5;

fn model(random: &mut Random, mdp: bool) -> String {
    let mut text = format!(
        "{}\nmodule m\n  x : [0..{}] init 0;\n",
        if mdp { "mdp" } else { "dtmc" },
        STATES - 1
    );
    for state in 0..STATES {
        let choices = if mdp { 1 + random.below(2) } else { 1 };
        for _ in 0..choices {
            let (one, two) = (random.below(STATES), random.below(STATES));
            let share = ["1/2", "1/3", "0.9"][random.below(3) as usize];
            let line = match random.below(3) {
                0 => format!("(x'={one})"),
                _ => format!("{share}:(x'={one}) + 1-{share}:(x'={two})"),
            };
            text += &format!("  [] x={state} -> {line};\n");
        }
    }
    text + "endmodule\n"
}

fn condition(random: &mut Random) -> String {
    let state = random.below(STATES);
    match random.below(3) {
        0 => format!("x={state}"),
        1 => format!("x>{state}"),
        _ => format!("mod(x,2)={}", random.below(2)),
    }
}

fn path(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return format!("({})", condition(random));
    }
    let mut part = || path(random, depth - 1);
    let (left, right) = (part(), part());
    let text = match random.below(11) {
        0 => format!("X {left}"),
        1 => format!("F {left}"),
        2 => format!("G {left}"),
        3 => format!("{left} U {right}"),
        4 => format!("{left} W {right}"),
        5 => format!("{left} R {right}"),
        6 => format!("{left} & {right}"),
        7 => format!("{left} | {right}"),
        8 => format!("!{left}"),
        9 => format!("F<={} {left}", random.below(3)),
        _ => format!("G F {left}"),
    };
    format!("({text})")
}

fn certify(text: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(text, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

#[test]
fn evidence_for_random_paths_is_accepted_and_moved_bounds_are_not() {
    let mut random = Random(0x5eed_0bad_cafe_f00d);
    let (mut shown, mut moved) = (0, 0);
    for round in 0..400 {
        let mdp = round % 2 == 0;
        let text = model(&mut random, mdp);
        let best = match (mdp, random.below(2)) {
            (false, _) => "",
            (true, 0) => "min",
            (true, _) => "max",
        };
        let depth = 2 + u32::from(round % 3 == 0);
        let property = format!("P{best}=? [ X {} ]", path(&mut random, depth));
        let mut all = answers(&text, &Asked::property(&property)).expect("answers");
        let mut answer = all.remove(0);
        // Formulas with too many parts have none.
        let Some(evidence) = answer.evidence.take() else {
            continue;
        };
        let facts = certify(&text, &property, &evidence);
        let facts = facts.unwrap_or_else(|why| panic!("{text} {property}: {why:?}"));
        let told = facts.last().expect("a fact");
        let told = told
            .strip_prefix("the value lies between ")
            .expect("a number");
        let (low, high) = told.split_once(" and ").expect("two ends");
        let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
        let number = answer.value.expect("a number");
        assert!(
            low <= number.upper && number.lower <= high && high - low < 1e-5,
            "{text} {property} {told} {number:?}"
        );
        shown += 1;
        let Some(genuine) = evidence.body["parts"][0]["linear"].as_object() else {
            continue;
        };
        for (name, by) in [("lower", 1.01), ("upper", 0.99)] {
            let numbers = spelled_out(genuine[name].as_str().expect("a line"));
            let changed: Vec<f64> = numbers.iter().map(|one| one * by).collect();
            if changed == numbers {
                continue;
            }
            let mut forged = evidence.clone();
            forged.body["parts"][0]["linear"][name] = line_of(&changed).into();
            assert!(
                certify(&text, &property, &forged).is_err(),
                "{text} {property}"
            );
            moved += 1;
        }
    }
    assert!(shown > 300 && moved > 300, "{shown} shown, {moved} moved");
}
