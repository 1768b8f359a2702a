use quotient_core::{Context, Source, Verdict};
use quotient_logic::{Binary, Unary};
use quotient_testkit::Random;

use super::{holds_on, watch};
use crate::evaluate::State;
use crate::program::{NodeId, Program, Saying, Specification, Value};
use crate::syntax::{Psl, Sequence, SpecificationKind};
use crate::{Config, File, Session};

/// A random sequence as text.
fn sequence(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return ["a", "b", "!a", "a & b", "TRUE", "a xor b"][random.below(6)].to_owned();
    }
    let inner = |random: &mut Random| sequence(random, depth - 1);
    match random.below(9) {
        0 | 1 => format!("{{{}}} ; {{{}}}", inner(random), inner(random)),
        2 => format!("{{{}}} : {{{}}}", inner(random), inner(random)),
        3 => format!("{{{}}} | {{{}}}", inner(random), inner(random)),
        4 => format!("{{{}}} && {{{}}}", inner(random), inner(random)),
        5 => format!("{{{}}} & {{{}}}", inner(random), inner(random)),
        6 => {
            let count = ["[*]", "[+]", "[*2]", "[*0:1]", "[*1:inf]"][random.below(5)];
            format!("{{{}}}{count}", inner(random))
        }
        7 => ["a[->]", "b[=1]", "a[->1:2]"][random.below(3)].to_owned(),
        _ => inner(random),
    }
}

/// A random property with sequences as text.
fn property(random: &mut Random, depth: u32) -> String {
    let one = |random: &mut Random| format!("{{{}}}", sequence(random, 1));
    if depth == 0 {
        return match random.below(5) {
            0 => "a".to_owned(),
            1 => "!b".to_owned(),
            2 => one(random),
            3 => format!("{}!", one(random)),
            _ => format!("{} |-> {}", one(random), one(random)),
        };
    }
    let inner = |random: &mut Random| format!("({})", property(random, depth - 1));
    match random.below(12) {
        0 => format!("always {}", inner(random)),
        1 => format!("never {}", one(random)),
        2 => format!("eventually! {}", one(random)),
        3 => format!("{} |-> {}", one(random), inner(random)),
        4 => format!("{} |=> {}", one(random), inner(random)),
        5 => format!("{} until {}", inner(random), inner(random)),
        6 => format!("{} until!_ {}", inner(random), inner(random)),
        7 => format!("!{}", inner(random)),
        8 => format!("{} & next {}", inner(random), inner(random)),
        9 => format!("{} before! {}", inner(random), inner(random)),
        10 => format!("{} <-> {}", inner(random), inner(random)),
        _ => format!("next_e[1:2]{}", inner(random)),
    }
}

/// The plain definitions, on the first states of the endless run.
struct Naive<'a> {
    program: &'a Program,
    word: Vec<State>,
}

impl Naive<'_> {
    fn letter(&self, node: NodeId, at: usize, free_from: usize) -> bool {
        at >= free_from || self.program.is_true(node, &self.word[at], None)
    }

    /// Whether the states from `i` up to but without `j` match, where from `free_from` on every
    /// state fulfils every condition.
    fn matches(&self, sequence: &Sequence<NodeId>, i: usize, j: usize, free_from: usize) -> bool {
        let go = |one: &Sequence<NodeId>, i, j| self.matches(one, i, j, free_from);
        match sequence {
            Sequence::Any => j == i + 1,
            Sequence::Boolean(node) => j == i + 1 && self.letter(*node, i, free_from),
            Sequence::Then(l, r) => (i..=j).any(|k| go(l, i, k) && go(r, k, j)),
            Sequence::Overlap(l, r) => (i + 1..=j).any(|k| go(l, i, k) && go(r, k - 1, j)),
            Sequence::Either(l, r) => go(l, i, j) || go(r, i, j),
            Sequence::Both(l, r) => go(l, i, j) && go(r, i, j),
            Sequence::Repeat(one, from, to) => match (*from, *to) {
                (0, Some(0)) => i == j,
                (0, _) if i == j => true,
                (from, to) => {
                    let less =
                        Sequence::Repeat(one.clone(), from.saturating_sub(1), to.map(|to| to - 1));
                    // Progress, or the empty match as often as is needed.
                    let first = match go(one, i, i) {
                        true if from > 0 => go(&less, i, j),
                        _ => false,
                    };
                    first || (i + 1..=j).any(|k| go(one, i, k) && go(&less, k, j))
                }
            },
        }
    }

    /// Whether a property holds at a place, looking no further than the end of the word: for what
    /// the tests ask, that is far enough.
    fn strong(&self, sequence: &Sequence<NodeId>, at: usize, free_from: usize) -> bool {
        (at + 1..=self.word.len()).any(|j| self.matches(sequence, at, j, free_from))
    }
}

