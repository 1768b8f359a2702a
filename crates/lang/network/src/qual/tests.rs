//! Networks in SBML against the meaning of their terms, and what is refused.

use super::*;
use quotient_testkit::Random;

fn model(species: &[&str], transitions: &[(&str, String)]) -> String {
    let species: String = species
        .iter()
        .map(|id| format!("<qual:qualitativeSpecies qual:id=\"{id}\" qual:maxLevel=\"1\"/>"))
        .collect();
    let transitions: String = transitions
        .iter()
        .map(|(output, terms)| {
            format!(
                "<qual:transition><qual:listOfOutputs><qual:output \
                 qual:qualitativeSpecies=\"{output}\" qual:transitionEffect=\"assignmentLevel\"/>\
                 </qual:listOfOutputs><qual:listOfFunctionTerms>{terms}\
                 </qual:listOfFunctionTerms></qual:transition>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><sbml xmlns:qual=\"q\"><model>\
         <qual:listOfQualitativeSpecies>{species}</qual:listOfQualitativeSpecies>\
         <qual:listOfTransitions>{transitions}</qual:listOfTransitions></model></sbml>"
    )
}

fn term(level: u8, math: &str) -> String {
    format!(
        "<qual:functionTerm qual:resultLevel=\"{level}\"><math>{math}</math></qual:functionTerm>"
    )
}

fn default(level: u8) -> String {
    format!("<qual:defaultTerm qual:resultLevel=\"{level}\"/>")
}

/// A random formula, and its value in a state.
fn formula(random: &mut Random, depth: usize) -> (String, Box<dyn Fn(u64) -> bool>) {
    let name = |at: usize| ["a", "b", "c"][at];
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => {
            let at = random.below(3);
            (
                format!("<ci> {} </ci>", name(at)),
                Box::new(move |state| state >> at & 1 == 1),
            )
        }
        1 => {
            let (at, level) = (random.below(3), random.below(3) as u64);
            let sign = random.below(6);
            let operator = ["eq", "neq", "lt", "gt", "leq", "geq"][sign];
            let text = format!(
                "<apply><{operator}/><ci>{}</ci><cn type=\"integer\"> {level} </cn></apply>",
                name(at)
            );
            let value = move |state: u64| {
                let own = state >> at & 1;
                [
                    own == level,
                    own != level,
                    own < level,
                    own > level,
                    own <= level,
                    own >= level,
                ][sign]
            };
            (text, Box::new(value))
        }
        2 => {
            let (text, inner) = formula(random, depth - 1);
            (
                format!("<apply><not/>{text}</apply>"),
                Box::new(move |state| !inner(state)),
            )
        }
        kind => {
            let (left, one) = formula(random, depth - 1);
            let (right, other) = formula(random, depth - 1);
            let operator = if kind == 3 { "and" } else { "or" };
            let value = move |state| match kind {
                3 => one(state) && other(state),
                _ => one(state) || other(state),
            };
            (
                format!("<apply><{operator}/>{left}{right}</apply>"),
                Box::new(value),
            )
        }
    }
}

#[test]
fn the_first_true_term_gives_the_level() {
    let mut random = Random(7);
    for _ in 0..300 {
        let (first, one) = formula(&mut random, 3);
        let (second, other) = formula(&mut random, 3);
        let levels = [0, 1, 2].map(|_| random.below(2) as u8);
        let terms = default(levels[0]) + &term(levels[1], &first) + &term(levels[2], &second);
        let text = model(&["a", "b", "c"], &[("b", terms)]);
        assert!(looks_like(&text));
        let network = read(&Source::new("m.sbml", text)).unwrap();
        for state in 0..8 {
            let level = match (one(state), other(state)) {
                (true, _) => levels[1],
                (false, true) => levels[2],
                (false, false) => levels[0],
            };
            assert_eq!(network.updates[1].value(state), level == 1);
            assert_eq!(network.updates[0].value(state), state & 1 == 1);
        }
    }
}

fn codes(text: String) -> Vec<&'static str> {
    let errors = read(&Source::new("m.sbml", text)).unwrap_err();
    errors.iter().map(|error| error.code).collect()
}

