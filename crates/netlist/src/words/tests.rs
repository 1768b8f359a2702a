use quotient_core::{Budget, Source};

use super::*;

/// What an operator gives for numbers, by machine arithmetic: the third way.
fn by_machine(name: &str, a: i128, b: i128, width: u32) -> u128 {
    let modulus = 1i128 << width;
    let signed = |number: i128| {
        if number >= modulus / 2 {
            number - modulus
        } else {
            number
        }
    };
    let (x, y) = (signed(a), signed(b));
    let least = -(modulus / 2);
    let fits = |number: i128| (least..-least).contains(&number);
    let bit = |value: bool| i128::from(value);
    let euclid = |number: i128| number.rem_euclid(modulus);
    let turn = |by: i128| euclid(a << by | a >> (i128::from(width) - by));
    let small = i128::from(width);
    let result = match name {
        "and" => a & b,
        "nand" => modulus - 1 - (a & b),
        "or" => a | b,
        "nor" => modulus - 1 - (a | b),
        "xor" => a ^ b,
        "xnor" => modulus - 1 - (a ^ b),
        "eq" => bit(a == b),
        "neq" => bit(a != b),
        "ult" => bit(a < b),
        "ulte" => bit(a <= b),
        "ugt" => bit(a > b),
        "ugte" => bit(a >= b),
        "slt" => bit(x < y),
        "slte" => bit(x <= y),
        "sgt" => bit(x > y),
        "sgte" => bit(x >= y),
        "add" => euclid(a + b),
        "sub" => euclid(a - b),
        "mul" => euclid(a * b),
        "udiv" if b == 0 => modulus - 1,
        "udiv" => a / b,
        "urem" if b == 0 => a,
        "urem" => a % b,
        "sdiv" if b == 0 => {
            if x < 0 {
                1
            } else {
                modulus - 1
            }
        }
        "sdiv" => euclid(x / y),
        "srem" if b == 0 => a,
        "srem" => euclid(x % y),
        "smod" if b == 0 => a,
        "smod" => {
            let rest = x % y;
            euclid(if rest != 0 && (rest < 0) != (y < 0) {
                rest + y
            } else {
                rest
            })
        }
        "sll" => {
            if b >= small {
                0
            } else {
                euclid(a << b)
            }
        }
        "srl" => {
            if b >= small {
                0
            } else {
                a >> b
            }
        }
        "sra" => euclid(x >> b.min(small)),
        "rol" => turn(b % small),
        "ror" => turn((small - b % small) % small),
        "uaddo" => bit(a + b >= modulus),
        "usubo" => bit(a < b),
        "umulo" => bit(a * b >= modulus),
        "saddo" => bit(!fits(x + y)),
        "ssubo" => bit(!fits(x - y)),
        "smulo" => bit(!fits(x * y)),
        "sdivo" => bit(x == least && y == -1),
        "concat" => a << width | b,
        other => panic!("{other}"),
    };
    result as u128
}

const BINARY: [&str; 37] = [
    "and", "nand", "or", "nor", "xor", "xnor", "eq", "neq", "ult", "ulte", "ugt", "ugte", "slt",
    "slte", "sgt", "sgte", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "smod", "sll",
    "srl", "sra", "rol", "ror", "uaddo", "usubo", "umulo", "saddo", "ssubo", "smulo", "sdivo",
    "concat",
];

/// Whether the result is one bit, whatever the operands are.
fn gives_bit(name: &str) -> bool {
    let compares = ["lt", "lte", "gt", "gte"]
        .iter()
        .any(|end| name.ends_with(end));
    name == "eq" || name == "neq" || name.ends_with('o') || compares
}

