//! The engine's answers about SMV models, against looking at every state.

mod random;

use std::collections::VecDeque;

use proptest::prelude::*;
use quotient_core::{Budget, Context, Evidence, Source, Verdict};
use quotient_smv::{
    CompileError, Config, Confirmed, Explored, File, Flaw, NodeId, Program, RunEvidence, Session,
};
use random::Random;

fn open(text: &str) -> Option<Session> {
    let file = File::read(&Source::new("m.smv", text)).unwrap_or_else(|errors| {
        panic!("{text}\n{}", errors[0]);
    });
    match Session::open(file, Config::small(), &Context::default()) {
        Ok(session) => Some(session),
        // Random models may divide by zero or leave a domain.
        Err(CompileError::Mistakes(_)) => None,
        Err(CompileError::Stopped(stop)) => panic!("{stop}"),
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
                session.file().certify(&specification, evidence, &Budget::unlimited())
            };
            if let Some(run) = &answer.run {
                prop_assert_eq!(run.replay(&program), Ok(()), "{} {}", number, text);
                if answer.verdict == Verdict::Violated {
                    let expected = match (number, run.back_to) {
                        (0 | 7, _) | (1 | 4, Some(_)) => Confirmed::Claim,
                        (1 | 4, None) => Confirmed::Prefix,
                        (5 | 6, _) => Confirmed::Path,
                        _ => Confirmed::RunOnly,
                    };
                    prop_assert_eq!(certify(&run.evidence(&program)), Ok(expected), "{}", text);
                }
            }
            if let Some(certificate) = &answer.certificate {
                prop_assert_eq!(certify(&certificate.evidence()), Ok(Confirmed::Claim), "{}", text);
                // The complement misses the initial states, if there are any.
                let mut complement = certificate.clone();
                complement.root ^= 1;
                let flawed = certify(&complement.evidence()).is_err();
                prop_assert!(flawed || explored.initial.is_empty(), "{}", text);
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
fn flawed_evidence_is_refused_with_its_flaw() {
    let text = "MODULE main VAR x : 0..3; w : signed word[3];
        ASSIGN init(x) := 0; next(x) := x < 2 ? x + 1 : x; INVARSPEC x < 3 INVARSPEC x < 2 SPEC AF x = 2";
    let mut session = open(text).unwrap();
    let certificate = session.check(0).unwrap().certificate.unwrap();
    let run = session.check(1).unwrap().run.unwrap();
    let file = session.file();
    let specifications = session.specifications();
    let certify = |number: usize, evidence: &Evidence| {
        file.certify(&specifications[number], evidence, &Budget::unlimited())
    };
    let program = file.program();
    assert_eq!(certify(0, &certificate.evidence()), Ok(Confirmed::Claim));
    assert_eq!(
        certify(1, &certificate.evidence()),
        Err(Flaw::AllowsViolation)
    );
    assert_eq!(
        certify(2, &certificate.evidence()),
        Err(Flaw::NotAnInvariant)
    );
    assert_eq!(certify(1, &run.evidence(program)), Ok(Confirmed::Claim));
    assert_eq!(certify(0, &run.evidence(program)), Err(Flaw::NoViolation));
    assert_eq!(certify(2, &run.evidence(program)), Err(Flaw::NotFalse));

    // Everything but `x = 2`: a step leaves it.
    let mut leaky = certificate.clone();
    leaky.variables = vec!["x".to_owned()];
    leaky.nodes = vec![(0, 1, 1, 0)];
    leaky.root = 2;
    assert_eq!(certify(0, &leaky.evidence()), Err(Flaw::IsLeft));
    leaky.root = 3;
    assert_eq!(certify(0, &leaky.evidence()), Err(Flaw::MissesInitial));
    leaky.nodes = vec![(0, 1, 9, 0)];
    assert!(matches!(
        certify(0, &leaky.evidence()),
        Err(Flaw::Unreadable(_))
    ));
    leaky.nodes = vec![(0, 7, 1, 0)];
    assert!(matches!(
        certify(0, &leaky.evidence()),
        Err(Flaw::Unreadable(_))
    ));
    leaky.variables = vec!["y".to_owned()];
    assert_eq!(
        certify(0, &leaky.evidence()),
        Err(Flaw::Unknown("y".to_owned()))
    );

    let mut plain: RunEvidence = run.evidence(program).read().unwrap();
    plain.states[0][0] = "7".to_owned();
    let forged = Evidence::of_violated(RunEvidence::KIND, &plain);
    assert_eq!(certify(1, &forged), Err(Flaw::Unknown("7".to_owned())));
    plain.states[0][0] = "1".to_owned();
    let forged = Evidence::of_violated(RunEvidence::KIND, &plain);
    assert!(matches!(certify(1, &forged), Err(Flaw::Mismatch(_))));
    let foreign = Evidence::of_violated("word-run", &plain);
    assert_eq!(certify(1, &foreign), Err(Flaw::Kind("word-run".to_owned())));
}

#[test]
fn a_lasso_is_accepted_only_for_what_it_violates_and_only_if_it_is_fair() {
    let text = "MODULE main VAR x : 0..3; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := go ? (x + 1) mod 4 : x;
        FAIRNESS x != 1; COMPASSION (x = 2, x = 3)
        LTLSPEC F x = 3
        LTLSPEC G (x = 3 -> O x = 2)
        SPEC AF x = 3
        SPEC AG (x = 1 -> AF x = 3)
        SPEC !EF x = 2
        SPEC EX (x = 1 & EX x = 2)
        LTLSPEC G (go -> X x != 2)";
    let mut session = open(text).unwrap();
    let program = session.file().program().clone();
    let runs: Vec<_> = (0..7).map(|n| session.check(n).unwrap().run).collect();
    let certify = |number: usize, evidence: &Evidence| {
        let specification = &session.specifications()[number];
        let file = session.file();
        file.certify(specification, evidence, &Budget::unlimited())
    };
    let forged = |states: &[(&str, &str)], back_to: Option<usize>| {
        let pair = |(x, go): &(&str, &str)| vec![(*x).to_owned(), (*go).to_owned()];
        let body = RunEvidence {
            variables: vec!["x".to_owned(), "go".to_owned()],
            states: states.iter().map(pair).collect(),
            back_to,
        };
        Evidence::of_violated(RunEvidence::KIND, &body)
    };
    for (number, expected) in [
        (0, Confirmed::Path),
        (2, Confirmed::Path),
        (3, Confirmed::Path),
        (4, Confirmed::Prefix),
        (6, Confirmed::Path),
    ] {
        let run = runs[number].as_ref().expect("violated");
        assert_eq!(
            certify(number, &run.evidence(&program)),
            Ok(expected),
            "{number}"
        );
    }
    // Staying in 0 violates `F x = 3`, but no statement about the past.
    let stays = forged(&[("0", "FALSE")], Some(0));
    assert_eq!(certify(0, &stays), Ok(Confirmed::Path));
    assert_eq!(certify(1, &stays), Err(Flaw::NotFalse));
    assert_eq!(certify(2, &stays), Ok(Confirmed::Path));
    assert_eq!(certify(3, &stays), Err(Flaw::NotFalse));
    assert_eq!(certify(4, &stays), Err(Flaw::NotFalse));
    // `EX …` holds; that a run does not do it says nothing about the others.
    assert_eq!(certify(5, &stays), Ok(Confirmed::RunOnly));
    // Staying in 1 is not just, staying in 2 not compassionate (which CTL does not ask for).
    let unjust = forged(&[("0", "TRUE"), ("1", "FALSE")], Some(1));
    assert_eq!(certify(0, &unjust), Err(Flaw::Unfair));
    assert_eq!(certify(3, &unjust), Err(Flaw::Unfair));
    let weak = forged(&[("0", "TRUE"), ("1", "TRUE"), ("2", "FALSE")], Some(2));
    assert_eq!(certify(0, &weak), Err(Flaw::Unfair));
    assert_eq!(certify(3, &weak), Ok(Confirmed::Path));
    // A run that ends, one that is none of the model, and one that says too little.
    assert_eq!(
        certify(0, &forged(&[("0", "TRUE"), ("1", "TRUE")], None)),
        Err(Flaw::Ends)
    );
    let jump = forged(&[("0", "TRUE"), ("2", "FALSE")], Some(1));
    assert!(matches!(certify(0, &jump), Err(Flaw::Mismatch(_))));
    let body = RunEvidence {
        variables: Vec::new(),
        states: vec![Vec::new()],
        back_to: Some(0),
    };
    let silent = Evidence::of_violated(RunEvidence::KIND, &body);
    assert_eq!(certify(0, &silent), Err(Flaw::Incomplete));
}

#[test]
fn invariants_about_steps_are_violated_by_a_step() {
    let text = "MODULE main VAR x : 0..3; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x;
        INVARSPEC next(x) >= x
        INVARSPEC x = 2 -> next(x) = 2
        INVARSPEC go -> x < 2";
    let mut session = open(text).unwrap();
    let program = session.file().program().clone();
    assert_eq!(session.check(0).unwrap().verdict, Verdict::Holds);
    for number in [1, 2] {
        let answer = session.check(number).unwrap();
        assert_eq!(answer.verdict, Verdict::Violated);
        let run = answer.run.unwrap();
        assert_eq!(run.states.len(), 4, "three steps, the last one is wrong");
        let specification = &session.specifications()[number];
        let certify = |evidence: &Evidence| {
            let budget = Budget::unlimited();
            session.file().certify(specification, evidence, &budget)
        };
        assert_eq!(certify(&run.evidence(&program)), Ok(Confirmed::Claim));
        // Without its last step it shows nothing.
        let mut cut: RunEvidence = run.evidence(&program).read().unwrap();
        cut.states.pop();
        let cut = Evidence::of_violated(RunEvidence::KIND, &cut);
        assert_eq!(certify(&cut), Err(Flaw::NoViolation));
    }
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
