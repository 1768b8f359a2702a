//! Decision diagrams against plain sets of vectors, on random systems.

use std::collections::BTreeSet;

use quotient_core::{Budget, Stop};
use quotient_explicit::{Diagrams, Event, Set, Touch};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

const LEVELS: usize = 4;

type Vector = Vec<u32>;

fn step(u: &mut Unstructured<'_>) -> Made<Vec<Touch>> {
    let mut touches = Vec::new();
    for level in [2, 0, 3, 1] {
        if u.ratio(1, 2)? {
            let change: i64 = u.int_in_range(-2..=2)?;
            let least = u.int_in_range(0..=2)?.max(-change as i32) as u32;
            // Nothing gets larger than four, so that everything stays finite.
            let most = u.int_in_range(0..=4)?.min(4 - change) as u32;
            touches.push(Touch {
                level,
                least,
                most,
                change,
            });
        }
    }
    Ok(touches)
}

fn take(step: &[Touch], vector: &Vector) -> Option<Vector> {
    let mut next = vector.clone();
    for touch in step {
        let value = &mut next[touch.level];
        if !(touch.least..=touch.most).contains(value) {
            return None;
        }
        *value = u32::try_from(i64::from(*value) + touch.change).unwrap();
    }
    Some(next)
}

fn members(sets: &mut Diagrams, mut set: Set) -> BTreeSet<Vector> {
    let mut all = BTreeSet::new();
    while let Some(first) = sets.first(set) {
        assert!(sets.contains(set, &first));
        let one = sets.single(&first).unwrap();
        set = sets.difference(set, one).unwrap();
        assert!(all.insert(first));
    }
    all
}

/// The set of what lists say, read without the engine.
fn read(lists: &[(u32, u32, u32)], at: u32) -> BTreeSet<Vector> {
    match at {
        0 => BTreeSet::new(),
        1 => BTreeSet::from([Vec::new()]),
        _ => {
            let (value, below, rest) = lists[at as usize - 2];
            let mut all = read(lists, rest);
            all.extend(read(lists, below).into_iter().map(|mut end| {
                end.insert(0, value);
                end
            }));
            all
        }
    }
}

#[test]
fn closures_steps_and_parts_are_those_of_plain_sets() {
    quotient_trial::trial(|u| {
        let mut steps = Vec::new();
        for _ in 0..u.int_in_range(1..=5)? {
            steps.push(step(u)?);
        }
        let mut start = Vec::new();
        for _ in 0..LEVELS {
            start.push(u.int_in_range(0..=3)?);
        }
        let mut expected = BTreeSet::from([start.clone()]);
        let mut todo = vec![start.clone()];
        while let Some(vector) = todo.pop() {
            for next in steps.iter().filter_map(|step| take(step, &vector)) {
                if expected.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        let events = steps.iter().cloned().map(Event::new).collect();
        let mut sets = Diagrams::new(LEVELS, events, 1_000_000, Budget::unlimited());
        let from = sets.single(&start).unwrap();
        let all = sets.closure(from).unwrap();
        let number = sets.count(&[all]).unwrap();
        assert_eq!(number, expected.len().to_string());
        let lists = sets.lists(all, 100_000).unwrap();
        assert_eq!(read(&lists, lists.len() as u32 + 1), expected);
        assert_eq!(sets.lists(all, lists.len() - 1), None);

        let mut terms = Vec::new();
        for level in 0..LEVELS {
            terms.push((level, u.int_in_range(-2_i64..=2)?));
        }
        let sum = |vector: &Vector| -> i64 {
            let parts = terms.iter();
            parts
                .map(|&(level, factor)| factor * i64::from(vector[level]))
                .sum()
        };
        let least = u.int_in_range(-6..=6)?;
        let part = sets.select(all, &terms, least).unwrap();
        let chosen: BTreeSet<Vector> = expected
            .iter()
            .filter(|vector| sum(vector) >= least)
            .cloned()
            .collect();
        assert_eq!(members(&mut sets, part), chosen);
        let greatest = sets.greatest(all, &terms).unwrap();
        assert_eq!(greatest, expected.iter().map(sum).max().map(i128::from));

        let number = u.int_in_range(0..=steps.len() - 1)?;
        let can = |vector: &Vector| take(&steps[number], vector);
        let after = sets.after(number, part, all).unwrap();
        let targets: BTreeSet<Vector> = chosen.iter().filter_map(can).collect();
        assert_eq!(members(&mut sets, after), targets);
        let before = sets.before(number, part, all).unwrap();
        let leads = |vector: &&Vector| can(vector).is_some_and(|next| chosen.contains(&next));
        let sources: BTreeSet<Vector> = expected.iter().filter(leads).cloned().collect();
        assert_eq!(members(&mut sets, before), sources);
        let enabled = sets.enabled(number, part).unwrap();
        let able = chosen.iter().filter(|vector| can(vector).is_some());
        assert_eq!(members(&mut sets, enabled), able.cloned().collect());
        let some = sets.union(after, before).unwrap();
        assert_eq!(members(&mut sets, some), &targets | &sources);
        let shared = sets.intersection(after, before).unwrap();
        assert_eq!(members(&mut sets, shared), &targets & &sources);

        let place = u.int_in_range(0..=LEVELS - 1)?;
        let few = u.int_in_range(0..=3)?;
        let through = sets.select(all, &[(place, -1)], -i64::from(few)).unwrap();
        let let_through = |vector: &&Vector| vector[place] <= few;
        let mut lead = chosen.clone();
        loop {
            let more = expected.iter().filter(let_through).filter(|vector| {
                let mut next = steps.iter().filter_map(|step| take(step, vector));
                next.any(|next| lead.contains(&next))
            });
            let more: BTreeSet<Vector> = &lead | &more.cloned().collect();
            if more == lead {
                break;
            }
            lead = more;
        }
        let leading = sets.leading(part, through).unwrap();
        assert_eq!(members(&mut sets, leading), lead);
        Ok(())
    })
    .budget_ms(3_000);
}

#[test]
fn diagrams_that_grow_for_ever_end_with_a_reason() {
    let more = Touch {
        level: 0,
        least: 0,
        most: u32::MAX,
        change: 1,
    };
    let event = Event::new(vec![more]);
    let mut sets = Diagrams::new(1, vec![event.clone()], 1_000, Budget::unlimited());
    let from = sets.single(&[0]).unwrap();
    let budget = Budget::unlimited().child_with_work(5_000);
    let mut poor = Diagrams::new(1, vec![event], usize::MAX, budget);
    let poor_from = poor.single(&[0]).unwrap();
    assert_eq!(poor.closure(poor_from), Err(Stop::Work));
    assert!(matches!(
        sets.closure(from),
        Err(Stop::Work | Stop::Bound { .. })
    ));
}
