//! Comparisons of sums of counts in any spelling: what they say is what the numbers say, and what
//! engines say of them is what small instances say.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;

#[allow(dead_code, reason = "other tests use the rest")]
mod random;

use random::Random;

fn opened(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    }
}

fn answers(text: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut model = opened(text, &Settings::default());
    let checked = model.check(&Ask::default(), &Context::default(), &mut |answer| {
        answers.push(answer)
    });
    checked.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    answers
}

fn instance(text: &str, processes: usize) -> Vec<Answer> {
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let inspected = opened(text, &settings).instance(&Context::default());
    let inspected = inspected.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"));
    inspected.answers
}

/// What is counted, and which of the four kinds of processes it counts: those with `x` and `y`,
/// with `x` only, with `y` only, with neither.
const BODIES: &[(&str, [i64; 4])] = &[
    ("p.x", [1, 1, 0, 0]),
    ("p.y", [1, 0, 1, 0]),
    ("not p.x", [0, 0, 1, 1]),
    ("p.x and not p.y", [0, 1, 0, 0]),
    ("p.y and not p.x", [0, 0, 1, 0]),
    ("p.x or p.y", [1, 1, 1, 0]),
    ("true", [1, 1, 1, 1]),
];

/// A sum as text, and as factors of the four kinds, of the parameter, and a number; all of it is to
/// be divided by the last.
type Sum = (String, [i64; 7]);

fn sum(random: &mut Random) -> Sum {
    let (mut texts, mut value) = (Vec::new(), [0, 0, 0, 0, 0, 0, 1]);
    for _ in 0..1 + random.below(3) {
        let factor = random.below(3) as i64 + 1;
        let (text, kinds) = match random.below(6) {
            0 => ("n", [1, 1, 1, 1, 0, 0]),
            1 => ("t", [0, 0, 0, 0, 1, 0]),
            2 => ("1", [0, 0, 0, 0, 0, 1]),
            _ => {
                let (text, [one, two, three, four]) = BODIES[random.below(BODIES.len())];
                (text, [one, two, three, four, 0, 0])
            }
        };
        let text = match text {
            "n" | "t" | "1" => text.to_owned(),
            body => format!("count(p: {body})"),
        };
        let text = match (factor, random.below(2)) {
            (1, _) => text,
            (_, 0) => format!("{factor} * {text}"),
            _ => format!("{text} * {factor}"),
        };
        let minus = random.below(4) == 0;
        let sign = if minus { -1 } else { 1 };
        let joined = match (texts.is_empty(), minus) {
            (true, false) => text,
            (true, true) => format!("0 - {text}"),
            (false, true) => format!("- {text}"),
            (false, false) => format!("+ {text}"),
        };
        texts.push(joined);
        for (known, more) in value.iter_mut().zip(kinds) {
            *known += sign * factor * more;
        }
    }
    let text = texts.join(" ");
    match random.below(4) {
        0 => {
            value[6] = 2;
            (format!("({text}) / 2"), value)
        }
        _ => (text, value),
    }
}

/// A comparison as text, and whether it is true of so many of each kind and a parameter.
fn comparison(random: &mut Random) -> (String, impl Fn([i64; 4], i64) -> bool + use<>) {
    let (left, right) = (sum(random), sum(random));
    let sign = random.pick(&["=", "!=", "<", "<=", ">", ">="]);
    let text = format!("{} {sign} {}", left.0, right.0);
    let value = |sum: &[i64; 7], kinds: [i64; 4], parameter: i64| -> i64 {
        let kinds = kinds.iter().zip(sum).map(|(many, factor)| many * factor);
        kinds.sum::<i64>() + parameter * sum[4] + sum[5]
    };
    let holds = move |kinds: [i64; 4], parameter: i64| {
        let one = value(&left.1, kinds, parameter) * right.1[6];
        let two = value(&right.1, kinds, parameter) * left.1[6];
        match sign {
            "=" => one == two,
            "!=" => one != two,
            "<" => one < two,
            "<=" => one <= two,
            ">" => one > two,
            _ => one >= two,
        }
    };
    (text, holds)
}

