//! The algebras, the star and the laws of the logic, against simple second ways.

use std::sync::Arc;

use quotient_core::{Budget, Claim};
use quotient_language::Random;

use crate::algebra::{
    ActionLattice, Boolean, MaxPlus, MinPlus, Norm, TableText, Three, Unit, check_laws,
};
use crate::evaluate::Evaluator;
use crate::typed::{Modality, Relation, Steps, Typed};

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

/// An algebra with the residuals as the literature prints them.
struct Printed<A> {
    of: A,
    under: fn(&A, &str, &str) -> Option<String>,
    over: fn(&A, &str, &str) -> Option<String>,
}

impl<A: ActionLattice> ActionLattice for Printed<A> {
    type Grade = A::Grade;
    fn name(&self) -> &str {
        "printed"
    }
    fn meaning(&self) -> &str {
        ""
    }
    fn zero(&self) -> A::Grade {
        self.of.zero()
    }
    fn one(&self) -> A::Grade {
        self.of.one()
    }
    fn top(&self) -> A::Grade {
        self.of.top()
    }
    fn join(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        self.of.join(a, b)
    }
    fn meet(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        self.of.meet(a, b)
    }
    fn then(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        self.of.then(a, b)
    }
    fn star(&self, a: &A::Grade) -> A::Grade {
        self.of.star(a)
    }
    fn under(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        let printed = (self.under)(&self.of, &self.of.write(a), &self.of.write(b));
        printed.map_or_else(|| self.of.under(a, b), |text| self.of.read(&text).unwrap())
    }
    fn over(&self, b: &A::Grade, a: &A::Grade) -> A::Grade {
        let printed = (self.over)(&self.of, &self.of.write(b), &self.of.write(a));
        printed.map_or_else(|| self.of.over(b, a), |text| self.of.read(&text).unwrap())
    }
    fn read(&self, text: &str) -> Option<A::Grade> {
        self.of.read(text)
    }
    fn write(&self, grade: &A::Grade) -> String {
        self.of.write(grade)
    }
    fn spelling(&self) -> String {
        String::new()
    }
    fn sample(&self) -> Vec<A::Grade> {
        self.of.sample()
    }
}

fn witness(letters: &[(char, &str)]) -> Vec<(char, String)> {
    letters
        .iter()
        .map(|(name, grade)| (*name, (*grade).to_owned()))
        .collect()
}

#[test]
fn printed_structures_are_rejected_with_a_witness() {
    // Three values: `u -> F = u` is no residual of the minimum.
    let three = Printed {
        of: Three { lukasiewicz: false },
        under: |_, a, b| (a == "unknown" && b == "false").then(|| "unknown".to_owned()),
        over: |_, _, _| None,
    };
    let broken = check_laws(&three, &three.sample(), true).unwrap_err();
    assert_eq!(broken.number, 13);
    assert_eq!(
        broken.witness,
        witness(&[('a', "unknown"), ('b', "false"), ('x', "unknown")])
    );
    // Fuzzy: composition by minimum beside Łukasiewicz's implication.
    let fuzzy = Printed {
        of: Unit(Norm::Goedel),
        under: |of, a, b| {
            let (a, b) = (of.read(a)?, of.read(b)?);
            Some(of.write(&Unit(Norm::Lukasiewicz).under(&a, &b)))
        },
        over: |_, _, _| None,
    };
    let broken = check_laws(&fuzzy, &fuzzy.sample(), true).unwrap_err();
    assert_eq!(broken.number, 13);
    assert_eq!(
        broken.witness,
        witness(&[('a', "0.1"), ('b', "0"), ('x', "0.1")])
    );
    // Fuzzy: the printed `a <- b` is `1 - max(0, a + b - 1)`.
    let fuzzy = Printed {
        of: Unit(Norm::Lukasiewicz),
        under: |_, _, _| None,
        over: |of, b, a| {
            let both = of.then(&of.read(b)?, &of.read(a)?);
            Some(of.write(&of.under(&both, &of.zero())))
        },
    };
    assert_eq!(
        check_laws(&fuzzy, &fuzzy.sample(), true)
            .unwrap_err()
            .number,
        14
    );
    let six = fuzzy.of.read("0.6").unwrap();
    assert_eq!(fuzzy.of.write(&fuzzy.over(&six, &six)), "0.8");
    // Resources: subtraction with its operands the other way round.
    let resources = Printed {
        of: MaxPlus,
        under: |of, a, b| {
            let (a, b) = (of.read(a)?, of.read(b)?);
            Some(of.write(&of.under(&b, &a)))
        },
        over: |_, _, _| None,
    };
    let broken = check_laws(&resources, &resources.sample(), true).unwrap_err();
    assert_eq!(broken.number, 13);
    assert!(
        broken
            .to_string()
            .starts_with("law 13, a;x <= b exactly if x <= a->b, fails for a = ")
    );
}

