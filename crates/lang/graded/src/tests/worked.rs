//! The worked examples of the literature.

use super::{matrix_of, modal, relation, star};
use crate::algebra::{ActionLattice, Boolean, MaxPlus, Norm, Three, Unit};
use crate::typed::{Modality, Steps, Typed};

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
