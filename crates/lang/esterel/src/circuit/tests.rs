use quotient_core::{Budget, Source};
use quotient_netlist::Circuit;
use quotient_trial::arbitrary::Unstructured;

use super::*;
use crate::expand::expand;
use crate::kernel::Program;
use crate::parse::parse;
use crate::purify::{Mode, purify};
use crate::random::pure_program;
use crate::react::{Event, Problem};

fn expanded(text: &str) -> Option<Program> {
    let source = Source::new("t.strl", text);
    let file = parse(&source).unwrap_or_else(|mistakes| panic!("{text}\n{mistakes:?}"));
    expand(&source, &file, None, &[]).ok()
}

/// A circuit that runs.
pub(crate) struct Runs<'a> {
    compiled: &'a Compiled,
    latches: Vec<u64>,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(compiled: &'a Compiled) -> Runs<'a> {
        Runs {
            compiled,
            latches: vec![0; compiled.circuit.latches().len()],
        }
    }

    /// The presence of the interface; nothing if a wire is undefined.
    pub(crate) fn react(&mut self, event: &Event) -> Option<Vec<bool>> {
        let circuit: &Circuit = &self.compiled.circuit;
        let inputs = self.compiled.inputs.iter();
        let inputs: Vec<u64> = inputs.map(|id| u64::from(event.contains_key(id))).collect();
        let state = circuit.evaluate(&self.latches, &inputs);
        if state.is_on(self.compiled.undefined) {
            return None;
        }
        let next = circuit.latches().iter();
        self.latches = next.map(|latch| state.value(latch.next) & 1).collect();
        let status = self.compiled.status.iter();
        Some(status.map(|&one| state.is_on(one)).collect())
    }
}

pub(crate) fn random_event(program: &Program, u: &mut Unstructured<'_>) -> Event {
    let pure = |id: &usize| program.signals[*id].kind.is_none();
    let inputs = program.inputs().filter(pure);
    inputs
        .filter(|_| u.ratio(1, 2).unwrap_or(false))
        .map(|id| (id, None))
        .collect()
}

#[test]
fn circuits_do_what_the_interpreter_does_on_random_programs() {
    let (mut programs, mut cyclic, mut refused) = (0, 0, 0);
    quotient_trial::trial(|u| {
        let text = pure_program(u)?;
        let Some(program) = expanded(&text) else {
            return Ok(());
        };
        let budget = Budget::unlimited();
        let pure = purify(&program, Mode::Pure).unwrap();
        let compiled = compile(&pure.program, &budget).unwrap();
        programs += 1;
        cyclic += usize::from(compiled.is_cyclic());
        let mut state = crate::react::State::new(&program).unwrap();
        let mut other = crate::react::State::new(&pure.program).unwrap();
        let mut circuit = Runs::new(&compiled);
        for instant in 0..8 {
            let event = random_event(&program, u);
            let shown = circuit.react(&event);
            let again = other.react(&pure.program, &event, &budget);
            match state.react(&program, &event, &budget) {
                Ok(reaction) => {
                    let shown = shown.unwrap_or_else(|| panic!("{instant}: {text}"));
                    assert_eq!(shown, reaction.present, "instant {instant} of {text}");
                    assert_eq!(again.unwrap().present, reaction.present, "{text}");
                }
                Err(Problem::Causality(_)) => {
                    assert_eq!(shown, None, "instant {instant} of {text}");
                    assert!(matches!(again, Err(Problem::Causality(_))), "{text}");
                    refused += 1;
                    break;
                }
                Err(other) => panic!("{other:?} in {text}"),
            }
        }
        Ok(())
    })
    .budget_ms(8_000);
    assert!(
        programs > 0 && cyclic > 0 && refused > 0,
        "{programs} {cyclic} {refused}"
    );
}
