use quotient_core::Source;

use crate::Circuit;
use crate::aiger::tests::random_circuit;

fn read(text: &str) -> Circuit {
    let source = Source::new("t.blif", text);
    let read = super::read(&source).unwrap_or_else(|why| panic!("{why}\n{text}"));
    read.0
}

fn refused(text: &str) -> String {
    let source = Source::new("t.blif", text);
    super::read(&source).unwrap_err().to_string()
}

/// The outputs for each value of up to six inputs, and what latches become.
fn table(circuit: &Circuit, latches: &[u64]) -> Vec<u64> {
    let columns = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let state = circuit.evaluate(latches, &columns[..circuit.inputs().len()]);
    let nexts = circuit.latches().iter().map(|latch| latch.next);
    let signals = circuit.outputs.iter().copied().chain(nexts);
    signals.map(|signal| state.value(signal)).collect()
}

#[test]
fn tables_are_read_and_written_back() {
    let text = ".model lamp # a comment\n.inputs go\n.outputs seen\n.latch next on re clk 1\n\
                .names go on \\\n next\n10 1\n01 1\n.names on seen\n1 1\n.end\n";
    let circuit = read(text);
    let again = read(&super::write(&circuit));
    for circuit in [&circuit, &again] {
        assert_eq!(circuit.latches()[0].start, Some(true));
        assert_eq!(circuit.output_names, [Some("seen".to_owned())]);
        for bits in 0..4u64 {
            let state = circuit.evaluate(&[bits & 1], &[bits >> 1]);
            let next = state.value(circuit.latches()[0].next) & 1;
            assert_eq!(next, (bits & 1) ^ (bits >> 1));
            assert_eq!(state.value(circuit.outputs[0]) & 1, bits & 1);
        }
    }
}

#[test]
fn covers_of_zeros_and_constants_are_understood() {
    let text = ".model c\n.inputs a b\n.outputs x one zero none\n.names a b x\n11 0\n\
                .names one\n1\n.names zero\n.names none\n0\n.end\n";
    let circuit = read(text);
    for bits in 0..4u64 {
        let state = circuit.evaluate(&[], &[bits & 1, bits >> 1]);
        let outputs: Vec<u64> = (circuit.outputs.iter())
            .map(|&one| state.value(one) & 1)
            .collect();
        assert_eq!(outputs, [u64::from(bits != 3), 1, 0, 0]);
    }
}

