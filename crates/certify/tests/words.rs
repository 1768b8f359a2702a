//! Good evidence is accepted, tampered evidence is not.

use proptest::prelude::*;
use quotient_automata::evidence::{
    INVARIANT_KIND, InvariantEvidence, PlainAutomaton, PlainEdge, RUN_KIND, RunEvidence,
};
use quotient_automata::{Alphabet, Label, Nfa, Predicate, Relation, Transducer};
use quotient_certify::{Certified, Rejection, WordProblem, certify_words};
use quotient_core::{Budget, Claim, Evidence, Stop};
use quotient_forger::{Attack, attack};

/// A token moves to the right, as long as there is a right.
struct TokenPassing {
    initial: Nfa,
    bad: Vec<(String, Nfa)>,
    relation: Relation,
}

fn token_passing() -> TokenPassing {
    let alphabet = Alphabet::new(["T", "N"]).unwrap();
    let (t, n) = (alphabet.set(["T"]).unwrap(), alphabet.set(["N"]).unwrap());
    let copy = Label::Copy(Predicate::all(&alphabet));
    let pass = Transducer::builder(&alphabet)
        .initial(0)
        .edge(0, &copy, 0)
        .edge(0, &Label::Pair(Some(t.clone()), Some(n.clone())), 1)
        .edge(1, &Label::Pair(Some(n.clone()), Some(t.clone())), 2)
        .edge(2, &copy, 2)
        .accepting(2)
        .build();
    let initial = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &t, 1)
        .edge(1, &n, 1)
        .accepting(1)
        .build();
    let two = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &n, 0)
        .edge(0, &t, 1)
        .edge(1, &n, 1)
        .edge(1, &t, 2)
        .edge(2, &Predicate::all(&alphabet), 2)
        .accepting(2)
        .build();
    let at_end = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &n, 0)
        .edge(0, &t, 1)
        .accepting(1)
        .build();
    let bad = vec![
        ("two tokens".to_owned(), two),
        ("token at the end".to_owned(), at_end),
    ];
    TokenPassing {
        initial,
        bad,
        relation: Relation::new(&alphabet, vec![("pass".to_owned(), pass)]),
    }
}

fn certify(evidence: &Evidence) -> Result<Certified, Rejection> {
    let TokenPassing {
        initial,
        bad,
        relation,
    } = token_passing();
    let problem = WordProblem {
        initial: &initial,
        bad: &bad,
        relation: &relation,
    };
    certify_words(evidence, &problem, &Budget::unlimited())
}

/// `N* T N*`.
fn invariant() -> PlainAutomaton {
    let edge = |from, letter: &str, to| PlainEdge {
        from,
        letters: vec![letter.to_owned()],
        to,
    };
    PlainAutomaton {
        alphabet: vec!["T".to_owned(), "N".to_owned()],
        states: 2,
        initial: vec![0],
        accepting: vec![1],
        edges: vec![edge(0, "N", 0), edge(0, "T", 1), edge(1, "N", 1)],
    }
}

fn holds(invariant: PlainAutomaton) -> Evidence {
    Evidence::of_holds(INVARIANT_KIND, &InvariantEvidence { invariant }).about("two tokens")
}

fn run() -> RunEvidence {
    let word = |text: &str| text.split(' ').map(str::to_owned).collect();
    RunEvidence {
        words: vec![word("T N N"), word("N T N"), word("N N T")],
        steps: vec!["pass".to_owned(), "pass".to_owned()],
        family: Vec::new(),
    }
}

fn violated(run: &RunEvidence) -> Evidence {
    Evidence::of_violated(RUN_KIND, run).about("token at the end")
}

#[test]
fn an_inductive_invariant_is_accepted() {
    assert_eq!(certify(&holds(invariant())).unwrap().property, "two tokens");
}

#[test]
fn an_invariant_without_one_of_its_edges_is_rejected() {
    for edge in 0..3 {
        let mut tampered = invariant();
        tampered.edges.remove(edge);
        assert!(
            matches!(certify(&holds(tampered)), Err(Rejection::Wrong(_))),
            "edge {edge}"
        );
    }
}

#[test]
fn an_invariant_with_more_initial_or_accepting_states_is_rejected() {
    let mut more_accepting = invariant();
    more_accepting.accepting.push(0);
    // `N*` does not contradict the property, and no step leaves it: still an invariant.
    assert!(certify(&holds(more_accepting)).is_ok());
    let mut two_tokens = invariant();
    two_tokens.edges.push(PlainEdge {
        from: 1,
        letters: vec!["T".to_owned()],
        to: 1,
    });
    assert!(matches!(
        certify(&holds(two_tokens)),
        Err(Rejection::Wrong(_))
    ));
    let mut no_initial = invariant();
    no_initial.initial.clear();
    assert!(matches!(
        certify(&holds(no_initial)),
        Err(Rejection::Wrong(_))
    ));
    let mut other_initial = invariant();
    other_initial.initial = vec![1];
    assert!(matches!(
        certify(&holds(other_initial)),
        Err(Rejection::Wrong(_))
    ));
}

