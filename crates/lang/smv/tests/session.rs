//! The engine's answers about SMV models, against looking at every state.

mod random;

use std::collections::VecDeque;

use proptest::prelude::*;
use quotient_core::{Budget, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_smv::{Config, Explored, File, NodeId, Program, Session};
use random::Random;

fn open(text: &str) -> Option<Session> {
    let file = File::read(&Source::new("m.smv", text)).unwrap_or_else(|errors| {
        panic!("{text}\n{}", errors[0]);
    });
    match Session::open(file, Config::small(), &Context::default()) {
        Ok(session) => Some(session),
        // Random models may divide by zero or leave a domain.
        Err(Trouble::Invalid(_)) => None,
        Err(Trouble::Stopped(stop)) => panic!("{stop}"),
    }
}

/// The states where a Boolean expression holds.
fn states_of(program: &Program, explored: &Explored, condition: NodeId) -> Vec<bool> {
    let states = explored.states.iter();
    states
        .map(|state| program.is_true(condition, state, None))
        .collect()
}

/// Steps from the initial states to the nearest marked state.
fn distance(explored: &Explored, marked: &[bool]) -> Option<usize> {
    let mut distances = vec![None; explored.states.len()];
    let mut queue: VecDeque<usize> = explored.initial.iter().copied().collect();
    explored
        .initial
        .iter()
        .for_each(|&state| distances[state] = Some(0));
    while let Some(state) = queue.pop_front() {
        if marked[state] {
            return distances[state];
        }
        for &next in &explored.successors[state] {
            if distances[next].is_none() {
                distances[next] = distances[state].map(|steps: usize| steps + 1);
                queue.push_back(next);
            }
        }
    }
    None
}

/// Removes marks from states without a marked successor until nothing changes.
fn forever(explored: &Explored, mut marked: Vec<bool>) -> Vec<bool> {
    loop {
        let goes_on = |state: usize| explored.successors[state].iter().any(|&next| marked[next]);
        let kept: Vec<bool> = (0..marked.len())
            .map(|state| marked[state] && goes_on(state))
            .collect();
        if kept == marked {
            return marked;
        }
        marked = kept;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn reachable_states_and_invariants_agree_with_enumeration(seed in any::<u64>()) {
        let mut random = Random(seed);
        let text = random::model_with_condition(&mut random, 24);
        // `d1` is a random condition.
        let text = format!("{text} INVARSPEC d1; SPEC AG d1; SPEC EF !d1; SPEC EG d1; LTLSPEC G d1; LTLSPEC F !d1; SPEC AF !d1; INVARSPEC d1 -> next(d1)");
        let Some(mut session) = open(&text) else { return Ok(()) };
        let program = session.file().program().clone();
        let explored = program.explore(1000, &Budget::unlimited()).unwrap();
        let reachable = session.checker().reachable().unwrap();
        prop_assert_eq!(reachable.exactly, explored.states.len().to_string(), "{}", text);

        let condition = program.defines().iter().find(|(name, _)| name == "d1").unwrap().1;
        let holds = states_of(&program, &explored, condition);
        let fails: Vec<bool> = holds.iter().map(|holds| !holds).collect();
        let nearest = distance(&explored, &fails);
        let answer = session.check(0).unwrap();
        prop_assert_eq!(answer.verdict == Verdict::Holds, nearest.is_none(), "{}", text);
        if let Some(run) = answer.run {
            prop_assert_eq!(run.replay(&program), Ok(()), "{}", text);
            prop_assert_eq!(Some(run.states.len() - 1), nearest, "{}", text);
            let last = run.states.last().unwrap();
            prop_assert!(!program.is_true(condition, last, None), "{}", text);
        }

        // Formulas are about infinite paths: states that only lead to deadlocks do not count.
        let endless = forever(&explored, vec![true; holds.len()]);
        let good: Vec<bool> = holds.iter().zip(&endless).map(|(&a, &b)| a && b).collect();
        let always_good = forever(&explored, good);
        let starts = || explored.initial.iter().filter(|&&state| endless[state]);
        let some_path = starts().all(|&state| always_good[state]);
        let verdict = session.check(3).unwrap().verdict;
        prop_assert_eq!(verdict == Verdict::Holds, some_path, "EG {}", text);
        // Whatever a state with an infinite path is reached from has one too.
        let always = (0..holds.len()).all(|state| holds[state] || !endless[state]);
        for number in [1, 4] {
            let verdict = session.check(number).unwrap().verdict;
            prop_assert_eq!(verdict == Verdict::Holds, always, "{} G {}", number, text);
        }
        let steps = explored.successors.iter().enumerate();
        let keeps = steps
            .flat_map(|(from, after)| after.iter().map(move |&to| (from, to)))
            .all(|(from, to)| !holds[from] || holds[to]);
        let verdict = session.check(7).unwrap().verdict;
        prop_assert_eq!(verdict == Verdict::Holds, keeps, "d1 -> next(d1) {}", text);
        let eventually_not = starts().all(|&state| !always_good[state]);
        let answer = session.check(5).unwrap();
        prop_assert_eq!(answer.verdict == Verdict::Holds, eventually_not, "F {}", text);
        for number in 0..session.specifications().len() {
            let answer = session.check(number).unwrap();
            let specification = session.specifications()[number].clone();
            let certify = |evidence: &Evidence| {
                program.certify(&specification, evidence, false, &Budget::unlimited())
            };
            if let Some(run) = &answer.run {
                prop_assert_eq!(run.replay(&program), Ok(()), "{} {}", number, text);
                if answer.verdict == Verdict::Violated {
                    let certified = certify(&run.evidence(&program));
                    match number {
                        0 | 1 | 4..=7 => prop_assert!(certified.is_ok(), "{number} {certified:?} {text}"),
                        // That no path does it takes more than one run to show.
                        _ => prop_assert!(
                            matches!(certified, Ok(_) | Err(Rejection::Stopped(_))),
                            "{number} {certified:?} {text}"
                        ),
                    }
                }
            }
            let holds = answer.verdict == Verdict::Holds;
            if let Some(certificate) = answer.certificate.as_ref().filter(|_| holds) {
                let empty = explored.initial.is_empty();
                prop_assert_eq!(certify(&certificate.evidence()).is_ok(), !empty, "{}", text);
                // The complement misses the initial states.
                let mut complement = certificate.clone();
                complement.root ^= 1;
                prop_assert!(certify(&complement.evidence()).is_err(), "{}", text);
            }
        }
    }
}

#[test]
fn processes_are_fair_and_their_inputs_are_shown() {
    let text = "MODULE main VAR s : boolean; a : process user(s); b : process user(s);
        ASSIGN init(s) := FALSE;
        SPEC AG !(a.st = crit & b.st = crit)
        SPEC AG (a.st = want -> AF a.st = crit)
        SPEC AG (a.st = crit -> AF a.st = idle)
        MODULE user(s) VAR st : {idle, want, crit};
        ASSIGN init(st) := idle;
          next(st) := case st = idle : {idle, want}; st = want & !s : crit; st = crit : idle;
                           TRUE : st; esac;
          next(s) := case st = want & !s : TRUE; st = crit : FALSE; TRUE : s; esac;
        FAIRNESS running";
    let mut session = open(text).unwrap();
    let verdicts: Vec<Verdict> = (0..3).map(|i| session.check(i).unwrap().verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Holds, Verdict::Violated, Verdict::Holds]
    );
    let run = session.check(1).unwrap().run.unwrap();
    let program = session.file().program();
    assert_eq!(run.replay(program), Ok(()));
    assert!(run.back_to.is_some());
    let steps = run.steps(program);
    assert!(
        steps[1]
            .inputs
            .iter()
            .any(|input| input.name == "_process_selector_")
    );
}

#[test]
fn doubts_about_the_model_are_warnings() {
    let codes = |text: &str| -> Vec<&'static str> {
        let mut session = open(text).unwrap();
        let doubts = session.doubts().unwrap();
        doubts.iter().map(|doubt| doubt.warning.code).collect()
    };
    assert_eq!(
        codes("MODULE main VAR x : boolean; INIT x & !x"),
        ["smv-no-initial-state"]
    );
    assert_eq!(
        codes("MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1"),
        ["smv-deadlock", "smv-no-fair-path"]
    );
    assert_eq!(
        codes("MODULE main VAR x : boolean; INIT x TRANS next(x) FAIRNESS !x"),
        ["smv-no-fair-path"]
    );
    assert!(codes("MODULE main VAR x : boolean;").is_empty());
}

