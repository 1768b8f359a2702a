//! Formulas of the mu-calculus against their meaning as sets of states; evidence attacked.

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use quotient_certify::{Side, certify_modal};
use quotient_compose::{Action, Compared, ERROR, Lts, State, solve_modal};
use quotient_core::{Budget, Evidence, Source};
use quotient_lts::evidence::{ENDED, ERRED, GAME};
use quotient_lts::modal::{Modal, Part};
use support::*;

const SHAPE: Shape = Shape {
    states: 4,
    letters: 2,
    silent: true,
    error: true,
    end: true,
};

type Set = BTreeSet<State>;

/// The states in which a part holds, fixpoints by going round until nothing changes. `values` has
/// what fixpoints are taken for at the moment.
fn meaning(formula: &Modal, part: usize, lts: &Lts, values: &mut Vec<Option<Set>>) -> Set {
    let (actions, _) = letters(2);
    let all: Set = lts.all_states().chain([ERROR]).collect();
    let steps = |state: State| -> Vec<(String, State)> {
        let edges = lts.edges(state).iter();
        let name = |action: Action| actions.name(action).to_owned();
        let mut steps: Vec<(String, State)> =
            edges.map(|edge| (name(edge.action), edge.target)).collect();
        if lts.end() == Some(state) {
            steps.push((ENDED.to_owned(), state));
        }
        if state == ERROR {
            steps.push((ERRED.to_owned(), state));
        }
        steps
    };
    match &formula.parts[part] {
        Part::Constant(true) => all,
        Part::Constant(false) => Set::new(),
        Part::And(one, other) => {
            let one = meaning(formula, *one, lts, values);
            &one & &meaning(formula, *other, lts, values)
        }
        Part::Or(one, other) => {
            let one = meaning(formula, *one, lts, values);
            &one | &meaning(formula, *other, lts, values)
        }
        Part::Can(what, then) => {
            let then = meaning(formula, *then, lts, values);
            let can = |state: &State| {
                let mut steps = steps(*state).into_iter();
                steps.any(|(name, to)| what.includes(&name) && then.contains(&to))
            };
            all.into_iter().filter(can).collect()
        }
        Part::Must(what, then) => {
            let then = meaning(formula, *then, lts, values);
            let must = |state: &State| {
                let mut steps = steps(*state).into_iter();
                steps.all(|(name, to)| !what.includes(&name) || then.contains(&to))
            };
            all.into_iter().filter(must).collect()
        }
        Part::Variable(place) => values[*place].clone().unwrap(),
        Part::Fixpoint { of, priority } => {
            let mut value = if priority % 2 == 0 { all } else { Set::new() };
            loop {
                values[part] = Some(value.clone());
                let next = meaning(formula, *of, lts, values);
                if next == value {
                    return value;
                }
                value = next;
            }
        }
    }
}

/// Formulas as texts, with variables that are bound.
fn texts() -> impl Strategy<Value = String> {
    let regular = proptest::sample::select(vec![
        "a", "b", "tau", "true", "!a", "{a, b}", "true*", "a; b", "a + b*", "(a; b)*", "@end",
        "@error",
    ]);
    let leaf = proptest::sample::select(vec!["true", "false", "X", "Y"]).prop_map(str::to_owned);
    let inner = leaf.prop_recursive(5, 16, 2, move |inner| {
        let regular = regular.clone();
        prop_oneof![
            (regular.clone(), inner.clone()).prop_map(|(r, p)| format!("<{r}>({p})")),
            (regular, inner.clone()).prop_map(|(r, p)| format!("[{r}]({p})")),
            (inner.clone(), inner.clone()).prop_map(|(p, q)| format!("({p}) && ({q})")),
            (inner.clone(), inner.clone()).prop_map(|(p, q)| format!("({p}) || ({q})")),
            inner.clone().prop_map(|p| format!("mu X. {p}")),
            inner.clone().prop_map(|p| format!("nu Y. {p}")),
            inner.clone().prop_map(|p| format!("mu Y. {p}")),
            inner.prop_map(|p| format!("!({p})")),
        ]
    });
    inner.prop_map(|text| format!("nu X. mu Y. {text}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn games_have_the_meaning_of_formulas(
        plan in plans(SHAPE), text in texts(), forged in any::<prop::sample::Index>(),
    ) {
        let lts = plan.lts(&letters(2).1);
        let actions = letters(2).0;
        let budget = Budget::unlimited();
        // Under negations some are not monotone.
        let Ok(formula) = Modal::read(&Source::new("", text.as_str())) else {
            return Ok(());
        };
        let mut values = vec![None; formula.parts.len()];
        let expected = meaning(&formula, formula.root, &lts, &mut values).contains(&lts.initial());
        let system = Compared { lts: &lts, actions: &actions };
        let (holds, data) = solve_modal(system, &formula, &budget).unwrap();
        prop_assert_eq!(holds, expected, "{}", text);
        let side = Side { lts: &lts, actions: &actions };
        let told = |data: &quotient_lts::evidence::GameData, holds: bool| match holds {
            true => Evidence::of_holds(GAME, data),
            false => Evidence::of_violated(GAME, data),
        };
        prop_assert!(certify_modal(&told(&data, holds), side, &formula, &budget).is_ok());
        prop_assert!(certify_modal(&told(&data, !holds), side, &formula, &budget).is_err());
        // Other choices may win as well, but never for the other answer.
        let mut forged_data = data.clone();
        if !forged_data.moves.is_empty() {
            let at = forged.index(forged_data.moves.len());
            forged_data.moves[at][2] = 0;
            let other = certify_modal(&told(&forged_data, !holds), side, &formula, &budget);
            prop_assert!(other.is_err());
            let gone = forged_data.moves.remove(at);
            let without = certify_modal(&told(&forged_data, holds), side, &formula, &budget);
            prop_assert!(without.is_err(), "{:?} is not needed", gone);
        }
    }
}

#[test]
fn mistakes_in_formulas_are_told() {
    for (text, code) in [
        ("", "formula-syntax"),
        ("<a", "formula-syntax"),
        ("mu X. !X", "formula-not-monotone"),
        ("X", "formula-unbound"),
        ("true true", "formula-syntax"),
        ("<\"a>true", "formula-syntax"),
    ] {
        let mistake = Modal::read(&Source::new("", text)).unwrap_err();
        assert_eq!(mistake.code, code, "{text}");
    }
    let deep = "!".repeat(100_000);
    assert_eq!(
        Modal::read(&Source::new("", deep)).unwrap_err().code,
        "too-deep"
    );
    let long = "<a*>".repeat(90) + "true";
    assert!(Modal::read(&Source::new("", long)).is_ok());
}