#[test]
fn what_is_beyond_is_refused_with_its_place() {
    for most in ["101", "-1", "two", "1.5"] {
        let many = model(&["a"], &[]).replace("maxLevel=\"1\"", &format!("maxLevel=\"{most}\""));
        assert_eq!(codes(many), ["many-levels"], "{most}");
    }
    let high = model(&["a"], &[("a", default(2))]);
    assert_eq!(codes(high), ["many-levels"]);
    let plain = term(1, "<ci>a</ci>");
    let plain = model(&["a"], &[("a", plain)]).replace("maxLevel=\"1\"", "maxLevel=\"2\"");
    assert_eq!(codes(plain), ["no-condition"]);
    let names = model(&["a", "a_2"], &[]).replacen("maxLevel=\"1\"", "maxLevel=\"2\"", 1);
    assert_eq!(codes(names), ["twice"]);
    let unknown = term(1, "<ci>z</ci>");
    assert_eq!(codes(model(&["a"], &[("a", unknown)])), ["no-term"]);
    let sum = term(1, "<apply><plus/><ci>a</ci><cn>1</cn></apply>");
    assert_eq!(codes(model(&["a"], &[("a", sum)])), ["no-term"]);
    let twice = [("a", default(1)), ("a", default(0))];
    assert_eq!(codes(model(&["a"], &twice)), ["twice"]);
    let deep = "<apply><not/>".repeat(400) + "<ci>a</ci>" + &"</apply>".repeat(400);
    assert_eq!(codes(model(&["a"], &[("a", term(1, &deep))])), ["too-deep"]);
    assert_eq!(codes("<sbml/>".to_owned()), ["no-species"]);
}

#[test]
fn numbers_are_read_whole_or_refused() {
    let compared = |number: &str| {
        let math = format!("<apply><geq/><ci>a</ci>{number}</apply>");
        model(&["a", "b"], &[("b", default(0) + &term(1, &math))])
    };
    for number in [
        "<cn type=\"e-notation\">1<sep/>0</cn>",
        "<cn type=\"rational\">1<sep/>1</cn>",
        "<cn>1<sep/>0</cn>",
        "<cn type=\"rational\">1</cn>",
        "<cn type=\"integer\" base=\"2\">1</cn>",
        "<cn type=\"integer\">0.5</cn>",
        "<cn>nan</cn>",
        "<cn>inf</cn>",
        "<ci>a<sep/></ci>",
    ] {
        assert_eq!(codes(compared(number)), ["no-term"], "{number}");
    }
    for number in ["<cn type=\"real\"> 1.0 </cn>", "<cn>1<!-- 0 --></cn>"] {
        let network = read(&Source::new("m.sbml", compared(number))).unwrap();
        for state in 0..4 {
            let expected = state & 1 == 1;
            assert_eq!(network.updates[1].value(state), expected, "{number}");
        }
    }
    let two = term(1, "<ci>a</ci><apply><not/><ci>a</ci></apply>");
    assert_eq!(codes(model(&["a"], &[("a", two)])), ["no-term"]);
    let defaults = default(0) + &default(1);
    assert_eq!(codes(model(&["a"], &[("a", defaults)])), ["twice"]);
    assert_eq!(codes(model(&["True"], &[])), ["constant-name"]);
    // An input whose threshold is called like a species.
    let clash = model(&["a"], &[("a", default(0) + &term(1, "<ci>a</ci>"))]).replace(
        "<qual:listOfOutputs>",
        "<qual:listOfInputs><qual:input qual:id=\"a\" qual:thresholdLevel=\"0\"/>\
         </qual:listOfInputs><qual:listOfOutputs>",
    );
    assert_eq!(codes(clash), ["twice"]);
}

#[test]
fn a_species_with_one_level_is_no_variable() {
    let with = |level: u8| {
        let either = "<apply><or/><ci>z</ci><ci>a</ci></apply>";
        let terms = default(0) + &term(1, either);
        let text = model(&["z", "a", "b"], &[("b", terms), ("z", default(level))]);
        text.replacen("maxLevel=\"1\"", "maxLevel=\"0\"", 1)
    };
    let network = read(&Source::new("m.sbml", with(0))).unwrap();
    assert_eq!(network.names, ["a", "b"]);
    assert_eq!(network.inputs, [0]);
    let values: Vec<bool> = (0..4).map(|s| network.updates[1].value(s)).collect();
    assert_eq!(values, [false, true, false, true]);
    assert_eq!(codes(with(1)), ["many-levels"]);
}

