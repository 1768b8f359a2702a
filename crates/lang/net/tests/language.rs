//! The language through its seam: answers, evidence, simulation, readers.

use std::collections::{BTreeSet, VecDeque};

use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_language::{
    Answer, Ask, Input, MemoryFiles, Model, Random, Settings, Sureness, Verb, Viewed,
};
use quotient_net::LANGUAGE;
use quotient_testkit::language::{self, Tested, assert_certified, attack_all, certified};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

const NET: Tested = Tested::new(LANGUAGE, "n.net");

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let pairs: Vec<_> = pairs.iter().map(own).collect();
    Settings::new("net", LANGUAGE.about().settings, Verb::Check, &pairs).unwrap()
}

fn open(name: &str, text: &str, properties: Option<&str>, more: &[(&str, &str)]) -> Box<dyn Model> {
    let input = Input::text(&Source::new(name, text));
    let mut files = MemoryFiles::from([("p.xml", properties.unwrap_or_default())]);
    let mut pairs = more.to_vec();
    if properties.is_some() {
        pairs.push(("properties", "p.xml"));
    }
    LANGUAGE
        .open(&input, &mut files, &settings(&pairs), &Context::default())
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn example(name: &str) -> Box<dyn Model> {
    let examples = LANGUAGE.about().examples;
    let example = examples.iter().find(|one| one.name == name).unwrap();
    let (path, text) = example.files[0];
    open(path, text, example.files.get(1).map(|file| file.1), &[])
}

/// All answers in the order of the file.
fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = language::answers(model);
    all.sort_by_key(|one| one.number);
    all
}

#[test]
fn examples_have_the_verdicts_that_their_titles_say() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("mutex", vec![Holds]),
        ("forks", vec![Violated]),
        (
            "buffer",
            vec![
                Holds, Holds, Holds, Violated, Violated, Violated, Holds, Holds,
            ],
        ),
        ("readers", vec![Holds]),
    ];
    assert_eq!(LANGUAGE.about().examples.len(), expected.len());
    for (name, verdicts) in expected {
        let mut model = example(name);
        let answers = answers(&mut *model);
        let names: Vec<String> = model.properties().into_iter().map(|one| one.name).collect();
        assert!(answers.iter().map(|one| &one.property).eq(&names));
        let definite = answers.iter().filter(|one| one.verdict.is_definite());
        let given: Vec<Verdict> = definite.map(|one| one.verdict.clone()).collect();
        assert_eq!(given, verdicts, "{name}");
        for answer in answers.iter().filter(|one| one.verdict.is_definite()) {
            assert_certified(&mut *model, answer);
        }
    }
}

#[test]
fn a_bound_is_a_number() {
    let answers = answers(&mut *example("buffer"));
    let value = answers[6].value.as_ref().unwrap();
    assert_eq!(value.exact.as_deref(), Some("3"));
}

#[test]
fn forged_evidence_is_never_believed() {
    let names = ["buffer", "forks", "mutex", "readers"];
    attack_all(names.into_iter().map(example).collect(), 150, 200_000);
}

#[test]
fn a_bound_with_another_number_is_refused() {
    let mut model = example("buffer");
    for number in [2, 4] {
        let mut answer = answers(&mut *model).remove(6);
        answer.evidence.as_mut().unwrap().body["value"] = number.into();
        assert!(certified(&mut *model, &answer).is_err());
    }
}

/// A small net in TINA's form, with questions, and the same as data for a naive search.
struct Random3 {
    net: String,
    takes: Vec<[u64; 3]>,
    gives: Vec<[u64; 3]>,
    start: [u64; 3],
}

