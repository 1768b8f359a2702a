//! Every operator, on all values of small domains: the gates say what the evaluator says.

use super::*;
use quotient_states::SymbolId;

const OPERATORS: [Operator; 15] = [
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::Equal,
    Operator::Less,
    Operator::Plus,
    Operator::Minus,
    Operator::Times,
    Operator::Divide,
    Operator::Modulo,
    Operator::Concatenate,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::RotateLeft,
    Operator::RotateRight,
];

/// The value of an expression in the possibility found last.
fn decode(circuit: &Circuit, encoded: &Encoded) -> Option<Value> {
    let unsigned = |bits: &[Lit]| Word::collect(bits.iter().map(|&bit| circuit.value(bit)));
    let value = match &encoded.value {
        Bits::Boolean(value) => Value::Boolean(circuit.value(*value)),
        Bits::Word { signed, bits } => Value::word(*signed, bits.len() as u32, unsigned(bits)),
        Bits::Scalar { symbol, bits } => {
            assert!(bits.len() <= 64);
            let word = Value::word(true, bits.len() as u32, unsigned(bits));
            let number = word.number().unwrap() as i64;
            match circuit.value(*symbol) {
                true => Value::Symbol(SymbolId(number as usize)),
                false => Value::Integer(number),
            }
        }
    };
    circuit.value(encoded.defined).then_some(value)
}

/// Compares all expressions of a model on all its states; with a step, on all pairs of states.
fn compare(model: &Model, steps: bool) {
    compare_on(model, steps, &states(model));
}

fn compare_on(model: &Model, steps: bool, states: &[State]) {
    let types = model.check().unwrap();
    let budget = Budget::unlimited();
    let circuit = &mut Circuit::new(&budget);
    let now = Frame::new(circuit, model, None);
    let next = Frame::new(circuit, model, Some(&now));
    let all = (0..types.len()).map(ExpressionId);
    let after = steps.then_some(&next);
    let encoding = Encoding::new(circuit, model, all, &now, after, &budget).unwrap();
    for from in states {
        let given = now.is_state(model, from).unwrap();
        for to in states {
            if steps && !model.keeps_frozen(from, to) {
                continue;
            }
            let mut given = given.clone();
            if steps {
                given.extend(next.is_state(model, to).unwrap());
            }
            assert_eq!(circuit.possible(&given), Ok(true));
            let values = model.values(from, steps.then_some(to));
            for at in 0..types.len() {
                let id = ExpressionId(at);
                let found = decode(circuit, encoding.of(id).unwrap());
                let node = model.expressions.nodes()[at];
                assert_eq!(found, values.of(id), "{node:?} in {from:?} to {to:?}");
            }
            if !steps {
                break;
            }
        }
    }
}

