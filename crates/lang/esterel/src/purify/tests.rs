use quotient_core::{Budget, Source};
use quotient_trial::arbitrary::Unstructured;

use super::*;
use crate::circuit::compile;
use crate::circuit::tests::Runs;
use crate::random::valued_program;
use crate::react::{Problem, State};
use crate::tests::program;
use crate::value::{Number, Type};

/// The ranges of an object.
fn ranges(purified: &Purified, name: &str) -> Vec<String> {
    let table = purified
        .tables
        .iter()
        .find(|table| table.name == name)
        .unwrap();
    (0..table.ranges.count())
        .map(|range| table.ranges.shown(range))
        .collect()
}

fn flows(purified: &Purified, name: &str) -> Vec<(String, Vec<usize>)> {
    let table = purified
        .tables
        .iter()
        .find(|table| table.name == name)
        .unwrap();
    table.flows.clone()
}

fn pure(body: &str) -> std::result::Result<Purified, Vec<Reason>> {
    let text = format!(
        "module M: sensor S, R : float; input X : float, Y : integer; output A; {body} end module"
    );
    purify(&program(&text), Mode::Pure)
}

#[test]
fn domains_are_split_where_tests_need_it() {
    let switch = pure("if ?S < 90.0 then emit A end; if ?S > 110.0 then emit A end").unwrap();
    assert_eq!(ranges(&switch, "S"), ["(-inf,90)", "[90,110]", "(110,inf)"]);
    let one = pure("if ?S > 3.0 then emit A end").unwrap();
    assert_eq!(ranges(&one, "S"), ["(-inf,3]", "(3,inf)"]);
    let slope = "var v : float in every X do v := 2.0 * ?X + 1.0;
        if v > 3.0 then emit A end; if v <= 7.0 then emit A end end end";
    let slope = pure(slope).unwrap();
    assert_eq!(ranges(&slope, "v"), ["(-inf,3]", "(3,7]", "(7,inf)"]);
    assert_eq!(ranges(&slope, "X"), ["(-inf,1]", "(1,3]", "(3,inf)"]);
    assert_eq!(flows(&slope, "X"), [("v".to_owned(), vec![0, 1, 2])]);
    let down =
        "var v : float in every X do v := -2.0 * ?X + 1.0; if v > 3.0 then emit A end end end";
    let down = pure(down).unwrap();
    assert_eq!(ranges(&down, "X"), ["(-inf,-1)", "[-1,inf)"]);
    assert_eq!(flows(&down, "X"), [("v".to_owned(), vec![1, 0])]);
    let whole = "var i : integer in every Y do i := 2 * ?Y; if i > 3 then emit A end end end";
    let whole = pure(whole).unwrap();
    assert_eq!(ranges(&whole, "Y"), ["(-inf,1]", "[2,inf)"]);
}

#[test]
fn what_is_outside_of_the_class_is_refused_by_rule() {
    let rule = |body: &str| pure(body).err().map(|reasons| reasons[0].rule);
    let grows = "var v := 0 : integer in loop v := v + 1; if v > 9 then emit A end; pause end end";
    assert_eq!(rule(grows), Some("unbounded"));
    assert_eq!(rule("if ?S > ?R then emit A end"), Some("two-objects"));
    let text = "module M: function F(float) : boolean; sensor S : float; output A;
        if F(?S) then emit A end end module";
    let reasons = purify(&program(text), Mode::Pure).unwrap_err();
    assert_eq!(reasons[0].rule, "host");
    assert!(Source::new("t", text).text()[reasons[0].span.range()].starts_with("F(?S)"));
    let twice =
        "var v : integer in every Y do v := ?Y; v := 2 * v; if v > 3 then emit A end end end";
    assert_eq!(rule(twice), Some("once"));
    let mirrored = "var v : float in await X; v := ?X;
        loop pause; v := -v; if v > 3.0 then emit A end end end";
    let mirrored = pure(mirrored).unwrap();
    assert_eq!(ranges(&mirrored, "v"), ["(-inf,-3)", "[-3,3]", "(3,inf)"]);
    assert!(flows(&mirrored, "v").contains(&("v".to_owned(), vec![2, 1, 0])));
}