fn random_net(u: &mut Unstructured<'_>) -> Made<Random3> {
    let small = |u: &mut Unstructured<'_>, most: u64| -> Made<[u64; 3]> {
        Ok([
            u.int_in_range(0..=most)?,
            u.int_in_range(0..=most)?,
            u.int_in_range(0..=most)?,
        ])
    };
    let start = small(u, 3)?;
    let mut net = String::new();
    for (place, tokens) in ["a", "b", "c"].iter().zip(start) {
        net.push_str(&format!("pl {place} ({tokens})\n"));
    }
    let (mut takes, mut gives) = (Vec::new(), Vec::new());
    for number in 0..u.int_in_range(0..=4)? {
        let (take, give) = (small(u, 2)?, small(u, 2)?);
        let side = |weights: [u64; 3]| {
            let arcs = ["a", "b", "c"].iter().zip(weights).filter(|(_, n)| *n > 0);
            let arcs: Vec<String> = arcs.map(|(place, n)| format!("{place}*{n}")).collect();
            arcs.join(" ")
        };
        net.push_str(&format!("tr t{number} {} -> {}\n", side(take), side(give)));
        takes.push(take);
        gives.push(give);
    }
    Ok(Random3 {
        net,
        takes,
        gives,
        start,
    })
}

/// All markings, or nothing if there are many.
fn naive(net: &Random3, most: usize) -> Option<(BTreeSet<[u64; 3]>, bool)> {
    let mut all = BTreeSet::from([net.start]);
    let mut queue = VecDeque::from([net.start]);
    let mut dead = false;
    while let Some(marking) = queue.pop_front() {
        let mut stuck = true;
        for (take, give) in net.takes.iter().zip(&net.gives) {
            if (0..3).all(|place| marking[place] >= take[place]) {
                stuck = false;
                let next = [0, 1, 2].map(|place| marking[place] - take[place] + give[place]);
                if all.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        dead |= stuck;
        if all.len() > most {
            return None;
        }
    }
    Some((all, dead))
}

fn questions(bound: u64) -> String {
    let tokens = "<tokens-count><place>a</place><place>c</place></tokens-count>";
    let number = format!("<integer-constant>{bound}</integer-constant>");
    format!(
        "<property-set>\
         <property><id>dead</id><formula><exists-path><finally><deadlock/></finally></exists-path></formula></property>\
         <property><id>some</id><formula><exists-path><finally><integer-le>{number}{tokens}</integer-le></finally></exists-path></formula></property>\
         <property><id>always</id><formula><all-paths><globally><integer-le>{tokens}{number}</integer-le></globally></all-paths></formula></property>\
         <property><id>most</id><formula><place-bound><place>a</place><place>c</place></place-bound></formula></property>\
         </property-set>"
    )
}

#[test]
fn answers_about_random_nets_are_those_of_a_naive_search_with_and_without_it() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let bound = u.int_in_range(0..=8)?;
        let Some((all, dead)) = naive(&net, 400) else {
            return Ok(());
        };
        let sums = || all.iter().map(|marking| marking[0] + marking[2]);
        let expected = [
            dead,
            sums().any(|sum| sum >= bound),
            sums().all(|sum| sum <= bound),
        ];
        // With one marking to look at, only walks and weights can answer.
        for states in ["1000", "1"] {
            let more = [("states", states)];
            let mut model = open("r.net", &net.net, Some(&questions(bound)), &more);
            let given = answers(&mut *model);
            for (answer, expected) in given.iter().zip(expected) {
                match answer.verdict {
                    Verdict::Holds => assert!(expected, "{} {}", answer.property, net.net),
                    Verdict::Violated => assert!(!expected, "{} {}", answer.property, net.net),
                    Verdict::Unknown(_) => assert_eq!(states, "1"),
                }
            }
            if let Some(value) = &given[3].value {
                assert_eq!(value.exact, sums().max().map(|most| most.to_string()));
            }
            for answer in given.iter().filter(|answer| answer.evidence.is_some()) {
                assert_certified(&mut *model, answer);
            }
        }
        Ok(())
    })
    .budget_ms(2500);
}

