use quotient_core::Budget;
use quotient_netlist::{Literal, Node};
use quotient_trial::arbitrary::{Result, Unstructured};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::Lit;

use super::Solver;

fn random_clause(u: &mut Unstructured<'_>, variables: usize, most: usize) -> Result<Vec<Literal>> {
    (0..u.int_in_range(1..=most)?)
        .map(|_| {
            Ok(Node::new(u.choose_index(variables)?)
                .literal()
                .flip_if(u.arbitrary()?))
        })
        .collect()
}

fn other(literal: Literal) -> Lit {
    let variable = literal.node().index() as u32;
    if literal.is_negated() {
        Lit::negative(variable)
    } else {
        Lit::positive(variable)
    }
}

fn satisfied(solver: &Solver, clause: &[Literal]) -> bool {
    clause.iter().any(|&one| solver.value(one) == Some(true))
}

/// Many questions to one solver, each compared with another solver that starts afresh.
#[test]
fn answers_models_and_cores_agree_with_another_solver() {
    quotient_trial::trial(|u| {
        let variables = u.int_in_range(3..=14)?;
        let mut ours = Solver::new();
        let all: Vec<Node> = (0..variables).map(|_| ours.variable()).collect();
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        let budget = Budget::unlimited();
        for _ in 0..u.int_in_range(1..=8)? {
            for _ in 0..u.int_in_range(0..=20)? {
                let clause = random_clause(u, variables, 3)?;
                ours.add(&clause);
                clauses.push(clause);
            }
            let passing = match u.arbitrary()? {
                true => random_clause(u, variables, 4)?,
                false => Vec::new(),
            };
            let mut assumptions = random_clause(u, variables, 4)?;
            assumptions.sort();
            assumptions.dedup_by_key(|one| one.node());
            let mut theirs = rustsat_batsat::BasicSolver::default();
            for clause in clauses
                .iter()
                .chain([&passing])
                .filter(|one| !one.is_empty())
            {
                let clause: Vec<Lit> = clause.iter().map(|&one| other(one)).collect();
                theirs.add_clause_ref(&clause[..]).unwrap();
            }
            let assumed: Vec<Lit> = assumptions.iter().map(|&one| other(one)).collect();
            let expected = theirs.solve_assumps(&assumed).unwrap() == SolverResult::Sat;
            let answer = ours
                .solve_within(&assumptions, &passing, &all, &budget)
                .unwrap();
            assert_eq!(answer, expected);
            if answer {
                assert!(clauses.iter().all(|clause| satisfied(&ours, clause)));
                assert!(passing.is_empty() || satisfied(&ours, &passing));
                assert!(assumptions.iter().all(|&one| ours.value(one) == Some(true)));
            } else {
                let core: Vec<Literal> = ours.core().to_vec();
                assert!(core.iter().all(|one| assumptions.contains(one)));
                let core: Vec<Lit> = core.iter().map(|&one| other(one)).collect();
                assert_eq!(theirs.solve_assumps(&core).unwrap(), SolverResult::Unsat);
            }
        }
        Ok(())
    })
    .budget_ms(3_000);
}

/// Pigeons and holes: enough conflicts for restarts, forgetting and moving clauses.
#[test]
fn seven_pigeons_do_not_fit_six_holes() {
    let mut solver = Solver::new();
    solver.most_learnt = 100;
    let (pigeons, holes) = (7, 6);
    let place: Vec<Vec<Literal>> = (0..pigeons)
        .map(|_| (0..holes).map(|_| solver.variable().literal()).collect())
        .collect();
    for pigeon in &place {
        solver.add(pigeon);
    }
    for one in 0..pigeons {
        for other in 0..one {
            for (&here, &there) in place[one].iter().zip(&place[other]) {
                solver.add(&[!here, !there]);
            }
        }
    }
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Ok(false));
}

