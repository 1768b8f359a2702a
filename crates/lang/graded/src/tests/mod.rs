//! The algebras, the star and the laws of the logic, against simple second ways.

use std::sync::Arc;

use quotient_core::Budget;
use quotient_language::Random;

use crate::algebra::{
    ActionLattice, Boolean, MaxPlus, MinPlus, Norm, TableText, Three, Unit, check_laws,
};
use crate::evaluate::Evaluator;
use crate::typed::{Modality, Relation, Steps, Typed};

mod evidence;
mod printed;
mod worked;

type Matrix<G> = Vec<Vec<G>>;

/// The star by pivots, row by row: the second way.
fn star<A: ActionLattice>(of: &A, matrix: &Matrix<A::Grade>) -> Matrix<A::Grade> {
    let size = matrix.len();
    let mut now = matrix.clone();
    for k in 0..size {
        let loops = of.star(&now[k][k]);
        let old = now.clone();
        for i in 0..size {
            for j in 0..size {
                let through = of.then(&of.then(&old[i][k], &loops), &old[k][j]);
                now[i][j] = of.join(&old[i][j], &through);
            }
        }
    }
    for (i, row) in now.iter_mut().enumerate() {
        row[i] = of.join(&row[i], &of.one());
    }
    now
}

/// The star by blocks: the third way.
fn block_star<A: ActionLattice>(of: &A, m: &Matrix<A::Grade>) -> Matrix<A::Grade> {
    if m.len() == 1 {
        return vec![vec![of.star(&m[0][0])]];
    }
    let cut = m.len() / 2;
    let part =
        |rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| -> Matrix<A::Grade> {
            m[rows]
                .iter()
                .map(|row| row[columns.clone()].to_vec())
                .collect()
        };
    let (all, low) = (m.len(), cut);
    let (a, b) = (part(0..low, 0..low), part(0..low, low..all));
    let (c, d) = (part(low..all, 0..low), part(low..all, low..all));
    let d_star = block_star(of, &d);
    let f = plus(of, &a, &product(of, &product(of, &b, &d_star), &c));
    let f_star = block_star(of, &f);
    let fbd = product(of, &product(of, &f_star, &b), &d_star);
    let dcf = product(of, &product(of, &d_star, &c), &f_star);
    let dcfbd = plus(of, &d_star, &product(of, &product(of, &dcf, &b), &d_star));
    let join = |left: &Matrix<A::Grade>, right: &Matrix<A::Grade>| {
        let rows = left.iter().zip(right);
        rows.map(|(left, right)| [left.as_slice(), right].concat())
            .collect::<Vec<_>>()
    };
    [join(&f_star, &fbd), join(&dcf, &dcfbd)].concat()
}

fn product<A: ActionLattice>(
    of: &A,
    a: &Matrix<A::Grade>,
    b: &Matrix<A::Grade>,
) -> Matrix<A::Grade> {
    let entry = |row: &Vec<A::Grade>, column: usize| {
        let terms = row
            .iter()
            .zip(b)
            .map(|(left, right)| of.then(left, &right[column]));
        terms.fold(of.zero(), |sum, term| of.join(&sum, &term))
    };
    a.iter()
        .map(|row| (0..b[0].len()).map(|column| entry(row, column)).collect())
        .collect()
}

fn plus<A: ActionLattice>(of: &A, a: &Matrix<A::Grade>, b: &Matrix<A::Grade>) -> Matrix<A::Grade> {
    let row = |(a, b): (&Vec<A::Grade>, &Vec<A::Grade>)| {
        a.iter().zip(b).map(|(a, b)| of.join(a, b)).collect()
    };
    a.iter().zip(b).map(row).collect()
}

fn relation<A: ActionLattice>(of: &A, matrix: &Matrix<A::Grade>) -> Arc<Relation<A::Grade>> {
    let mut edges = Vec::new();
    for (from, row) in matrix.iter().enumerate() {
        for (to, weight) in row.iter().enumerate() {
            if *weight != of.zero() {
                edges.push((from as u32, to as u32, weight.clone()));
            }
        }
    }
    Arc::new(Relation::new("a", matrix.len(), &edges))
}