fn states(model: &Model) -> Vec<State> {
    let mut all = vec![Vec::new()];
    for variable in &model.variables {
        let codes = 0..=variable.domain.last_code().as_u64().unwrap();
        let values: Vec<Value> = codes
            .filter_map(|code| variable.domain.value(code))
            .collect();
        let extend = |state: Vec<Value>| {
            let with = move |&value: &Value| [&state[..], &[value]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all.into_iter().map(State).collect()
}

/// All operators that fit between variables of two domains, also where an operand has no value.
fn operators_on(left: &Domain, right: &Domain) -> Model {
    let mut model = Model {
        symbols: vec!["red".to_owned(), "green".to_owned()],
        ..Model::default()
    };
    let x = model.add_variable("x", Kind::State, left.clone());
    let y = model.add_variable("y", Kind::State, right.clone());
    let add = |model: &mut Model, node: Node| {
        let mut longer = model.clone();
        let id = longer.expressions.add(node);
        let fits = longer.check().is_ok();
        if fits {
            *model = longer;
        }
        fits.then_some(id)
    };
    let mut read = |variable, of: &Domain| {
        let node = Node::Variable {
            variable,
            next: false,
        };
        let value = model.expressions.add(node);
        let first = model.expressions.add(Node::Constant(of.value(0).unwrap()));
        let is_first = Node::Binary(Operator::Equal, value, first);
        let is_first = model.expressions.add(is_first);
        let nothing = model.expressions.add(Node::Undefined(of.type_of()));
        let partial = Node::Choose(is_first, nothing, value);
        [value, model.expressions.add(partial)]
    };
    let (left, right) = (read(x, left), read(y, right));
    for a in left {
        for b in right {
            for operator in OPERATORS {
                if let Some(id) = add(&mut model, Node::Binary(operator, a, b)) {
                    add(&mut model, Node::Not(id));
                }
            }
        }
        add(&mut model, Node::Not(a));
        add(&mut model, Node::Negate(a));
        add(&mut model, Node::IsInteger(a));
        add(&mut model, Node::ToInteger(a));
        for (high, low) in [(0, 0), (1, 0), (1, 1), (2, 1)] {
            let operand = a;
            add(&mut model, Node::Bits { operand, high, low });
        }
        for (signed, width) in [(false, 1), (false, 4), (true, 2), (true, 5)] {
            let node = Node::ToWord {
                operand: a,
                signed,
                width,
            };
            add(&mut model, node);
        }
    }
    model
}

fn word(signed: bool, width: u32) -> Domain {
    Domain::Word { signed, width }
}

#[test]
fn operators_on_truth_values_numbers_and_symbols() {
    let symbol = |at| Value::Symbol(SymbolId(at));
    let mixed = vec![symbol(1), Value::Integer(1), symbol(0), Value::Integer(-2)];
    let groups = [
        vec![Domain::Boolean],
        vec![
            Domain::Range(-4, 3),
            Domain::Range(0, 2),
            Domain::Range(2, 6),
            Domain::Range(-5, -5),
            Domain::Enumeration(mixed),
            Domain::Enumeration(vec![symbol(0)]),
        ],
    ];
    for group in groups {
        for left in &group {
            for right in &group {
                compare(&operators_on(left, right), false);
            }
        }
    }
}

#[test]
fn operators_on_words_of_small_widths() {
    for signed in [false, true] {
        for width in 1..=3 {
            compare(
                &operators_on(&word(signed, width), &word(signed, width)),
                false,
            );
        }
        // Moved by a number, and by words of other widths and signs; joined with them.
        let amounts = [Domain::Range(-2, 5), word(true, 3), word(false, 4)];
        for amount in amounts {
            compare(&operators_on(&word(signed, 3), &amount), false);
        }
    }
}

#[test]
fn operators_on_wide_words() {
    let (all, one) = (!Word::ZERO, Word::from(1));
    for (signed, width) in [(false, 65), (true, 67)] {
        let some = Word::read("123456789123456789123456789123456789", 10).unwrap();
        let edge = [all << 3, one << (width - 1), some];
        let near = [Word::from(3), all, some >> 40];
        let model = operators_on(&word(signed, width), &word(signed, width));
        let value = |bits| Value::word(signed, width, bits);
        let pairs = edge.into_iter().zip(near);
        let pairs = pairs.map(|(a, b)| State(vec![value(a), value(b)]));
        let states: Vec<State> = pairs.collect();
        compare_on(&model, false, &states);
        // Moved by more than a machine word counts.
        let model = operators_on(&word(signed, width), &word(false, 140));
        let amounts = [one << 64, one << 129];
        let pairs = amounts.map(|by| State(vec![value(some), Value::word(false, 140, by)]));
        compare_on(&model, false, &pairs);
    }
}

#[test]
fn numbers_at_the_edge_of_64_bits() {
    let edge = [i64::MIN, i64::MIN + 1, -1, 0, 1, 3, i64::MAX - 1, i64::MAX];
    let edge = Domain::Enumeration(edge.map(Value::Integer).to_vec());
    compare(&operators_on(&edge, &edge), false);
    let mut model = Model::default();
    let variables = [
        model.add_variable("x", Kind::State, edge),
        model.add_variable("y", Kind::Frozen, Domain::Range(i64::MAX - 1, i64::MAX)),
    ];
    for variable in variables {
        for next in [false, true] {
            let read = model.expressions.add(Node::Variable { variable, next });
            model.expressions.add(Node::Negate(read));
        }
    }
    compare(&model, true);
}

#[test]
fn next_values_are_those_after_the_step_and_frozen_ones_stay() {
    let mut model = Model::default();
    let x = model.add_variable("x", Kind::State, Domain::Range(0, 2));
    let f = model.add_variable("f", Kind::Frozen, Domain::Range(-1, 1));
    let mut reads = Vec::new();
    for variable in [x, f] {
        for next in [false, true] {
            reads.push(model.expressions.add(Node::Variable { variable, next }));
        }
    }
    for &a in &reads {
        for &b in &reads {
            model.expressions.add(Node::Binary(Operator::Plus, a, b));
        }
    }
    compare(&model, true);
    compare(&model, false);
}

#[test]
fn only_codes_with_a_value_are_in_the_domain() {
    let mut model = Model::default();
    model.add_variable("r", Kind::State, Domain::Range(3, 7));
    model.add_variable("w", Kind::State, word(true, 2));
    model.add_variable("one", Kind::State, Domain::Range(4, 4));
    let circuit = &mut Circuit::new(&Budget::unlimited());
    let frame = Frame::new(circuit, &model, None);
    let inside = frame.in_domain(circuit, &model);
    for code in 0..8u32 {
        let bits = (0..3).map(|at| frame.bit(VariableId(0), at).unwrap());
        let given = bits.enumerate();
        let mut given: Vec<Lit> = given
            .map(|(at, bit)| if code >> at & 1 == 1 { bit } else { !bit })
            .collect();
        given.push(inside);
        assert_eq!(circuit.possible(&given), Ok(code < 5));
    }
    assert_eq!(frame.bit(VariableId(1), 2), None);
    assert_eq!(frame.bit(VariableId(2), 0), None);
}