#[test]
fn formulas_of_the_command_line_join_the_specifications() {
    let source = Source::new(
        "m.smv",
        "MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) in {x, 3} SPEC AF x = 3",
    );
    let mut file = File::read(&source).unwrap();
    let asked = file
        .formula(&Source::new("formula", "EF x = 3"), None)
        .unwrap();
    file.retain_specifications(|_| false);
    file.add_specification(asked);
    let mut session = Session::open(file, Config::small(), &Context::default()).unwrap();
    assert_eq!(session.specifications().len(), 1);
    let answer = session.check(0).unwrap();
    assert_eq!(answer.verdict, Verdict::Holds);
    assert_eq!(answer.run.unwrap().states.len(), 2);
}

#[test]
fn placeholders_over_variables_are_over_their_bits() {
    let source = Source::new("m.smv", "MODULE main VAR x : 0..3; b : boolean;");
    let mut file = File::read(&source).unwrap();
    let asked = file.formula(&Source::new("formula", "EF ?{x, b, x > b1}"), None);
    assert!(asked.is_err());
    let asked = file
        .formula(&Source::new("formula", "EF ?{x, b, x > 1}"), None)
        .unwrap();
    file.add_specification(asked);
    let session = Session::open(file, Config::small(), &Context::default()).unwrap();
    assert_eq!(session.formula(0).occurrences().len(), 3);
}