#[test]
fn coverability_agrees_with_naive_search_on_bounded_nets() {
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let target: [u64; 3] = [u.int_in_range(0..=3)?, 0, u.int_in_range(0..=3)?];
        let Some((all, _)) = naive(&net, 400) else {
            return Ok(());
        };
        let covered = all
            .iter()
            .any(|one| (0..3).all(|place| one[place] >= target[place]));
        // A number of tokens that does nothing makes the start many markings.
        let mut text = "vars a b c idle\nrules\n".to_owned();
        for (take, give) in net.takes.iter().zip(&net.gives) {
            let names = ["a", "b", "c"];
            let guards: Vec<String> = (0..3)
                .map(|place| format!("{} >= {}", names[place], take[place]))
                .collect();
            let updates: Vec<String> = (0..3)
                .map(|p| format!("{0}' = {0} - {1} + {2}", names[p], take[p], give[p]))
                .collect();
            text.push_str(&format!("{} -> {};\n", guards.join(","), updates.join(",")));
        }
        let [a, b, c] = net.start;
        text.push_str(&format!("init a = {a}, b = {b}, c = {c}, idle >= 0\n"));
        text.push_str(&format!("target a >= {}, c >= {}\n", target[0], target[2]));
        let mut model = open("r.spec", &text, None, &[]);
        let answer = answers(&mut *model).remove(0);
        let expected = match covered {
            true => Verdict::Violated,
            false => Verdict::Holds,
        };
        assert_eq!(answer.verdict, expected, "{text}");
        assert_certified(&mut *model, &answer);
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn no_text_makes_a_reader_panic() {
    NET.disturb("<>/=\"{}#*,-> 09aé\n", 1500, |text| {
        quotient_net::read_any(text);
    });
    quotient_net::read_any(&"<a>".repeat(50_000));
}

#[test]
fn mistakes_are_told_all_at_once_with_their_places() {
    let told = NET.mistakes("pl a 1\ntr t a b\nfoo\n");
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[2].starts_with("n.net:3:1"), "{told:?}");
}

#[test]
fn a_simulation_fires_undoes_and_sees_a_deadlock() {
    let cx = Context::default();
    let mut walk = example("forks").simulate(&cx).unwrap();
    for name in ["left1", "left2"] {
        let choices = walk.choices(&cx).unwrap();
        let at = choices.iter().position(|one| one.action == name).unwrap();
        walk.take(at, &cx).unwrap();
    }
    assert!(walk.status(&cx).unwrap().deadlock);
    assert_eq!(walk.trace().len(), 2);
    assert!(walk.undo() && !walk.status(&cx).unwrap().deadlock);
    assert!(walk.take_any(&mut Random::new(3), &cx).unwrap());
}

#[test]
fn nets_are_recognised_and_shown() {
    for (path, text) in LANGUAGE.about().examples.iter().map(|one| one.files[0]) {
        let input = Input::text(&Source::new(path, text));
        assert!(LANGUAGE.recognises(&input) >= Sureness::Likely, "{path}");
    }
    let view = Viewed {
        part: None,
        picture: true,
    };
    let shown = example("buffer").show(&view, &Context::default()).unwrap();
    assert_eq!(shown.result["places"].as_array().unwrap().len(), 6);
    assert_eq!(shown.pictures.len(), 1);
}