/// The matrix of a program, the slow way.
fn matrix_of<A: ActionLattice>(of: &A, program: &Steps<A::Grade>, size: usize) -> Matrix<A::Grade> {
    match program {
        Steps::Relation(relation) => {
            let mut matrix = vec![vec![of.zero(); size]; size];
            for (state, row) in matrix.iter_mut().enumerate() {
                for (to, weight) in relation.row(state) {
                    row[*to as usize] = weight.clone();
                }
            }
            matrix
        }
        Steps::Then(a, b) => product(of, &matrix_of(of, a, size), &matrix_of(of, b, size)),
        Steps::Choice(a, b) => plus(of, &matrix_of(of, a, size), &matrix_of(of, b, size)),
        Steps::Star(a) => star(of, &matrix_of(of, a, size)),
        Steps::Test(test) => {
            let grades = evaluate(of, test, size);
            let mut matrix = vec![vec![of.zero(); size]; size];
            for (state, grade) in grades.into_iter().enumerate() {
                matrix[state][state] = grade;
            }
            matrix
        }
    }
}

fn evaluate<A: ActionLattice>(of: &A, formula: &Typed<A::Grade>, size: usize) -> Vec<A::Grade> {
    Evaluator::new(of, size, &Budget::unlimited())
        .grades(formula)
        .unwrap()
}

fn modal<A: ActionLattice>(
    of: &A,
    modality: Modality,
    program: &Steps<A::Grade>,
    after: &[A::Grade],
) -> Vec<A::Grade> {
    let after = Typed::Vector(Arc::new(after.to_vec()));
    let size = match &after {
        Typed::Vector(grades) => grades.len(),
        _ => 0,
    };
    evaluate(
        of,
        &Typed::Modal(modality, program.clone(), Box::new(after)),
        size,
    )
}

/// A random grade; zero every other time, so that matrices are sparse.
fn any<G: Clone>(random: &mut Random, sample: &[G], zero: &G) -> G {
    match random.below(2) {
        0 => zero.clone(),
        _ => sample[random.below(sample.len())].clone(),
    }
}

fn random_program<A: ActionLattice>(
    of: &A,
    random: &mut Random,
    size: usize,
    depth: u32,
) -> Steps<A::Grade> {
    let sample = of.sample();
    let kind = if depth == 0 { 0 } else { random.below(6) };
    let deeper = |random: &mut Random| Box::new(random_program(of, random, size, depth - 1));
    match kind {
        1 => Steps::Then(deeper(random), deeper(random)),
        2 => Steps::Choice(deeper(random), deeper(random)),
        3 | 4 => Steps::Star(deeper(random)),
        5 => {
            let grades = (0..size).map(|_| any(random, &sample, &of.one())).collect();
            Steps::Test(Box::new(Typed::Vector(Arc::new(grades))))
        }
        _ => {
            let row = |random: &mut Random| {
                (0..size)
                    .map(|_| any(random, &sample, &of.zero()))
                    .collect()
            };
            let matrix: Matrix<A::Grade> = (0..size).map(|_| row(random)).collect();
            Steps::Relation(relation(of, &matrix))
        }
    }
}

fn agrees_with_matrices<A: ActionLattice>(of: &A, seed: u64) {
    let random = &mut Random::new(seed);
    let sample = of.sample();
    for _ in 0..120 {
        let size = 1 + random.below(5);
        let program = random_program(of, random, size, 3);
        let after: Vec<A::Grade> = (0..size)
            .map(|_| any(random, &sample, &of.zero()))
            .collect();
        let matrix = matrix_of(of, &program, size);
        let some = modal(of, Modality::Diamond, &program, &after);
        let all = modal(of, Modality::Box, &program, &after);
        for state in 0..size {
            let row = || matrix[state].iter().zip(&after);
            let sum = row().fold(of.zero(), |sum, (weight, grade)| {
                of.join(&sum, &of.then(weight, grade))
            });
            assert_eq!(some[state], sum, "{} {program:?}", of.name());
            let meet = row().fold(of.top(), |sum, (weight, grade)| {
                of.meet(&sum, &of.over(grade, weight))
            });
            assert_eq!(all[state], meet, "{} {program:?}", of.name());
        }
        assert_eq!(star(of, &matrix), block_star(of, &matrix));
        laws_of_the_logic(of, random, size, &after);
    }
}

