//! The examples by assumptions, with the sizes published for models like them (Bobaru 2009,
//! tables 5.1 to 5.7).

mod common;

use quotient_certify::certify_components;
use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Heuristic, Means, Rule, Start, Statistics, Strategy, Way,
    check, prove,
};
use quotient_core::{Conclusion, Context, Source, Verdict};
use quotient_fsp::{Ask, Model, Options, write_assumption};

const LEARN: Means = Means::Learn(Algorithm::LStar);

fn refined(heuristic: Heuristic) -> Alphabet {
    Alphabet::Refined {
        start: Start::Property,
        heuristic,
    }
}

/// The size of the largest assumption on the way. `first` says which components are taken
/// together as the first of two groups; without it, each component is taken by itself.
fn largest(
    file: &str,
    options: &Options,
    means: Means,
    alphabet: Alphabet,
    first: Option<&dyn Fn(&str) -> bool>,
) -> usize {
    let examples = common::examples();
    let (_, text) = examples.iter().find(|(name, _)| name == file).unwrap();
    let model = Model::read(&Source::new(file, text.as_str())).unwrap();
    let mut cx = Context::default();
    let compiled = model.compile(options, &cx.budget).unwrap();
    let network = compiled.network(&cx.budget).unwrap();
    let decomposition = match first {
        None => Decomposition::Separate,
        Some(first) => {
            let (left, right) = (0..network.components().len())
                .partition(|&number| first(&network.components()[number].name));
            Decomposition::Given(vec![left, right])
        }
    };
    let strategy = Strategy {
        rule: Rule::Asymmetric,
        means,
        alphabet,
        decomposition,
    };
    let mut statistics = Statistics::default();
    let property = compiled.watchers(&network);
    let outcome = prove(&network, &property, &strategy, &mut statistics, &mut cx).unwrap();
    let Conclusion::Holds(proof) = outcome else {
        panic!("{file}: {outcome:?}");
    };
    // Every assumption can be written down and read again.
    for assumption in &proof.assumptions {
        let written = write_assumption("ASSUMPTION", assumption, &network);
        let again = common::composed(&written, "ASSUMPTION").unwrap();
        assert_eq!(again.transitions(), assumption.transitions(), "{written}");
        let labels = common::labels(&written, "ASSUMPTION");
        assert_eq!(labels.len(), assumption.alphabet().len(), "{written}");
    }
    statistics.largest_assumption
}

fn constant(name: &str, value: i32) -> Options {
    Options {
        constants: vec![(name.to_string(), value)],
        ..Options::default()
    }
}

#[test]
fn the_channel_takes_two_states_by_abstraction_and_four_by_learning() {
    let by = |means| {
        let first: &dyn Fn(&str) -> bool = &|name| name == "WRITER";
        largest(
            "channel.lts",
            &Options::default(),
            means,
            Alphabet::Whole,
            Some(first),
        )
    };
    assert_eq!((by(Means::Abstract), by(LEARN)), (2, 4));
}

#[test]
fn clients_and_server_take_eight_states_and_three_over_the_refined_alphabet() {
    let by = |means, alphabet| {
        let first: &dyn Fn(&str) -> bool = &|name| name != "SERVER";
        largest(
            "client_server.lts",
            &Options::default(),
            means,
            alphabet,
            Some(first),
        )
    };
    assert_eq!(by(LEARN, Alphabet::Whole), 8);
    assert_eq!(by(LEARN, Alphabet::default()), 3);
    assert_eq!(by(Means::Abstract, Alphabet::Whole), 4);
    assert_eq!(by(Means::Abstract, Alphabet::default()), 3);
}

#[test]
fn the_rover_arbiter_takes_two_more_states_a_user() {
    for users in 2..=6 {
        let options = constant("K", users);
        let size = largest("mer.lts", &options, LEARN, Alphabet::default(), None);
        assert_eq!(size as i32, 2 * users + 2, "{users} users");
    }
}

#[test]
fn the_rover_arbiter_in_two_halves_takes_the_published_sizes() {
    for (users, learned, abstracted) in [(2, 6, 5), (3, 8, 9), (4, 10, 13)] {
        let by = |means| {
            let first: &dyn Fn(&str) -> bool =
                &|name| (1..=users / 2).any(|user| name.contains(&format!("user.{user}:")));
            largest(
                "mer.lts",
                &constant("K", users),
                means,
                Alphabet::default(),
                Some(first),
            )
        };
        assert_eq!(
            (by(LEARN), by(Means::Abstract)),
            (learned, abstracted),
            "{users} users"
        );
    }
}

#[test]
fn the_gas_station_takes_five_states_by_abstraction_whatever_the_customers() {
    for customers in 2..=3 {
        let by = |means, alphabet| {
            let first: &dyn Fn(&str) -> bool = &|name| matches!(name, "OPERATOR" | "PUMP(1)");
            let options = constant("K", customers);
            largest("gas_station.lts", &options, means, alphabet, Some(first))
        };
        assert_eq!(by(Means::Abstract, refined(Heuristic::Backward)), 5);
        assert_eq!(by(LEARN, refined(Heuristic::Forward)), 10);
    }
}

