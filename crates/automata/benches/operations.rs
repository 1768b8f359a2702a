//! The operations on families that are hard for them: `cargo bench -p quotient-automata`.

use divan::{Bencher, black_box};
use quotient_automata::testing::{self, Random};
use quotient_automata::{Expression, Nfa};
use quotient_core::{Budget, Source};

fn main() {
    divan::main();
}

/// `.* [half of the letters] .{distance}`: exponential when determinised.
fn nth_last(distance: u32, letters: usize) -> Nfa {
    let alphabet = testing::alphabet(letters);
    let half: Vec<String> = (0..letters / 2).map(|i| format!("a{i}")).collect();
    let text = format!(".* [{}] .{{{distance}}}", half.join(" "));
    let expression = Expression::parse(&Source::new("nth last", text), &alphabet).unwrap();
    let nfa = expression.to_nfa(&Budget::unlimited()).unwrap();
    nfa.without_epsilon(&Budget::unlimited()).unwrap()
}

fn random(states: u32, density: f64) -> Nfa {
    testing::tabakov_vardi(
        &mut Random::new(1),
        &testing::alphabet(2),
        states,
        density,
        0.5,
    )
}

/// Letters that are used in the same way cost nothing.
#[divan::bench(args = [2, 6, 60, 600])]
fn determinize_by_letters(bencher: Bencher, letters: usize) {
    let nfa = nth_last(10, letters);
    bencher.bench(|| black_box(&nfa).determinize(&Budget::unlimited()));
}

#[divan::bench(args = [2, 600])]
fn inclusion_by_letters(bencher: Bencher, letters: usize) {
    let (left, right) = (nth_last(8, letters), nth_last(10, letters));
    bencher.bench(|| black_box(&left).word_outside(&right, &Budget::unlimited()));
}

#[divan::bench(args = [8, 12])]
fn minimize_nth_last(bencher: Bencher, distance: u32) {
    let nfa = nth_last(distance, 2);
    bencher.bench(|| black_box(&nfa).canonical(&Budget::unlimited()));
}

#[divan::bench(args = [40, 100, 400])]
fn reduce_random(bencher: Bencher, states: u32) {
    let nfa = random(states, 1.5);
    bencher.bench(|| black_box(&nfa).reduce(&Budget::unlimited()));
}

#[divan::bench(args = [40, 100])]
fn inclusion_random(bencher: Bencher, states: u32) {
    let nfa = random(states, 2.0);
    let larger = nfa.union(&random(states, 1.5));
    bencher.bench(|| black_box(&nfa).word_outside(&larger, &Budget::unlimited()));
}

#[divan::bench(args = [40, 100])]
fn equivalence_random(bencher: Bencher, states: u32) {
    let (left, right) = (random(states, 2.0), random(states, 1.5));
    let (one, other) = (left.union(&right), right.union(&left));
    bencher.bench(|| black_box(&one).distinguishing_word(&other, &Budget::unlimited()));
}
