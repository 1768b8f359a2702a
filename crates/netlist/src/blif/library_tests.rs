use quotient_core::Source;
use quotient_trial::arbitrary::{Result as Drawn, Unstructured};

use super::{cells, names_cells, read};
use crate::Circuit;

const LIBRARY: &str = "\
# a small library
GATE \"nand2\" 2.0 O=!(a*b);  PIN * INV 1 999 1.0 0.2 1.0 0.2
GATE aoi21 3 O=(a b + c)'; PIN a INV 1 999 1 1 1 1 PIN b INV 1 999 1 1 1 1
   PIN c INV 1 999 1 1 1 1
GATE xor2 4 O=a^b; PIN * UNKNOWN 1 999 1 1 1 1
GATE one 0 O=CONST1;
GATE buf 1 O=a; PIN * NONINV 1 999 1 1 1 1
LATCH \"dff\" 10 Q=D; PIN D NONINV 1 999 1 1 1 1 SEQ Q ANY RISING_EDGE CONTROL CLK 1 999 1 1 1 1
LATCH \"toggle\" 12 Q=T*!QN+!T*QN; PIN T UNKNOWN 1 999 1 1 1 1 SEQ Q QN RISING_EDGE
";

fn with(library: &str, text: &str) -> Result<Circuit, String> {
    let cells = cells(&Source::new("l.genlib", library)).map_err(|error| error.to_string())?;
    let whole = Source::new("t.blif", format!("{text}\n{cells}"));
    let read = read(&whole).map_err(|error| error.to_string())?;
    Ok(read.0)
}

/// The first output for all values of four inputs and latches that are off.
fn truth(circuit: &Circuit) -> u64 {
    let inputs = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
    let state = circuit.evaluate(&vec![0; circuit.latches().len()], &inputs);
    state.value(circuit.outputs[0]) & 0xffff
}

