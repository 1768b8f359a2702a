//! What processes and composites mean, in numbers of states and transitions.

mod common;

use common::{compiled, composed, labels, sizes};
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_fsp::{Ask, Model, Options};

#[test]
fn every_label_of_a_choice_gets_states_of_its_own() {
    // `{a,b} -> c -> P` has a state after `a` and another after `b`.
    assert_eq!(sizes("P = ({a,b} -> c -> P).", "P"), (3, 4));
    assert_eq!(sizes("P = (a[i:0..2] -> b[i] -> P).", "P"), (4, 6));
}

#[test]
fn names_for_the_same_process_are_one_state() {
    assert_eq!(sizes("P = Q, Q = R, R = (a -> P).", "P"), (1, 1));
    assert_eq!(
        sizes(
            "P = Q[0], Q[i:0..1] = if (i==0) then Q[1] else (a -> P).",
            "P"
        ),
        (1, 1)
    );
}

#[test]
fn guards_choose_alternatives() {
    let text = "const N = 3
        COUNT = C[0],
        C[i:0..N] = (when (i<N) inc -> C[i+1] | when (i>0) dec -> C[i-1]).";
    assert_eq!(sizes(text, "COUNT"), (4, 6));
}

#[test]
fn an_index_outside_its_range_is_the_error_state() {
    let lts = composed("C = C[0], C[i:0..1] = (inc -> C[i+1]).", "C").unwrap();
    assert_eq!((lts.states(), lts.transitions()), (2, 2));
    assert!(lts.has_error());
}

#[test]
fn if_without_else_stops() {
    let lts = composed("P = (a[i:0..1] -> if i then P).", "P").unwrap();
    assert_eq!((lts.states(), lts.transitions()), (2, 2));
    assert_eq!(lts.end(), None);
}

#[test]
fn end_is_not_stop() {
    let lts = composed("P = (a -> END | b -> STOP).", "P").unwrap();
    assert_eq!(lts.states(), 3);
    assert!(lts.end().is_some());
}

#[test]
fn processes_run_one_after_the_other() {
    let text = "WORK(N=2) = W[0], W[i:0..N] = if (i==N) then END else (step -> W[i+1]).
        NONE = END.
        P = (start -> WORK(3); NONE; WORK(1); P).";
    assert_eq!(sizes(text, "P"), (5, 5));
    let text = "A = (a -> END). P = A; P.";
    assert_eq!(sizes(text, "P"), (1, 1));
}

#[test]
fn alphabets_have_the_labels_of_unreachable_states() {
    let text = "P = (a -> P), Q = (b -> P) + {c}.";
    assert_eq!(labels(text, "P"), ["a", "b", "c"]);
}

#[test]
fn hiding_and_relabelling_match_prefixes() {
    let text = "P = (a.b -> a.c[1] -> d -> P)/{x/a, y/a.c}\\{d}.";
    assert_eq!(labels(text, "P"), ["x.b", "y.1"]);
    assert_eq!(labels("P = (a.b -> c -> P)@{a}.", "P"), ["a.b"]);
}

#[test]
fn relabelling_to_several_labels_offers_each() {
    assert_eq!(sizes("P = (a -> P)/{{x,y}/a}.", "P"), (1, 2));
}

#[test]
fn sharing_offers_every_prefix() {
    let text = "R = (take -> put -> R). ||S = {a,b}::R.";
    assert_eq!(labels(text, "S"), ["a.put", "a.take", "b.put", "b.take"]);
    assert_eq!(sizes(text, "S"), (2, 4));
}

#[test]
fn prefixes_copy_and_bind() {
    let text = "U(I=0) = (ask[I] -> U). ||S = (u[i:1..3]:U(i)).";
    assert_eq!(labels(text, "S"), ["u.1.ask.1", "u.2.ask.2", "u.3.ask.3"]);
    assert_eq!(sizes(text, "S"), (1, 3));
}

#[test]
fn relabelling_in_brackets_makes_processes_share() {
    let text = "A = (a -> A). B = (b -> B). ||S = (A || B)/{c/a, c/b}.";
    assert_eq!(sizes(text, "S"), (1, 1));
}

#[test]
fn relabelling_a_composite_does_not_make_its_parts_share() {
    let text = "A = (a -> x -> A). B = (b -> y -> B). ||AB = (A || B). ||S = AB/{c/a, c/b}.";
    let apart = "A = (a -> x -> A). B = (b -> y -> B). ||S = (A || B).";
    assert_eq!(sizes(text, "S"), sizes(apart, "S"));
}

#[test]
fn hiding_in_a_composite_keeps_its_actions_apart() {
    let text = "A = (a -> x -> A). ||H = A\\{a}. ||S = (H || l:H || A).";
    assert_eq!(labels(text, "S"), ["a", "l.x", "x"]);
}

#[test]
fn properties_are_completed_with_errors() {
    let lts = composed("property P = (a -> b -> P) + {c}.", "P").unwrap();
    assert_eq!((lts.states(), lts.transitions()), (2, 6));
    assert!(lts.has_error());
}