/// Programs over two bits, as text.
fn model(random: &mut Random) -> String {
    let step = [
        "TRUE",
        "next(a) != a",
        "a -> next(b)",
        "next(a) = b",
        "next(a) | next(b)",
        "a xor b xor next(a)",
    ];
    let fair = ["", "FAIRNESS a", "FAIRNESS a & !b", "FAIRNESS b"];
    let init = ["TRUE", "a", "!a & !b", "a xor b"];
    format!(
        "MODULE main VAR a : boolean; b : boolean; INIT {} TRANS {} TRANS {} {}\n",
        init[random.below(4)],
        step[random.below(6)],
        step[random.below(6)],
        fair[random.below(4)],
    )
}

fn all_states() -> Vec<State> {
    let bits = [false, true];
    let pairs = bits.iter().flat_map(|&a| bits.map(|b| (a, b)));
    pairs
        .map(|(a, b)| State(vec![Value::Boolean(a), Value::Boolean(b)]))
        .collect()
}

/// Calls for every fair lasso of a program with at most so many states.
fn lassos(program: &Program, most: usize, mut see: impl FnMut(&[State], usize)) {
    let states = all_states();
    let mut open: Vec<Vec<State>> = states
        .iter()
        .filter(|state| program.is_initial(state))
        .map(|state| vec![state.clone()])
        .collect();
    while let Some(path) = open.pop() {
        let last = &path[path.len() - 1];
        for (back, state) in path.iter().enumerate() {
            let fair = (program.justice().iter()).all(|&condition| {
                path[back..]
                    .iter()
                    .any(|state| program.is_true(condition, state, None))
            });
            if fair && program.is_step(last, state) {
                see(&path, back);
            }
        }
        if path.len() < most {
            for state in states.iter().filter(|state| program.is_step(last, state)) {
                let mut longer = path.clone();
                longer.push(state.clone());
                open.push(longer);
            }
        }
    }
}