#[test]
fn exactly_one_range_of_a_sensor_is_always_there() {
    let switch =
        pure("loop if ?S < 90.0 then emit A end; if ?S > 110.0 then emit A end; pause end");
    let switch = switch.unwrap();
    let compiled = compile(&switch.program, &Budget::unlimited()).unwrap();
    let Stands::Ranges(all, _) = switch.stands(0) else {
        panic!("the sensor has ranges");
    };
    for given in [None, Some(0), Some(1), Some(2)] {
        let mut runs = Runs::new(&compiled);
        for _ in 0..3 {
            let event: Event = given.iter().map(|&range| (all[range], None)).collect();
            let shown = runs.react(&event).unwrap();
            let there: Vec<usize> = (0..3).filter(|&range| shown[all[range]]).collect();
            assert_eq!(there, [given.unwrap_or(0)]);
        }
    }
}

fn random_value(kind: &Type, u: &mut Unstructured<'_>) -> quotient_trial::arbitrary::Result<Value> {
    Ok(match kind {
        Type::Boolean => Value::Boolean(u.arbitrary()?),
        Type::Integer => Value::Number(Number::from(num_bigint::BigInt::from(
            u.int_in_range(-6..=6)?,
        ))),
        _ => Value::Number(Number::new(u.int_in_range(-8..=8)?.into(), 2.into())),
    })
}

#[test]
fn pure_programs_show_what_those_with_data_show() {
    let (mut exact, mut instants) = (0, 0);
    quotient_trial::trial(|u| {
        let text = valued_program(u)?;
        let source = Source::new("t.strl", text.as_str());
        let file = crate::parse::parse(&source).unwrap();
        let Ok(program) = crate::expand::expand(&source, &file, None, &[]) else {
            return Ok(());
        };
        let Ok(purified) = purify(&program, Mode::Pure) else {
            return Ok(());
        };
        exact += 1;
        let budget = Budget::unlimited();
        let compiled = compile(&purified.program, &budget).unwrap();
        let mut state = State::new(&program).unwrap();
        let mut circuit = Runs::new(&compiled);
        for instant in 0..8 {
            let mut event = Event::new();
            for id in program.inputs() {
                let signal = &program.signals[id];
                let sensor = signal.direction == Direction::Sensor;
                if sensor || u.ratio(1, 2)? {
                    let value = match &signal.kind {
                        Some(kind) => Some(random_value(kind, u)?),
                        None => None,
                    };
                    event.insert(id, value);
                }
            }
            let shown = circuit.react(&purified.abstracted(&event));
            let reaction = match state.react(&program, &event, &budget) {
                Ok(reaction) => reaction,
                // The class is that of programs that run without errors.
                Err(Problem::Data(..)) => break,
                // A test of data holds control up until it must be made; what stands for it in the
                // pure program is known from the beginning, so that may go on.
                Err(Problem::Causality(_)) => break,
                Err(other) => panic!("{other:?}: {text}"),
            };
            // Data may hold control up where the program with data goes on.
            let Some(shown) = shown else { break };
            instants += 1;
            for id in program.outputs() {
                match purified.stands(id) {
                    Stands::Whole(own) => {
                        assert_eq!(shown[*own], reaction.present[id], "{instant}: {text}");
                    }
                    Stands::Ranges(all, ranges) => {
                        let range = reaction.values[id].as_ref().map(|value| ranges.of(value));
                        for (at, &own) in all.iter().enumerate() {
                            let expected = reaction.present[id] && range == Some(at);
                            assert_eq!(shown[own], expected, "{instant}: {text}");
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    })
    .budget_ms(8_000);
    // How many there are depends on how busy the machine is.
    assert!(exact > 0 && instants > 0, "{exact} {instants}");
}
