//! The published sizes of assumptions.

#[path = "support/models.rs"]
mod models;

use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Goals, Heuristic, Means, Network, Options, Question, Rule,
    Start, Statistics, Strategy, System, Way, check, explore, prove,
};
use quotient_core::{Budget, Context, Stop, Verdict};

fn size(system: &System, strategy: &Strategy, expected: Verdict) -> (usize, u64) {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    let erring = |&at: &usize| network.components()[at].lts.has_error();
    let property: Vec<usize> = (0..network.components().len()).filter(erring).collect();
    let mut statistics = Statistics::default();
    let outcome = prove(
        &network,
        &property,
        strategy,
        &mut statistics,
        &mut Context::default(),
    );
    assert_eq!(outcome.unwrap().verdict(), expected, "{strategy:?}");
    (statistics.largest_assumption, statistics.conjectures)
}

fn way(rule: Rule, means: Means, alphabet: Alphabet, groups: &[Vec<usize>]) -> Strategy {
    Strategy {
        rule,
        means,
        alphabet,
        decomposition: match groups {
            [] => Decomposition::Separate,
            groups => Decomposition::Given(groups.to_vec()),
        },
    }
}

const LSTAR: Means = Means::Learn(Algorithm::LStar);

#[test]
fn input_output_takes_two_states_by_abstraction_and_four_by_learning() {
    let system = models::input_output();
    let groups = [vec![0], vec![1]];
    let by = |means| way(Rule::Asymmetric, means, Alphabet::Whole, &groups);
    assert_eq!(size(&system, &by(Means::Abstract), Verdict::Holds), (2, 2));
    assert_eq!(size(&system, &by(LSTAR), Verdict::Holds), (4, 4));
    assert_eq!(size(&system, &by(Means::Weakest), Verdict::Holds).0, 4);
}

#[test]
fn client_server_takes_eight_states_and_three_over_the_refined_alphabet() {
    let system = models::client_server(2);
    let groups = [vec![0, 1], vec![2]];
    let by = |means, alphabet| way(Rule::Asymmetric, means, alphabet, &groups);
    let (whole, refined) = (Alphabet::Whole, Alphabet::default());
    assert_eq!(size(&system, &by(LSTAR, whole), Verdict::Holds), (8, 7));
    assert_eq!(size(&system, &by(LSTAR, refined), Verdict::Holds), (3, 3));
    assert_eq!(
        size(&system, &by(Means::Abstract, whole), Verdict::Holds).0,
        4
    );
    assert_eq!(
        size(&system, &by(Means::Abstract, refined), Verdict::Holds).0,
        3
    );
    assert_eq!(
        size(&system, &by(Means::Weakest, whole), Verdict::Holds).0,
        9
    );
}

#[test]
fn mer_takes_two_more_states_a_user() {
    for users in 2..=6 {
        let system = models::mer(users, false);
        for rule in [Rule::Asymmetric, Rule::Circular, Rule::Symmetric] {
            let strategy = way(rule, LSTAR, Alphabet::default(), &[]);
            let (states, _) = size(&system, &strategy, Verdict::Holds);
            assert_eq!(states, 2 * users + 2, "{rule:?}, {users} users");
        }
    }
}

#[test]
fn mer_in_two_halves_takes_the_published_sizes() {
    for (users, learned, abstracted) in [(2, 6, 5), (3, 8, 9), (4, 10, 13)] {
        let system = models::mer(users, false);
        let groups = [(0..users / 2).collect(), (users / 2..=users).collect()];
        for heuristic in [
            Heuristic::AllDifference,
            Heuristic::Forward,
            Heuristic::Backward,
        ] {
            let alphabet = Alphabet::Refined {
                start: Start::Property,
                heuristic,
            };
            let by = |means| way(Rule::Asymmetric, means, alphabet, &groups);
            assert_eq!(size(&system, &by(LSTAR), Verdict::Holds).0, learned);
            assert_eq!(
                size(&system, &by(Means::Abstract), Verdict::Holds).0,
                abstracted
            );
        }
    }
}

#[test]
fn a_faulty_arbiter_is_found_by_every_rule() {
    for rule in [Rule::Asymmetric, Rule::Circular, Rule::Symmetric] {
        let strategy = way(rule, Means::default(), Alphabet::default(), &[]);
        size(&models::mer(2, true), &strategy, Verdict::Violated);
    }
    let strategy = way(Rule::Asymmetric, Means::Abstract, Alphabet::default(), &[]);
    size(&models::mer(3, true), &strategy, Verdict::Violated);
}

#[test]
fn ten_busy_users_are_proved_by_components_and_too_many_to_search() {
    let system = models::busy_mer(10, 6, false);
    let strategy = way(Rule::Asymmetric, LSTAR, Alphabet::default(), &[]);
    assert_eq!(size(&system, &strategy, Verdict::Holds).0, 22);
    // Seven states of each idle user alone: more than 7^9 states.
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(200_000),
        ..Context::default()
    };
    let goals = Goals {
        deadlock: false,
        error: true,
    };
    assert_eq!(explore(&network, goals, 1, &cx), Err(Stop::Work));
    let options = Options {
        way: Way::Automatic,
        threads: 1,
        search_first: 100_000,
        only: None,
    };
    let question = Question::Safety { deadlock: false };
    let report = check(&system, &question, &options, &Context::default()).unwrap();
    assert_eq!(report.verdict(), Verdict::Holds);
}
