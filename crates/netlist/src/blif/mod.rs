//! BLIF: circuits as tables, as yosys and ABC write them.
//!
//! One flat model is read: `.inputs`, `.outputs`, `.latch`, `.names`. Outputs become the
//! outputs of the circuit.

mod read;
mod write;

pub use read::{looks_like, read};
pub use write::write;

#[cfg(test)]
mod tests {
    use quotient_core::Source;

    use crate::Circuit;

    #[test]
    fn tables_are_read_and_written_back() {
        let text = ".model lamp # a comment\n.inputs go\n.outputs seen\n.latch next on re clk 1\n\
                    .names go on \\\n next\n10 1\n01 1\n.names on seen\n1 1\n.end\n";
        let read = |text: &str| super::read(&Source::new("lamp.blif", text)).unwrap();
        let circuit = read(text);
        let again = read(&super::write(&circuit));
        for circuit in [&circuit, &again] {
            assert_eq!(circuit.latches()[0].start, Some(true));
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
        let text = ".model c\n.inputs a b\n.outputs x one zero\n.names a b x\n11 0\n\
                    .names one\n1\n.names zero\n.end\n";
        let circuit: Circuit = super::read(&Source::new("c.blif", text)).unwrap();
        for bits in 0..4u64 {
            let state = circuit.evaluate(&[], &[bits & 1, bits >> 1]);
            let outputs: Vec<u64> = (circuit.outputs.iter())
                .map(|&one| state.value(one) & 1)
                .collect();
            assert_eq!(outputs, [u64::from(bits != 3), 1, 0]);
        }
    }

    #[test]
    fn mistakes_are_told_together_with_their_places() {
        let text =
            ".model c\n.inputs a\n.outputs x y\n.names a x\n1- 1\n.names y z y\n11 1\n.end\n";
        let error = super::read(&Source::new("c.blif", text))
            .unwrap_err()
            .to_string();
        assert!(error.contains("c.blif:5"), "{error}");
        let circle = ".model c\n.outputs x\n.names y x\n1 1\n.names x y\n1 1\n.end\n";
        let error = super::read(&Source::new("c.blif", circle))
            .unwrap_err()
            .to_string();
        assert!(error.contains("depends on itself"), "{error}");
    }

    #[test]
    fn damaged_texts_are_refused_without_a_panic() {
        let text = ".model l\n.inputs a b\n.outputs x\n.latch n q 2\n.names a b q n\n1-1 1\n-10 1\n\
                    .names q x\n0 1\n.end\n";
        arbtest::arbtest(|u| {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..u.int_in_range(1..=4)? {
                let at = u.choose_index(bytes.len())?;
                match u.int_in_range(0..=2)? {
                    0 => bytes[at] = *u.choose(b"01-. \nabqx.")?,
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, *u.choose(b"01 \n\\#.")?),
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let _ = super::read(&Source::new("d.blif", text));
            Ok(())
        })
        .budget_ms(1_000);
    }
}
