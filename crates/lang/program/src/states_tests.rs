//! Programs that are answered by looking at their states: few of them, or few values of open integers.

use quotient_core::{Budget, Context, Evidence, Rejection, Source, Verdict};
use quotient_language::{Answer, Ask, Input, NoFiles, Random, Settings, Verb};

use crate::LANGUAGE;
use crate::certify::{STATES, certify};
use crate::certify_states::StatesBody;
use crate::interpret::{Found, search};
use crate::read::read;
use crate::tests::random_program;

fn answers(text: &str) -> Vec<Answer> {
    let about = LANGUAGE.about();
    let settings = Settings::new(about.name, about.settings, Verb::Check, &[]).unwrap();
    let cx = Context::default();
    let input = Input::text(&Source::new("any.spl", text));
    let mut model = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx).unwrap();
    let mut found = Vec::new();
    model
        .check(&Ask::default(), &cx, &mut |answer| found.push(answer))
        .unwrap();
    for answer in &found {
        let property = model.property(&answer.property).unwrap();
        let evidence = answer.evidence.as_ref().unwrap();
        model
            .certify(evidence, &property, &Budget::unlimited())
            .unwrap();
    }
    found
}

/// The evidence that all states were looked at is accepted where no state and no run violates a property, never
/// otherwise.
#[test]
fn all_states_are_found_again() {
    let random = &mut Random::new(5);
    let budget = Budget::unlimited();
    let evidence = Evidence::of_holds(STATES, &StatesBody {});
    let (mut good, mut bad) = (0, 0);
    for _ in 0..300 {
        let text = random_program(random);
        let of = read(&Source::new("p", &*text)).unwrap();
        let all: Vec<usize> = (0..of.processes.len()).collect();
        let check = &of.checks[0];
        let says = certify(&of, check, &evidence, &budget);
        match search(&of, check, &all, 5_000, &budget).unwrap() {
            Found::Nothing => {
                says.unwrap_or_else(|why| panic!("{why}\n{text}"));
                good += 1;
            }
            Found::Violation(_) => {
                assert!(matches!(says, Err(Rejection::Wrong(_))), "{text}");
                bad += 1;
            }
            Found::TooMany => {}
        }
    }
    assert!(good > 50 && bad > 50, "{good} {bad}");
}

/// What is open, or too large, is never called complete.
#[test]
fn all_states_are_not_believed_where_values_are_open_or_too_large() {
    let texts = [
        "shared int x; process P { skip; } check a: G (x < 99)",
        "shared int x = 0; process P { x := any; } check a: G (x < 99)",
        "shared bool b; process P { skip; } check a: G b",
        "shared bool b = true; process P { b := any; } check a: G b",
        "shared int x = 1; process P { while (true) { x := x + x; } } check a: G (x > 0)",
        "shared int x = 1; process P { while (true) { x := 2 * x; } } \
         process Q { await (x < 0); bad: skip; } check a: G !(Q at bad)",
    ];
    for text in texts {
        let of = read(&Source::new("p", text)).unwrap();
        let evidence = Evidence::of_holds(STATES, &StatesBody {});
        certify(&of, &of.checks[0], &evidence, &Budget::unlimited()).unwrap_err();
    }
}

#[test]
fn few_states_and_telling_values_are_enough() {
    // The spotlight would take one predicate after the other.
    let counts = "shared int x = 10;
        process P {
          while (x > 0) { if (x % 2 = 0) { x := x - 2; } else { x := x - 1; } }
          end_: skip;
        }
        check a: G (P at end_ -> x = 0)
        check b: F (P at end_)
        check c: G (P at end_ -> x = 1)";
    let open = "shared int x, y;
        process P { if (x > y + 37) { far: skip; } else { near: skip; } }
        process Q { while (true) { y := any; if (y > 5) { y := 5; } } }
        check a: G !(P at far)
        check b: G (y <= 5)";
    let verdicts = |text| -> Vec<Verdict> {
        let all = answers(text);
        all.into_iter().map(|answer| answer.verdict).collect()
    };
    let (holds, violated) = (Verdict::Holds, Verdict::Violated);
    assert_eq!(verdicts(counts), [holds.clone(), holds, violated.clone()]);
    assert_eq!(verdicts(open), [violated.clone(), violated]);
}