/// Laws 1.1 to 3.4 of the literature, as equal grades or as an order between them.
fn laws_of_the_logic<A: ActionLattice>(of: &A, random: &mut Random, size: usize, r: &[A::Grade]) {
    let sample = of.sample();
    let other: Vec<A::Grade> = (0..size).map(|_| any(random, &sample, &of.one())).collect();
    let (p, q) = (
        random_program(of, random, size, 2),
        random_program(of, random, size, 2),
    );
    let some = |program: &Steps<A::Grade>, after: &[A::Grade]| {
        modal(of, Modality::Diamond, program, after)
    };
    let pairs = |a: &[A::Grade], b: &[A::Grade], with: fn(&A, &A::Grade, &A::Grade) -> A::Grade| {
        a.iter()
            .zip(b)
            .map(|(a, b)| with(of, a, b))
            .collect::<Vec<_>>()
    };
    let below = |a: &[A::Grade], b: &[A::Grade]| a.iter().zip(b).all(|(a, b)| of.leq(a, b));
    let boxed = |program: &Steps<A::Grade>| Box::new(program.clone());
    let star = |program: &Steps<A::Grade>| Steps::Star(boxed(program));
    assert_eq!(
        some(&p, &pairs(r, &other, A::join)),
        pairs(&some(&p, r), &some(&p, &other), A::join)
    );
    assert!(below(
        &some(&p, &pairs(r, &other, A::meet)),
        &pairs(&some(&p, r), &some(&p, &other), A::meet)
    ));
    assert_eq!(
        some(&Steps::Choice(boxed(&p), boxed(&q)), r),
        pairs(&some(&p, r), &some(&q, r), A::join)
    );
    assert_eq!(
        some(&Steps::Then(boxed(&p), boxed(&q)), r),
        some(&p, &some(&q, r))
    );
    let zero = vec![of.zero(); size];
    assert_eq!(some(&p, &zero), zero);
    let again = some(&star(&p), r);
    assert!(below(&some(&p, r), &again));
    assert_eq!(
        again,
        some(&Steps::Then(Box::new(star(&p)), Box::new(star(&p))), r)
    );
    assert_eq!(again, some(&star(&star(&p)), r));
    assert_eq!(again, pairs(r, &some(&p, &again), A::join));
}

fn diamond_table() -> crate::algebra::Table {
    let text = TableText {
        values: ["none", "left", "right", "both"]
            .map(str::to_owned)
            .to_vec(),
        below: vec![(0, 1), (0, 2), (1, 3), (2, 3)],
        ..TableText::default()
    };
    text.build().unwrap()
}

/// Four grades where the neutral one is not the greatest: two twice is three.
fn gaining_table() -> crate::algebra::Table {
    let text = TableText {
        values: ["0", "1", "2", "3"].map(str::to_owned).to_vec(),
        below: vec![(0, 1), (1, 2), (2, 3)],
        one: Some(1),
        compose: vec![
            [1, 2, 2],
            [2, 1, 2],
            [1, 3, 3],
            [3, 1, 3],
            [2, 2, 3],
            [2, 3, 3],
            [3, 2, 3],
        ],
        ..TableText::default()
    };
    text.build().unwrap()
}

#[test]
fn every_algebra_obeys_the_laws() {
    fn fine<A: ActionLattice>(of: &A) {
        assert_eq!(check_laws(of, &of.sample(), true), Ok(()), "{}", of.name());
    }
    fine(&Boolean);
    fine(&Three { lukasiewicz: false });
    fine(&Three { lukasiewicz: true });
    fine(&Unit(Norm::Lukasiewicz));
    fine(&Unit(Norm::Goedel));
    fine(&Unit(Norm::Product));
    fine(&MaxPlus);
    fine(&MinPlus);
    fine(&diamond_table());
    fine(&gaining_table());
}

#[test]
fn vectors_by_parts_agree_with_matrices_by_pivots_and_blocks() {
    agrees_with_matrices(&Boolean, 1);
    agrees_with_matrices(&Three { lukasiewicz: false }, 2);
    agrees_with_matrices(&Three { lukasiewicz: true }, 3);
    agrees_with_matrices(&Unit(Norm::Lukasiewicz), 4);
    agrees_with_matrices(&Unit(Norm::Goedel), 5);
    agrees_with_matrices(&Unit(Norm::Product), 6);
    agrees_with_matrices(&MaxPlus, 7);
    agrees_with_matrices(&MinPlus, 8);
    agrees_with_matrices(&diamond_table(), 9);
    agrees_with_matrices(&gaining_table(), 10);
}
