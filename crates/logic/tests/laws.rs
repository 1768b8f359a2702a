//! Formulas survive printing, and rewriting keeps their meaning on lasso-shaped paths.

use proptest::prelude::*;
use quotient_core::Source;
use quotient_logic::{
    Automaton, Binary, Formula, Fragment, Interval, Kind, Placeholder, Polarity, Unary, parse_names,
};

type F = Formula<String>;

fn steps() -> impl Strategy<Value = Option<Interval>> {
    prop_oneof![
        3 => Just(None),
        1 => (0u32..3, prop::option::of(0u32..3)).prop_map(|(from, more)| Some(Interval {
            from,
            to: more.map(|more| from + more),
        })),
    ]
}

fn formula(quantifiers: bool, holes: bool) -> impl Strategy<Value = F> {
    let leaf = prop_oneof![
        6 => "[pqr]".prop_map(F::atom),
        1 => any::<bool>().prop_map(F::constant),
        1 => prop::option::of(prop::collection::vec("[pq]", 0..3)).prop_map(move |over| {
            match holes {
                true => F::new(Kind::Placeholder(Placeholder { over }), Default::default()),
                false => F::constant(true),
            }
        }),
    ];
    leaf.prop_recursive(5, 24, 2, move |inner| {
        let unary = prop_oneof![
            3 => Just(Unary::Not),
            1 => Just(if quantifiers { Unary::ForAll } else { Unary::Next }),
            1 => Just(if quantifiers { Unary::Exists } else { Unary::Next }),
            1 => Just(Unary::Next),
            1 => steps().prop_map(Unary::Finally),
            1 => steps().prop_map(Unary::Globally),
            1 => Just(Unary::Yesterday),
            1 => Just(Unary::WeakYesterday),
            1 => steps().prop_map(Unary::Once),
            1 => steps().prop_map(Unary::Historically),
        ];
        let binary = prop_oneof![
            Just(Binary::And),
            Just(Binary::Or),
            Just(Binary::Xor),
            Just(Binary::Implies),
            Just(Binary::Iff),
            steps().prop_map(Binary::Until),
            Just(Binary::Release),
            Just(Binary::WeakUntil),
            Just(Binary::Since),
            Just(Binary::Triggered),
        ];
        prop_oneof![
            (unary, inner.clone()).prop_map(|(operator, operand)| F::unary(operator, operand)),
            (binary, inner.clone(), inner)
                .prop_map(|(operator, left, right)| F::binary(operator, left, right)),
        ]
    })
}

/// A path that repeats: letters for `p`, `q`, `r`, then back to `back`.
#[derive(Debug)]
struct Lasso {
    letters: Vec<u8>,
    back: usize,
}

fn lasso() -> impl Strategy<Value = Lasso> {
    (
        prop::collection::vec(0u8..8, 1..5),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(letters, back)| Lasso {
            back: back.index(letters.len()),
            letters,
        })
}

/// The loop is unrolled until past operators have settled; then the last round repeats.
const UNROLLED: usize = 48;

/// The truth of a formula without quantifiers at every step: the textbook definitions.
fn truth(formula: &F, path: &Lasso) -> Vec<bool> {
    let period = path.letters.len() - path.back;
    let n = UNROLLED + period;
    let letter = |step: usize| match step < path.letters.len() {
        true => path.letters[step],
        false => path.letters[path.back + (step - path.back) % period],
    };
    // The step that looks like the one `distance` later.
    let later = |step: usize, distance: usize| match step + distance < n {
        true => step + distance,
        false => n - period + (step + distance - n) % period,
    };
    let within = |steps: Option<Interval>, distance: usize| {
        let steps = steps.unwrap_or(Interval { from: 0, to: None });
        distance >= steps.from as usize && steps.to.is_none_or(|to| distance <= to as usize)
    };
    // Every step after the present one is seen within this distance.
    let far = n + period + 4;
    match &formula.kind {
        Kind::Constant(value) => vec![*value; n],
        Kind::Atom(name) => {
            let bit = ["p", "q", "r"]
                .iter()
                .position(|atom| atom == name)
                .unwrap();
            (0..n).map(|step| letter(step) >> bit & 1 == 1).collect()
        }
        Kind::Placeholder(_) => unreachable!("no holes here"),
        Kind::Unary(operator, operand) => {
            let a = truth(operand, path);
            let ahead = |i: usize, steps| {
                (0..far)
                    .filter(move |&k| within(steps, k))
                    .map(move |k| later(i, k))
            };
            let behind = |i: usize, steps| (0..=i).filter(move |&k| within(steps, i - k));
            (0..n)
                .map(|i| match *operator {
                    Unary::Not => !a[i],
                    Unary::Next => a[later(i, 1)],
                    Unary::Finally(steps) => ahead(i, steps).any(|k| a[k]),
                    Unary::Globally(steps) => ahead(i, steps).all(|k| a[k]),
                    Unary::Yesterday => i > 0 && a[i - 1],
                    Unary::WeakYesterday => i == 0 || a[i - 1],
                    Unary::Once(steps) => behind(i, steps).any(|k| a[k]),
                    Unary::Historically(steps) => behind(i, steps).all(|k| a[k]),
                    Unary::ForAll | Unary::Exists => unreachable!("no quantifiers here"),
                })
                .collect()
        }
        Kind::Binary(operator, left, right) => {
            let (a, b) = (truth(left, path), truth(right, path));
            let until = |i: usize, steps| {
                (0..far)
                    .find(|&k| !a[later(i, k)] || (within(steps, k) && b[later(i, k)]))
                    .is_some_and(|k| within(steps, k) && b[later(i, k)])
            };
            (0..n)
                .map(|i| match *operator {
                    Binary::And => a[i] && b[i],
                    Binary::Or => a[i] || b[i],
                    Binary::Xor => a[i] != b[i],
                    Binary::Implies => !a[i] || b[i],
                    Binary::Iff => a[i] == b[i],
                    Binary::Until(steps) => until(i, steps),
                    Binary::WeakUntil => until(i, None) || (0..far).all(|k| a[later(i, k)]),
                    Binary::Release => (0..far)
                        .find(|&k| a[later(i, k)] || !b[later(i, k)])
                        .is_none_or(|k| b[later(i, k)]),
                    Binary::Since => (0..=i).any(|k| b[k] && (k + 1..=i).all(|j| a[j])),
                    Binary::Triggered => (0..=i).all(|k| b[k] || (k + 1..=i).any(|j| a[j])),
                })
                .collect()
        }
    }
}