fn read(text: &str) -> File {
    let file = File::read(&Source::new("m", text));
    file.unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn psl_of(file: &File) -> Option<Psl<NodeId>> {
    match &file.program().specials().first()?.says {
        Saying::Property(property) => Some(property.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn automata_match_what_the_definitions_say() {
    for seed in 0..300 {
        let random = &mut Random(seed);
        let text = format!(
            "MODULE main VAR a : boolean; b : boolean; PSLSPEC {{{}}};",
            sequence(random, 2)
        );
        let file = read(&text);
        let Some(Psl::Matches { sequence, .. }) = psl_of(&file) else {
            panic!("{text}");
        };
        let states = all_states();
        let stem: Vec<State> = (0..3).map(|_| states[random.below(4)].clone()).collect();
        let back = random.below(3);
        // Far enough for these sequences: the loop several times.
        let mut word = stem.clone();
        while word.len() < 11 {
            word.push(word[word.len() - (3 - back)].clone());
        }
        let naive = Naive {
            program: file.program(),
            word,
        };
        let end = naive.word.len();
        let strong = Psl::Matches {
            strong: true,
            sequence: sequence.clone(),
        };
        let holds = |property: &Psl<NodeId>| holds_on(file.program(), property, &stem, back);
        assert_eq!(
            holds(&strong),
            Some(naive.strong(&sequence, 0, end)),
            "{text} {stem:?} {back}"
        );
        let weak = Psl::Matches {
            strong: false,
            sequence: sequence.clone(),
        };
        // Every prefix can be continued, if states may fulfil everything from there on.
        let not_ruled_out = (0..6).all(|cut| naive.strong(&sequence, 0, cut + 1));
        assert_eq!(holds(&weak), Some(not_ruled_out), "{text} {stem:?} {back}");
        let after = Psl::After(
            sequence.clone(),
            Box::new(Psl::Binary(
                Binary::And,
                Box::new(Psl::Boolean(atom(&file))),
                Box::new(Psl::Unary(Unary::Next, Box::new(Psl::Boolean(atom(&file))))),
            )),
        );
        let good = |at: usize| {
            let next = &naive.word[if at + 1 < end {
                at + 1
            } else {
                at - (2 - back)
            }];
            let node = atom(&file);
            file.program().is_true(node, &naive.word[at], None)
                && file.program().is_true(node, next, None)
        };
        let all = (1..=end).all(|j| !naive.matches(&sequence, 0, j, end) || good(j - 1));
        assert_eq!(holds(&after), Some(all), "{text} {stem:?} {back}");
    }
}

/// The expression `a`, whatever else there is.
fn atom(file: &File) -> NodeId {
    let mut file = file.clone();
    let asked = file.formula(&Source::new("f", "a"), Some(SpecificationKind::Invariant));
    match asked.unwrap().formula.kind {
        quotient_logic::Kind::Atom(node) => node,
        other => panic!("{other:?}"),
    }
}

#[test]
fn verdicts_agree_with_the_lassos_of_small_models() {
    for seed in 0..150 {
        let random = &mut Random(seed);
        let text = format!("{}PSLSPEC {};", model(random), property(random, 1));
        let file = read(&text);
        let Some(psl) = psl_of(&file) else {
            continue;
        };
        let watched = watch(file.program(), &psl).unwrap();
        let mut extended = file.with_program(watched.program);
        extended.add_specification(Specification {
            kind: SpecificationKind::Ltl,
            is_psl: true,
            name: None,
            formula: watched.formula,
            text: String::new(),
            span: quotient_core::Span::default(),
        });
        let mut session = Session::open(extended, Config::small(), &Context::default()).unwrap();
        let answer = session.check(0).unwrap();
        let mut violated = false;
        lassos(file.program(), 4, |states, back| {
            violated |= holds_on(file.program(), &psl, states, back) == Some(false);
        });
        match answer.verdict {
            Verdict::Violated => {
                let run = answer.run.unwrap();
                let states: Vec<State> = run
                    .states
                    .iter()
                    .map(|state| State(state.0[..2].to_vec()))
                    .collect();
                let back = run.back_to.unwrap();
                let holds = holds_on(file.program(), &psl, &states, back);
                assert_eq!(holds, Some(false), "{text} {states:?} {back}");
            }
            Verdict::Holds => assert!(!violated, "{text}"),
            Verdict::Unknown(stop) => panic!("{text}: {stop}"),
        }
    }
}

/// `always` is violated by one match: whatever the sequence is, one guess goes its way.
#[test]
fn what_one_moment_violates_needs_one_guess() {
    let added = |property: &str| {
        let text = format!("MODULE main VAR a : boolean; b : boolean; PSLSPEC {property};");
        let file = read(&text);
        let watched = watch(file.program(), &psl_of(&file).unwrap()).unwrap();
        watched.program.variables().len() - 2
    };
    let forty = vec!["a"; 40].join("; ");
    // A promise, and six bits for the thirty-nine places between the parts.
    assert_eq!(added(&format!("always {{{forty}}} |-> b")), 7);
    assert_eq!(added(&format!("never {{{forty}}}")), 7);
    // What stands for `next b` is a promise, too.
    assert_eq!(added(&format!("a -> ({{{forty}}} |-> next b)")), 8);
    // Here every moment asks again.
    assert_eq!(added(&format!("always {{{forty}}}!")), 40);
    assert_eq!(added(&format!("eventually! (never {{{forty}}})")), 79);
}

#[test]
fn long_sequences_are_answered() {
    let model = "MODULE main VAR a : boolean; b : boolean; n : 0..7; c : boolean; \
                 ASSIGN init(n) := 0; next(n) := (n + 1) mod 8; next(c) := a; PSLSPEC ";
    let long = "{a; {b | c; n = 2}; a[*2:4]; b[->2]; c[=1]; a; b; c; a; b; c; a}";
    for (then, holds) in [("X c", true), ("X b", false)] {
        let file = read(&format!("{model} always {long} |-> {then};"));
        let watched = watch(file.program(), &psl_of(&file).unwrap()).unwrap();
        let mut extended = file.with_program(watched.program);
        extended.add_specification(Specification {
            kind: SpecificationKind::Ltl,
            is_psl: true,
            name: None,
            formula: watched.formula,
            text: String::new(),
            span: quotient_core::Span::default(),
        });
        let mut session = Session::open(extended, Config::small(), &Context::default()).unwrap();
        let verdict = session.check(0).unwrap().verdict;
        assert_eq!(verdict == Verdict::Holds, holds, "{then}: {verdict:?}");
    }
}
