use quotient_trial::arbitrary::{Result, Unstructured};

use super::*;
use crate::{Circuit, Literal};

/// A small circuit with all that a file can say.
pub(crate) fn random_circuit(u: &mut Unstructured<'_>) -> Result<Circuit> {
    let mut circuit = Circuit::new();
    let mut pool = vec![Literal::FALSE];
    for _ in 0..u.int_in_range(0..=3)? {
        pool.push(circuit.input());
    }
    let mut latches = Vec::new();
    for _ in 0..u.int_in_range(0..=4)? {
        latches.push(circuit.latch(*u.choose(&[Some(false), Some(true), None])?));
    }
    pool.extend(&latches);
    for _ in 0..u.int_in_range(0..=12)? {
        let a = pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?);
        let b = pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?);
        pool.push(circuit.graph.and(a, b));
    }
    let some = |u: &mut Unstructured<'_>| -> Result<Literal> {
        Ok(pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?))
    };
    for &latch in &latches {
        let next = some(u)?;
        circuit.connect(latch, next);
    }
    for _ in 0..u.int_in_range(0..=2)? {
        circuit.bad.push(some(u)?);
        circuit.outputs.push(some(u)?);
    }
    for _ in 0..u.int_in_range(0..=1)? {
        circuit.constraints.push(some(u)?);
        circuit.fairness.push(some(u)?);
        circuit.justice.push(vec![some(u)?, some(u)?]);
        circuit.bad_names.push(Some("never this".to_owned()));
        if circuit.bad.is_empty() {
            circuit.bad_names.clear();
        }
    }
    Ok(circuit)
}

/// Whether two circuits do the same for some steps of the same inputs.
fn alike(one: &Circuit, other: &Circuit, inputs: &[u64]) -> bool {
    let begin = |circuit: &Circuit| -> Vec<u64> {
        let latches = circuit.latches().iter().enumerate();
        latches
            .map(|(number, latch)| match latch.start {
                Some(true) => u64::MAX,
                Some(false) => 0,
                None => 0x5555 << number,
            })
            .collect()
    };
    let (mut first, mut second) = (begin(one), begin(other));
    for step in 0..4u32 {
        let inputs: Vec<u64> = inputs.iter().map(|word| word.rotate_left(step)).collect();
        let (a, b) = (
            one.evaluate(&first, &inputs),
            other.evaluate(&second, &inputs),
        );
        let seen = |circuit: &Circuit, state: &crate::State| -> Vec<u64> {
            let lists = [
                &circuit.outputs,
                &circuit.bad,
                &circuit.constraints,
                &circuit.fairness,
            ];
            let lists = lists.into_iter().chain(circuit.justice.iter());
            lists
                .flat_map(|list| list.iter().map(|&signal| state.value(signal)))
                .collect()
        };
        if seen(one, &a) != seen(other, &b) {
            return false;
        }
        first = one
            .latches()
            .iter()
            .map(|latch| a.value(latch.next))
            .collect();
        second = other
            .latches()
            .iter()
            .map(|latch| b.value(latch.next))
            .collect();
    }
    first == second
}

#[test]
fn what_is_written_is_read_back_in_both_forms() {
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        let inputs = [u.arbitrary()?, u.arbitrary()?, u.arbitrary()?];
        let ascii = read("a.aag", to_ascii(&circuit).as_bytes()).unwrap();
        let binary = read("a.aig", &to_binary(&circuit)).unwrap();
        assert!(alike(&circuit, &ascii, &inputs) && alike(&circuit, &binary, &inputs));
        assert_eq!(ascii.bad_names, circuit.bad_names);
        let starts = |circuit: &Circuit| -> Vec<_> {
            circuit.latches().iter().map(|latch| latch.start).collect()
        };
        assert_eq!(starts(&binary), starts(&circuit));
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn damaged_files_are_refused_without_a_panic() {
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        let mut bytes = match u.arbitrary()? {
            true => to_ascii(&circuit).into_bytes(),
            false => to_binary(&circuit),
        };
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=2)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, *u.choose(b"0129 \n\xff")?),
            }
        }
        let _ = read("damaged", &bytes);
        Ok(())
    })
    .budget_ms(1_500);
}

#[test]
fn gates_may_stand_in_any_order_but_not_in_a_circle() {
    let shuffled = b"aag 4 2 0 1 2\n2\n4\n8\n8 6 2\n6 2 4\n";
    let circuit = read("s.aag", shuffled).unwrap();
    assert_eq!(circuit.gate_count(), 1, "(a and b) and a is a and b");
    let circle = b"aag 4 2 0 1 2\n2\n4\n8\n8 6 2\n6 8 4\n";
    let error = read("c.aag", circle).unwrap_err();
    assert!(error.to_string().contains("depends on itself"), "{error}");
}

#[test]
fn promises_beyond_the_file_are_refused_before_memory_is_taken() {
    for text in [
        "aig 2000000000 2000000000 0 0 0\n",
        "aag 1000000 0 1000000 0 0\n",
        "aig 70 0 0 0 70\n",
    ] {
        let error = read("big", text.as_bytes()).unwrap_err().to_string();
        assert!(
            error.contains("promises") || error.contains("too large"),
            "{error}"
        );
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let error = read("x.aag", b"aag 1 0 1 0 0 1\n2 9\n2\n").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("x.aag:2:3: error: this literal is too large")
    );
    let error = read("x.aag", b"aag 1 0 0 1 0\n2\n").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("variable 1 is used and never defined")
    );
}

/// Witnesses with letters changed, put in and left out: what is read is written as it was meant.
#[test]
fn damaged_witnesses_are_refused_without_a_panic() {
    use super::witness::Witness;
    quotient_trial::trial(|u| {
        let bits = |u: &mut Unstructured<'_>, count: usize| -> Result<Vec<bool>> {
            (0..count).map(|_| u.arbitrary()).collect()
        };
        let (latches, inputs) = (u.int_in_range(0..=4)?, u.int_in_range(0..=3)?);
        let witness = Witness {
            property: (*u.choose(&["b0", "j12"])?).to_owned(),
            start: bits(u, latches)?,
            inputs: (0..u.int_in_range(0..=4)?)
                .map(|_| bits(u, inputs))
                .collect::<Result<_>>()?,
        };
        let text = format!("u3\nc a comment\n{}", witness.to_text());
        assert_eq!(Witness::read(&text).as_ref(), Ok(&witness));
        let mut bytes = text.into_bytes();
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 => bytes[at] = *u.choose(b"01x.bjuc2 \n\r-")?,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, u.arbitrary()?),
                _ => {
                    if bytes.len() > 1 {
                        bytes.remove(at);
                    }
                }
            }
        }
        if let Ok(read) = Witness::read(&String::from_utf8_lossy(&bytes)) {
            assert_eq!(Witness::read(&read.to_text()), Ok(read));
        }
        Ok(())
    })
    .budget_ms(1_000);
    for (text, why) in [
        ("", "empty"),
        ("0\nb0\n.\n", "begins with `1`"),
        ("2\nb0\n.\n", "begins with `1`"),
        ("1\nb\n\n.\n", "no property"),
        ("1\nb0\n0\n1\n", "ends with"),
        ("1\nb0\n0\n1\n11\n.\n", "different numbers"),
        ("1\nb0\n0\n2\n.\n", "no bit"),
    ] {
        let error = Witness::read(text).unwrap_err();
        assert!(error.contains(why), "{text:?}: {error}");
    }
}