#[test]
fn a_run_has_a_step_between_any_two_configurations() {
    assert!(certify(&violated(&run())).is_ok());
    let mut leaps = run();
    leaps.words.remove(1);
    for steps in 0..3 {
        let mut forged = leaps.clone();
        forged.steps.truncate(steps);
        assert!(certify(&violated(&forged)).is_err(), "{steps} steps");
    }
    let mut without = run();
    without.steps.clear();
    assert!(certify(&violated(&without)).is_err());
    let mut more = run();
    more.steps.push("pass".to_owned());
    assert!(certify(&violated(&more)).is_err());
    let mut other = run();
    other.steps[1] = "Pass".to_owned();
    assert!(certify(&violated(&other)).is_err());
}

#[test]
fn an_invariant_that_is_no_automaton_is_unreadable() {
    let mut beyond = invariant();
    beyond.edges[0].to = 9;
    assert!(matches!(
        certify(&holds(beyond)),
        Err(Rejection::Unreadable(_))
    ));
    let mut strange = invariant();
    strange.edges[0].letters = vec!["X".to_owned()];
    assert!(matches!(
        certify(&holds(strange)),
        Err(Rejection::Unreadable(_))
    ));
    let mut huge = invariant();
    huge.states = u32::MAX;
    assert!(matches!(
        certify(&holds(huge)),
        Err(Rejection::Unreadable(_))
    ));
}

#[test]
fn a_run_is_replayed() {
    assert!(certify(&violated(&run())).is_ok());
}

#[test]
fn a_run_with_any_letter_changed_is_rejected() {
    for step in 0..3 {
        for place in 0..3 {
            let mut tampered = run();
            let letter = &mut tampered.words[step][place];
            *letter = if letter == "T" {
                "N".to_owned()
            } else {
                "T".to_owned()
            };
            assert!(
                certify(&violated(&tampered)).is_err(),
                "word {step}, letter {place}"
            );
        }
    }
}

#[test]
fn a_run_cut_short_or_by_an_unknown_step_is_rejected() {
    let mut short = run();
    short.words.pop();
    short.steps.pop();
    assert!(certify(&violated(&short)).is_err());
    let mut late = run();
    late.words.remove(0);
    late.steps.remove(0);
    assert!(certify(&violated(&late)).is_err());
    let mut unknown = run();
    unknown.steps[0] = "jump".to_owned();
    assert!(certify(&violated(&unknown)).is_err());
    let empty = RunEvidence {
        words: Vec::new(),
        steps: Vec::new(),
        family: Vec::new(),
    };
    assert!(certify(&violated(&empty)).is_err());
}

#[test]
fn claims_must_fit_the_kind_and_name_a_property() {
    let mut swapped = holds(invariant());
    swapped.claim = quotient_core::Claim::Violated;
    assert!(certify(&swapped).is_err());
    assert!(certify(&holds(invariant()).about("no such property")).is_err());
    let mut nameless = holds(invariant());
    nameless.property = None;
    assert!(certify(&nameless).is_err());
    let mut future = holds(invariant());
    future.format = 99;
    assert!(matches!(certify(&future), Err(Rejection::Unreadable(_))));
    let mut damaged = holds(invariant());
    damaged.body = serde_json::json!({ "invariant": 3 });
    assert!(matches!(certify(&damaged), Err(Rejection::Unreadable(_))));
}

#[test]
fn an_interrupted_check_says_so() {
    let TokenPassing {
        initial,
        bad,
        relation,
    } = token_passing();
    let problem = WordProblem {
        initial: &initial,
        bad: &bad,
        relation: &relation,
    };
    let budget = Budget::unlimited();
    budget.interrupt();
    let outcome = certify_words(&holds(invariant()), &problem, &budget);
    assert_eq!(outcome, Err(Rejection::Stopped(Stop::Interrupted)));
}

#[test]
fn no_forgery_about_words_is_accepted() {
    let evidence = [holds(invariant()), violated(&run())];
    let is_true = |claim: Claim, property: &str| match property {
        "two tokens" => claim == Claim::Holds,
        "token at the end" => claim == Claim::Violated,
        _ => false,
    };
    for (seed, one) in (1..).zip(&evidence) {
        let forger = Attack {
            seed,
            forgeries: 2_000,
            donors: evidence.to_vec(),
        };
        let tally = attack(one, &forger, certify, is_true).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(tally.stopped, 0);
        assert!(tally.false_claims > 200 && tally.accepted > 0, "{tally:?}");
    }
}

