//! What of a model with many bits is easy for anybody.
//!
//! A sum of two words is hard for circuits and nothing for decision diagrams that stand in the right
//! order; a formula over hundreds of bits is often the other way round. So each has a little try before
//! either takes its time: together some hundredths of a second.

use quotient_core::{Context, Trouble};
use quotient_language::Answer;

use super::circuit::{Turn, with_work};
use super::{Opened, config};
use crate::bits::AsCircuit;
use crate::session::Session;

/// The work of circuits for one question: less than a hundredth of a second.
const GLANCE: u64 = 20_000;
/// The work of circuits for all of them.
const GLANCES: u64 = 200_000;
/// The operations of decision diagrams, with the nodes that they make, for all questions.
const LITTLE: u64 = 60_000;
/// Of a model whose expressions have more nodes, even the diagrams of its parts take long.
const MOST_NODES: usize = 30_000;

impl Opened {
    /// Tells what is answered with very little work, by circuits or by decision diagrams, and says
    /// which questions that are.
    pub(super) fn at_a_glance(
        &self,
        circuit: &mut AsCircuit,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Vec<bool> {
        let mut answered = vec![false; self.asked.len()];
        let all = with_work(GLANCES, cx);
        for (at, asked) in self.asked.iter().enumerate() {
            if all.budget.poll().is_err() {
                break;
            }
            if let Turn::Answered(answer) = self.turn(circuit, asked, Some(GLANCE), (&all, cx)) {
                answered[at] = true;
                tell(*answer);
            }
        }
        let wanted = |at: &usize| {
            let asked = &self.asked[*at];
            !answered[*at] && asked.special.is_none() && asked.specification.is_ok()
        };
        let open: Vec<usize> = (0..self.asked.len()).filter(wanted).collect();
        if open.is_empty() || circuit.compiled().model().node_count() > MOST_NODES {
            return answered;
        }
        // Whatever is wrong is told by those who take their time.
        let Ok(mut session) = self.little_session(circuit, &open, cx) else {
            return answered;
        };
        for (number, at) in open.into_iter().enumerate() {
            let asked = &self.asked[at];
            let Ok(found) = session.check(number) else {
                continue;
            };
            let answer = self.told(session.file().program(), asked, found);
            let answer = self.unless_empty(&mut session, asked, answer, cx);
            // What comes without evidence may get some from circuits.
            if answer.verdict.is_definite() && answer.evidence.is_some() {
                answered[at] = true;
                tell(answer);
            }
        }
        answered
    }

    /// Decision diagrams with little room and little work, of a model that is compiled already.
    fn little_session(
        &self,
        circuit: &AsCircuit,
        open: &[usize],
        cx: &Context,
    ) -> Result<Session, Trouble> {
        let asked = open.iter().map(|&at| &self.asked[at].specification);
        let file = self.file_about(asked.flatten().cloned());
        let little = with_work(LITTLE, cx);
        let compiled = circuit.compiled().clone();
        Session::of(file, compiled, config(cx).little(), &little)
    }
}