#[test]
fn older_files_and_names_of_the_contest_are_read() {
    let net = "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'><net id='n' type='ptnet'>\
        <page id='p'><place id='p1'><name><text>full</text></name>\
        <initialMarking><value>Default,2</value></initialMarking></place>\
        <place id='p2'><name><text>empty</text></name></place>\
        <transition id='t1'><name><text>move</text></name></transition>\
        <arc id='a1' source='p1' target='t1'/>\
        <arc id='a2' source='t1' target='p2'><inscription><value>1</value></inscription></arc>\
        </page></net></pnml>";
    let count = |name: &str| format!("<tokens-count><place> {name}\n</place></tokens-count>");
    let number = |number: i64| format!("<integer-constant>{number}</integer-constant>");
    let compare = |sign: &str, left: &str, right: &str| {
        format!("<integer-{sign}>{left}{right}</integer-{sign}>")
    };
    let within = |name: &str, inner: &str| format!("<{name}>{inner}</{name}>");
    let (full, empty) = (count("full"), count("p2"));
    let sum = within("integer-sum", &format!("{full}{empty}"));
    let difference = within("integer-difference", &format!("{empty}{full}"));
    let fireable = "<is-fireable><transition>move</transition></is-fireable>";
    let some = compare("ge", &full, &number(1));
    let later = within("finally", &compare("eq", &empty, &number(2)));
    let both = ["all-paths", "exists-path"]
        .map(|path| within(path, &later))
        .concat();
    let always = |inner: &str| within("all-paths", &within("globally", inner));
    let formulas = [
        within("invariant", &compare("eq", &sum, &number(2))),
        within("invariant", &compare("gt", &full, &number(0))),
        within("possibility", &compare("lt", &full, &number(1))),
        within("impossibility", &compare("ge", &empty, &number(3))),
        within("impossibility", &compare("ne", &empty, &number(0))),
        within(
            "invariant",
            &within("equivalence", &format!("{fireable}{some}")),
        ),
        within(
            "possibility",
            &within("exclusive-disjunction", &format!("{fireable}{some}")),
        ),
        always(&within(
            "implication",
            &format!("{}<deadlock/>", compare("le", &full, &number(0))),
        )),
        always(&within(
            "implication",
            &format!(
                "{fireable}{}",
                within(
                    "all-paths",
                    &within("finally", &compare("eq", &empty, &number(2)))
                )
            ),
        )),
        within("possibility", &compare("eq", &difference, &number(2))),
        within("possibility", &compare("gt", &difference, &number(2))),
        always(&within("equivalence", &both)),
        always(&within("exclusive-disjunction", &both)),
    ];
    let properties: String = (formulas.iter().enumerate())
        .map(|(number, formula)| {
            format!("<property><id>q-{number}</id><formula>{formula}</formula></property>")
        })
        .collect();
    let file =
        format!("<?xml version='1.0'?>\n<m:property-set xmlns:m='x'>{properties}</m:property-set>");
    let mut model = open("older.pnml", net, Some(&file), &[]);
    let answers = answers(&mut *model);
    let holds = answers
        .iter()
        .map(|answer| answer.verdict == Verdict::Holds);
    let expected = [
        true, false, true, true, false, true, false, true, true, true, false, true, false,
    ];
    assert_eq!(holds.collect::<Vec<bool>>(), expected);
    for answer in &answers {
        assert_certified(&mut *model, answer);
    }
}

/// Who goes first takes the lock; the other waits while it is gone; nobody enters a closed room.
const TESTS: &str = "pl open (1)\npl lock (1)\npl out (2)\n\
    tr enter out open?1 lock -> in\ntr leave in -> out lock\n\
    tr shut open in?-1 -> \ntr look in?2 -> seen\n\
    check alone : AG (in <= 1)\ncheck unseen : AG (seen = 0)\n\
    check stays : AG (open = 1 | in = 0 | can(leave))\n\
    check shuts : EF (open = 0 & in = 1)\n";