/// The two states of the worked examples: `p` goes to the second and loops there, `q` goes there.
fn example<A: ActionLattice>(of: &A, texts: [&str; 3]) -> [Steps<A::Grade>; 2] {
    let [a, b, c] = texts.map(|text| of.read(text).unwrap());
    let zero = of.zero();
    let p = vec![vec![zero.clone(), a], vec![zero.clone(), b]];
    let q = vec![vec![zero.clone(), c], vec![zero.clone(), zero]];
    [p, q].map(|matrix| Steps::Relation(relation(of, &matrix)))
}

fn written<A: ActionLattice>(of: &A, program: &Steps<A::Grade>) -> Vec<Vec<String>> {
    let row = |row: &Vec<A::Grade>| row.iter().map(|grade| of.write(grade)).collect();
    matrix_of(of, program, 2).iter().map(row).collect()
}

/// The grade of `<p*>` at the first state, where the second has the neutral grade.
fn reached<A: ActionLattice>(of: &A, p: &Steps<A::Grade>) -> String {
    let after = [of.zero(), of.one()];
    of.write(
        &modal(
            of,
            Modality::Diamond,
            &Steps::Star(Box::new(p.clone())),
            &after,
        )[0],
    )
}

fn pair<G: Clone>(
    make: fn(Box<Steps<G>>, Box<Steps<G>>) -> Steps<G>,
    a: &Steps<G>,
    b: &Steps<G>,
) -> Steps<G> {
    make(Box::new(a.clone()), Box::new(b.clone()))
}

#[test]
fn worked_examples_have_their_grades() {
    let [p, q] = example(&Boolean, ["true"; 3]);
    let then = pair(Steps::Then, &q, &p);
    assert_eq!(
        written(&Boolean, &pair(Steps::Choice, &p, &q)),
        [["false", "true"], ["false", "true"]]
    );
    assert_eq!(
        written(&Boolean, &pair(Steps::Then, &p, &q)),
        [["false", "false"], ["false", "false"]]
    );
    assert_eq!(
        written(&Boolean, &then),
        [["false", "true"], ["false", "false"]]
    );
    assert_eq!(
        written(&Boolean, &Steps::Star(Box::new(p.clone()))),
        [["true", "true"], ["false", "true"]]
    );
    assert_eq!(reached(&Boolean, &p), "true");

    let three = Three { lukasiewicz: false };
    let [p, q] = example(&three, ["true", "true", "unknown"]);
    let then = pair(Steps::Then, &q, &p);
    assert_eq!(
        written(&three, &then),
        [["false", "unknown"], ["false", "false"]]
    );

    for (norm, composed) in [(Norm::Lukasiewicz, "0"), (Norm::Goedel, "0.4")] {
        let unit = Unit(norm);
        let [p, q] = example(&unit, ["0.7", "0.4", "0.5"]);
        assert_eq!(
            written(&unit, &pair(Steps::Choice, &p, &q)),
            [["0", "0.7"], ["0", "0.4"]]
        );
        assert_eq!(
            written(&unit, &Steps::Star(Box::new(p.clone()))),
            [["1", "0.7"], ["0", "1"]]
        );
        assert_eq!(reached(&unit, &p), "0.7");
        let then = pair(Steps::Then, &q, &p);
        // 0.5 and 0.4 compose to 0 or to 0.4: this tells the two repairs apart.
        assert_eq!(written(&unit, &then)[0][1], composed);
    }

    let [p, q] = example(&MaxPlus, ["3", "2", "4"]);
    assert_eq!(
        written(&MaxPlus, &pair(Steps::Then, &q, &p)),
        [["never", "6"], ["never", "never"]]
    );
    assert_eq!(
        written(&MaxPlus, &pair(Steps::Choice, &p, &q)),
        [["never", "4"], ["never", "2"]]
    );
    assert_eq!(
        written(&MaxPlus, &Steps::Star(Box::new(p.clone()))),
        [["0", "infinite"], ["never", "infinite"]]
    );
    assert_eq!(reached(&MaxPlus, &p), "infinite");
    let [p, _] = example(&MaxPlus, ["3", "0", "4"]);
    assert_eq!(reached(&MaxPlus, &p), "3");
    let [p, _] = example(&MaxPlus, ["never", "2", "4"]);
    assert_eq!(
        written(&MaxPlus, &Steps::Star(Box::new(p))),
        [["0", "never"], ["never", "infinite"]]
    );
}

