//! Every operation against plain enumeration of words.

mod random;

use std::collections::BTreeSet;

use proptest::prelude::*;
use quotient_core::{Budget, Stop};

use self::random::{Words, automaton, language, transducer, words_up_to};
use crate::{Alphabet, Label, Letter, Nfa, Relation, State, Step, Transducer, Word};

const LONGEST: usize = 3;

/// The pairs of short words, found by walking all runs on single letters.
fn pairs(transducer: &Transducer) -> BTreeSet<(Word, Word)> {
    transducer
        .pairs_up_to(LONGEST, &Budget::unlimited())
        .unwrap()
}

/// The pairs of short words, found by asking for each.
fn asked(transducer: &Transducer) -> BTreeSet<(Word, Word)> {
    let words = words_up_to(transducer.alphabet(), LONGEST);
    let all = words
        .iter()
        .flat_map(|u| words.iter().map(move |v| (u.clone(), v.clone())));
    all.filter(|(u, v)| transducer.relates(u, v)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn membership_agrees_with_enumeration(t in transducer()) {
        prop_assert_eq!(pairs(&t), asked(&t));
    }

    #[test]
    fn inverse_exchanges_the_words(t in transducer()) {
        let exchanged: BTreeSet<_> = pairs(&t).into_iter().map(|(u, v)| (v, u)).collect();
        prop_assert_eq!(pairs(&t.inverse()), exchanged);
        prop_assert_eq!(pairs(&t.inverse().inverse()), pairs(&t));
    }

    #[test]
    fn union_has_the_pairs_of_both(t in transducer(), s in transducer()) {
        let both: BTreeSet<_> = pairs(&t).union(&pairs(&s)).cloned().collect();
        prop_assert_eq!(pairs(&t.union(&s)), both);
    }

    #[test]
    fn reduction_keeps_the_relation(t in transducer(), s in transducer()) {
        let union = t.union(&s);
        let reduced = union.reduce();
        prop_assert!(reduced.len() <= union.len());
        prop_assert!(!reduced.labels().contains(&Label::SILENT) || reduced.edges().is_empty());
        prop_assert_eq!(pairs(&reduced), pairs(&union));
        prop_assert_eq!(pairs(&t.trim()), pairs(&t));
    }

    #[test]
    fn composition_chains_pairs(t in transducer(), s in transducer()) {
        // Words in the middle may be longer than those at the ends, so images are compared:
        // they are exact, and checked below against enumeration.
        let budget = Budget::unlimited();
        let composed = t.compose(&s, &budget).unwrap();
        for word in words_up_to(t.alphabet(), LONGEST) {
            let one = only(t.alphabet(), &word);
            let chained = s.apply(&t.apply(&one, &budget).unwrap(), &budget).unwrap();
            let at_once = composed.apply(&one, &budget).unwrap();
            prop_assert_eq!(language(&chained, LONGEST), language(&at_once, LONGEST));
        }
    }

    #[test]
    fn composition_is_associative(t in transducer(), s in transducer(), r in transducer()) {
        let budget = Budget::unlimited();
        let left = t.compose(&s, &budget).unwrap().compose(&r, &budget).unwrap();
        let right = t.compose(&s.compose(&r, &budget).unwrap(), &budget).unwrap();
        prop_assert_eq!(asked_up_to(&left, 2), asked_up_to(&right, 2));
    }

    #[test]
    fn image_of_one_word_is_what_it_is_related_to(t in transducer()) {
        let budget = Budget::unlimited();
        let all = asked(&t);
        for word in words_up_to(t.alphabet(), LONGEST) {
            let one = only(t.alphabet(), &word);
            let image: Words =
                all.iter().filter(|(u, _)| *u == word).map(|(_, v)| v.clone()).collect();
            prop_assert_eq!(language(&t.apply(&one, &budget).unwrap(), LONGEST), image);
            let preimage: Words =
                all.iter().filter(|(_, v)| *v == word).map(|(u, _)| u.clone()).collect();
            prop_assert_eq!(language(&t.apply_inverse(&one, &budget).unwrap(), LONGEST), preimage);
        }
    }

    #[test]
    fn prepared_steps_give_the_same_images(t in transducer(), a in automaton()) {
        let budget = Budget::unlimited();
        let step = Step::new(&t, a.labels().iter().flatten());
        let unprepared = Step::new(&t, []);
        let set = a.determinize(&budget).unwrap();
        let post = language(&t.apply(&a, &budget).unwrap(), LONGEST);
        let pre = language(&t.apply_inverse(&a, &budget).unwrap(), LONGEST);
        for step in [step, unprepared] {
            let image = step.post(&set, &budget).unwrap();
            prop_assert_eq!(language(&image.to_nfa(), LONGEST), post.clone());
            let image = step.pre(&set, &budget).unwrap();
            prop_assert_eq!(language(&image.to_nfa(), LONGEST), pre.clone());
        }
    }

    #[test]
    fn domain_and_range_are_projections(t in transducer()) {
        let budget = Budget::unlimited();
        let all = Nfa::builder(t.alphabet())
            .initial(0)
            .accepting(0)
            .edge(0, &crate::Predicate::all(t.alphabet()), 0)
            .build();
        let post = t.apply(&all, &budget).unwrap();
        prop_assert_eq!(language(&t.range(), LONGEST), language(&post, LONGEST));
        let pre = t.apply_inverse(&all, &budget).unwrap();
        prop_assert_eq!(language(&t.domain(), LONGEST), language(&pre, LONGEST));
    }

    #[test]
    fn restriction_keeps_the_pairs_within(t in transducer(), a in automaton()) {
        let budget = Budget::unlimited();
        let words = language(&a, LONGEST);
        let kept = |side: fn(&(Word, Word)) -> &Word| -> BTreeSet<_> {
            pairs(&t).into_iter().filter(|pair| words.contains(side(pair))).collect()
        };
        prop_assert_eq!(pairs(&t.restrict_domain(&a, &budget).unwrap()), kept(|pair| &pair.0));
        prop_assert_eq!(pairs(&t.restrict_range(&a, &budget).unwrap()), kept(|pair| &pair.1));
    }

    #[test]
    fn words_on_the_diagonal_are_related_to_themselves(t in transducer()) {
        let themselves: Words =
            pairs(&t).into_iter().filter(|(u, v)| u == v).map(|(u, _)| u).collect();
        let diagonal = language(&t.diagonal(), LONGEST);
        prop_assert!(diagonal.is_subset(&themselves));
        if t.is_length_preserving() {
            prop_assert_eq!(diagonal, themselves);
        }
    }

    #[test]
    fn lazy_disjointness_agrees_with_the_image(
        t in transducer(), a in automaton(), b in automaton(),
    ) {
        let budget = Budget::unlimited();
        let image = t.apply(&a, &budget).unwrap();
        let found = t.image_meets(&a, &b, &budget).unwrap();
        let shared: Words = language(&image, 5).intersection(&language(&b, 5)).cloned().collect();
        match &found {
            Some((u, v)) => {
                prop_assert!(language(&a, u.len()).contains(u) && language(&b, v.len()).contains(v));
                prop_assert!(t.relates(u, v));
                prop_assert_eq!(shared.iter().map(Vec::len).min().unwrap_or(6).min(6), v.len().min(6));
            }
            None => prop_assert!(shared.is_empty()),
        }
    }

    #[test]
    fn lazy_inclusion_agrees_with_the_image(
        t in transducer(), a in automaton(), b in automaton(),
    ) {
        let budget = Budget::unlimited();
        let image = t.apply(&a, &budget).unwrap();
        let found = t.image_escapes(&a, &b, &budget).unwrap();
        let escaped: Words = language(&image, 5).difference(&language(&b, 5)).cloned().collect();
        match &found {
            Some((u, v)) => {
                prop_assert!(language(&a, u.len()).contains(u) && !language(&b, v.len()).contains(v));
                prop_assert!(t.relates(u, v));
                prop_assert_eq!(escaped.iter().map(Vec::len).min().unwrap_or(6).min(6), v.len().min(6));
            }
            None => prop_assert!(escaped.is_empty()),
        }
    }
}

fn asked_up_to(transducer: &Transducer, longest: usize) -> BTreeSet<(Word, Word)> {
    let words = words_up_to(transducer.alphabet(), longest);
    let all = words
        .iter()
        .flat_map(|u| words.iter().map(move |v| (u.clone(), v.clone())));
    all.filter(|(u, v)| transducer.relates(u, v)).collect()
}

/// The automaton of one word.
fn only(alphabet: &Alphabet, word: &[Letter]) -> Nfa {
    let mut builder = Nfa::builder(alphabet).initial(0);
    for (i, &letter) in (0u32..).zip(word) {
        builder.add_edge(
            State(i),
            &crate::Predicate::of(alphabet, [letter]),
            State(i + 1),
        );
    }
    builder.accepting(word.len() as u32).build()
}

#[test]
fn transducers_without_states_or_letters_are_fine() {
    let budget = Budget::unlimited();
    let none = Alphabet::new::<&str>([]).unwrap();
    let nothing = Transducer::builder(&none).build();
    let identity = Transducer::identity(&none);
    assert!(pairs(&nothing).is_empty());
    assert_eq!(pairs(&identity).len(), 1);
    assert!(pairs(&identity.compose(&nothing, &budget).unwrap()).is_empty());
    assert!(pairs(&nothing.reduce()).is_empty());
    let set = only(&none, &[]).determinize(&budget).unwrap();
    assert!(
        Step::new(&identity, [])
            .post(&set, &budget)
            .unwrap()
            .accepts(&[])
    );
    assert!(
        !Step::new(&nothing, [])
            .post(&set, &budget)
            .unwrap()
            .accepts(&[])
    );
}

#[test]
fn an_interrupted_budget_stops_the_work() {
    let alphabet = Alphabet::new(["a"]).unwrap();
    let identity = Transducer::identity(&alphabet);
    let one = only(&alphabet, &[Letter(0)]);
    let budget = Budget::unlimited();
    let set = one.determinize(&budget).unwrap();
    budget.interrupt();
    let stopped = Some(Stop::Interrupted);
    assert_eq!(identity.compose(&identity, &budget).err(), stopped);
    assert_eq!(identity.apply(&one, &budget).err(), stopped);
    assert_eq!(identity.image_meets(&one, &one, &budget).err(), stopped);
    assert_eq!(identity.image_escapes(&one, &one, &budget).err(), stopped);
    assert_eq!(identity.pairs_up_to(2, &budget).err(), stopped);
    assert_eq!(Step::new(&identity, []).post(&set, &budget).err(), stopped);
}

#[test]
fn reduction_shares_the_copying_of_the_parts() {
    // Each part copies, changes one letter and copies: three states; together three as well.
    let alphabet = Alphabet::new(["1", "2", "3"]).unwrap();
    let copy = Label::Copy(crate::Predicate::all(&alphabet));
    let change = |from: &str, to: &str| {
        let side = |name: &str| Some(alphabet.set([name]).unwrap());
        Transducer::builder(&alphabet)
            .initial(0)
            .edge(0, &copy, 0)
            .edge(0, &Label::Pair(side(from), side(to)), 1)
            .edge(1, &copy, 1)
            .accepting(1)
            .build()
    };
    let parts = [("1", "2"), ("2", "3"), ("3", "1")]
        .map(|(from, to)| (format!("{from} to {to}"), change(from, to)));
    let mut parts = parts.to_vec();
    parts.push(("stutter".to_owned(), Transducer::identity(&alphabet)));
    let relation = Relation::new(&alphabet, parts);
    assert_eq!(relation.union().len(), 7);
    assert_eq!(relation.union().reduce().len(), 2);
    let (from, to) = (alphabet.word("1 2").unwrap(), alphabet.word("1 3").unwrap());
    let names: Vec<_> = relation.step_names(&from, &to).collect();
    assert_eq!(names, ["2 to 3"]);
    let backwards = relation.inverse();
    assert_eq!(backwards.step_names(&to, &from).count(), 1);
}