#[test]
fn tests_and_inhibitors_are_read_in_both_forms() {
    use Verdict::{Holds, Violated};
    let mut model = open("t.net", TESTS, None, &[]);
    let given = answers(&mut *model);
    let verdicts: Vec<Verdict> = given.iter().map(|one| one.verdict.clone()).collect();
    assert_eq!(verdicts, [Holds, Holds, Holds, Violated]);
    for answer in &given {
        assert_certified(&mut *model, answer);
    }
    let arc = |id: &str, from: &str, to: &str, kind: &str| {
        format!("<arc id='{id}' source='{from}' target='{to}'>{kind}</arc>")
    };
    let inhibitor = "<type value='inhibitor'/>";
    let net = |kind: &str| {
        format!(
            "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>\
             <place id='p'/><place id='q'><initialMarking><text>1</text></initialMarking></place>\
             <transition id='t'/>{}{}{}</page></net></pnml>",
            arc("a", "p", "t", kind),
            arc("b", "q", "t", "<arctype><text>test</text></arctype>"),
            arc("c", "t", "p", ""),
        )
    };
    // It fires once, and then a token is in its way.
    let mut model = open("t.pnml", &net(inhibitor), None, &[]);
    let given = answers(&mut *model);
    assert_eq!(given[0].verdict, Violated);
    assert_certified(&mut *model, &given[0]);
    // It empties its place, and gives one token: always the same one.
    let mut model = open("t.pnml", &net("<type value='reset'/>"), None, &[]);
    let given = answers(&mut *model);
    assert_eq!(given[0].verdict, Holds, "{given:?}");
    assert_certified(&mut *model, &given[0]);
    let ask = quotient_language::Ask {
        properties: vec!["AG p <= 1".to_owned(), "G F p = 1".to_owned()],
        ..quotient_language::Ask::default()
    };
    let mut told = Vec::new();
    let tell = &mut |answer: quotient_language::Answer| told.push(answer);
    model.check(&ask, &Context::default(), tell).unwrap();
    assert!(
        told.len() == 2 && told.iter().all(|one| one.verdict == Holds),
        "{told:?}"
    );
    let input = Input::text(&Source::new("t.pnml", net("<type value='stopwatch'/>")));
    let mut files = MemoryFiles::default();
    let opened = LANGUAGE.open(
        &input,
        &mut files,
        &Settings::default(),
        &Context::default(),
    );
    assert!(opened.is_err_and(|trouble| trouble.to_string().contains("stopwatch")));
}

#[test]
fn what_tina_writes_is_read() {
    let text = "net {two \\} words}\n# a remark\npl {a\\}b} :first (1K)\npl b : {second one} (0)\n\
                tr t :go [0,w[ {a\\}b}*1K -> b*2\ntr idle\nnt n1 1 {what it\\nis}\nlb t {moves}\n\
                check moved : EF (b >= 2)\ncheck none : AG !deadlock\n";
    let mut model = open("a.net", text, None, &[]);
    let given = answers(&mut *model);
    assert_eq!(given[0].verdict, Verdict::Holds, "{given:?}");
    // A transition without arcs can always fire.
    assert_eq!(given[1].verdict, Verdict::Holds, "{given:?}");
}

#[test]
fn arcs_may_stand_with_places_and_what_is_no_test_is_told() {
    let text = "tr t -> \ntr u -> \npl p (2) t -> u*2\npl q u -> \ncheck two : AG (p + q >= 2)\n";
    let mut model = open("a.net", text, None, &[]);
    let given = answers(&mut *model);
    assert_eq!(given[0].verdict, Verdict::Violated);
    let steps = given[0].trace.as_ref().unwrap().steps.len();
    assert_eq!(
        steps, 2,
        "`u` takes two tokens at once and gives one: {given:?}"
    );
    for (line, code) in [
        ("tr t p : a -> q", "odd-arc"),
        ("tr t p?x -> q", "odd-arc"),
        ("tr t p -> q?1", "odd-arc"),
        ("tr t p!1 -> q", "odd-arc"),
        ("tr t p!-2 -> q", "odd-arc"),
        ("tr t [1,3] p -> q", "time"),
        ("tr t p -> q\ntr u q -> p\npr t > t", "priority"),
        ("pl p (1) t -> \ntr u p -> ", "unknown-node"),
        ("pl p one\ntr u p -> ", "bad-marking"),
    ] {
        let input = Input::text(&Source::new("a.net", line));
        let mut files = MemoryFiles::default();
        let opened = LANGUAGE.open(
            &input,
            &mut files,
            &Settings::default(),
            &Context::default(),
        );
        let Err(quotient_core::Trouble::Invalid(wrong)) = opened else {
            panic!("{line} was read");
        };
        assert!(
            wrong.iter().any(|one| one.code == code),
            "{line}: {wrong:?}"
        );
    }
}

#[test]
fn what_is_written_instead_of_a_priority_lets_the_other_wait() {
    for (other, expected) in [
        ("tr u a -> b", Verdict::Violated),
        ("tr u p?-1 a -> b", Verdict::Holds),
    ] {
        let text = format!("pl p (1)\npl a (1)\ntr t p -> q\n{other}\ncheck c : AG (p + b <= 1)\n");
        let mut model = open("a.net", &text, None, &[]);
        assert_eq!(answers(&mut *model)[0].verdict, expected, "{other}");
    }
}

