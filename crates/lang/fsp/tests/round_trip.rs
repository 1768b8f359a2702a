//! Printing a tree and reading it again gives the same tree.

mod common;

use common::random::{Random, process};
use quotient_core::Source;
use quotient_fsp::parse;

fn round_trip(text: &str) {
    let (specification, _) = parse(&Source::new("first.lts", text)).unwrap();
    let printed = specification.to_string();
    let (again, _) = parse(&Source::new("again.lts", printed.as_str()))
        .unwrap_or_else(|error| panic!("{error:?}\n{printed}"));
    assert_eq!(again.to_string(), printed, "{text}");
    assert_eq!(
        without_spans(&format!("{again:?}")),
        without_spans(&format!("{specification:?}")),
        "{printed}"
    );
}

/// The debug form of a tree with all spans cut out.
fn without_spans(debug: &str) -> String {
    let mut text = String::new();
    let mut rest = debug;
    while let Some(start) = rest.find("Span {") {
        text.push_str(&rest[..start]);
        let end = rest[start..]
            .find('}')
            .map_or(rest.len(), |end| start + end + 1);
        rest = &rest[end..];
    }
    text + rest
}

#[test]
fn random_processes_survive() {
    let mut random = Random(3);
    for _ in 0..300 {
        round_trip(&process(&mut random));
    }
}

#[test]
fn every_construct_survives() {
    round_trip(
        r#"
        const N = 3 * (1 + 2) % 4 - -1
        const M = (N > 2 && !(N == 3)) + (1 << 2 >> 1)
        range R = 0..N-1
        set S = {a, b.c, d[R], {x, y}.z}
        P(I=1, L='blue) = (when (I > 0) S\{a}.go[i:R][1..I] -> [L].t -> Q[i]
              | {a, b}.c -> (stop -> STOP | e[@(S, 1)][#S] -> END)
              | a -> if (I == 2) then P else if (I) then ERROR),
        Q[i:R] = W(2, 'a.b[i]); V; Q[(i + 1) % N]
            + {k[R], S}/{new/old, {n1, n2}/o.p, forall [i:R][j:0..1] {x[i]/y[j]}}\{hid}.
        W(X=1, Y='q) = END.
        V = (v -> END)@{v}.
        property T = (a -> b -> T) + S.
        minimal MIN = (a -> MIN).
        deterministic DET = (a -> DET | a -> STOP).
        import LIB = "lib.aut"
        ||C(K=2) = ({a, b}::p[i:R]:P(i) || forall [i:R] (x[i]:V || if (K > 1) then T else V)
            || (MIN || DET)/{n/o}) >> {low}@{S, v}.
        minimal ||D = if (N == 3) then C(1) << {high}\{a}.
        property ||E = C.
        compose ||F = [i:R]:C(i).
        progress G = {a, b}
        progress H[i:R] = if {a[i]} then {b[i], c}
        menu RUN = {a, b[R]}
        fluent F1 = <a, {b, c}> initially 1
        fluent F2[i:R] = <{a[i]}, b[i]>
        assert A1 = []((F1 && !F2[1]) -> <>a)
        assert A2(I=0) = ((A1 || rigid (I > 0)) U (X F2[R] W {a, b}))
        assert A3 = forall [i:R] exists [j:R] (A2(i) <-> a[j]) + {z}
        constraint K1 = []!a
        ltl_property K2 = []a
        "#,
    );
}

#[test]
fn assertions_end_where_the_next_definition_begins() {
    let text = "fluent F = <a, b> assert A = []F ||S = P. P = (a -> b -> P).
        assert B = F U = (a -> U). assert D = F || F ||T(N=1) = P. W = (a -> W).";
    let (specification, _) = parse(&Source::new("t", text)).unwrap();
    assert_eq!(specification.definitions.len(), 9);
    round_trip(text);
}

#[test]
fn the_examples_survive() {
    for (_, text) in common::examples() {
        round_trip(&text);
    }
}
