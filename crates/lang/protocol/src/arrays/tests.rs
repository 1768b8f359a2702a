//! What arrays say is what the interpreter says, state by state.

use std::collections::BTreeSet;

use quotient_arrays::{Instance, Transition, different};
use quotient_backward::beginnings;
use quotient_core::{Budget, Source};

use crate::random;
use crate::{Configuration, Interpreter, LANGUAGE, Protocol};

const MOST: usize = 1_500;

/// The configurations that can be reached, with the properties that each violates; nothing if
/// there are too many.
type Reached = Option<BTreeSet<(Configuration, Vec<String>)>>;

fn by_interpreter(protocol: &Protocol, size: usize) -> Reached {
    let interpreter = Interpreter::plain(protocol);
    let mut left = interpreter.initial(size);
    let mut seen: BTreeSet<Configuration> = left.iter().cloned().collect();
    let mut all = BTreeSet::new();
    while let Some(one) = left.pop() {
        let names = protocol.property_names();
        let violated = names.filter(|name| interpreter.violates(name, &one));
        all.insert((one.clone(), violated.map(str::to_owned).collect()));
        for (_, after) in interpreter.successors(&one) {
            if seen.insert(after.clone()) {
                left.push(after);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(all)
}

fn by_arrays(lowered: &super::Lowered, size: usize) -> Reached {
    let budget = Budget::unlimited();
    let system = &lowered.system;
    let instance = Instance::new(system, size);
    let mut left = beginnings(system, size, 4 * MOST, &budget).ok()?;
    if left.len() >= MOST {
        return None;
    }
    let mut seen: BTreeSet<Vec<i64>> = left.iter().cloned().collect();
    let mut all = BTreeSet::new();
    while let Some(state) = left.pop() {
        let violated = system.bad.iter();
        let violated = violated.filter(|bad| {
            // What a step notices is so where it can be taken.
            let noticing = system
                .transitions
                .iter()
                .filter(|one| one.name == super::NOTICED);
            let noticed = noticing.flat_map(|one| {
                let mut after = Vec::new();
                different(size, one.processes, &mut |at| {
                    after.extend(instance.after(one, at, &state, &budget).unwrap());
                });
                after
            });
            let mut states = noticed.chain([state.clone()]);
            states.any(|state| instance.is_bad(bad, &state))
        });
        let violated = violated.map(|bad| bad.name.clone()).collect();
        let one = lowered
            .configuration(size, &state)
            .expect("a state can be read");
        all.insert((one, violated));
        let own = |one: &&Transition| one.name != super::NOTICED;
        for transition in system.transitions.iter().filter(own) {
            let mut tuples = Vec::new();
            different(size, transition.processes, &mut |at| {
                tuples.push(at.clone())
            });
            for at in tuples {
                for after in instance.after(transition, &at, &state, &budget).ok()? {
                    if seen.insert(after.clone()) {
                        left.push(after);
                    }
                }
            }
        }
        if seen.len() > 8 * MOST {
            return None;
        }
    }
    Some(all)
}

/// How many sizes were compared: with arrays there are exactly the same configurations, or perhaps
/// more.
fn compared(text: &str, exactly: bool) -> usize {
    let source = Source::new("test.protocol", text);
    let Ok(mut protocol) = Protocol::parse(&source) else {
        return 0;
    };
    let never = |demand: &crate::model::Demand| matches!(demand, crate::model::Demand::Never(_));
    protocol
        .properties
        .retain(|property| never(&property.demand));
    // What an assumption forbids counts as impossible with arrays, whether it is or not.
    if exactly && protocol.constraints.is_empty() {
        protocol.properties.push(crate::model::Property {
            name: "somebody can go on".to_owned(),
            span: quotient_core::Span::new(0, 0),
            demand: crate::model::Demand::NoDeadlock,
            lemma: false,
        });
    }
    let Ok(lowered) = protocol.to_arrays() else {
        return 0;
    };
    protocol
        .properties
        .retain(|property| lowered.bad(&property.name).is_some());
    let mut sizes = 0;
    for size in 1..=3 {
        let Some(expected) = by_interpreter(&protocol, size) else {
            break;
        };
        let Some(found) = by_arrays(&lowered, size) else {
            break;
        };
        // Whom somebody has seen is kept in another way.
        let own = protocol.fields.len() + protocol.pairs.len() * size;
        let seen_by_all = |all: BTreeSet<(Configuration, Vec<String>)>| {
            let each = all.into_iter().map(|(mut one, violated)| {
                one.processes
                    .iter_mut()
                    .for_each(|values| values.truncate(own));
                one.seen.clear();
                (one, violated)
            });
            each.collect::<BTreeSet<_>>()
        };
        let (found, expected) = (seen_by_all(found), seen_by_all(expected));
        match exactly {
            true => assert_eq!(found, expected, "with {size} processes\n{text}"),
            false => {
                let missing: Vec<_> = expected.difference(&found).collect();
                assert!(
                    missing.is_empty(),
                    "with {size} processes\n{text}\n{missing:?}"
                );
            }
        }
        sizes += 1;
    }
    sizes
}

#[test]
fn the_examples_are_the_same_with_arrays() {
    let mut sizes = 0;
    for example in LANGUAGE.about().examples {
        sizes += compared(example.files[0].1, true);
    }
    assert!(sizes > 30, "{sizes}");
}

#[test]
fn random_protocols_are_the_same_with_arrays() {
    let mut sizes = 0;
    for seed in 0..150 {
        sizes += compared(&random::protocol(&mut random::Random::new(seed)), true);
    }
    assert!(sizes > 20, "{sizes}");
}

/// Counts against numbers, processes that hold each other, values for each other, messages, faults.
#[test]
fn random_crowds_are_the_same_with_arrays() {
    let mut sizes = 0;
    for seed in 0..300 {
        sizes += compared(&random::crowd(&mut random::Random::new(seed)), true);
    }
    assert!(sizes > 200, "{sizes}");
}

#[test]
fn nothing_is_lost_with_arrays_where_steps_read_one_by_one() {
    let mut sizes = 0;
    for seed in 0..60 {
        let text = random::one_by_one(&mut random::Random::new(seed));
        sizes += compared(&text, false);
    }
    assert!(sizes > 20, "{sizes}");
}

/// Assumptions in which something is divided, on either side of a comparison, leave exactly the
/// starts that they leave in fractions.
#[test]
fn what_is_divided_is_compared_as_a_fraction() {
    type Judge = fn(i64, i64) -> bool;
    let cases: &[(&str, Judge)] = &[
        ("q > n / 2", |n, q| 2 * q > n),
        ("n / 2 < q", |n, q| 2 * q > n),
        ("q < n / 3", |n, q| 3 * q < n),
        ("n / 3 > q", |n, q| 3 * q < n),
        ("q / 2 > n / 3", |n, q| 3 * q > 2 * n),
        ("not q / 2 > n / 3", |n, q| 3 * q <= 2 * n),
        ("q / 3 < n / 2 - 1", |n, q| 2 * q < 3 * n - 6),
        ("q = n / 2", |n, q| 2 * q == n),
        ("q / 2 != n / 3", |n, q| 3 * q != 2 * n),
    ];
    for (assumption, judge) in cases {
        let text = format!(
            "protocol \"q\"\ntopology set\nparameter q\nassume {assumption}\n\
             process {{ voted : bool = false }}\nstep vote: when not voted then voted := true\n\
             property p: never count(p: p.voted) > q\n"
        );
        let protocol = Protocol::parse(&Source::new("q.protocol", text)).expect(assumption);
        let Ok(lowered) = protocol.to_arrays() else {
            panic!("{assumption} fits")
        };
        for size in 1..=8 {
            let instance = Instance::new(&lowered.system, size);
            let is_start = |q: &i64| {
                let mut state = vec![0; instance.cells()];
                let place = |cell: &usize| instance.place(*cell).at.is_empty();
                let parameter = (0..instance.cells()).find(place).expect("a parameter");
                state[parameter] = *q;
                instance.is_start(&state)
            };
            // A parameter is at most the number of processes.
            let wanted: BTreeSet<i64> = (0..=size as i64)
                .filter(|q| judge(size as i64, *q))
                .collect();
            let found: BTreeSet<i64> = (0..=9).filter(is_start).collect();
            assert_eq!(found, wanted, "{assumption} with {size} processes");
            let begins = Interpreter::plain(&protocol).initial(size);
            let begins: BTreeSet<i64> = begins.iter().map(|one| one.globals[0].into()).collect();
            assert_eq!(begins, wanted, "{assumption} with {size} processes");
        }
    }
}

#[test]
fn what_is_not_so_of_whom_a_variable_holds_is_the_same_with_arrays() {
    let text = "topology set
        global head : process or none = none
        global seat : process = any
        process {
            location a, b
            next : process or none = none
            x : bool = false
        }
        step begin: when head = none and not seat.x then head := self, at := b
        step push: when at = a and not head.x then next := head, head := self, at := b
        step mark: when at = b and not next.x and not (next.at = b and next.next.x) then x := true
        step far with q: when q.at = b and not q.next.x and forall r: q.next = r => not r.x and r.at = b
            then q.x := true, seat := q
        step drop: when head = self and (forall other r: next = r => r.x) then head := next
        property p: never exists p: p.at = b and not p.next.x
        property q: never exists p: p.x and not seat.x and not head.x
        property r: never exists p: p.x and forall q: p.next = q => not q.x
        property s: never count(p: not p.next.x) > n / 2 and not head.next.x
        property t: always exists p: p.at = a or p.next.next.x";
    assert!(compared(text, true) > 1);
}
