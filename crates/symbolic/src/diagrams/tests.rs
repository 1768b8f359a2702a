use proptest::prelude::*;
use quotient_core::Budget;

use super::*;

/// A random function as a stack program.
fn build(diagrams: &Diagrams, program: &[(u8, u8)], variables: u32) -> Set {
    let mut stack = vec![diagrams.constant(true)];
    for &(operation, argument) in program {
        let peek = |i: u8| stack[stack.len() - 1 - i as usize % stack.len()].clone();
        let (a, b) = (peek(0), peek(argument));
        stack.push(match operation % 4 {
            0 => diagrams.xor(&a, &b).unwrap(),
            1 => diagrams.and(&a, &b).unwrap(),
            2 => diagrams.or(&a, &b).unwrap(),
            _ => diagrams.variable(u32::from(argument) % variables).unwrap(),
        });
    }
    stack.pop().unwrap()
}

fn truth_table(diagrams: &Diagrams, set: &Set, variables: u32) -> Vec<bool> {
    let row = |row: u32| {
        let literals = (0..variables).map(|v| (v, row >> v & 1 == 1));
        let point = diagrams.literals(literals).unwrap();
        diagrams.is_subset(&point, set).unwrap()
    };
    (0..1 << variables).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sifting_keeps_the_functions(
        programs in prop::collection::vec(prop::collection::vec(any::<(u8, u8)>(), 1..60), 1..4),
        order in Just((0..6u32).collect::<Vec<_>>()).prop_shuffle(),
        pairs in any::<bool>(),
    ) {
            let mut diagrams = Diagrams::new(order.clone(), Config::small(), Budget::unlimited()).unwrap();
        let mut sets: Vec<Set> = programs.iter().map(|p| build(&diagrams, p, 6)).collect();
        let before: Vec<_> = sets.iter().map(|set| truth_table(&diagrams, set, 6)).collect();
        let shape = diagrams.shape(&sets);
        prop_assert!(diagrams.load(&shape).unwrap() == sets);
        let groups: Vec<Vec<Var>> = match pairs {
            true => order.chunks(2).map(<[Var]>::to_vec).collect(),
            false => Vec::new(),
        };
        let size = diagrams.size(&sets[0]);
        let (guiding, carried) = sets.split_at_mut(1);
        let mut wanted: Vec<&mut Set> = guiding.iter_mut().collect();
        let mut carried: Vec<&mut Set> = carried.iter_mut().collect();
        diagrams.reorder(&groups, &mut wanted, &mut carried).unwrap();
        let after: Vec<_> = sets.iter().map(|set| truth_table(&diagrams, set, 6)).collect();
        prop_assert_eq!(before, after);
        prop_assert!(diagrams.size(&sets[0]) <= size);
        for group in groups {
            prop_assert_eq!(diagrams.levels[group[0] as usize].abs_diff(diagrams.levels[group[1] as usize]), 1);
        }
    }
}

#[test]
fn sifting_finds_the_order_of_paired_variables() {
    // x0 & y0 | x1 & y1 | …: exponential when all x come first, linear when paired.
    let n = 8;
    let mut diagrams = Diagrams::new(
        (0..2 * n).collect(),
        Config {
            nodes: 1 << 18,
            room: 1 << 18,
            ..Config::small()
        },
        Budget::unlimited(),
    )
    .unwrap();
    let mut set = diagrams.constant(false);
    for i in 0..n {
        let pair = diagrams.cube([i, n + i]).unwrap();
        set = diagrams.or(&set, &pair).unwrap();
    }
    assert!(diagrams.size(&set) > 500);
    let moved = diagrams.reorder(&[], &mut [&mut set], &mut []).unwrap();
    assert!(moved);
    assert_eq!(diagrams.size(&set), 2 * n as usize + 1);
    assert_eq!(
        diagrams.count(&set, 2 * n).to_string(),
        (65536 - 6561).to_string()
    );
}

#[test]
fn too_many_nodes_are_out_of_memory() {
    let n = 14;
    let config = Config {
        nodes: 1 << 10,
        ..Config::small()
    };
    let diagrams = Diagrams::new((0..2 * n).collect(), config, Budget::unlimited()).unwrap();
    let mut set = diagrams.constant(false);
    let mut stopped = None;
    for i in 0..n {
        let pair = diagrams.cube([i, n + i]);
        match pair.and_then(|pair| diagrams.or(&set, &pair)) {
            Ok(next) => set = next,
            Err(stop) => {
                stopped = Some(stop);
                break;
            }
        }
    }
    assert_eq!(stopped, Some(Stop::Memory));
}