#[test]
fn zero_and_one_are_truth_values_where_old_files_use_them() {
    let text = "MODULE main
        VAR run : boolean; bit : {0, 1}; st : {idle, busy}; a : process cell(run);
        ASSIGN init(run) := 0; init(bit) := 1; init(st) := idle;
          next(st) := case run = 1 & !bit : busy; 1 : {idle, busy}; esac;
          next(bit) := case st = busy : run & 1; 1 : bit; esac;
        DEFINE on := case st = idle : 1; 1 : 0; esac;
        INVAR on -> 1
        FAIRNESS 1
        SPEC AG (on <-> st = idle)
        SPEC AG (run | 1)
        SPEC AG (bit -> st in {idle, busy})
        SPEC AG !(run = 0 & run = 1)
        MODULE cell(x) VAR y : boolean; ASSIGN next(x) := {0, 1}; next(y) := !x; FAIRNESS running";
    let mut session = open(text).unwrap();
    for number in 0..4 {
        assert_eq!(
            session.check(number).unwrap().verdict,
            Verdict::Holds,
            "{number}"
        );
    }
    let warnings = session.file().warnings();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].code, "smv-old-style");
    // Other numbers are no truth values, and truth values no numbers.
    for wrong in [
        "init(b) := 2",
        "init(b) := x",
        "init(x) := b + 1",
        "init(x) := b",
    ] {
        let text = format!("MODULE main VAR b : boolean; x : 0..5; ASSIGN {wrong};");
        assert!(File::read(&Source::new("m.smv", &text)).is_err(), "{wrong}");
    }
}