/// Formulas about the future without intervals.
fn future() -> impl Strategy<Value = F> {
    let leaf = prop_oneof![
        6 => "[pqr]".prop_map(F::atom),
        1 => any::<bool>().prop_map(F::constant),
    ];
    leaf.prop_recursive(4, 10, 2, |inner| {
        let unary = prop_oneof![
            Just(Unary::Not),
            Just(Unary::Next),
            Just(Unary::Finally(None)),
            Just(Unary::Globally(None)),
        ];
        let binary = prop_oneof![
            Just(Binary::And),
            Just(Binary::Or),
            Just(Binary::Implies),
            Just(Binary::Iff),
            Just(Binary::Until(None)),
            Just(Binary::Release),
            Just(Binary::WeakUntil),
        ];
        prop_oneof![
            (unary, inner.clone()).prop_map(|(operator, operand)| F::unary(operator, operand)),
            (binary, inner.clone(), inner)
                .prop_map(|(operator, left, right)| F::binary(operator, left, right)),
        ]
    })
}

/// Whether an automaton has a run along a path that keeps all promises for ever.
fn accepts(automaton: &Automaton<String>, path: &Lasso) -> bool {
    let length = path.letters.len();
    let follows = |at: usize| if at + 1 < length { at + 1 } else { path.back };
    let holds = |atom: usize, at: usize| {
        let name = &automaton.atoms[atom];
        let bit = ["p", "q", "r"].iter().position(|known| known == name);
        path.letters[at] >> bit.unwrap() & 1 == 1
    };
    let node = |at: usize, state: usize| at * automaton.states + state;
    let size = length * automaton.states;
    let mut edges = Vec::new();
    for at in 0..length {
        for one in &automaton.transitions {
            if one
                .literals
                .iter()
                .all(|&(atom, value)| holds(atom, at) == value)
            {
                edges.push((node(at, one.from), node(follows(at), one.to), &one.kept));
            }
        }
    }
    let reached = |from: usize| {
        let mut seen = vec![false; size];
        let mut waiting = vec![from];
        while let Some(now) = waiting.pop() {
            for (_, to, _) in edges.iter().filter(|edge| edge.0 == now) {
                if !std::mem::replace(&mut seen[*to], true) {
                    waiting.push(*to);
                }
            }
        }
        seen
    };
    let reached: Vec<Vec<bool>> = (0..size).map(reached).collect();
    (0..size).any(|root| {
        let around = |one: usize| reached[root][one] && reached[one][root];
        let kept = |promise: usize| {
            let mut round = edges.iter().filter(|edge| around(edge.0) && around(edge.1));
            round.any(|edge| edge.2[promise])
        };
        (root == 0 || reached[0][root]) && reached[root][root] && (0..automaton.promises).all(kept)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn automata_accept_what_formulas_say(formula in future(), paths in prop::collection::vec(lasso(), 8)) {
        for path in paths {
            let expected = truth(&formula, &path)[0];
            let holds = |atom: &String, at: usize| {
                let bit = ["p", "q", "r"].iter().position(|known| known == atom);
                path.letters[at] >> bit.unwrap() & 1 == 1
            };
            let told = formula.on_lasso(path.letters.len(), path.back, &holds).unwrap();
            prop_assert_eq!(told[0], expected);
            for (formula, expected) in [(formula.clone(), expected), (!formula.clone(), !expected)] {
                if let Some(automaton) = formula.automaton(60) {
                    prop_assert_eq!(accepts(&automaton, &path), expected, "{} {:?}", formula, automaton);
                }
            }
        }
    }

    #[test]
    fn printed_formulas_parse_to_themselves(formula in formula(true, true)) {
        let text = formula.to_string();
        let back = parse_names(&Source::new("formula", text.clone())).unwrap();
        prop_assert!(back.same_tree(&formula), "{text} was read as {back}");
    }

    #[test]
    fn normal_form_means_the_same(formula in formula(false, false), path in lasso()) {
        let normal = formula.negation_normal_form();
        prop_assert_eq!(truth(&formula, &path), truth(&normal, &path));
        for occurrence in normal.occurrences() {
            if let Kind::Unary(Unary::Not, operand) = &occurrence.formula.kind {
                let bounded = matches!(operand.kind, Kind::Binary(Binary::Until(Some(_)), ..));
                prop_assert!(matches!(operand.kind, Kind::Atom(_)) || bounded);
            }
        }
    }

    #[test]
    fn simplification_means_the_same(formula in formula(false, false), path in lasso()) {
        let simple = formula.simplified();
        prop_assert!(simple.size() <= formula.size());
        let (before, after) = (truth(&formula, &path), truth(&simple, &path));
        prop_assert_eq!(before, after);
    }

    #[test]
    fn polarity_says_which_way_the_whole_moves(formula in formula(false, false), path in lasso()) {
        for (position, occurrence) in formula.occurrences().iter().enumerate() {
            let with = |value| {
                let other = formula.replaced(|at| (at == position).then(|| F::constant(value)));
                truth(&other, &path)[0]
            };
            match occurrence.polarity {
                Polarity::Positive => prop_assert!(!with(false) || with(true)),
                Polarity::Negative => prop_assert!(!with(true) || with(false)),
                Polarity::Mixed => {}
            }
        }
    }
}

fn read(text: &str) -> F {
    parse_names(&Source::new("formula", text)).unwrap()
}

#[test]
fn parentheses_are_only_where_needed() {
    for text in [
        "AG (p -> AF q)",
        "A [p U q] & !E [p U q | r]",
        "p -> q -> r",
        "(p -> q) -> r",
        "p & (q & r)",
        "G F p",
        "F [2, 5] (p & q)",
        "EF AG ?{p, q}",
        "!(p U q) | X X p",
        "A (F p & G q)",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
}

#[test]
fn mistakes_are_pointed_at() {
    for (text, message) in [
        (
            "AG (p",
            "formula:1:6: error: expected `)`, found the end of the formula",
        ),
        (
            "p &",
            "formula:1:4: error: expected a formula, found the end of the formula",
        ),
        (
            "p q",
            "formula:1:3: error: expected an operator or the end, found `q`",
        ),
        (
            "A [p U q",
            "formula:1:9: error: expected `]`, found the end of the formula",
        ),
        (
            "AG",
            "formula:1:3: error: expected a formula, found the end of the formula",
        ),
        (
            "F [x, 2] p",
            "formula:1:4: error: expected a number of steps, found `x`",
        ),
        ("?{p q}", "formula:1:5: error: expected `,`, found `q`"),
        (
            "é&é&",
            "formula:1:5: error: expected a formula, found the end of the formula",
        ),
    ] {
        let error = parse_names(&Source::new("formula", text)).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn very_deep_formulas_are_refused() {
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000) + "p",
        "p & ".repeat(100_000) + "p",
        "p U ".repeat(100_000) + "p",
        "A [".repeat(100_000),
    ] {
        let error = parse_names(&Source::new("formula", text)).unwrap_err();
        assert_eq!(error.code, "formula-too-deep");
    }
}

#[test]
fn fragments_are_told_apart() {
    let of = |text| Fragment::of(&read(text));
    assert!(of("A [p U q]").ctl && !of("A [p U q]").ltl);
    assert!(!of("A [p S q]").ctl && of("p S q").past && of("p S q").ltl);
    assert!(!of("A p").ctl && !of("A p").propositional && !of("A p").ltl);
    assert!(!of("E (X p & F q)").ctl && !of("E (X p & F q)").ltl);
    assert!(of("p").ctl && of("p").ltl);
    assert!(of("AX ?{p}").query);
}

#[test]
fn spans_cover_what_was_written() {
    let text = "AG (p -> AF  q)";
    let formula = read(text);
    let texts: Vec<&str> = formula
        .occurrences()
        .iter()
        .map(|one| &text[one.formula.span.range()])
        .collect();
    assert_eq!(
        texts,
        [text, text, "(p -> AF  q)", "p", "AF  q", "AF  q", "q"]
    );
}
