//! False claims about systems of any number of processes.

use quotient_arrays::{
    Amount, Axiom, Bad, Domain, Formula, Instance, Place, Relation, Start, System, Term,
    Transition, Update, Value, Variable,
};
use quotient_core::{Budget, Span};

use super::{certify_never, certify_run};

fn is(variable: usize, at: &[usize], value: usize) -> Formula {
    let at = at.to_vec();
    let cell = Term::Cell(Place { variable, at });
    Formula::Compare(cell, Relation::Same, Term::Constant(value))
}

/// Processes that are `a` for ever, and marked. Who is alone, or finds all others to be `b`, breaks
/// the whole. That somebody is marked is an axiom, and true.
fn alone(marked: usize) -> System {
    let alone = Transition {
        name: "alone".into(),
        processes: 1,
        guard: Formula::ForallOther(Box::new(is(0, &[1], 1))),
        updates: vec![Update {
            variable: 2,
            cases: vec![(Formula::TRUE, Value::Is(Term::Constant(1)))],
        }],
        span: Span::new(0, 0),
    };
    let two = |one: &str, other: &str| vec![one.to_owned(), other.to_owned()];
    System {
        enumerations: vec![two("a", "b"), two("yes", "no"), two("whole", "broken")],
        variables: vec![
            Variable::array("kind", 1, Domain::Enumeration(0)),
            Variable::array("marked", 1, Domain::Enumeration(1)),
            Variable::array("state", 0, Domain::Enumeration(2)),
        ],
        start: Start {
            processes: 1,
            formula: Formula::And(vec![is(0, &[0], 0), is(1, &[0], marked), is(2, &[], 0)]),
        },
        bad: vec![Bad {
            name: "breaks".into(),
            ways: vec![(0, is(2, &[], 1))],
            span: Span::new(0, 0),
        }],
        transitions: vec![alone],
        axioms: vec![Axiom {
            processes: 0,
            premise: Formula::TRUE,
            conclusion: is(1, &[0], marked),
            positive: Amount::constant(1),
        }],
        ..System::default()
    }
}

#[test]
fn the_process_of_an_axiom_need_not_be_another_one() {
    for marked in [0, 1] {
        let system = alone(marked);
        let budget = Budget::unlimited();
        // With one process it breaks in one step.
        let states = vec![vec![0, marked as i64, 0], vec![0, marked as i64, 1]];
        let instance = Instance::new(&system, 1);
        assert!(instance.is_start(&states[0]));
        let run = certify_run(&system, 0, 1, &states, &[(0, vec![0])], &budget);
        assert!(run.is_ok(), "{run:?}");
        // With two it cannot: nobody is `b`. So it must not count that there is a second one.
        let never = [(1, is(0, &[0], 1)), (0, is(2, &[], 1))];
        assert!(certify_never(&system, 0, &never, &budget).is_err());
        // Where somebody else is asked for, it is so for every number.
        let mut harmless = system.clone();
        harmless.transitions[0].guard = is(0, &[0], 1);
        assert!(certify_never(&harmless, 0, &never, &budget).is_ok());
        // An axiom whose number is not positive is none; one that helps does.
        let mut marked_only = system.clone();
        marked_only.transitions[0].guard = Formula::And(vec![
            is(1, &[0], 1 - marked),
            Formula::ForallOther(Box::new(is(1, &[1], 1 - marked))),
        ]);
        let never = [(0, is(2, &[], 1))];
        assert!(certify_never(&marked_only, 0, &never, &budget).is_ok());
        marked_only.axioms[0].positive = Amount::constant(0);
        assert!(certify_never(&marked_only, 0, &never, &budget).is_err());
    }
}