fn circuit(part: &str) -> Circuit {
    let text = format!(".model c\n.inputs a b c d\n.outputs x\n{part}\n.end");
    assert!(names_cells(&text));
    with(LIBRARY, &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn gates_of_a_library_are_what_their_formulas_say() {
    let (a, b, c) = (0xaaaau64, 0xcccc, 0xf0f0);
    let of = |part: &str| truth(&circuit(part));
    assert_eq!(of(".gate nand2 a=a b=b O=x"), !(a & b) & 0xffff);
    assert_eq!(of(".gate aoi21 a=a b=b c=c O=x"), !((a & b) | c) & 0xffff);
    assert_eq!(of(".gate xor2 a=a b=c O=x"), a ^ c);
    assert_eq!(of(".gate one O=x"), 0xffff);
    assert_eq!(of(".gate buf a=b O=x"), b);
}

#[test]
fn latches_of_a_library_start_and_step() {
    let held = circuit(".mlatch dff D=a Q=x clk 1");
    assert_eq!(held.latches()[0].start, Some(true));
    assert_eq!(held.latches()[0].next, held.inputs()[0].literal());
    assert_eq!(circuit(".mlatch dff D=a Q=x clk").latches()[0].start, None);
    let toggle = circuit(".mlatch toggle T=a Q=x clk 0");
    let latch = toggle.latches()[0];
    for (was, flip) in [(0u64, 0u64), (0, 1), (1, 0), (1, 1)] {
        let state = toggle.evaluate(&[was], &[flip, 0, 0, 0]);
        assert_eq!(state.value(latch.next) & 1, was ^ flip);
    }
}

#[test]
fn what_is_no_library_is_refused_with_its_place() {
    for (library, why) in [
        ("GATE nand2 1 O=!(a*b;", "`)` was expected"),
        ("GATE nand2 1 O=!(a*b)", "`;` was expected"),
        ("GATE nand2 1 O=;", "a signal was expected"),
        ("GATE", "a cell has a name"),
        ("GATE \"a b\" 1 O=a;", "a cell has a name"),
        ("GATES x", "`GATE` or `LATCH`"),
        ("LATCH l 1 Q=D; PIN * INV", "a part `SEQ`"),
        (
            "LATCH l 1 Q=D; SEQ R ANY RISING_EDGE",
            "what its formula says",
        ),
    ] {
        let error = with(library, ".model c\n.outputs x\n.end").unwrap_err();
        assert!(error.contains(why), "{library}: {error}");
    }
    let deep = format!("GATE g 1 O={}a{};", "(".repeat(5_000), ")".repeat(5_000));
    assert!(with(&deep, ".model c\n.end").is_err());
    let pins = with(
        LIBRARY,
        ".model c\n.inputs a\n.outputs x\n.gate nand2 a=a O=x\n.end",
    );
    assert!(
        pins.unwrap_err()
            .contains("`b` of `nand2` is not connected")
    );
}

/// A formula with its value for all values of four signals.
fn formula(u: &mut Unstructured<'_>, depth: usize) -> Drawn<(String, u64)> {
    let signals = [("a", 0xaaaa), ("b", 0xcccc), ("c", 0xf0f0), ("d", 0xff00)];
    if depth == 0 || u.ratio(1, 5)? {
        let &(name, value) = u.choose(&signals)?;
        return Ok((name.to_owned(), value));
    }
    let (left, of_left) = formula(u, depth - 1)?;
    let (right, of_right) = formula(u, depth - 1)?;
    Ok(match u.int_in_range(0..=5)? {
        0 => (format!("!({left})"), !of_left & 0xffff),
        1 => (format!("({left})'"), !of_left & 0xffff),
        2 => {
            let sign = *u.choose(&["*", "&", " "])?;
            (format!("({left}){sign}({right})"), of_left & of_right)
        }
        3 => (format!("({left} ^ {right})"), of_left ^ of_right),
        _ => {
            let sign = *u.choose(&["+", "|"])?;
            (format!("({left} {sign} {right})"), of_left | of_right)
        }
    })
}

#[test]
fn random_formulas_are_read_as_they_are_written() {
    quotient_trial::trial(|u| {
        let (text, value) = formula(u, 4)?;
        // All four signals are pins, whatever the formula needs.
        let library = format!("GATE g 1 O=({text}) + a*!a + b*!b + c*!c + d*!d;");
        let used = ".model c\n.inputs a b c d\n.outputs x\n.gate g a=a b=b c=c d=d O=x\n.end";
        let circuit = with(&library, used).unwrap_or_else(|error| panic!("{library}: {error}"));
        assert_eq!(truth(&circuit), value, "{library}");
        Ok(())
    })
    .budget_ms(500);
}

#[test]
fn two_cells_of_one_name_are_refused() {
    for second in [
        "GATE g 1 O=!a; PIN * INV 1 999 1 1 1 1\n",
        "LATCH g 1 Q=D; PIN D INV 1 999 1 1 1 1 SEQ Q ANY RISING_EDGE\n",
    ] {
        let text = format!("GATE g 1 O=a; PIN * NONINV 1 999 1 1 1 1\n{second}");
        let told = cells(&Source::new("l.genlib", text))
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("this one is taken") && told.contains("l.genlib:2:"),
            "{told}"
        );
    }
}

#[test]
fn a_gate_with_two_outputs_is_written_as_two() {
    let library = "GATE half 1 S=a^b; PIN * UNKNOWN 1 999 1 1 1 1\nGATE buf 1 O=a;\n\
                   GATE half 1 C=a*b; PIN * NONINV 1 999 1 1 1 1\n";
    let (a, b) = (0xaaaau64, 0xcccc);
    for (part, expected) in [
        (".gate half a=a b=b S=x C=y", a ^ b),
        (".gate half a=a b=b S=y C=x", a & b),
        (".gate half a=a b=b C=x", a & b),
    ] {
        let text = format!(".model c\n.inputs a b c d\n.outputs x\n{part}\n.end");
        let circuit = with(library, &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(truth(&circuit), expected, "{part}");
    }
}
