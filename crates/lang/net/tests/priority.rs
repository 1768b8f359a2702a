//! Priorities of transitions in TINA's form, beside a naive search that looks at them by itself.

use std::collections::{BTreeSet, VecDeque};

use quotient_core::{Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb, Viewed};
use quotient_net::LANGUAGE;
use quotient_testkit::language::{Tested, assert_certified, certified};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

const NET: Tested = Tested::new(LANGUAGE, "n.net");

fn try_open(text: &str, pairs: &[(&str, &str)]) -> Result<Box<dyn Model>, String> {
    let input = Input::text(&Source::new("n.net", text));
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let pairs: Vec<_> = pairs.iter().map(own).collect();
    let settings = Settings::new("net", LANGUAGE.about().settings, Verb::Check, &pairs);
    let settings = settings.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let opened = LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default());
    opened.map_err(|trouble| trouble.to_string())
}

fn open(text: &str, pairs: &[(&str, &str)]) -> Box<dyn Model> {
    try_open(text, pairs).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

/// Answers in the order of the questions.
fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut told = Vec::new();
    let outcome = model.check(&Ask::default(), &Context::default(), &mut |one| {
        told.push(one)
    });
    outcome.unwrap_or_else(|trouble| panic!("{trouble}"));
    told.sort_by_key(|one| one.number);
    told
}

fn verdicts(text: &str) -> Vec<Verdict> {
    let mut model = open(text, &[]);
    let told = answers(&mut *model);
    told.iter()
        .for_each(|one| assert_certified(&mut *model, one));
    told.into_iter().map(|one| one.verdict).collect()
}

const PLACES: [&str; 3] = ["a", "b", "c"];

/// A net as data: what each transition takes and gives, needs at most, and which go before it.
struct Random {
    start: [u64; 3],
    takes: Vec<[u64; 3]>,
    gives: Vec<[u64; 3]>,
    below: Vec<Option<(usize, u64)>>,
    pairs: Vec<(usize, usize)>,
}