#[test]
fn priority_drops_what_is_less_urgent() {
    let text = "P = (a -> P | b -> P). ||H = P<<{a}. ||L = P>>{a}.";
    assert_eq!(sizes(text, "H"), (1, 1));
    assert_eq!(sizes(text, "L"), (1, 1));
}

#[test]
fn composites_may_be_recursive() {
    let text = "P(I=0) = (a[I] -> P).
        ||ALL(N=3) = if (N==0) then P(0) else (P(N) || ALL(N-1)).";
    assert_eq!(labels(text, "ALL"), ["a.0", "a.1", "a.2", "a.3"]);
}

#[test]
fn minimal_processes_are_minimised() {
    assert_eq!(
        sizes("minimal P = (a -> b -> a -> b -> P)\\{b}.", "P"),
        (1, 1)
    );
    assert_eq!(
        sizes(
            "P = (a -> b -> P | a -> c -> P). deterministic ||D = P.",
            "D"
        ),
        (2, 3)
    );
}

#[test]
fn values_may_be_labels() {
    let text = "set S = {red, green}
        P = (pick[c:S] -> if (c == 'red) then (stop -> P) else (go[c] -> P)).
        Q(C='blue) = (paint[C][#S][@(S,1)] -> Q).";
    assert_eq!(
        labels(text, "P"),
        ["go.green", "pick.green", "pick.red", "stop"]
    );
    assert_eq!(labels(text, "Q"), ["paint.blue.2.green"]);
}

#[test]
fn set_differences_leave_labels_out() {
    let text = "set S = {a, b, c} P = (S\\{b} -> P).";
    assert_eq!(labels(text, "P"), ["a", "c"]);
}

#[test]
fn composites_end_when_all_that_can_end_have() {
    // The property cannot end, but it does nothing without the process.
    let text = "P = (a -> END). property Q = (a -> a -> Q). ||S = (P || Q).";
    assert!(composed(text, "S").unwrap().end().is_some());
    // Here the other process goes on alone.
    let text = "P = (a -> END). Q = (a -> b -> Q). ||S = (P || Q).";
    assert_eq!(composed(text, "S").unwrap().end(), None);
    // Wherever the watcher is, the end is one state.
    let text = "P = (a -> END | b -> END). W = (a -> X | b -> W), X = (a -> X | b -> X).
        ||S = (P || W).";
    assert_eq!(sizes(text, "S"), (2, 2));
}

#[test]
fn composites_run_before_processes() {
    let text = "A = (a -> END). B = (b -> END). ||AB = (A || B). P = AB; P.";
    assert_eq!(sizes(text, "P"), (3, 4));
}

#[test]
fn safety_formulas_are_processes() {
    // After a request nothing but a grant.
    let text = "fluent OPEN = <open, close>
        ltl_property GUARDED = [](enter -> OPEN)
        constraint CLOSED_FIRST = !enter W close";
    assert_eq!(labels(text, "GUARDED"), ["close", "enter", "open"]);
    // Two states, closed and open; entering while closed is the error.
    let lts = composed(text, "GUARDED").unwrap();
    assert_eq!((lts.states(), lts.transitions()), (2, 6));
    assert!(lts.has_error());
    // The constraint blocks what is forbidden.
    let lts = composed(text, "CLOSED_FIRST").unwrap();
    assert_eq!((lts.states(), lts.transitions()), (2, 3));
    assert!(!lts.has_error());
    let door = "DOOR = (open -> enter -> close -> DOOR | enter -> DOOR).";
    let guarded = format!("{text} {door} ||S = (DOOR || GUARDED).");
    assert!(composed(&guarded, "S").unwrap().has_error());
}

#[test]
fn next_counts_actions_of_the_alphabet() {
    let text = "constraint TWICE = [](a -> X a) + {b}";
    // From the first `a` on only `a`.
    assert_eq!(sizes(text, "TWICE"), (2, 3));
}

#[test]
fn menus_and_progress_are_written_out() {
    let text = "range R = 1..2 P = (a[R] -> b -> P). menu RUN = {a[R], b}
        progress G[i:R] = if {b} then {a[i]}";
    let compiled = common::compiled(text, "P").unwrap();
    let labels = ["a.1", "a.2", "b"].map(String::from).to_vec();
    assert_eq!(compiled.menus, [("RUN".to_string(), labels)]);
    let names: Vec<&str> = compiled.progress.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["G.1", "G.2"]);
}

#[test]
fn imported_processes_are_components() {
    let text = "import LOCK = \"lock.aut\" P = (lock -> unlock -> P). ||S = (LOCK || P).";
    let model = quotient_fsp::Model::read(&quotient_core::Source::new("t", text)).unwrap();
    assert_eq!(model.imports().collect::<Vec<_>>(), ["lock.aut"]);
    let aut = "des (0, 2, 2)\n(0, lock, 1)\n(1, unlock, 0)\n";
    let options = quotient_fsp::Options {
        imports: vec![(
            "lock.aut".to_string(),
            quotient_core::Source::new("lock.aut", aut),
        )],
        ..Default::default()
    };
    let budget = quotient_core::Budget::unlimited();
    let compiled = model.compile(&options, &budget).unwrap();
    let lts = compiled.network(&budget).unwrap().compose(&budget).unwrap();
    assert_eq!((lts.states(), lts.transitions()), (2, 2));
}

#[test]
fn composite_properties_are_made_deterministic() {
    let text = "P = (a -> b -> P | a -> c -> P). property ||W = P. Q = (a -> d -> Q).
        ||S = (Q || W).";
    assert_eq!(sizes(text, "W"), (2, 6));
    let free = "P = (a -> b -> P). property ||W = P. Q = (a -> Q). ||S = (Q || W).";
    assert!(composed(free, "S").unwrap().has_error());
}

#[test]
fn labels_that_are_numbers_count_as_numbers() {
    // Bound from a set, taken from one by position, and written as a label value.
    let text = "set Id = {[4], [11], [7]}
        const N = #Id
        P(Own=0) = (see[v:Id] -> if (v > Own) then (larger -> P) else (other[v-Own] -> P)).
        ||ALL = (p[i:1..N]:P(@(Id, i-1)) || q:P('[7])).";
    let alphabet = labels(text, "ALL");
    for label in ["p.1.other.0", "p.2.other.-7", "p.3.other.-3", "q.other.0"] {
        assert!(
            alphabet.iter().any(|it| it == label),
            "{label} of {alphabet:?}"
        );
    }
    assert_eq!(sizes(text, "ALL").0, 4 * 4 * 4 * 4);
}

#[test]
fn a_composite_property_by_itself_does_what_its_parts_do() {
    let text = "P = (a -> b -> P) + {c}. property ||W = P. ||S = (W || Q). Q = (c -> Q).";
    let alone = compiled(text, "W").unwrap();
    let network = alone.network(&Budget::unlimited()).unwrap();
    assert!(alone.watchers(&network).is_empty());
    let watching = compiled(text, "S").unwrap();
    let network = watching.network(&Budget::unlimited()).unwrap();
    assert_eq!(watching.watchers(&network).len(), 1);
}

#[test]
fn without_composites_all_that_is_compiled_runs() {
    // Both `P` and the two that the sequence uses have to end.
    let text = "P(K=9) = (a[K] -> END). Q = P; P(2); P(1); Q. constraint C = [](b -> X b)";
    let model = Model::read(&Source::new("t", text)).unwrap();
    let compiled = model
        .compile(&Options::default(), &Budget::unlimited())
        .unwrap();
    assert_eq!(compiled.components, ["P", "Q", "C", "P(1)", "P(2)"]);
}

#[test]
fn what_only_an_assertion_speaks_of_may_happen() {
    let text = "P = (a -> P | b -> STOP).
        fluent GONE = <b, back>
        assert SOME_TIME = <>c
        assert NEVER = []!c
        assert STAYS = [](b -> []GONE)
        assert KNOWN = <>a";
    let model = Model::read(&Source::new("t", text)).unwrap();
    let (options, budget) = (Options::default(), Budget::unlimited());
    let verdict = |name: &str| {
        let mut compiled = model.compile(&options, &budget).unwrap();
        let ask = Ask::Assertion {
            name: name.to_string(),
            fair: true,
        };
        let question = model.question(&ask, &options, &mut compiled, &budget);
        let how = quotient_compose::Options::default();
        let context = &mut Context::default();
        let report =
            quotient_compose::check(&compiled.system, &question.unwrap(), &how, context).unwrap();
        (report.verdict(), compiled.warnings.len())
    };
    // The fluents of all that speak of `c` or `back`; the others only of what there is.
    assert_eq!(verdict("SOME_TIME"), (Verdict::Holds, 1));
    assert_eq!(verdict("NEVER"), (Verdict::Violated, 1));
    assert_eq!(verdict("STAYS"), (Verdict::Violated, 1));
    assert_eq!(verdict("KNOWN"), (Verdict::Violated, 0));
}

#[test]
fn a_set_by_itself_may_bind_a_variable_twice() {
    // LTSA takes the two for variables that nobody uses, where nobody could.
    let twice = "{a[i:1..2][i:1..3]}";
    assert_eq!(labels(&format!("P = (b -> P) + {twice}."), "P").len(), 7);
    assert_eq!(
        labels(&format!("set S = {twice} P = (S -> P)."), "P").len(),
        6
    );
    let hidden = composed(&format!("P = (a[1..2][1..3] -> P)\\{twice}."), "P").unwrap();
    assert!(hidden.alphabet().is_empty());
    let text = format!("P = (a[1][1] -> P). progress G = {twice} fluent F = <{twice}, b>");
    assert_eq!(compiled(&text, "P").unwrap().progress[0].actions.len(), 6);
    // With an index of its own a progress property can use variables.
    let model = Model::read(&Source::new(
        "m.lts",
        "P = (a -> P). progress G[i:1..2] = {a[i:1..2]}",
    ));
    let compiled = model
        .unwrap()
        .compile(&Options::default(), &Budget::unlimited());
    assert!(compiled.is_err());
}