/// Comparisons of conditions with conditions, by their tables; none writes a side twice.
#[test]
fn comparisons_neither_grow_nor_differ_from_numbers() {
    let operators = ["eq", "neq", "lt", "gt", "leq", "geq"];
    let sides = ["<ci>a</ci>", "<ci>b</ci>", "<cn>0</cn>", "<cn>1</cn>"];
    for (sign, operator) in operators.iter().enumerate() {
        for (one, left) in sides.iter().enumerate() {
            for (two, right) in sides.iter().enumerate() {
                let math = format!("<apply><{operator}/>{left}{right}</apply>");
                let text = model(&["a", "b"], &[("b", term(1, &math))]);
                let network = read(&Source::new("m.sbml", text)).unwrap();
                for state in 0..4_u64 {
                    let level = |at: usize| [state & 1, state >> 1, 0, 1][at];
                    let (l, r) = (level(one), level(two));
                    let expected = [l == r, l != r, l < r, l > r, l <= r, l >= r][sign];
                    assert_eq!(network.updates[1].value(state), expected, "{math}");
                }
            }
        }
        let text = |side: &str| {
            let open = format!("<apply><{operator}/>").repeat(140);
            let math = open + "<ci>a</ci>" + &format!("{side}</apply>").repeat(140);
            model(&["a"], &[("a", term(1, &math))])
        };
        for side in sides.iter().filter(|side| **side != "<ci>b</ci>") {
            let network = read(&Source::new("m.sbml", text(side))).unwrap();
            assert!(size(&network.updates[0]) < 1_000, "{operator} {side}");
        }
    }
}