impl Random {
    fn new(u: &mut Unstructured<'_>) -> Made<Random> {
        let mut small = |most: u64| -> Made<[u64; 3]> {
            let mut all = [0; 3];
            for one in &mut all {
                *one = u.int_in_range(0..=most)?;
            }
            Ok(all)
        };
        let start = small(3)?;
        let (mut takes, mut gives) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            takes.push(small(2)?);
            gives.push(small(2)?);
        }
        let mut below = Vec::new();
        for _ in 0..4 {
            let is_limited = u.ratio(1, 4)?;
            let limit = (u.int_in_range(0..=2)?, u.int_in_range(1..=3)?);
            below.push(is_limited.then_some(limit));
        }
        let mut pairs = Vec::new();
        for first in 0..4 {
            for waits in first + 1..4 {
                if u.ratio(1, 3)? {
                    pairs.push((first, waits));
                }
            }
        }
        Ok(Random {
            start,
            takes,
            gives,
            below,
            pairs,
        })
    }

    fn text(&self, u: &mut Unstructured<'_>) -> Made<String> {
        let mut text = String::new();
        for (place, tokens) in PLACES.iter().zip(self.start) {
            text += &format!("pl {place} ({tokens})\n");
        }
        let side = |weights: [u64; 3]| {
            let arcs = PLACES.iter().zip(weights).filter(|(_, n)| *n > 0);
            let arcs: Vec<String> = arcs.map(|(place, n)| format!("{place}*{n}")).collect();
            arcs.join(" ")
        };
        for one in 0..4 {
            let limit =
                self.below[one].map(|(place, below)| format!(" {}?-{below}", PLACES[place]));
            let limit = limit.unwrap_or_default();
            let (takes, gives) = (side(self.takes[one]), side(self.gives[one]));
            text += &format!("tr t{one} {takes}{limit} -> {gives}\n");
        }
        for (first, waits) in &self.pairs {
            text += &match u.int_in_range(0..=2)? {
                0 => format!("pr t{first} > t{waits}\n"),
                1 => format!("pr t{waits} < t{first}\n"),
                _ => format!("pr t{first}>{{t{waits}}}\n"),
            };
        }
        Ok(text)
    }

    fn is_enabled(&self, one: usize, marking: [u64; 3]) -> bool {
        let limit = self.below[one].is_none_or(|(place, below)| marking[place] < below);
        limit && (0..3).all(|place| marking[place] >= self.takes[one][place])
    }

    /// Whether something that can fire goes before a transition, or goes before something that goes before it.
    fn waits(&self, one: usize, marking: [u64; 3]) -> bool {
        let before = self.pairs.iter().filter(|pair| pair.1 == one);
        let mut before = before.map(|pair| pair.0);
        before.any(|first| self.is_enabled(first, marking) || self.waits(first, marking))
    }

    /// All markings with the transitions that fire there, or nothing if there are many.
    fn naive(&self, most: usize) -> Option<Vec<([u64; 3], Vec<usize>)>> {
        let mut seen = BTreeSet::from([self.start]);
        let mut queue = VecDeque::from([self.start]);
        let mut all = Vec::new();
        while let Some(marking) = queue.pop_front() {
            let fires = |&one: &usize| self.is_enabled(one, marking) && !self.waits(one, marking);
            let fires: Vec<usize> = (0..4).filter(fires).collect();
            for &one in &fires {
                let (takes, gives) = (self.takes[one], self.gives[one]);
                let next = [0, 1, 2].map(|place| marking[place] - takes[place] + gives[place]);
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
            all.push((marking, fires));
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }
}

#[test]
fn answers_about_random_nets_are_those_of_a_naive_search() {
    let (mut compared, mut differing) = (0, 0);
    quotient_trial::trial(|u| {
        let net = Random::new(u)?;
        let Some(all) = net.naive(200) else {
            return Ok(());
        };
        let plain = Random {
            pairs: Vec::new(),
            ..net
        };
        let plainly = plain.naive(200).map(|all| all.len());
        let net = Random {
            pairs: net.pairs.clone(),
            ..plain
        };
        let number = u.int_in_range(0..=5)?;
        let mut text = net.text(u)?;
        text += "check stuck : EF deadlock\n";
        text += &format!("check few : AG (a + c <= {number})\nbound most : a + c\n");
        for one in 0..4 {
            text += &format!("check can{one} : EF can(t{one})\n");
            text += &format!("check live{one} : AG EF can(t{one})\n");
        }
        let sum = |marking: &[u64; 3]| marking[0] + marking[2];
        let mut expected = vec![
            all.iter().any(|(_, fires)| fires.is_empty()),
            all.iter().all(|(marking, _)| sum(marking) <= number),
        ];
        expected.extend((0..4).map(|one| all.iter().any(|(_, fires)| fires.contains(&one))));
        let mut model = open(&text, &[]);
        let told = answers(&mut *model);
        let named = |name: String| told.iter().find(|one| one.property == name).unwrap();
        let names = ["stuck".to_owned(), "few".to_owned()].into_iter();
        for (name, expected) in names
            .chain((0..4).map(|one| format!("can{one}")))
            .zip(expected)
        {
            let holds = named(name.clone()).verdict == Verdict::Holds;
            assert!(named(name.clone()).verdict.is_definite());
            assert_eq!(holds, expected, "{name}\n{text}");
        }
        let most = named("most".to_owned()).value.as_ref().unwrap();
        let expected = all.iter().map(|(marking, _)| sum(marking)).max();
        assert_eq!(most.exact, expected.map(|most| most.to_string()), "{text}");
        for answer in told.iter().filter(|one| one.evidence.is_some()) {
            assert_certified(&mut *model, answer);
        }
        let examinations = [
            ("examination", "StateSpace"),
            ("examination", "QuasiLiveness"),
        ];
        let told = answers(&mut *open(&text, &examinations[..1]));
        let counted = |name: &str| {
            let found = told[0].details.iter().find(|one| one.0 == name);
            found.and_then(|one| one.1.as_u64())
        };
        let steps: usize = all.iter().map(|(_, fires)| fires.len()).sum();
        assert_eq!(counted("markings"), Some(all.len() as u64), "{text}");
        assert_eq!(counted("steps"), Some(steps as u64), "{text}");
        let told = answers(&mut *open(&text, &examinations[1..]));
        let fires = |one| all.iter().any(|(_, fires)| fires.contains(&one));
        assert_eq!(
            told[0].verdict == Verdict::Holds,
            (0..4).all(fires),
            "{text}"
        );
        compared += 1;
        differing += usize::from(plainly != Some(all.len()));
        Ok(())
    })
    .size_min(256)
    .cases(120);
    assert!(compared > 20 && differing > 5, "{compared}, {differing}");
}

const LOCK: &str = "pl urgent (1)\npl idle (1)\npl free (1)\ntr first urgent free -> done\n\
                    tr other idle free -> busy\ntr leave done -> free\n";

#[test]
fn what_waits_does_not_fire_while_what_goes_before_it_can() {
    let check = "check early : EF (busy = 1 & urgent = 1)\n";
    assert_eq!(verdicts(&format!("{LOCK}{check}")), [Verdict::Holds]);
    let waits = format!("{LOCK}pr first > other\n{check}");
    assert_eq!(verdicts(&waits), [Verdict::Violated]);
    // A run of the net without priorities is none of the one with them, nor is a proof of this one for that.
    let evidence = |text: &str| answers(&mut *open(text, &[])).remove(0);
    let (free, bound) = (evidence(&format!("{LOCK}{check}")), evidence(&waits));
    assert!(certified(&mut *open(&waits, &[]), &free).is_err());
    assert!(certified(&mut *open(&format!("{LOCK}{check}"), &[]), &bound).is_err());
}

#[test]
fn parts_of_a_transition_are_one_for_people() {
    // Either of two tokens may be missing.
    let text = "pl p (1)\npl q (1)\npl r (1)\ntr a p q -> p\ntr b r -> s\ntr c p -> s\npr a > b\n\
                check fires : EF can(b)\ncheck stays : AG (s = 0 -> !can(b) | q = 0)\n";
    assert_eq!(verdicts(text), [Verdict::Holds, Verdict::Holds]);
    let mut model = open(text, &[]);
    let view = Viewed {
        part: None,
        picture: true,
    };
    let shown = model.show(&view, &Context::default()).unwrap();
    assert_eq!(
        shown.result["transitions"],
        serde_json::json!(["a", "b", "c"])
    );
    let cx = Context::default();
    let mut walk = model.simulate(&cx).unwrap();
    let choices = walk.choices(&cx).unwrap();
    let names: Vec<&str> = choices.iter().map(|one| one.action.as_str()).collect();
    assert_eq!(names, ["a", "c"]);
    walk.take(0, &cx).unwrap();
    let choices = walk.choices(&cx).unwrap();
    let names: Vec<&str> = choices.iter().map(|one| one.action.as_str()).collect();
    assert_eq!(names, ["b", "c"]);
    assert!(try_open(text, &[("weakly-fair", "true")]).is_ok());
}

#[test]
fn what_never_fires_is_a_doubt_and_can_be_asked_for() {
    let text =
        "pl p (1)\npl q (1)\ntr a p -> p\ntr b p q -> r\npr a > b\ncheck fires : EF can(b)\n";
    assert_eq!(verdicts(text), [Verdict::Violated]);
    let doubts = open(text, &[]).doubts(&Context::default()).unwrap();
    let said = doubts
        .iter()
        .any(|one| one.text.contains("`b` never fires"));
    assert!(said, "{doubts:?}");
    // `b` touches `r`.
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert_eq!(
        answers(&mut *open(text, &[("examination", "QuasiLiveness")]))[0].verdict,
        Verdict::Violated
    );
}

#[test]
fn mistakes_of_priorities_are_told_with_their_places() {
    let told = |text: &str| {
        NET.mistakes(&format!("tr a p -> q\ntr b q -> p\n{text}"))
            .join("\n")
    };
    for text in ["pr a b\n", "pr a >\n", "pr a > b > a\n", "pr\n"] {
        assert!(
            told(text).contains("which transitions go before which"),
            "{text}"
        );
    }
    assert!(told("pr a > c\n").contains("no transition `c`"));
    assert!(told("pr a > b\npr b > a\n").contains("goes before itself"));
    assert!(told("pr a > a\n").contains("goes before itself"));
    let mut many = "tr last p -> p\n".to_owned();
    for one in 0..12 {
        many += &format!("tr u{one} x{one} y{one} -> x{one}\npr u{one} > last\n");
    }
    assert!(told(&many).contains("too many ways"));
}