/// A model with one output for each operator, applied to two inputs.
fn all_operators(width: u32) -> (Model, Vec<&'static str>) {
    let mut text = format!(
        "1 sort bitvec 1\n2 sort bitvec {width}\n3 sort bitvec {}\n4 input 2 a\n5 input 2 b\n",
        2 * width
    );
    let mut id = 10;
    let mut names = Vec::new();
    for name in BINARY {
        let sort = match name {
            "concat" => 3,
            _ if gives_bit(name) => 1,
            _ => 2,
        };
        text += &format!("{id} {name} {sort} 4 5\n{} output {id}\n", id + 1);
        id += 2;
        names.push(name);
    }
    let model = read(&Source::new("all.btor2", text)).unwrap_or_else(|trouble| panic!("{trouble}"));
    (model, names)
}

/// Evaluator, circuit and machine say the same of all operators, for all operands.
#[test]
fn every_operator_agrees_with_machine_arithmetic_in_both_ways() {
    for width in 1..=4u32 {
        let (model, names) = all_operators(width);
        let mut with_bad = model.clone();
        // Outputs of one bit are asked about, so that the circuit has them.
        with_bad.bad = model.outputs.clone();
        with_bad
            .bad
            .retain(|asked| model.sort(asked.signal.node) == Sort::Bits(1));
        let blasted = to_bits(&with_bad, &Budget::unlimited()).unwrap();
        for a in 0..1u128 << width {
            for b in 0..1u128 << width {
                let run = Evaluator::new(&model, &mut |node, _| {
                    let first = node == model.inputs()[0].0;
                    Value::Word(Word::from_number(if first { a } else { b }, width))
                });
                let bits = a | b << width;
                let inputs: Vec<u64> = (0..2 * width).map(|at| (bits >> at & 1) as u64).collect();
                let state = blasted.circuit.evaluate(&[], &inputs);
                let mut ones = blasted.circuit.bad.iter();
                for (asked, name) in model.outputs.iter().zip(&names) {
                    let value = run.operand(asked.signal);
                    let expected = by_machine(name, a as i128, b as i128, width);
                    let given = value.word().number();
                    assert_eq!(given, Some(expected), "{name} {a} {b} of {width} bits");
                    if value.word().width() == 1 {
                        let circuit = state.is_on(*ones.next().unwrap());
                        assert_eq!(u128::from(circuit), expected, "{name} {a} {b} as bits");
                    }
                }
            }
        }
    }
}