#[test]
fn a_property_without_a_name_or_with_that_of_another_is_not_guessed() {
    let TokenPassing {
        initial,
        mut bad,
        relation,
    } = token_passing();
    let ask = |evidence: &Evidence, bad: &[(String, Nfa)]| {
        let problem = WordProblem {
            initial: &initial,
            bad,
            relation: &relation,
        };
        certify_words(evidence, &problem, &Budget::unlimited())
    };
    let evidence = holds(invariant());
    assert!(ask(&evidence, &bad[..1]).is_ok());
    let mut nameless = evidence.clone();
    nameless.property = None;
    assert!(ask(&nameless, &bad[..1]).is_err());
    // The second is violated: that the first of the name holds does not say that `two tokens` does.
    bad[1].0 = "two tokens".to_owned();
    assert!(ask(&evidence, &bad).is_err());
    bad.truncate(1);
    bad[0].0.clear();
    assert!(ask(&evidence.clone().about(""), &bad).is_err());
}

#[test]
fn a_small_file_does_not_claim_many_states() {
    let mut large = invariant();
    large.states = 9_000_000;
    assert!(matches!(
        certify(&holds(large)),
        Err(Rejection::Unreadable(_))
    ));
}

/// A random automaton over two letters: edges by source, letter and target, and where it accepts.
type Random = (Vec<(u32, u32, u32)>, Vec<u32>);

fn random() -> impl Strategy<Value = Random> {
    let edges = proptest::collection::vec((0u32..3, 0u32..2, 0u32..3), 1..7);
    (edges, proptest::collection::vec(0u32..3, 1..3))
}

fn nfa(alphabet: &Alphabet, (edges, accepting): &Random) -> Nfa {
    let mut builder = Nfa::builder(alphabet).initial(0).states(3);
    for &(from, letter, to) in edges {
        let letters = alphabet.set([["T", "N"][letter as usize]]).unwrap();
        builder = builder.edge(from, &letters, to);
    }
    let accepting = accepting.iter();
    accepting
        .fold(builder, |builder, &state| builder.accepting(state))
        .build()
}

/// Whether an automaton without silent moves accepts a word, by trying all ways.
fn naively(random: &Random, state: u32, word: &[u32]) -> bool {
    match word.split_first() {
        None => random.1.contains(&state),
        Some((&letter, rest)) => random
            .0
            .iter()
            .any(|&(from, read, to)| from == state && read == letter && naively(random, to, rest)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_set_shows_what_short_words_contradict(
        initial in random(), bad in random(), set in random(),
        steps in proptest::collection::vec((0u32..2, 0u32..2, 0u32..2, 0u32..2), 1..5),
    ) {
        // Steps change one letter for another, keep the length, and have two states.
        let alphabet = Alphabet::new(["T", "N"]).unwrap();
        let letters = |letter: u32| alphabet.set([["T", "N"][letter as usize]]).unwrap();
        let mut step = Transducer::builder(&alphabet).initial(0).accepting(1);
        for &(from, read, write, to) in &steps {
            let label = Label::Pair(Some(letters(read)), Some(letters(write)));
            step = step.edge(from, &label, to);
        }
        let relation = Relation::new(&alphabet, vec![("step".to_owned(), step.build())]);
        let named = [("P".to_owned(), nfa(&alphabet, &bad))];
        let begin = nfa(&alphabet, &initial);
        let problem = WordProblem { initial: &begin, bad: &named, relation: &relation };
        let invariant = PlainAutomaton::from(&nfa(&alphabet, &set));
        let evidence = Evidence::of_holds(INVARIANT_KIND, &InvariantEvidence { invariant });
        let accepted = certify_words(&evidence.about("P"), &problem, &Budget::unlimited()).is_ok();
        // All words of up to four letters, and what one step makes of them.
        let words = (0..5usize).flat_map(|length| (0..1u32 << length).map(move |bits| -> Vec<u32> {
            (0..length).map(|place| bits >> place & 1).collect()
        }));
        for word in words {
            let mut nexts = vec![(0, Vec::new())];
            for &letter in &word {
                nexts = nexts.iter().flat_map(|(state, written): &(u32, Vec<u32>)| {
                    let taken = steps.iter().filter(move |one| one.0 == *state && one.1 == letter);
                    taken.map(|one| (one.3, [&written[..], &[one.2]].concat()))
                }).collect();
            }
            let mut nexts = nexts.iter().filter(|(state, _)| *state == 1);
            let is_in = naively(&set, 0, &word);
            let contradicts = match is_in {
                true => naively(&bad, 0, &word) || nexts.any(|(_, next)| !naively(&set, 0, next)),
                false => naively(&initial, 0, &word),
            };
            prop_assert!(!(accepted && contradicts), "{:?}", word);
        }
    }
}