/// The published runs over the whole alphabet ran out of time or memory.
#[test]
fn the_gas_station_is_proved_over_the_whole_alphabet_by_every_rule() {
    let examples = common::examples();
    let text = examples.iter().find(|(name, _)| name == "gas_station.lts");
    let model = Model::read(&Source::new("gas_station.lts", text.unwrap().1.as_str())).unwrap();
    for rule in [Rule::Asymmetric, Rule::Circular, Rule::Symmetric] {
        let (options, cx) = (constant("K", 3), Context::default());
        let mut compiled = model.compile(&options, &cx.budget).unwrap();
        let question = model
            .question(&Ask::Safety, &options, &mut compiled, &cx.budget)
            .unwrap();
        let how = quotient_compose::Options {
            way: Way::Assumptions(Strategy {
                rule,
                means: LEARN,
                alphabet: Alphabet::Whole,
                decomposition: Decomposition::Separate,
            }),
            threads: 1,
            ..Default::default()
        };
        let report = check(&compiled.system, &question, &how, &cx).unwrap();
        let [answer] = &report.answers[..] else {
            panic!("{rule:?}: one property");
        };
        assert_eq!(answer.verdict, Verdict::Holds, "{rule:?}");
        let evidence = answer.evidence.as_ref().unwrap();
        let accepted = certify_components(evidence, &compiled.system, &question, &cx.budget);
        assert!(accepted.is_ok(), "{rule:?}: {accepted:?}");
    }
}

#[test]
fn chiron_takes_three_states_by_learning_and_two_by_abstraction() {
    let options = Options {
        system: Some("CAUSED".to_string()),
        ..Options::default()
    };
    let by = |means, alphabet| {
        let first: &dyn Fn(&str) -> bool = &|name| name.contains("EVENT_DISPATCHER");
        largest("chiron.lts", &options, means, alphabet, Some(first))
    };
    assert_eq!(by(LEARN, refined(Heuristic::Forward)), 3);
    assert_eq!(by(Means::Abstract, Alphabet::Whole), 2);
}

#[test]
fn the_executive_takes_four_states_by_learning() {
    let first: &dyn Fn(&str) -> bool = &|name| name != "EXECUTIVE";
    let options = Options::default();
    let size = largest(
        "rover.lts",
        &options,
        LEARN,
        Alphabet::default(),
        Some(first),
    );
    assert_eq!(size, 4);
}

#[test]
fn assumptions_are_written_in_words_of_the_model() {
    let examples = common::examples();
    let (_, text) = examples
        .iter()
        .find(|(name, _)| name == "client_server.lts")
        .unwrap();
    let model = Model::read(&Source::new("client_server.lts", text.as_str())).unwrap();
    let mut cx = Context::default();
    let compiled = model.compile(&Options::default(), &cx.budget).unwrap();
    let network = compiled.network(&cx.budget).unwrap();
    let strategy = Strategy {
        means: LEARN,
        decomposition: Decomposition::Given(vec![vec![0, 1], vec![2]]),
        ..Strategy::default()
    };
    let property = compiled.watchers(&network);
    let mut statistics = Statistics::default();
    let outcome = prove(&network, &property, &strategy, &mut statistics, &mut cx).unwrap();
    let Conclusion::Holds(proof) = outcome else {
        panic!("{outcome:?}");
    };
    insta::assert_snapshot!(write_assumption(
        "SERVER_KEEPS",
        &proof.assumptions[0],
        &network
    ));
}

/// Users with work of their own: far too many states to search, and no more to prove.
#[test]
fn ten_busy_users_are_proved_without_a_search() {
    let examples = common::examples();
    let (_, text) = examples
        .iter()
        .find(|(name, _)| name == "mer_busy.lts")
        .unwrap();
    let model = Model::read(&Source::new("mer_busy.lts", text.as_str())).unwrap();
    let (options, cx) = (Options::default(), Context::default());
    let mut compiled = model.compile(&options, &cx.budget).unwrap();
    let question = model
        .question(&Ask::Safety, &options, &mut compiled, &cx.budget)
        .unwrap();
    let how = quotient_compose::Options {
        search_first: 1000,
        threads: 1,
        ..Default::default()
    };
    let report = check(&compiled.system, &question, &how, &cx).unwrap();
    assert_eq!(report.verdict(), Verdict::Holds);
    for answer in &report.answers {
        let evidence = answer.evidence.as_ref().unwrap();
        let accepted = certify_components(evidence, &compiled.system, &question, &cx.budget);
        assert!(accepted.is_ok(), "{}: {accepted:?}", answer.about);
    }
    let about: Vec<&str> = report.answers.iter().map(|answer| &*answer.about).collect();
    assert_eq!(about, ["no deadlock", "EXCLUSIVE"]);
}