#[test]
fn long_lists_are_not_deep_and_functions_not_too_large() {
    let many = "<ci>a</ci>".repeat(20_000);
    let row = term(1, &format!("<apply><and/>{many}</apply>"));
    let network = read(&Source::new("m.sbml", model(&["a"], &[("a", row)]))).unwrap();
    assert!(depth(&network.updates[0]) < 30);
    let terms = term(1, "<ci>a</ci>").repeat(20_000);
    assert!(read(&Source::new("m.sbml", model(&["a"], &[("a", terms)]))).is_ok());
    let turns = (term(1, "<ci>a</ci>") + &term(0, "<ci>a</ci>")).repeat(20_000);
    assert_eq!(codes(model(&["a"], &[("a", turns)])), ["too-deep"]);
    // A function that is written for each of many outputs.
    let names: Vec<String> = (0..200).map(|number| format!("s{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = |name: &&str| format!("<qual:output qual:qualitativeSpecies=\"{name}\"/>");
    let outputs: String = names.iter().map(output).collect();
    let row = term(
        1,
        &format!("<apply><and/>{}</apply>", many.replace('a', "s0")),
    );
    let text = model(&names, &[("s0", row)]);
    let text = text.replace(
        "</qual:listOfOutputs>",
        &(outputs + "</qual:listOfOutputs>"),
    );
    assert!(codes(text).contains(&"too-large"));
}

/// A condition about levels, and its value.
type Condition = (String, Box<dyn Fn(&[usize]) -> bool>);

fn about_levels(random: &mut Random, depth: usize) -> Condition {
    let name = |at: usize| ["a", "b", "c"][at];
    if depth > 0 && random.below(2) == 0 {
        let (left, one) = about_levels(random, depth - 1);
        let (right, other) = about_levels(random, depth - 1);
        let text = format!("<apply><and/>{left}<apply><not/>{right}</apply></apply>");
        return (text, Box::new(move |levels| one(levels) && !other(levels)));
    }
    let sign = random.below(6);
    let holds = move |left: usize, right: usize| {
        [
            left == right,
            left != right,
            left < right,
            left > right,
            left <= right,
            left >= right,
        ][sign]
    };
    let operator = ["eq", "neq", "lt", "gt", "leq", "geq"][sign];
    let (at, other, level) = (random.below(3), random.below(3), random.below(5));
    let species = format!("<ci>{}</ci>", name(at));
    let number = format!("<cn type=\"integer\">{level}</cn>");
    let (left, right): (String, String) = match random.below(3) {
        0 => (species, format!("<ci>{}</ci>", name(other))),
        1 => (species, number),
        _ => (number, species),
    };
    let kind = usize::from(right.contains("cn")) + 2 * usize::from(left.contains("cn"));
    let value = move |levels: &[usize]| match kind {
        0 => holds(levels[at], levels[other]),
        1 => holds(levels[at], level),
        _ => holds(level, levels[at]),
    };
    let text = format!("<apply><{operator}/>{left}{right}</apply>");
    (text, Box::new(value))
}

/// What a species goes to: the levels of its terms, the last of the default one, and their conditions.
type Goal = Option<(Vec<usize>, Vec<Condition>)>;

fn next_levels(levels: &[usize], goals: &[Goal]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (at, goal) in goals.iter().enumerate() {
        let Some((wanted, conditions)) = goal else {
            continue;
        };
        let first = conditions.iter().position(|one| (one.1)(levels));
        let wanted = wanted[first.unwrap_or(conditions.len())];
        let mut next = levels.to_vec();
        match wanted.cmp(&levels[at]) {
            std::cmp::Ordering::Less => next[at] -= 1,
            std::cmp::Ordering::Greater => next[at] += 1,
            std::cmp::Ordering::Equal => continue,
        }
        found.push(next);
    }
    found
}

/// Levels are reached one by one, and attractors are those of the levels themselves.
#[test]
fn several_levels_step_by_step_as_by_the_definition() {
    let mut random = Random(11);
    for _ in 0..50 {
        let most = [0, 1, 2].map(|_| 1 + random.below(3));
        let goals: Vec<Goal> = (0..3)
            .map(|at| {
                let wanted = (0..3).map(|_| random.below(most[at] + 1)).collect();
                let conditions = (0..2).map(|_| about_levels(&mut random, 2)).collect();
                (random.below(5) > 0).then_some((wanted, conditions))
            })
            .collect();
        let transitions = ["a", "b", "c"]
            .iter()
            .zip(&goals)
            .filter_map(|(name, goal)| {
                let (wanted, conditions) = goal.as_ref()?;
                let terms = conditions.iter().zip(wanted);
                let terms: String = terms
                    .map(|(one, level)| term(*level as u8, &one.0))
                    .collect();
                Some((*name, default(wanted[2] as u8) + &terms))
            });
        let transitions: Vec<(&str, String)> = transitions.collect();
        let mut text = model(&["a", "b", "c"], &transitions);
        for most in most {
            text = text.replacen("qual:maxLevel=\"1\"", &format!("maxLevel=\"{most}\""), 1);
        }
        let network = read(&Source::new("m.sbml", text)).unwrap();
        assert_eq!(network.names.len(), most.iter().sum::<usize>());
        let places: Vec<usize> = (0..3).map(|at| most[..at].iter().sum()).collect();
        let packed = |levels: &[usize]| -> u64 {
            let bits = levels.iter().zip(&places);
            bits.map(|(level, place)| ((1 << level) - 1) << place).sum()
        };
        let mut all = vec![vec![]];
        for most in most {
            let longer = |levels: &Vec<usize>| {
                let levels = levels.clone();
                (0..=most).map(move |level| [levels.clone(), vec![level]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        let step = |state: u64| -> Vec<u64> {
            let changed = |at: &usize| network.updates[*at].value(state) != (state >> at & 1 == 1);
            let changed = (0..network.names.len()).filter(changed);
            changed.map(|at| state ^ (1 << at)).collect()
        };
        let reached = |start: u64| {
            let mut found = vec![start];
            let mut next = 0;
            while let Some(&state) = found.get(next) {
                next += 1;
                for one in step(state) {
                    if !found.contains(&one) {
                        found.push(one);
                    }
                }
            }
            found
        };
        for levels in &all {
            let mut expected: Vec<u64> = next_levels(levels, &goals)
                .iter()
                .map(|one| packed(one))
                .collect();
            expected.sort_unstable();
            let mut found = step(packed(levels));
            found.sort_unstable();
            assert_eq!(found, expected, "{levels:?}");
        }
        let meaningful: Vec<u64> = all.iter().map(|levels| packed(levels)).collect();
        for state in 0..1_u64 << network.names.len() {
            let leads = reached(state).iter().any(|one| meaningful.contains(one));
            assert!(leads, "{state:b}");
        }
        same_attractors(&network, &meaningful, &most, &reached);
    }
}

/// Attractors and steady states are those that a naive search finds, among states that mean something.
fn same_attractors(
    network: &Network,
    meaningful: &[u64],
    most: &[usize; 3],
    reached: &dyn Fn(u64) -> Vec<u64>,
) {
    // Naively: a state is in an attractor if all that it reaches reaches it.
    let returns = |state: &&u64| {
        reached(**state)
            .iter()
            .all(|one| reached(*one).contains(state))
    };
    let attractor = meaningful.iter().filter(returns).count();
    let budget = quotient_core::Budget::unlimited();
    let count = |formula: &str| {
        let source = Source::new("property", formula);
        let question = crate::network::read_question(&source, network).unwrap();
        let depth = question.formula.depth();
        let mut evaluator = crate::symbolic::Evaluator::new(network, depth, &budget).unwrap();
        let states = evaluator.states(&question.formula).unwrap();
        let all = evaluator.states(&network.meaningful()).unwrap();
        let (inside, outside) = evaluator.parted(&all, &states).unwrap();
        let total: usize = evaluator.count(&outside).to_string().parse().unwrap();
        let inside: usize = evaluator.count(&inside).to_string().parse().unwrap();
        assert_eq!(inside + total, all_of(most));
        inside
    };
    assert_eq!(count("!{x}: AG EF {x}"), attractor);
    let steady = meaningful
        .iter()
        .filter(|state| reached(**state).len() == 1);
    let steady = steady.count();
    assert_eq!(count("!{x}: AX {x}"), steady);
    let landscape = crate::landscape::Landscape::new(network, &budget).unwrap();
    let found = landscape.steady(100).unwrap();
    assert_eq!(found.count.to_string(), steady.to_string());
    let mut larger: Vec<Vec<u64>> = Vec::new();
    for state in meaningful.iter().filter(returns) {
        let mut all = reached(*state);
        all.sort_unstable();
        if all.len() > 1 && !larger.contains(&all) {
            larger.push(all);
        }
    }
    let found = landscape.complex(100).unwrap();
    assert_eq!(found.count.to_string(), larger.len().to_string());
    if most[0] > 1 {
        assert_eq!(count("3{x}: @{x}: (a_2 & ~a_1)"), 0);
        assert_eq!(count("3{x}: @{x}: a_2"), all_of(most));
        assert_eq!(count("a_2 & ~a_1"), 0);
    }
}

fn all_of(most: &[usize; 3]) -> usize {
    most.iter().map(|most| most + 1).product()
}

/// Two genes of a phage: one way it stays, the other way it swings between two levels (after Thieffry and Thomas, 1995).
#[test]
fn a_phage_stays_or_swings() {
    let compare = |sign: &str, name: &str, level: u8| {
        format!("<apply><{sign}/><ci>{name}</ci><cn type=\"integer\">{level}</cn></apply>")
    };
    let stays = default(0) + &term(2, &compare("lt", "cro", 1));
    let swings =
        default(3) + &term(0, &compare("geq", "cI", 2)) + &term(2, &compare("eq", "cro", 3));
    let text = model(&["cI", "cro"], &[("cI", stays), ("cro", swings)])
        .replacen("maxLevel=\"1\"", "maxLevel=\"2\"", 1)
        .replacen("maxLevel=\"1\"", "maxLevel=\"3\"", 1);
    let input = quotient_language::Input::text(&Source::new("phage.sbml", text));
    let cx = quotient_core::Context::default();
    let open = |settings: &quotient_language::Settings| {
        crate::LANGUAGE.open(&input, &mut quotient_language::NoFiles, settings, &cx)
    };
    let mut model = open(&quotient_language::Settings::default()).unwrap();
    let mut answers = Vec::new();
    let ask = quotient_language::Ask {
        properties: vec![
            "EF (cI_2 & ~cro_1) | EF (cro_2 & ~cI_1)".to_owned(),
            "V{x}: @{x}: (cro_2 => cro_1)".to_owned(),
            "~(cI_2 & cro_3)".to_owned(),
        ],
        ..quotient_language::Ask::default()
    };
    let mut tell = |answer: quotient_language::Answer| answers.push(answer);
    model.check(&ask, &cx, &mut tell).unwrap();
    let because: Vec<&str> = answers.iter().map(|one| one.because.as_str()).collect();
    assert_eq!(
        because,
        [
            "true in 12 of 3 * 4 states",
            "true in 12 of 3 * 4 states",
            "true in 11 of 3 * 4 states"
        ]
    );
    for answer in &answers {
        let property = model.property(&answer.property).unwrap();
        let mut evidence = answer.evidence.clone().unwrap();
        assert!(model.certify(&evidence, &property, &cx.budget).is_ok());
        // The levels of `cro` without the lowest are no state.
        evidence.body = serde_json::json!({ "state": [true, true, false, true, true] });
        assert!(model.certify(&evidence, &property, &cx.budget).is_err());
    }
    let query = quotient_language::Query {
        text: "attractors".to_owned(),
        limit: 10,
    };
    let shown = model.ask(&query, &cx).unwrap();
    assert_eq!(shown.result["steady"], "1");
    assert_eq!(shown.result["complex"], "1");
    assert_eq!(shown.result["complexStates"], "2");
}