#[test]
fn comparisons_say_what_the_numbers_say() {
    let mut random = Random::new(4);
    let mut compared = (0, 0);
    for _ in 0..6 {
        let mut all = Vec::new();
        while all.len() < 20 {
            let (text, holds) = comparison(&mut random);
            // Where nothing is counted, `n` is not said.
            if text.contains("count") {
                all.push((text, holds));
            }
        }
        let properties = all.iter().enumerate();
        let properties =
            properties.map(|(at, (text, _))| format!("property p{at}: always {text}\n"));
        let properties: String = properties.collect();
        for size in 1..=3i64 {
            for both in 0..=size {
                for one in 0..=size - both {
                    for two in 0..=size - both - one {
                        let kinds = [both, one, two, size - both - one - two];
                        let t = random.below(size as usize + 1) as i64;
                        let text = format!(
                            "topology set
                             parameter t
                             assume t = {t}
                             process {{ x : bool = any  y : bool = any }}
                             initially count(p: p.x and p.y) = {both}
                             initially count(p: p.x and not p.y) = {one}
                             initially count(p: p.y and not p.x) = {two}
                             step s: when false then skip
                             {properties}"
                        );
                        for (answer, (spelled, holds)) in
                            instance(&text, size as usize).iter().zip(&all)
                        {
                            let expected = holds(kinds, t);
                            let found = answer.verdict == Verdict::Holds;
                            assert_eq!(found, expected, "{spelled} with {kinds:?}, t = {t}");
                            *(if found {
                                &mut compared.0
                            } else {
                                &mut compared.1
                            }) += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(compared.0 > 500 && compared.1 > 500, "{compared:?}");
}

fn election(condition: &str) -> String {
    format!(
        "topology set
         process {{ location follower, candidate, leader  vote : process or none = none }}
         define votes(c) = count(p: p.vote = c)
         step stand: when at = follower and vote = none then at := candidate, vote := self
         step cast with c: when vote = none and c.at = candidate then vote := c
         step win: when at = candidate and {condition} then at := leader
         property one_leader: never exists p, q: p.at = leader and q.at = leader"
    )
}

#[test]
fn majorities_are_seen_in_any_spelling() {
    for (condition, verdict) in [
        ("2 * count(p: p.vote = self) > n", Verdict::Holds),
        ("n < count(p: p.vote = self) * 2", Verdict::Holds),
        (
            "count(p: p.vote = self) > count(p: not p.vote = self)",
            Verdict::Holds,
        ),
        ("n - count(p: p.vote = self) < n / 2", Verdict::Holds),
        ("votes(self) + votes(self) > n", Verdict::Holds),
        ("votes(self) - n / 2 > 0", Verdict::Holds),
        ("2 * count(p: p.vote = self) >= n", Verdict::Violated),
        (
            "count(p: p.vote = self) >= count(p: not p.vote = self)",
            Verdict::Violated,
        ),
        ("n - votes(self) <= n / 2", Verdict::Violated),
    ] {
        let text = election(condition);
        let answer = answers(&text).remove(0);
        assert_eq!(answer.verdict, verdict, "{condition}");
        let evidence = answer.evidence.expect("a definite answer has evidence");
        let mut model = opened(&text, &Settings::default());
        let property = model.properties().remove(0);
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        assert!(certified.is_ok(), "{condition}: {:?}", certified.err());
    }
}

/// Evidence for a text, accepted for it and not for another one.
fn assert_violated_with_evidence(text: &str, number: usize, good: &str) {
    let answer = answers(text).remove(number);
    assert_eq!(answer.verdict, Verdict::Violated, "{text}");
    let evidence = answer.evidence.expect("a definite answer has evidence");
    for (text, accepted) in [(text, true), (good, false)] {
        let mut model = opened(text, &Settings::default());
        let property = model.properties().remove(number);
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        assert_eq!(certified.is_ok(), accepted, "{:?}\n{text}", certified.err());
    }
}

#[test]
fn what_fits_no_engine_is_searched_in_small_instances() {
    let text = |bound: &str| {
        format!(
            "topology set
             process {{ x : bool = false  y : bool = false }}
             step one: when not x then x := true
             step two: when not y and x then y := true
             property sum: always count(p: p.x) + count(p: p.y) <= {bound}"
        )
    };
    // Where the property alone does not fit, arrays are there for the rest.
    assert_violated_with_evidence(&text("n + 1"), 0, &text("2 * n"));
    let answer = answers(&text("2 * n")).remove(0);
    assert!(matches!(answer.verdict, Verdict::Unknown(_)));
    assert!(
        answer.notes.concat().contains("no violation"),
        "{:?}",
        answer.notes
    );
    let queue = |bound: &str| {
        format!(
            "queue c : {{ u }}
             process {{ at_end : bool = false }}
             step go: when not at_end and count(p: p.at_end) + 1 {bound} n then at_end := true, send c(u)
             property few: never forall p: p.at_end"
        )
    };
    assert_violated_with_evidence(&queue("<="), 0, &queue("<"));
    assert_eq!(instance(&queue("<"), 3)[0].verdict, Verdict::Holds);
}

#[test]
fn faults_with_a_bound_fit_into_words_queues_and_progress() {
    let verdicts = |text: &str| -> Vec<Verdict> {
        answers(text)
            .into_iter()
            .map(|answer| answer.verdict)
            .collect()
    };
    // One crash at the most: of two processes one arrives.
    let progress = |most: &str| {
        format!(
            "topology line
             process may crash {most} {{ location a, b }}
             step go: when at = a then at := b
             property each: for each p: p.at = a leads to p.at = b or p.crashed
             property some: eventually (exists p: p.at = b) or count(p: not p.crashed) = 0
             property two: eventually count(p: p.at = b or not p.crashed) >= n - 1"
        )
    };
    let counted = progress("at most 1").replace("n - 1", "1 - 1");
    assert_eq!(verdicts(&counted)[..2], [Verdict::Holds, Verdict::Holds]);
    let arrives = |most: &str| {
        format!(
            "assume n >= 2
             process may crash {most} {{ location a, b }}
             step go: when at = a then at := b
             property some: eventually exists p: p.at = b"
        )
    };
    assert_eq!(verdicts(&arrives("at most 1")), [Verdict::Holds]);
    assert_eq!(verdicts(&arrives("at most 2")), [Verdict::Violated]);
    let queue = |most: &str| {
        format!(
            "queue c : {{ u }}
             process may crash {most} {{ location a, b }}
             step go: when at = a and not exists other p: p.crashed then at := b, send c(u)
             property few: never exists p, q: p.crashed and q.crashed"
        )
    };
    assert_eq!(verdicts(&queue("at most 1")), [Verdict::Holds]);
    assert_eq!(verdicts(&queue("at most 2")), [Verdict::Violated]);
}

#[test]
fn whoever_is_stuck_by_what_is_assumed_is_seen() {
    let text = |most: &str| {
        format!(
            "topology set
             assume count(p: p.at = c) <= {most}
             process {{ location a, b, c }}
             step s: when at = a then at := b
             step t: when at = b then at := c
             step u: when at = c then at := a
             property dead: no deadlock"
        )
    };
    assert_violated_with_evidence(&text("0"), 0, &text("1"));
    assert_eq!(answers(&text("1"))[0].verdict, Verdict::Holds);
    let with_parameter = text("t").replace("assume", "parameter t\nassume t < 1\nassume");
    assert_violated_with_evidence(&with_parameter, 0, &text("1"));
}

#[test]
fn what_counts_everybody_is_their_number() {
    let text = "topology set
        process { location a, b, c  next : process or none = none }
        step s with q: when at = a then at := b, next := q
        step t: when at = b and next.at = b then at := c
        property all: never count(p: p.at in { a, b, c }) < n
        property each: never count(p: p.at = a) + count(p: p.at = b) + count(p: p.at = c) != n
        property double: always 2 * count(p: true) = n + n
        property nobody: never count(p: p.at = a and p.at = b) > n - n
        property wrong: never count(p: p.at = a or p.at != a) >= n";
    let verdicts: Vec<Verdict> = answers(text).into_iter().map(|one| one.verdict).collect();
    for (at, verdict) in verdicts.iter().enumerate() {
        let expected = if at < 4 {
            Verdict::Holds
        } else {
            Verdict::Violated
        };
        assert_eq!(*verdict, expected, "{at}");
    }
}
