//! Every lattice is distributive with a De Morgan negation, and its components tell it all.

use proptest::prelude::*;
use quotient_lattice::{
    Approximation, Booleans, Components, Kleene, Lattice, Mark, Powerset, Product, Table,
    TableError, UpSets, Vacuity, VacuityValue,
};

/// All joins of irreducibles: all elements.
fn elements<L: Lattice>(lattice: &L) -> Vec<L::Element> {
    let mut all = vec![lattice.bottom()];
    for irreducible in lattice.join_irreducibles() {
        for element in all.clone() {
            let join = lattice.join(&element, &irreducible);
            if !all.contains(&join) {
                all.push(join);
            }
        }
    }
    all
}

fn check_laws<L: Lattice>(lattice: &L, expected_elements: usize) {
    let all = elements(lattice);
    assert_eq!(all.len(), expected_elements);
    let components = Components::of(lattice);
    let (bottom, top) = (lattice.bottom(), lattice.top());
    assert!(all.contains(&top));
    for a in &all {
        assert_eq!(lattice.meet(a, a), *a);
        assert_eq!(lattice.meet(a, &top), *a);
        assert_eq!(lattice.join(a, &bottom), *a);
        let not_a = lattice.negate(a);
        assert!(all.contains(&not_a));
        assert_eq!(lattice.negate(&not_a), *a);
        let split = |x| components.all().map(move |j| (j, x));
        let holds = |(j, x)| components.component(lattice, j, x);
        assert_eq!(components.element(lattice, split(a).map(holds)), *a);
        for j in components.all() {
            let dual = components.negation(j);
            assert_eq!(components.negation(dual), j);
            assert_eq!(
                components.component(lattice, j, &not_a),
                !components.component(lattice, dual, a)
            );
        }
        for b in &all {
            let (meet, join) = (lattice.meet(a, b), lattice.join(a, b));
            assert_eq!(meet, lattice.meet(b, a));
            assert_eq!(lattice.join(a, &meet), *a);
            assert_eq!(
                lattice.negate(&meet),
                lattice.join(&not_a, &lattice.negate(b))
            );
            for j in components.all() {
                let holds = |x| components.component(lattice, j, x);
                assert_eq!(holds(&meet), holds(a) && holds(b));
                assert_eq!(holds(&join), holds(a) || holds(b));
            }
            for c in &all {
                assert_eq!(
                    lattice.meet(c, &join),
                    lattice.join(&lattice.meet(c, a), &lattice.meet(c, b))
                );
            }
        }
    }
}

#[test]
fn instances_obey_the_laws() {
    check_laws(&Booleans, 2);
    check_laws(&Kleene, 3);
    (0..4).for_each(|size| check_laws(&Powerset { size }, 1 << size));
    (0..4).for_each(|marks| check_laws(&Vacuity { marks }, 2 << marks));
    check_laws(&Product(Kleene, Booleans), 6);
    check_laws(&Product(Kleene, Product(Kleene, Vacuity { marks: 1 })), 36);
    // As many as there are monotone functions (Dedekind): 2, 3, 6, 20.
    for (minterms, dedekind) in [2, 3, 6, 20].into_iter().enumerate() {
        check_laws(&UpSets::over(minterms).unwrap(), dedekind);
    }
    let belnap = [(0, 1), (0, 2), (1, 3), (2, 3)];
    check_laws(
        &Table::new(["n", "u", "b", "y"], &belnap, &[3, 1, 2, 0]).unwrap(),
        4,
    );
    check_laws(&Table::new(["only"], &[], &[0]).unwrap(), 1);
}

#[test]
fn order_of_vacuity_is_the_published_one() {
    let lattice = Vacuity { marks: 3 };
    let all = elements(&lattice);
    for a in &all {
        for b in &all {
            let expected = match (a.truth, b.truth) {
                (false, true) => true,
                (true, false) => false,
                (true, true) => a.vacuous.is_subset(&b.vacuous),
                (false, false) => b.vacuous.is_subset(&a.vacuous),
            };
            assert_eq!(lattice.less_or_equal(a, b), expected);
        }
    }
}