#[test]
fn a_budget_stops_the_search_and_leaves_the_solver_usable() {
    let mut solver = Solver::new();
    let nodes: Vec<Node> = (0..20_000).map(|_| solver.variable()).collect();
    for pair in nodes.windows(2) {
        solver.add(&[!pair[0].literal(), pair[1].literal()]);
    }
    let budget = Budget::unlimited().child_with_work(10);
    let first = nodes[0].literal();
    let _ = solver.solve(&[first], &budget);
    assert!(solver.solve(&[first], &budget).is_err());
    assert_eq!(solver.solve(&[first], &Budget::unlimited()), Ok(true));
    let last = nodes[nodes.len() - 1].literal();
    assert_eq!(solver.value(last), Some(true));
    assert_eq!(
        solver.solve(&[first, !last], &Budget::unlimited()),
        Ok(false)
    );
}

/// Forgetting moves clauses; a question under way must find its own again.
#[test]
fn forgetting_in_the_middle_of_a_question_keeps_its_passing_clause() {
    let (pigeons, holes) = (7, 6);
    let mut solver = Solver::new();
    let mut place = vec![Vec::new(); pigeons];
    for pigeon in &mut place {
        *pigeon = (0..holes)
            .map(|_| solver.variable().literal())
            .collect::<Vec<_>>();
    }
    for (at, one) in place.iter().enumerate() {
        for other in &place[..at] {
            for (&hole, &same) in one.iter().zip(other) {
                solver.add(&[!hole, !same]);
            }
        }
    }
    for pigeon in &place[1..] {
        solver.add(pigeon);
    }
    let all: Vec<Node> = (0..solver.variable_count()).map(Node::new).collect();
    let budget = Budget::unlimited();
    for _ in 0..3 {
        solver.most_learnt = 20;
        let assumptions = [!place[1][0], !place[2][1]];
        let found = solver.solve_within(&assumptions, &place[0], &all, &budget);
        assert_eq!(found, Ok(false), "seven pigeons in six holes");
        assert_eq!(solver.solve(&[], &budget), Ok(true));
    }
    assert!(solver.conflicts() > 100);
}

/// Both solvers on the same formulas, with clauses added between questions.
#[cfg(feature = "cadical")]
#[test]
fn cadical_gives_the_same_answers() {
    quotient_trial::trial(|u| {
        let variables = u.int_in_range(3..=40)?;
        let (mut ours, mut theirs) = (Solver::new(), super::cadical::Cadical::new());
        for _ in 0..variables {
            assert_eq!(ours.variable(), theirs.variable());
        }
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        let budget = Budget::unlimited();
        for _ in 0..u.int_in_range(1..=6)? {
            for _ in 0..u.int_in_range(0..=60)? {
                let clause = random_clause(u, variables, 3)?;
                ours.add(&clause);
                theirs.add(&clause);
                clauses.push(clause);
            }
            let mut assumptions = random_clause(u, variables, 4)?;
            assumptions.sort();
            assumptions.dedup_by_key(|one| one.node());
            let answer = theirs.solve(&assumptions, &budget).unwrap();
            assert_eq!(ours.solve(&assumptions, &budget), Ok(answer));
            if answer {
                let on = |&one: &Literal| theirs.value(one) == Some(true);
                assert!(clauses.iter().all(|clause| clause.iter().any(on)));
                assert!(assumptions.iter().all(on));
            }
        }
        Ok(())
    })
    .budget_ms(2_000);
}

/// Pigeons in too few holes take long, and a question that was broken off can be asked again.
#[cfg(feature = "cadical")]
#[test]
fn cadical_keeps_to_its_budget() {
    use quotient_core::Stop;
    let holes = 9;
    let mut solver = super::cadical::Cadical::new();
    let nodes: Vec<Node> = (0..holes * (holes + 1))
        .map(|_| solver.variable())
        .collect();
    let at = |pigeon: usize, hole: usize| nodes[pigeon * holes + hole].literal();
    for pigeon in 0..=holes {
        let clause: Vec<Literal> = (0..holes).map(|hole| at(pigeon, hole)).collect();
        solver.add(&clause);
        for (other, hole) in (0..pigeon).flat_map(|one| (0..holes).map(move |hole| (one, hole))) {
            solver.add(&[!at(pigeon, hole), !at(other, hole)]);
        }
    }
    let little = Budget::unlimited().child_with_work(20_000);
    assert_eq!(solver.solve(&[], &little), Err(Stop::Work));
    let fewer: Vec<Literal> = (0..holes).map(|hole| at(hole, hole)).collect();
    assert_eq!(solver.solve(&fewer, &Budget::unlimited()), Ok(false));
}