#[test]
fn star_and_unit_are_not_the_misprinted_ones() {
    let matrix = vec![
        vec![false, false, false],
        vec![true, false, false],
        vec![false, true, false],
    ];
    let expected = vec![
        vec![true, false, false],
        vec![true, true, false],
        vec![true, true, true],
    ];
    assert_eq!(star(&Boolean, &matrix), expected);
    let program = Steps::Star(Box::new(Steps::Relation(relation(&Boolean, &matrix))));
    let first = modal(&Boolean, Modality::Diamond, &program, &[true, false, false]);
    assert_eq!(first, [true, true, true]);
    let step = Steps::Relation(relation(
        &Boolean,
        &vec![vec![false, true], vec![false, false]],
    ));
    let skip = Steps::Test(Box::new(Typed::Constant(true)));
    let both = pair(Steps::Then, &skip, &step);
    assert_eq!(
        modal(&Boolean, Modality::Diamond, &both, &[false, true]),
        [true, false]
    );
}

#[test]
fn an_implication_of_itself_is_the_unit_where_the_unit_is_not_the_greatest() {
    let five = MaxPlus.read("5").unwrap();
    assert_eq!(MaxPlus.under(&five, &five), MaxPlus.one());
    assert_ne!(MaxPlus.one(), MaxPlus.top());
}

#[test]
fn random_evidence_is_accepted_and_forged_evidence_is_not() {
    use crate::certify::{Body, KIND, Listed, certify};
    use crate::system::{Attached, System};
    let text = "grades max-plus\nstates a b c d\nprop p: c 2\nprogram go: a -> b: 1 b -> a: 0 b -> c: 3\n\
                c -> d: 1 d -> d: 0\ncheck x: <go*> p >= 3 at a";
    let source = quotient_core::Source::new("t", text);
    let tree = crate::read::read(&source).unwrap();
    let system = System::build(MaxPlus, &tree, &Attached::default(), &source).unwrap();
    let question = system.question(&tree.checks[0], &source).unwrap();
    let budget = Budget::unlimited();
    let mut evaluator = Evaluator::new(&MaxPlus, 4, &budget);
    evaluator.grades(&question.formula).unwrap();
    let solutions = evaluator
        .solutions
        .drain(..)
        .map(|one| Listed::new(&MaxPlus, one))
        .collect();
    let evidence = quotient_core::Evidence::of_holds(KIND, &Body { solutions });
    certify(&system, &question, &evidence, &budget).unwrap();
    let mut opposite = evidence.clone();
    opposite.claim = Claim::Violated;
    certify(&system, &question, &opposite, &budget).unwrap_err();
    let count = evidence.body["solutions"][0]["grades"]
        .as_array()
        .unwrap()
        .len();
    for variable in 0..count {
        for grade in ["never", "0", "1", "2", "3", "infinite"] {
            let mut forged = evidence.clone();
            let place = &mut forged.body["solutions"][0]["grades"][variable];
            if place == grade {
                continue;
            }
            *place = grade.into();
            certify(&system, &question, &forged, &budget).unwrap_err();
        }
    }
    for field in ["cycles", "grades", "ranks"] {
        let mut forged = evidence.clone();
        let list = forged.body["solutions"][0][field].as_array_mut().unwrap();
        assert!(list.pop().is_some(), "{field}");
        certify(&system, &question, &forged, &budget).unwrap_err();
    }
    let mut flat = evidence.clone();
    for rank in flat.body["solutions"][0]["ranks"].as_array_mut().unwrap() {
        *rank = 0.into();
    }
    certify(&system, &question, &flat, &budget).unwrap_err();
    let mut fewer = evidence;
    fewer.body["solutions"].as_array_mut().unwrap().clear();
    certify(&system, &question, &fewer, &budget).unwrap_err();
}
