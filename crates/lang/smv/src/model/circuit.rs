//! Models with many bits: asked as circuits first, and again where decision diagrams give out.

use quotient_core::{Context, Trouble, Verdict};
use quotient_language::{Answer, Ask};

use super::Opened;
use super::properties::Asked;
use crate::bits::AsCircuit;

impl Opened {
    /// The model as a circuit, if it has many bits and nothing is asked that circuits do not know.
    pub(super) fn circuit(&self, ask: &Ask, cx: &Context) -> Result<Option<AsCircuit>, Trouble> {
        if ask.vacuity {
            return Ok(None);
        }
        let threads = ask.threads.unwrap_or(2);
        // What is asked must have a value everywhere, as in decision diagrams.
        let mut file = self.file.clone();
        file.retain_specifications(|_| false);
        for asked in &self.asked {
            (asked.specification.iter().cloned()).for_each(|one| file.add_specification(one));
        }
        match AsCircuit::of_many_bits(file.program(), threads, cx) {
            // What keeps the model from being compiled is told with the answers.
            Err(Trouble::Stopped(_)) => Ok(None),
            other => other,
        }
    }

    /// The answers that circuits give soon.
    pub(super) fn early(
        &self,
        circuit: &mut Option<AsCircuit>,
        cx: &Context,
    ) -> Vec<Option<Answer>> {
        let share = circuit.as_ref().map_or(0, AsCircuit::share);
        // All questions together: many of them should not keep diagrams waiting.
        let own = Context {
            budget: cx.budget.child_with_work(share),
            ..cx.clone()
        };
        let answer = |asked: &Asked| {
            own.budget.poll().ok()?;
            self.by_circuit(circuit.as_mut()?, asked, &own, cx)
        };
        self.asked.iter().map(answer).collect()
    }

    /// Another try without a limit of work where there is no answer yet.
    pub(super) fn late(
        &self,
        circuit: &mut Option<AsCircuit>,
        asked: &Asked,
        answer: Answer,
        cx: &Context,
    ) -> Answer {
        if !matches!(answer.verdict, Verdict::Unknown(_)) || cx.budget.poll().is_err() {
            return answer;
        }
        let found = circuit
            .as_mut()
            .and_then(|circuit| self.by_circuit(circuit, asked, cx, cx));
        found.unwrap_or(answer)
    }

    fn by_circuit(
        &self,
        circuit: &mut AsCircuit,
        asked: &Asked,
        own: &Context,
        cx: &Context,
    ) -> Option<Answer> {
        let specification = asked.specification.as_ref().ok()?;
        let found = circuit.check(self.file.program(), specification, own);
        let found = found.ok().flatten()?;
        let mut answer = self.told(self.file.program(), asked, found);
        answer.method = Some("circuit".to_owned());
        if answer.because.is_empty() {
            answer.because = "no run violates it".to_owned();
        }
        Some(self.if_it_starts(answer, asked, || circuit.has_initial_state(cx)))
    }
}
