//! Whether a model has a start at all: where it has none, whatever is asked of it holds, and nobody is to be content.

use quotient_core::{Budget, Context, Source};
use quotient_cubicle::LANGUAGE;
use quotient_language::{Input, NoFiles, Settings};

fn begins(text: &str) -> bool {
    let input = Input::text(&Source::new("test.cub", text));
    let cx = Context::default();
    let opened = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    let mut model = opened.unwrap_or_else(|trouble| panic!("{text}: {trouble}"));
    model.can_begin(&Budget::unlimited()).expect("it is found")
}

/// A model with arrays of such values that starts with this for all processes.
fn starting(kind: &str, processes: &str, start: &str) -> String {
    format!(
        "type t = A | B\narray X[proc] : t\narray P[proc] : {kind}\narray Q[proc] : {kind}\n\
         var R : {kind}\ninit ({processes}) {{ X[x] = A && {start} }}\n\
         unsafe (z) {{ X[z] = B }}\ntransition s (p) requires {{ X[p] = A }} {{ X[p] := B; }}\n"
    )
}

#[test]
fn whom_arrays_hold_are_processes_too() {
    for (processes, start, is_one) in [
        ("x", "P[x] = x", true),
        ("x", "P[x] <> x", true),
        ("x", "P[x] <> x && Q[x] <> x && P[x] <> Q[x]", true),
        ("x", "P[x] <> x && R = x", false),
        ("x", "P[x] <> x && Q[x] = x && R <> x", false),
        ("x y", "P[x] <> x && P[x] <> y", false),
        ("x y", "P[x] <> y && Q[y] <> x", true),
        ("x y", "P[x] = y && P[y] <> Q[x] && Q[x] = x", false),
    ] {
        let text = starting("proc", processes, start);
        assert_eq!(begins(&text), is_one, "{processes}: {start}");
    }
}

#[test]
fn numbers_with_fractions_may_contradict_each_other() {
    for (start, is_one) in [
        ("1.5 < P[x] && P[x] < 1.6", true),
        ("1.5 < P[x] && P[x] < 1.5", false),
        ("1.5 <= P[x] && P[x] <= 1.5", true),
        ("P[x] = 1.5 && P[x] = 2.0", false),
        ("P[x] < Q[x] && Q[x] < R && R < P[x]", false),
        ("P[x] < Q[x] && Q[x] < R && R < P[x] + 0.1", true),
        ("P[x] <> 1.5 && 1.5 <= P[x] && P[x] <= 1.5", false),
    ] {
        let text = starting("real", "x", start);
        assert_eq!(begins(&text), is_one, "{start}");
    }
}

#[test]
fn whole_numbers_are_between_whole_numbers() {
    for (start, is_one) in [
        ("1 < P[x] && P[x] < 3", true),
        ("1 < P[x] && P[x] < 2", false),
    ] {
        let text = starting("int", "x", start);
        assert_eq!(begins(&text), is_one, "{start}");
    }
}

#[test]
fn the_models_of_the_gallery_begin() {
    for text in [
        include_str!("../gallery/door.cub"),
        include_str!("../gallery/rounds.cub"),
        include_str!("../gallery/shared_line.cub"),
    ] {
        assert!(begins(text), "{text}");
    }
}
