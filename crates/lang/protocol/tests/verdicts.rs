//! Verdicts about random protocols agree with the plain enumeration of small instances.

use quotient_core::{Budget, Context, Source};
use quotient_protocol::{Configuration, Interpreter, Protocol};
use quotient_regular::{Found, Options, check};

mod random;

/// The configurations of one size that can be reached, if that is soon said, and whether one
/// violates a property.
fn violated(interpreter: &Interpreter<'_>, size: usize, property: &str) -> Option<bool> {
    let budget = Budget::unlimited().child_with_work(2_000);
    let explored = interpreter.explore(size, &budget).ok()?;
    Some(explored.violations.iter().any(|(name, _)| name == property))
}

#[test]
fn what_holds_for_all_sizes_holds_for_small_ones_and_runs_are_runs() {
    let (mut proofs, mut runs) = (0, 0);
    for seed in 0..30 {
        let text = random::protocol(&mut random::Random::new(seed));
        let protocol = Protocol::parse(&Source::new("test.protocol", text.clone())).unwrap();
        let compiled = protocol.compile(&Budget::unlimited()).unwrap();
        let interpreter = Interpreter::new(&protocol, &compiled);
        let context = Context {
            budget: Budget::unlimited().child_with_work(100_000),
            ..Context::default()
        };
        let options = Options {
            doubt: false,
            ..Options::default()
        };
        let report = check(&compiled.problem().unwrap(), &options, &context);
        for answer in &report.answers {
            let name = &answer.property;
            match &answer.found {
                Found::Proof(_) => {
                    proofs += 1;
                    for size in 1..=4 {
                        let wrong = violated(&interpreter, size, name) == Some(true);
                        assert!(!wrong, "`{name}` is violated by {size} processes\n{text}");
                    }
                }
                Found::Run(run) => {
                    runs += 1;
                    let words = run.words.iter().map(|word| interpreter.configuration(word));
                    let path: Vec<Configuration> = words.collect();
                    let size = interpreter.table(&path[..1], &[]).rows[0].processes.len();
                    assert!(interpreter.initial(size).contains(&path[0]), "{text}");
                    for (pair, step) in path.windows(2).zip(&run.steps) {
                        let next = interpreter.successors(&pair[0]);
                        let taken = |(taken, after): &(quotient_protocol::Taken, Configuration)| {
                            taken.step == *step && *after == pair[1]
                        };
                        assert!(next.iter().any(taken), "`{step}` is no step\n{text}");
                    }
                    assert!(
                        interpreter.violates(name, &path[path.len() - 1]),
                        "{name}\n{text}"
                    );
                    assert_ne!(
                        violated(&interpreter, size, name),
                        Some(false),
                        "{name}\n{text}"
                    );
                }
                Found::Nothing(_) => {}
            }
        }
    }
    assert!(proofs > 10 && runs > 10, "{proofs} proofs and {runs} runs");
}