#[test]
fn values_are_read_as_they_are_shown() {
    let text = "MODULE main VAR b : boolean; r : -2..2; e : {red, 3, -1}; w : word[3]; s : signed word[3];";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let program = file.program();
    for id in program.variable_ids() {
        let domain = &program.variable(id).domain;
        for value in domain.values(100).unwrap() {
            assert_eq!(
                program.read_value(domain, &program.show(value)),
                Some(value)
            );
        }
        for wrong in ["", "purple", "9", "-", "0ud3_9", "TRUE1", "0sd4_1"] {
            assert_eq!(program.read_value(domain, wrong), None, "{wrong}");
        }
    }
}

#[test]
fn inputs_may_stand_in_ltl() {
    let text = "MODULE main VAR x : boolean; IVAR i : boolean; ASSIGN next(x) := i;
        LTLSPEC G (i <-> X x) LTLSPEC G (i -> x)";
    let mut session = open(text).unwrap();
    assert_eq!(session.check(0).unwrap().verdict, Verdict::Holds);
    let answer = session.check(1).unwrap();
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(answer.run.unwrap().replay(session.file().program()), Ok(()));
}

/// Philosophers around a table in one `TRANS` that lists every step; each takes the left fork first,
/// the last one perhaps the right one.
fn philosophers(count: usize, last_is_different: bool) -> String {
    let names =
        |letter: &str| -> Vec<String> { (0..count).map(|i| format!("{letter}{i}")).collect() };
    let (people, forks) = (names("p"), names("f"));
    let mut steps = Vec::new();
    for (i, own) in people.iter().enumerate() {
        let (mut first, mut second) = (&forks[i], &forks[(i + 1) % count]);
        if last_is_different && i + 1 == count {
            (first, second) = (second, first);
        }
        let moves = [
            (
                format!("{own} = thinks & {first} = free"),
                vec![(own, "holds"), (first, "taken")],
            ),
            (
                format!("{own} = holds & {second} = free"),
                vec![(own, "eats"), (second, "taken")],
            ),
            (
                format!("{own} = eats"),
                vec![(own, "thinks"), (first, "free"), (second, "free")],
            ),
        ];
        for (guard, changes) in moves {
            let changed = changes
                .iter()
                .map(|(name, value)| format!("next({name}) = {value}"));
            let kept = people.iter().chain(&forks);
            let kept = kept.filter(|name| changes.iter().all(|(other, _)| other != name));
            let kept = kept.map(|name| format!("next({name}) = {name}"));
            let parts: Vec<String> = std::iter::once(guard).chain(changed).chain(kept).collect();
            steps.push(format!("({})", parts.join(" & ")));
        }
    }
    let declared = |names: &[String], kind: &str| -> String {
        names
            .iter()
            .map(|name| format!("{name} : {kind}; "))
            .collect()
    };
    let starts = people.iter().map(|name| format!("{name} = thinks"));
    let starts: Vec<String> = starts
        .chain(forks.iter().map(|name| format!("{name} = free")))
        .collect();
    let stuck: Vec<String> = people
        .iter()
        .map(|name| format!("{name} = holds"))
        .collect();
    format!(
        "MODULE main VAR {}{}\nINIT {}\nTRANS {}\nINVARSPEC !({})\nSPEC AG (p0 = eats -> f0 = taken)\nLTLSPEC G !(p0 = eats & p1 = eats)",
        declared(&people, "{thinks, holds, eats}"),
        declared(&forks, "{free, taken}"),
        starts.join(" & "),
        steps.join("\n | "),
        stuck.join(" & "),
    )
}

#[test]
fn steps_listed_in_one_constraint_are_taken_way_by_way() {
    for (different, verdict) in [(false, Verdict::Violated), (true, Verdict::Holds)] {
        let text = philosophers(12, different);
        let mut session = open(&text).unwrap();
        let answer = session.check(0).unwrap();
        assert_eq!(answer.verdict, verdict);
        if let Some(run) = &answer.run {
            assert_eq!(run.states.len(), 13);
            run.replay(session.file().program()).unwrap();
        }
        for claim in [1, 2] {
            assert_eq!(session.check(claim).unwrap().verdict, Verdict::Holds);
        }
    }
}