fn check_homomorphism<L: Lattice, R: Lattice>(map: &Approximation<L, R>) {
    let all = elements(&map.from);
    assert_eq!(map.map(&map.from.top()), map.to.top());
    assert_eq!(map.map(&map.from.bottom()), map.to.bottom());
    let mut respects_negation = true;
    for a in &all {
        respects_negation &= map.map(&map.from.negate(a)) == map.to.negate(&map.map(a));
        for b in &all {
            let (fa, fb) = (map.map(a), map.map(b));
            assert_eq!(map.map(&map.from.meet(a, b)), map.to.meet(&fa, &fb));
            assert_eq!(map.map(&map.from.join(a, b)), map.to.join(&fa, &fb));
        }
    }
    assert_eq!(respects_negation, map.respects_negation);
}

#[test]
fn approximations_are_homomorphisms() {
    for marks in 1..4 {
        let from = Vacuity { marks };
        check_homomorphism(&Approximation::truth(from));
        for mark in Mark::all(marks) {
            check_homomorphism(&Approximation::lowered(from, mark));
            check_homomorphism(&Approximation::raised(from, mark));
            // Lowering a negation is negating what is raised.
            let lowered = Approximation::lowered(from, mark);
            let raised = Approximation::raised(from, mark);
            for a in elements(&from) {
                assert_eq!(lowered.map(&from.negate(&a)), !raised.map(&a));
            }
        }
    }
    check_homomorphism(&Approximation::must());
    check_homomorphism(&Approximation::may());
    for minterms in 2..4 {
        check_homomorphism(&Approximation::minterms(
            UpSets::over(minterms).unwrap(),
            minterms,
        ));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn vacuity_is_distributive_with_many_marks(
        values in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<bool>(), 70)), 3)
    ) {
        let lattice = Vacuity { marks: 70 };
        let [a, b, c]: [VacuityValue; 3] = values
            .into_iter()
            .map(|(truth, bits)| VacuityValue {
                truth,
                vacuous: (0..70).filter(|&i| bits[i]).collect(),
            })
            .map(|mut value| { value.vacuous.grow(70); value })
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        prop_assert_eq!(
            lattice.meet(&a, &lattice.join(&b, &c)),
            lattice.join(&lattice.meet(&a, &b), &lattice.meet(&a, &c))
        );
        prop_assert_eq!(lattice.join(&a, &lattice.meet(&a, &b)), a);
    }
}

#[test]
fn strongest_statements_describe_an_up_set() {
    let lattice = UpSets::over(3).unwrap();
    for element in elements(&lattice) {
        let strongest = lattice.strongest(element);
        let back = strongest
            .iter()
            .fold(0, |set, &statement| set | lattice.principal(statement));
        assert_eq!(back, element);
    }
    assert!(UpSets::over(7).is_none());
}

#[test]
fn wrong_tables_are_explained() {
    let new = |names: &[&str], order: &[(usize, usize)], negations: &[usize]| {
        Table::new(names.iter().copied(), order, negations)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(Table::new([""; 0], &[], &[]), Err(TableError::Empty));
    assert_eq!(
        new(&["a"], &[(0, 3)], &[0]),
        "there is no element number 3; the last is 0"
    );
    assert_eq!(
        new(&["a", "b"], &[(0, 1)], &[1]),
        "2 elements need as many negations, but 1 are given"
    );
    assert_eq!(
        new(&["a", "b"], &[(0, 1), (1, 0)], &[1, 0]),
        "`a` and `b` are each below the other"
    );
    assert_eq!(new(&["a", "b"], &[], &[1, 0]), "`a` and `b` have no meet");
    // The diamond with three atoms is no distributive lattice.
    let diamond = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)];
    assert!(
        new(&["0", "a", "b", "c", "1"], &diamond, &[4, 1, 2, 3, 0]).starts_with("not distributive")
    );
    assert_eq!(
        new(&["0", "u", "1"], &[(0, 1), (1, 2)], &[2, 0, 0]),
        "the negation of the negation of `u` is `1`"
    );
    assert_eq!(
        new(&["0", "1"], &[(0, 1)], &[0, 1]),
        "`0` is below `1`, but its negation is not above the other's"
    );
}