#[test]
fn random_circuits_come_back_with_their_names() {
    quotient_trial::trial(|u| {
        let mut circuit = random_circuit(u)?;
        // Names of the format's own, twice the same, and none at all.
        let names = ["_n3", "_zero", "a b", "a_b", "a#b", "x=y", "_next0", ""];
        for _ in 0..circuit.inputs().len() {
            circuit.input_names.push(Some((*u.choose(&names)?).into()));
        }
        for _ in 0..circuit.latches().len() {
            circuit.latch_names.push(Some((*u.choose(&names)?).into()));
        }
        for _ in 0..circuit.outputs.len() {
            circuit.output_names.push(Some((*u.choose(&names)?).into()));
        }
        let again = read(&super::write(&circuit));
        assert_eq!(again.inputs().len(), circuit.inputs().len());
        assert_eq!(again.latches().len(), circuit.latches().len());
        let mut expected = circuit.clone();
        expected.outputs.extend(circuit.bad.iter());
        let starts = |circuit: &Circuit| -> Vec<Option<bool>> {
            circuit.latches().iter().map(|latch| latch.start).collect()
        };
        assert_eq!(starts(&again), starts(&circuit));
        let values: Vec<u64> = (0..circuit.latches().len())
            .map(|_| u.arbitrary())
            .collect::<Result<_, _>>()?;
        assert_eq!(table(&again, &values), table(&expected, &values));
        // What was read is written and read without any change of names.
        let third = read(&super::write(&again));
        assert_eq!(third.input_names, again.input_names);
        assert_eq!(third.output_names, again.output_names);
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn constraints_are_folded_into_what_is_asked() {
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        let folded = circuit.folded();
        assert!(folded.constraints.is_empty());
        let (mut plain, mut more) = (vec![0; circuit.latches().len()], Vec::new());
        for (number, latch) in folded.latches().iter().enumerate() {
            let value = match latch.start {
                Some(value) => u64::from(value).wrapping_neg(),
                None => u.arbitrary()?,
            };
            more.push(value);
            if number < plain.len() {
                plain[number] = value;
            }
        }
        let mut held = u64::MAX;
        for _ in 0..4 {
            let inputs: Vec<u64> = (0..circuit.inputs().len())
                .map(|_| u.arbitrary())
                .collect::<Result<_, _>>()?;
            let (one, other) = (
                circuit.evaluate(&plain, &inputs),
                folded.evaluate(&more, &inputs),
            );
            for &constraint in &circuit.constraints {
                held &= one.value(constraint);
            }
            for (&bad, &and_held) in circuit.bad.iter().zip(&folded.bad) {
                assert_eq!(one.value(bad) & held, other.value(and_held));
            }
            let next = |circuit: &Circuit, state: &crate::State| -> Vec<u64> {
                let latches = circuit.latches().iter();
                latches.map(|latch| state.value(latch.next)).collect()
            };
            (plain, more) = (next(&circuit, &one), next(&folded, &other));
        }
        Ok(())
    })
    .budget_ms(500);
}

#[test]
fn models_stand_in_each_other() {
    let text = ".model top\n.inputs a b c\n.outputs s carry old\n\
                .subckt half x=a y=b sum=t and=k1\n.subckt half x=t \\\n y=c sum=s and=k2\n\
                .names k1 k2 carry\n1- 1\n-1 1\n.subckt keep in=s out=old\n.end\n\
                .model half\n.inputs x y\n.outputs sum and\n.names x y sum\n10 1\n01 1\n\
                .names x y and\n11 1\n.end\n.model keep\n.inputs in\n.outputs out\n\
                .latch in q 1\n.names q out\n1 1\n.end\n";
    let circuit = read(text);
    assert_eq!(circuit.latch_names, [Some("keep3.q".to_owned())]);
    assert_eq!(circuit.latches()[0].start, Some(true));
    let flat = ".model top\n.inputs a b c\n.outputs s carry old\n.latch s q 1\n\
                .names a b c s\n100 1\n010 1\n001 1\n111 1\n\
                .names a b c carry\n11- 1\n1-1 1\n-11 1\n.names q old\n1 1\n.end\n";
    for latches in [[0x1234_5678], [u64::MAX]] {
        assert_eq!(table(&circuit, &latches), table(&read(flat), &latches));
    }
}

#[test]
fn latches_have_their_forms() {
    let starts = |ending: &str| -> Option<bool> {
        let text = format!(".model l\n.outputs q\n.latch q q{ending}\n.end\n");
        read(&text).latches()[0].start
    };
    for (ending, expected) in [
        ("", None),
        (" 0", Some(false)),
        (" 1", Some(true)),
        (" 2", None),
        (" 3", None),
        (" re clk", None),
        (" fe 1", None),
        (" re NIL 0", Some(false)),
        (" as 0 1", Some(true)),
    ] {
        assert_eq!(starts(ending), expected, "{ending}");
    }
    for ending in [" 4", " re", " xx clk 0", " re clk 0 0"] {
        let error = refused(&format!(".model l\n.outputs q\n.latch q q{ending}\n"));
        assert!(error.contains("t.blif:3"), "{error}");
    }
    let clocks = ".model l\n.outputs p q\n.latch q p re c 0\n.latch p q re d 0\n.end\n";
    let (_, remarks) = super::read(&Source::new("t.blif", clocks)).unwrap();
    assert_eq!(remarks.len(), 1);
}

#[test]
fn what_is_beside_a_circuit_is_left_out_and_said() {
    let text = ".model c\n.inputs a b\n.outputs x\n.area 3\n.names a b x\n11 1\n\
                .exdc\n.names a b x\n00 1\n.end\n";
    let (circuit, remarks) = super::read(&Source::new("t.blif", text)).unwrap();
    assert_eq!(remarks.len(), 1);
    assert_eq!(table(&circuit, &[])[0] & 0xf, 0b1000);
    // Without lines that say so, inputs and outputs are what is left.
    let open = read(".model c\n.names a b x\n11 1\n.names x y\n0 1\n.end\n");
    assert_eq!((open.inputs().len(), open.outputs.len()), (2, 1));
    assert_eq!(table(&open, &[])[0] & 0xf, 0b0111);
}

#[test]
fn mistakes_are_told_together_with_their_places() {
    let text = ".model c\n.inputs a\n.outputs x y\n.names a x\n1- 1\n.names y z y\n11 1\n.end\n";
    assert!(refused(text).contains("t.blif:5"));
    let circle = ".model c\n.outputs x\n.names y x\n1 1\n.names x y\n1 1\n.end\n";
    assert!(refused(circle).contains("depends on itself"));
    let both = ".model c\n.inputs a\n.outputs x\n.names a x\n1 1\n0 0\n.end\n";
    assert!(refused(both).contains("t.blif:6"));
    let within = |part: &str| {
        refused(&format!(
            ".model c\n.inputs a\n.outputs x\n{part}\n.end\n\
             .model m\n.inputs i j\n.outputs o\n.subckt m i=i j=j o=o\n.end\n\
             .model n\n.blackbox\n.end\n"
        ))
    };
    for (part, why) in [
        (".subckt k i=a", "there is no model `k`"),
        (".subckt m i=a j=a o=x", "contains itself"),
        (".subckt m i=a o=x", "`j` of `m` is not connected"),
        (".subckt m i=a j=a k=a o=x", "neither input nor output `k`"),
        (".subckt m i=a i=x j=a o=x", "`i` is connected twice"),
        (".subckt n", "is not told"),
        (".subckt m i", "two names"),
        (
            ".gate nand2 a=a",
            "a cell of a library that is not known here",
        ),
        (".mlatch dff D=a Q=x c 4", "cannot start so"),
        (".search other.blif", "`.search` is not understood"),
        ("1 1", "a row outside of a table"),
    ] {
        let error = within(part);
        assert!(error.contains(why), "{part}: {error}");
    }
}

/// Each model has the next one twice: without a bound there would be 2⁶⁰ of the last.
#[test]
fn models_that_double_are_refused_in_time() {
    let mut text = String::new();
    for number in 0..60 {
        text += &format!(".model m{number}\n.inputs a\n.outputs x\n");
        for end in ["x", "y"] {
            text += &format!(".subckt m{} a=a x={end}\n", number + 1);
        }
        text += ".end\n";
    }
    text += ".model m60\n.inputs a\n.outputs x\n.names a x\n1 1\n.end\n";
    assert!(refused(&text).contains("too large"));
}

#[test]
fn damaged_texts_are_refused_without_a_panic() {
    let text = ".model l\n.inputs a b\n.outputs x\n.latch n q 2\n.names a b q n\n1-1 1\n-10 1\n\
                .subckt m a=q x=x\n.end\n.model m\n.inputs a\n.outputs x\n.names a x\n0 1\n.end\n";
    quotient_trial::trial(|u| {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=2)? {
                0 => bytes[at] = *u.choose(b"01-. \nabqxlm=.")?,
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, *u.choose(b"01 \n\\#.=")?),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = super::read(&Source::new("d.blif", text));
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn each_model_has_a_name_and_an_end() {
    let main = ".model m\n.inputs a\n.outputs x\n.subckt n i=a o=x\n.end\n";
    let same = ".model n\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n";
    let other = ".model n\n.inputs i\n.outputs o\n.names i o\n0 1\n.end\n";
    let told = refused(&format!("{main}{same}{other}"));
    assert!(told.contains("there is a model `n` already"), "{told}");
    let told = refused(".model\n.inputs a\n.outputs a\n.end\n.model\n.end\n");
    assert!(told.contains("without a name"), "{told}");
    for late in [
        ".latch x a 0\n",
        ".exdc\n.names x\n",
        "1 1\n",
        "rubbish\n",
        ".names x\n",
    ] {
        let told = refused(&format!("{main}{same}{late}"));
        assert!(told.contains("behind the end of a model"), "{told}");
    }
    let told = refused(&format!("{main}.names x\n{same}"));
    assert!(told.contains("behind the end of a model"), "{told}");
    let told =
        refused(".model m\n.inputs a\n.outputs x\n.names a x\n1 1\n.exdc\n.latch a y 0\n.end\n");
    assert!(told.contains("behind `.exdc`"), "{told}");
    // Without either line it is one model, and remarks may stand anywhere.
    assert_eq!(
        read(".inputs a\n.outputs x\n.names a x\n1 1\n")
            .outputs
            .len(),
        1
    );
    assert_eq!(
        read(&format!("{main}# between\n{same}.end\n.area 3\n"))
            .outputs
            .len(),
        1
    );
}
