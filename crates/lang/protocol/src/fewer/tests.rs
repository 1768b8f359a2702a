//! What a protocol does, it does with fewer variables, too: configuration by configuration.

use std::collections::BTreeSet;

use quotient_core::{Budget, Conclusion, Context, Source, run};
use quotient_regular::Options;

use super::{Fewer, Kept, parts};
use crate::model::{Demand, Protocol};
use crate::random;
use crate::{Configuration, Interpreter};

const MOST: usize = 200;

/// The configurations that can be reached; nothing if there are too many.
fn reached(protocol: &Protocol, size: usize) -> Option<BTreeSet<Configuration>> {
    let interpreter = Interpreter::plain(protocol);
    let mut left = interpreter.initial(size);
    let mut seen: BTreeSet<Configuration> = left.iter().cloned().collect();
    while let Some(one) = left.pop() {
        for (_, after) in interpreter.successors(&one) {
            if seen.insert(after.clone()) {
                left.push(after);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(seen)
}

fn seen_with(kept: &Kept, one: &Configuration) -> Configuration {
    Configuration {
        globals: kept.of_globals(&one.globals),
        processes: one
            .processes
            .iter()
            .map(|own| kept.of_fields(own))
            .collect(),
        ..one.clone()
    }
}

/// Whether some step can be taken for sure.
fn surely(protocol: &Protocol, one: &Configuration) -> bool {
    let steps = protocol.surely.clone().expect("asked for deadlocks");
    let sure = Protocol {
        steps,
        surely: None,
        ..protocol.clone()
    };
    let interpreter = Interpreter::plain(&sure);
    !interpreter.violates("stuck", one)
}

#[test]
fn whatever_is_left_out_more_can_happen() {
    let (mut compared, mut stuck, mut violated) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = random::Random::new(seed + 7_000);
        let text = random::protocol(&mut random);
        let Ok(protocol) = Protocol::parse(&Source::new("random.protocol", text.clone())) else {
            continue;
        };
        let missing = Kept::fewest(&protocol).missing();
        let mut kept = Kept::fewest(&protocol);
        let half = missing.iter().filter(|_| random.below(2) == 0);
        half.for_each(|one| kept.set(*one, true));
        for property in &protocol.properties {
            if !protocol.can_do_with_fewer(&property.name) {
                continue;
            }
            for part in parts(&property.demand) {
                let Ok(smaller) = protocol.with_fewer(&kept, property, &part) else {
                    continue;
                };
                for size in 1..=3 {
                    let (Some(all), Some(more)) =
                        (reached(&protocol, size), reached(&smaller, size))
                    else {
                        continue;
                    };
                    let interpreter = Interpreter::plain(&protocol);
                    for one in &all {
                        let seen = seen_with(&kept, one);
                        assert!(more.contains(&seen), "{text}\n{kept:?}\n{one:?}");
                        if let Demand::NoDeadlock = part {
                            let wrong = interpreter.violates(&property.name, one);
                            stuck += usize::from(wrong);
                            assert!(!wrong || !surely(&smaller, &seen), "{text}\n{one:?}");
                        }
                    }
                    compared += all.len();
                    let is_bad = |one: &&Configuration| interpreter.violates(&property.name, one);
                    for one in all.iter().filter(is_bad) {
                        violated += 1;
                        let named = parts(&property.demand);
                        let told = named.iter().any(|part| {
                            let smaller = protocol.with_fewer(&kept, property, part);
                            let Ok(smaller) = smaller else { return true };
                            let part = Interpreter::plain(&smaller);
                            matches!(part_demand(&smaller), Demand::NoDeadlock)
                                || part.violates(&property.name, &seen_with(&kept, one))
                        });
                        assert!(told, "{text}\n{one:?}");
                    }
                }
            }
        }
    }
    assert!(
        compared > 0 && stuck + violated > 0,
        "{compared} {stuck} {violated}"
    );
}

fn part_demand(protocol: &Protocol) -> &Demand {
    &protocol.properties[0].demand
}

#[test]
fn what_may_leave_its_type_is_not_left_out() {
    // Where nothing stops it, `g` grows beyond its type and takes `x` and `y` along, up to what is forbidden.
    let fits = |guard: &str, take: &str| {
        let text = format!(
            "topology line\nglobal g : 0..3 = 0\n\
             process {{ location a, b  x : 0..3 = 0  y : 0..7 = 0 }}\n\
             step up: when at = a {guard} then g := g + 1\n\
             step take: when {take} then x := g\n\
             step copy: when at = a then y := x\n\
             property small: never exists p: p.y = 4\n"
        );
        let protocol = Protocol::parse(&Source::new("small.protocol", text)).expect("it is read");
        let property = &protocol.properties[0];
        let names = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let kept = Kept::named(&protocol, &[], &names(&["x", "y"])).expect("they are there");
        let part = parts(&property.demand).remove(0);
        protocol.with_fewer(&kept, property, &part).is_ok()
    };
    assert!(fits("and g < 3", "at = a"));
    assert!(fits("and g < 2", "at = b and g > 0"));
    assert!(!fits("", "at = a"));
    assert!(!fits("", "at = b"));
    assert!(!fits("and x < 3", "at = a"));
}

#[test]
fn contents_are_left_out_where_there_are_few_of_them_together() {
    let needed = |most: usize| {
        let text = format!(
            "topology set\nqueue one : 0..{most}\nqueue two : 0..{most}\n\
             process {{ location a, b  x : 0..{most} = 0 }}\n\
             step pass: when at = a then send one(x), send two(x), at := b\n\
             property small: never exists p: p.at = b\n"
        );
        let protocol = Protocol::parse(&Source::new("sent.protocol", text)).expect("it is read");
        let property = &protocol.properties[0];
        let part = parts(&property.demand).remove(0);
        let kept = Kept::fewest(&protocol);
        let needed = protocol.with_fewer(&kept, property, &part).err()?;
        Some(protocol.variable(needed.0[0]).to_owned())
    };
    assert_eq!(needed(99), None);
    assert_eq!(needed(100).as_deref(), Some("x"));
}

#[test]
fn something_is_left_for_words() {
    let text = "global g : 0..3 = 0\nstep up: when g < 3 then g := g + 1\n\
                property small: never g = 3\n";
    let protocol = Protocol::parse(&Source::new("n.protocol", text)).expect("it is read");
    assert!(Kept::named(&protocol, &[], &[]).is_err());
    assert!(Kept::named(&protocol, &["g".to_owned()], &[]).is_ok());
}

#[test]
fn answers_with_fewer_variables_are_those_of_instances() {
    let (mut held, mut violated, mut open) = (0, 0, 0);
    for seed in 0..25 {
        let mut random = random::Random::new(seed + 9_000);
        let text = random::protocol(&mut random);
        let Ok(protocol) = Protocol::parse(&Source::new("random.protocol", text.clone())) else {
            continue;
        };
        for property in &protocol.properties {
            if !protocol.can_do_with_fewer(&property.name) {
                continue;
            }
            let options = Options::default();
            let outcomes = parts(&property.demand).into_iter().map(|part| {
                let mut fewer = Fewer::new(&protocol, property, part, &options);
                let mut cx = Context {
                    budget: Budget::unlimited().child_with_work(3_000_000),
                    ..Context::default()
                };
                run(&mut fewer, &mut cx).conclusion
            });
            let outcomes: Vec<_> = outcomes.collect();
            let holds = |one: &Conclusion<_, _>| matches!(one, Conclusion::Holds(_));
            let is_real = outcomes.iter().find_map(|one| match one {
                Conclusion::Violated((configurations, _)) => Some(configurations),
                _ => None,
            });
            let interpreter = Interpreter::plain(&protocol);
            if let Some(run) = is_real {
                violated += 1;
                let (first, last) = (&run[0], &run[run.len() - 1]);
                assert!(interpreter.is_initial(first), "{text}");
                assert!(interpreter.violates(&property.name, last), "{text}");
                for two in run.windows(2) {
                    let mut next = interpreter.successors(&two[0]).into_iter();
                    assert!(next.any(|(_, after)| after == two[1]), "{text}");
                }
            } else if outcomes.iter().all(holds) {
                held += 1;
                for size in 1..=3 {
                    for one in reached(&protocol, size).unwrap_or_default() {
                        let wrong = interpreter.violates(&property.name, &one);
                        assert!(!wrong, "{}\n{text}\n{one:?}", property.name);
                    }
                }
            } else {
                open += 1;
            }
        }
    }
    assert!(
        held + violated > 0,
        "{held} held, {violated} violated, {open} open"
    );
}