/// Random expressions over words and a small array: evaluator and circuit agree step by step.
#[test]
fn circuits_of_random_models_do_what_the_evaluator_says() {
    quotient_trial::trial(|u| {
        let width = u.int_in_range(1..=5u32)?;
        let mut text = format!(
            "1 sort bitvec 1\n2 sort bitvec {width}\n3 sort array 2 2\n4 input 2 a\n5 input 2 b\n\
             6 zero 2\n7 state 2 s\n8 init 2 7 6\n9 state 3 m\n10 init 3 9 6\n11 state 2 t\n\
             12 one 2\n13 add 2 4 12\n14 state 2 v\n15 init 2 14 13\n"
        );
        let mut words: Vec<u64> = vec![4, 5, 7, 11, 14];
        let mut id = 20;
        let operators = [
            "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "smod", "sll", "srl", "sra",
            "rol", "ror", "and", "xor", "nor",
        ];
        let pick = |u: &mut quotient_trial::arbitrary::Unstructured<'_>, words: &[u64]| {
            let sign = if u.arbitrary()? { "-" } else { "" };
            Ok(format!("{sign}{}", u.choose(words)?))
        };
        for _ in 0..u.int_in_range(1..=8)? {
            let (a, b) = (pick(u, &words)?, pick(u, &words)?);
            let line = match u.int_in_range(0..=7)? {
                0 => format!("read 2 9 {a}"),
                1 => format!("inc 2 {a}"),
                2 => format!("neg 2 {a}"),
                _ => format!("{} 2 {a} {b}", u.choose(&operators)?),
            };
            text += &format!("{id} {line}\n");
            words.push(id);
            id += 1;
        }
        let (a, b, c) = (pick(u, &words)?, pick(u, &words)?, pick(u, &words)?);
        text += &format!("{id} write 3 9 {a} {b}\n{} next 3 9 {id}\n", id + 1);
        text += &format!("{} next 2 7 {c}\n{} next 2 14 {a}\n", id + 2, id + 3);
        text += &format!("{} redor 1 {b}\n{} bad {}\n", id + 4, id + 5, id + 4);
        text += &format!("{} ult 1 {a} {c}\n{} bad {}\n", id + 6, id + 7, id + 6);
        let model = read(&Source::new("r.btor2", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
        let blasted = to_bits(&model, &Budget::unlimited()).unwrap();
        let circuit = &blasted.circuit;
        let mut latches: Vec<u64> = Vec::new();
        for latch in circuit.latches() {
            latches.push(match latch.start {
                Some(value) => u64::from(value),
                None => u64::from(u.arbitrary::<bool>()?),
            });
        }
        let mut run: Option<Evaluator<'_>> = None;
        for _ in 0..4 {
            let mut inputs = Vec::new();
            for _ in circuit.inputs() {
                inputs.push(u64::from(u.arbitrary::<bool>()?));
            }
            let state = circuit.evaluate(&latches, &inputs);
            let mut choose = |node, sort| blasted.value(node, sort, &state);
            match &mut run {
                None => run = Some(Evaluator::new(&model, &mut choose)),
                Some(run) => run.step(&mut choose),
            }
            let run = run.as_ref().unwrap();
            for (asked, &bit) in model.bad.iter().zip(&circuit.bad) {
                assert_eq!(run.operand(asked.signal).is_on(), state.is_on(bit));
            }
            for own in model.states().iter().filter(|own| blasted.keeps(own.node)) {
                let seen = blasted.value(own.node, model.sort(own.node), &state);
                assert_eq!(seen.word(), {
                    match (run.value(own.node), &seen) {
                        (Value::Word(word), _) => word,
                        (Value::Array(..), other) => other.word(),
                    }
                });
            }
            latches = circuit
                .latches()
                .iter()
                .map(|one| state.value(one.next) & 1)
                .collect();
        }
        Ok(())
    })
    .budget_ms(3_000);
}

#[test]
fn wide_words_are_exact() {
    let text = "1 sort bitvec 200\n2 constd 1 123456789012345678901234567890\n3 mul 1 2 2\n\
                4 udiv 1 3 2\n5 sort bitvec 1\n6 eq 5 4 2\n7 bad 6\n";
    let model = read(&Source::new("w.btor2", text)).unwrap();
    let run = Evaluator::new(&model, &mut |_, sort| Value::zero(sort));
    assert!(run.operand(model.bad[0].signal).is_on());
}

/// All bits of what circuits shift and turn, for all operands, beside machine arithmetic.
#[test]
fn shifts_and_rotations_move_every_bit_rightly() {
    for (width, name) in (1..=8u32).flat_map(|width| {
        let names = ["sll", "srl", "sra", "rol", "ror"];
        names.map(|name| (width, name))
    }) {
        let text = format!("1 sort bitvec {width}\n2 input 1\n3 input 1\n4 {name} 1 2 3\n");
        let bits: String = (0..width)
            .map(|at| {
                format!(
                    "{0} slice 5 4 {at} {at}\n{1} bad {0}\n",
                    10 + 2 * at,
                    11 + 2 * at
                )
            })
            .collect();
        let text = format!("{text}5 sort bitvec 1\n{bits}");
        let model = read(&Source::new("s.btor2", text)).unwrap_or_else(|wrong| panic!("{wrong}"));
        let blasted = to_bits(&model, &Budget::unlimited()).unwrap();
        for a in 0..1u128 << width {
            for b in 0..1u128 << width {
                let both = a | b << width;
                let inputs: Vec<u64> = (0..2 * width).map(|at| (both >> at & 1) as u64).collect();
                let state = blasted.circuit.evaluate(&[], &inputs);
                let bits = blasted.circuit.bad.iter().enumerate();
                let given: u128 = bits
                    .map(|(at, &bit)| u128::from(state.is_on(bit)) << at)
                    .sum();
                let expected = by_machine(name, a as i128, b as i128, width);
                assert_eq!(given, expected, "{name} {a} {b} of {width} bits");
            }
        }
    }
}

/// Amounts as wide as the word do not make a shift of wide words take gates by the square.
#[test]
fn wide_shifts_are_small_and_wide_rotations_are_bounded() {
    let gates = |name: &str, width: u32| {
        let text = format!(
            "1 sort bitvec {width}\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 {name} 1 3 4\n\
             6 redor 2 5\n7 bad 6\n"
        );
        let model = read(&Source::new("s.btor2", text)).unwrap();
        let blasted = to_bits(&model, &Budget::unlimited());
        blasted.map(|blasted| blasted.circuit.graph.len())
    };
    for name in ["sll", "srl", "sra", "rol", "ror"] {
        assert!(gates(name, 1 << 14).unwrap() < 60 * (1 << 14), "{name}");
    }
    let stop = gates("rol", 10_000).unwrap_err().to_string();
    assert!(stop.contains("gates"), "{stop}");
}

#[test]
fn what_does_not_fit_into_memory_is_not_begun() {
    let text = "1 sort bitvec 1000\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 mul 1 3 4\n\
                6 redor 2 5\n7 bad 6\n";
    let model = read(&Source::new("m.btor2", text)).unwrap();
    let small = Budget::new(None, Some(100 << 20));
    assert_eq!(
        to_bits(&model, &small).err(),
        Some(quotient_core::Stop::Memory)
    );
    assert!(to_bits(&model, &Budget::new(None, Some(8 << 30))).is_ok());
}

/// Digits in all three bases beside the machine, and what does not fit.
#[test]
fn constants_are_what_their_digits_say() {
    for width in 1..=9u32 {
        for number in -300i128..600 {
            let modulus = 1i128 << width;
            let fits = (-modulus / 2..modulus).contains(&number);
            let word = fits.then(|| {
                let number = number.rem_euclid(modulus);
                Word::from_number(number as u128, width)
            });
            assert_eq!(Word::from_digits(&number.to_string(), 10, width), word);
            if number >= 0 {
                assert_eq!(Word::from_digits(&format!("{number:x}"), 16, width), word);
                assert_eq!(Word::from_digits(&format!("{number:b}"), 2, width), word);
            }
        }
    }
    for number in [
        u128::MAX,
        u128::MAX / 10,
        10u128.pow(36),
        10u128.pow(18) - 1,
        1 << 64,
    ] {
        let word = Some(Word::from_number(number, 200));
        assert_eq!(Word::from_digits(&number.to_string(), 10, 200), word);
        assert_eq!(Word::from_digits(&format!("000{number:x}"), 16, 200), word);
    }
    for (digits, base) in [
        ("", 10),
        ("-", 10),
        ("-1", 2),
        ("-1", 16),
        ("+1", 10),
        ("1_0", 10),
    ] {
        assert_eq!(Word::from_digits(digits, base, 8), None, "{digits}");
    }
    // As wide as words are: not by the square of the digits.
    let digits = "9".repeat(19_700);
    let started = std::time::Instant::now();
    assert!(Word::from_digits(&digits, 10, 1 << 16).is_some());
    assert!(started.elapsed().as_secs() < 2);
}

#[test]
fn every_line_has_a_number_of_its_own_without_a_sign() {
    let head =
        "1 sort bitvec 1\n2 sort bitvec 8\n3 sort array 1 2\n4 state 1\n5 state 2\n6 state 3\n";
    for (lines, told) in [
        ("7 bad 4\n7 bad -4\n", "the number 7 is defined twice"),
        (
            "7 next 1 4 4\n7 constraint 4\n",
            "the number 7 is defined twice",
        ),
        ("7 output 4\n7 zero 1\n", "the number 7 is defined twice"),
        ("+7 bad 4\n", "`+7` is no number"),
        ("7 bad +4\n", "`+4` is no node"),
        ("7 bad -+4\n", "`-+4` is no node"),
        ("7 next +1 4 4\n", "`+1` is no number"),
        ("7 constd 2 -200\n", "`-200` is no constant of 8 bits"),
        ("7 justice 1 5\n", "`justice` needs a word of one bit"),
        ("7 next 3 6 -6\n", "`-6` is a negated array"),
        ("7 init 3 6 -6\n", "`-6` is a negated array"),
        ("7 output -6\n", "`-6` is a negated array"),
        ("7 eq 1 6 -6\n", "`-6` is a negated array"),
    ] {
        let trouble = read(&Source::new("n.btor2", format!("{head}{lines}")));
        let trouble = trouble.err().map(|trouble| trouble.to_string());
        let trouble = trouble.unwrap_or_default();
        assert!(trouble.contains(told), "{lines}: {trouble}");
    }
}

#[test]
fn what_nothing_asked_depends_on_costs_nothing() {
    let wide = "1 sort bitvec 10000\n2 state 1 wide\n3 mul 1 2 2\n4 next 1 2 3\n\
                5 sort bitvec 1\n6 state 5 small\n7 bad 6\n";
    let model = read(&Source::new("w.btor2", wide)).unwrap();
    let blasted = to_bits(&model, &Budget::unlimited()).unwrap();
    assert!(blasted.circuit.graph.len() < 10 && !blasted.keeps(model.states()[0].node));
    let asked = format!("{wide}8 redor 5 2\n9 bad 8\n");
    let model = read(&Source::new("w.btor2", asked)).unwrap();
    let stop = to_bits(&model, &Budget::unlimited()).unwrap_err();
    assert!(stop.to_string().contains("gates"), "{stop}");
}

#[test]
fn large_arrays_are_refused_honestly() {
    let text = "1 sort bitvec 32\n2 sort array 1 1\n3 state 2 memory\n4 sort bitvec 1\n5 zero 1\n\
                6 read 1 3 5\n7 redor 4 6\n8 bad 7\n";
    let model = read(&Source::new("m.btor2", text)).unwrap();
    let stop = to_bits(&model, &Budget::unlimited()).unwrap_err();
    assert!(stop.to_string().contains("bits of an array"), "{stop}");
}

#[test]
fn all_mistakes_are_told_with_their_places() {
    let text = "1 sort bitvec 8\n2 zero 7\n3 add 1 9 9\n4 frobnicate 1\n5 const 1 2\n6 state 1\n\
                6 state 1\n7 constd 1 256\n8 sort bitvec 0\n";
    let trouble = read(&Source::new("x.btor2", text)).unwrap_err().to_string();
    for line in [2, 3, 4, 5, 7, 8, 9] {
        assert!(
            trouble.contains(&format!("x.btor2:{line}:")),
            "{line}: {trouble}"
        );
    }
}

#[test]
fn damaged_texts_are_refused_without_a_panic() {
    let text = "1 sort bitvec 4\n2 sort bitvec 1\n3 sort array 2 1\n4 state 1 s\n5 zero 1\n\
                6 init 1 4 5\n7 state 3 m\n8 input 2 i\n9 read 1 7 8\n10 add 1 9 -4\n11 next 1 4 10\n\
                12 write 3 7 8 10\n13 next 3 7 12\n14 slice 2 10 3 3\n15 uext 1 14 3\n\
                16 udiv 1 15 4\n17 redor 2 16\n18 bad 17\n19 constraint -8\n20 justice 1 17\n";
    quotient_trial::trial(|u| {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..u.int_in_range(1..=3)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=2)? {
                0 => bytes[at] = *u.choose(b"0123456789- \n;x")?,
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, *u.choose(b"0123 -\n")?),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Ok(model) = read(&Source::new("d.btor2", text)) {
            let budget = Budget::unlimited().child_with_work(200_000);
            let _ = to_bits(&model, &budget);
            let mut run = Evaluator::new(&model, &mut |_, sort| Value::zero(sort));
            run.step(&mut |_, sort| Value::zero(sort));
        }
        Ok(())
    })
    .budget_ms(1_500);
}
