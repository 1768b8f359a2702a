//! Completion with equations: lists that are turned round.

use quotient_core::{Budget, Context, Source};
use quotient_forest::{Found, Options, Step, System, check};
use quotient_trees::{TreeAutomaton, inclusion, intersection, timbuk};

/// A list is turned round by putting its first element at the end of what the rest becomes: all
/// `b`s after all `a`s become all `a`s after all `b`s.
const REVERSE: &str = "Ops app:2 rev:1 nil:0 cons:2 a:0 b:0
Vars x y z
TRS reverse
app(nil,x) -> x
app(cons(x,y),z) -> cons(x,app(y,z))
rev(nil) -> nil
rev(cons(x,y)) -> app(rev(y),cons(x,nil))
Automaton Init
States start a b as bs
Final States start
Transitions
a -> a
b -> b
nil -> bs
cons(b,bs) -> bs
bs -> as
cons(a,as) -> as
rev(as) -> start
Automaton Unsorted
States list one a b with bad
Final States bad
Transitions
a -> one
b -> one
a -> a
b -> b
nil -> list
cons(one,list) -> list
cons(b,list) -> with
cons(one,with) -> with
cons(a,with) -> bad
cons(one,bad) -> bad
Equations Approximation
cons(a,cons(a,x)) = cons(a,x)
cons(b,cons(b,x)) = cons(b,x)
app(nil,x) = x
app(cons(x,y),z) = cons(x,app(y,z))
";

fn read(text: &str) -> (System, TreeAutomaton) {
    let file = timbuk::read(&Source::new("reverse.trees", text)).unwrap();
    let system = System {
        initial: file.automata[0].automaton.clone(),
        steps: vec![(
            "reverse".to_owned(),
            Step::Rewriting(file.systems[0].system.clone()),
        )],
        equations: file.equations.clone(),
    };
    (system, file.automata[1].automaton.clone())
}

fn found(system: &System, bad: &TreeAutomaton, method: Option<&str>) -> Found {
    let options = Options {
        method: method.map(str::to_owned),
    };
    let cx = Context {
        budget: Budget::unlimited().child_with_work(60_000_000),
        ..Context::default()
    };
    check(system, bad, &options, &cx).found
}

#[test]
fn lists_are_reversed_by_completion_with_equations() {
    let (system, bad) = read(REVERSE);
    let found = found(&system, &bad, Some("forward completion"));
    let Found::Invariant(invariant) = found else {
        panic!("no invariant: {found:?}");
    };
    let free = Budget::unlimited();
    let inside = |one: &TreeAutomaton| inclusion(one, &invariant.set, &free).unwrap().holds();
    assert!(inside(&system.initial));
    assert!(inside(&system.image(&invariant.set, &free).unwrap()));
    assert!(
        intersection(&invariant.set, &bad, &free)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn lists_that_are_not_reversed_are_found() {
    let wrong = REVERSE.replace("-> app(rev(y),cons(x,nil))", "-> app(cons(x,nil),rev(y))");
    assert_ne!(wrong, REVERSE);
    let (system, bad) = read(&wrong);
    let Found::Run(run) = found(&system, &bad, None) else {
        panic!("no run");
    };
    let free = Budget::unlimited();
    assert!(system.initial.contains(&run.first));
    let mut here = &run.first;
    for (_, next) in &run.steps {
        assert!(system.steps[0].1.leads(here, next, &free).unwrap());
        here = next;
    }
    assert!(bad.contains(here));
}