#[test]
fn equivalences_one_in_another_are_refused_before_they_take_all_memory() {
    let fireable = "<is-fireable><transition>go</transition></is-fireable>";
    let nested = |number: usize, within: &str| {
        (0..number).fold(within.to_owned(), |inner, _| {
            format!("<equivalence>{inner}{fireable}</equivalence>")
        })
    };
    let opened = |formula: &str| {
        let text = "pl a (1)\ntr go a -> b\n";
        let formula = format!("<exists-path><finally>{formula}</finally></exists-path>");
        let file = format!(
            "<property-set><property><id>q</id><formula>{formula}</formula></property></property-set>"
        );
        let mut files = MemoryFiles::from([("p.xml", &*file)]);
        let input = Input::text(&Source::new("m.net", text));
        let settings = settings(&[("properties", "p.xml")]);
        LANGUAGE.open(&input, &mut files, &settings, &Context::default())
    };
    let over_time = format!("<exists-path><finally>{fireable}</finally></exists-path>");
    for within in [fireable, &over_time] {
        assert!(opened(&nested(4, within)).is_ok());
        let trouble = opened(&nested(300, within))
            .err()
            .map(|one| one.to_string());
        assert!(trouble.is_some_and(|one| one.contains("equivalences")));
    }
}

/// A sum that does not fit into 64 bits is no reason not to fire: what comes after is not known.
#[test]
fn transfers_that_outgrow_numbers_are_not_dead_ends() {
    let limited = Context {
        budget: Budget::unlimited().child_with_work(3_000_000),
        ..Context::default()
    };
    let deadlock = [("examination", "ReachabilityDeadlock")];
    let doubled = "vars x y\nrules\nx >= 1 -> x' = x + x, y' = y + 1;\ninit x = 1, y = 0\n";
    for (text, more, wrong) in [
        (
            format!("{doubled}target y >= 65\n"),
            &[][..],
            Verdict::Holds,
        ),
        (
            format!("{doubled}target y >= 65\n"),
            &deadlock[..],
            Verdict::Holds,
        ),
    ] {
        let mut model = open("n.spec", &text, None, more);
        let mut found = Vec::new();
        let asked = model.check(&Ask::default(), &limited, &mut |answer| found.push(answer));
        assert!(
            asked.is_err() || found[0].verdict != wrong,
            "{text}{more:?}"
        );
        // A run to the largest number, and the claim that nothing can fire there.
        let run = serde_json::json!({ "fired": vec![0; 63] });
        let property = model.properties().remove(0);
        for kind in ["net-run", "net-markings"] {
            let forged = Evidence::of_holds(kind, &run).about(&property.name);
            let judged = model.certify(&forged, &property, &Budget::unlimited());
            assert!(judged.is_err(), "{kind}");
        }
    }
}

#[test]
fn questions_are_asked_as_they_are_written() {
    // A tab after the word is a space as any other.
    let mut model = open(
        "n.net",
        "pl a (1)\ntr t a -> a\ncheck\tsafe : AG a = 0\n",
        None,
        &[],
    );
    let found = answers(model.as_mut());
    assert_eq!(found[0].property, "safe");
    assert_eq!(found[0].verdict, Verdict::Violated);
    // Numbers that are too large are told, not made smaller.
    let large =
        "pl a (3000000000)\ntr t a -> a\ncheck c : AG a <= 3000000000\nbound b : 3000000000*a\n";
    let input = Input::text(&Source::new("n.net", large));
    let opened = LANGUAGE.open(
        &input,
        &mut MemoryFiles::from([("p.xml", "")]),
        &settings(&[]),
        &Context::default(),
    );
    let told = opened.err().map(|trouble| trouble.to_string());
    let told = told.unwrap_or_default();
    assert!(told.contains("at most 2147483647"), "{told}");
}
