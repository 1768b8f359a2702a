//! False claims about systems of any number of processes.

use quotient_arrays::{
    Amount, Axiom, Bad, Domain, EnumerationId, Formula, Instance, Place, Relation, Start, System,
    Term, Transition, Update, Value, Variable, VariableId,
};
use quotient_core::{Budget, Span};

use super::{certify_never, certify_run};

fn is(variable: usize, at: &[usize], value: usize) -> Formula {
    let at = at.to_vec();
    let cell = Term::Cell(Place {
        variable: VariableId::from_index(variable),
        at,
    });
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
            variable: VariableId::new(2),
            cases: vec![(Formula::TRUE, Value::Is(Term::Constant(1)))],
        }],
        span: Span::new(0, 0),
    };
    let two = |one: &str, other: &str| vec![one.to_owned(), other.to_owned()];
    System {
        enumerations: vec![two("a", "b"), two("yes", "no"), two("whole", "broken")],
        variables: vec![
            Variable::array("kind", 1, Domain::Enumeration(EnumerationId::new(0))),
            Variable::array("marked", 1, Domain::Enumeration(EnumerationId::new(1))),
            Variable::array("state", 0, Domain::Enumeration(EnumerationId::new(2))),
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

/// Somebody sets the state where one process is `a` and another one is marked; in either order they are
/// processes of a part of the invariant, and so is the one that takes the step.
#[test]
fn whoever_is_who_a_step_into_a_part_is_seen() {
    let budget = Budget::unlimited();
    let mut system = alone(0);
    system.axioms.clear();
    system.start.formula = Formula::And(vec![is(1, &[0], 0), is(2, &[], 0)]);
    system.transitions[0].guard = Formula::TRUE;
    for (one, two) in [(0, 1), (1, 0)] {
        let both = Formula::And(vec![is(0, &[one], 1), is(1, &[two], 0), is(2, &[], 1)]);
        system.bad[0].ways = vec![(2, both.clone())];
        let claimed = certify_never(&system, 0, &[(2, both.clone())], &budget);
        assert!(claimed.is_err());
        let three = Formula::And(vec![both.clone(), is(0, &[2], 0)]);
        system.bad[0].ways = vec![(3, three.clone())];
        assert!(certify_never(&system, 0, &[(3, three)], &budget).is_err());
        // It is so where nobody who takes the step is marked, and all are.
        let mut harmless = system.clone();
        harmless.bad[0].ways = vec![(2, both.clone())];
        harmless.transitions[0].guard = is(1, &[0], 1);
        let never = [(1, is(1, &[0], 1)), (2, both.clone())];
        assert!(certify_never(&harmless, 0, &never, &budget).is_ok());
        // A step that sets nothing of a part does not lead into it; one that sets a cell of it does.
        harmless.transitions[0].guard = Formula::TRUE;
        assert!(certify_never(&harmless, 0, &never, &budget).is_err());
        harmless.start = alone(0).start;
        harmless.transitions[0].updates[0].variable = VariableId::new(0);
        harmless.bad[0].ways = vec![(0, is(2, &[], 1))];
        assert!(certify_never(&harmless, 0, &[(0, is(2, &[], 1))], &budget).is_ok());
        let never = [(0, is(2, &[], 1)), (1, is(0, &[0], 1))];
        assert!(certify_never(&harmless, 0, &never, &budget).is_err());
    }
}
