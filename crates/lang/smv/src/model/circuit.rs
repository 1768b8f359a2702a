//! Models with many bits: asked as circuits first, and again where decision diagrams give out.

use quotient_core::{Context, Stop, Trouble, Verdict};
use quotient_language::{Answer, Ask};

use super::Opened;
use super::properties::Asked;
use crate::bits::AsCircuit;

/// The work of a first turn, where there is enough for everybody: about a tenth of a second.
pub(super) const LEAST_TURN: u64 = 500_000;
/// How much longer the next turn is. Each begins anew, so that all before it cost a third of it.
const GROWTH: u64 = 4;

/// What came of looking for evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tried {
    /// There is some, or circuits know of none.
    Enough,
    /// More work may help.
    InVain,
}

/// What answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// Circuits where there are many bits, then decision diagrams, then circuits again.
    Both,
    /// Decision diagrams alone.
    Diagrams,
    /// Circuits alone.
    Bits,
}

/// What came of a turn.
pub(super) enum Turn {
    Answered(Box<Answer>),
    /// It is no question for circuits.
    GaveUp,
    /// More work may help.
    Open,
}

impl Opened {
    /// What is to answer.
    pub(super) fn engine(&self) -> Engine {
        match self.settings.text("engine") {
            Some("diagrams") => Engine::Diagrams,
            Some("bits") => Engine::Bits,
            _ => Engine::Both,
        }
    }

    /// The model as a circuit, if it has many bits, or is to be one, and nothing is asked that circuits
    /// do not know.
    pub(super) fn circuit(&self, ask: &Ask, cx: &Context) -> Result<Option<AsCircuit>, Trouble> {
        let engine = self.engine();
        if ask.vacuity || engine == Engine::Diagrams {
            return Ok(None);
        }
        let threads = ask.threads.unwrap_or(2);
        // What is asked must have a value everywhere, as in decision diagrams.
        let asked = self.asked.iter();
        let file = self.file_about(asked.flat_map(|one| one.specification.iter().cloned()));
        if engine == Engine::Bits {
            return AsCircuit::new(file.program(), threads, cx).map(Some);
        }
        match AsCircuit::of_many_bits(file.program(), threads, cx) {
            // What keeps the model from being compiled is told with the answers.
            Err(Trouble::Stopped(_)) => Ok(None),
            other => other,
        }
    }

    /// Tells what circuits answer, all of it, and that the rest is open.
    pub(super) fn by_bits_alone(
        &self,
        circuit: &mut Option<AsCircuit>,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) {
        let why = "bits alone have no answer; without --engine bits, diagrams may";
        let open = self.asked.iter().enumerate();
        let open = open.map(|(at, asked)| (at, asked.unknown(Stop::inconclusive(why))));
        self.late(circuit, open.collect(), cx, tell);
    }

    /// Whether a model with many bits is certain to go on from everywhere. Nothing for other models.
    pub(super) fn goes_on(&self, cx: &Context) -> Option<bool> {
        if self.engine() == Engine::Diagrams {
            return None;
        }
        let threads = 1;
        let circuit = AsCircuit::of_many_bits(self.file.program(), threads, cx);
        let mut circuit = circuit.ok().flatten()?;
        Some(circuit.goes_on(cx).unwrap_or(false))
    }

    /// Tells the answers that circuits give soon, each as soon as it is there, and says which questions
    /// have one. Each question has a small turn first, then larger ones, so that a hard one does not keep
    /// the others from being answered; what is left of the work is for those that are still open.
    pub(super) fn early(
        &self,
        circuit: &mut Option<AsCircuit>,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Vec<bool> {
        let Some(circuit) = circuit else {
            return vec![false; self.asked.len()];
        };
        let mut answered = self.at_a_glance(circuit, cx, tell);
        let share = circuit.share();
        // All questions together: many of them should not keep diagrams waiting.
        let all = with_work(share, cx);
        let mut open: Vec<usize> = (0..self.asked.len()).collect();
        open.retain(|&at| !answered[at]);
        for work in turns(share, open.len()) {
            open.retain(|&at| {
                if all.budget.poll().is_err() {
                    return true;
                }
                match self.turn(circuit, &self.asked[at], work, (&all, cx)) {
                    Turn::Answered(answer) => {
                        answered[at] = true;
                        tell(*answer);
                        false
                    }
                    Turn::GaveUp => false,
                    Turn::Open => true,
                }
            });
        }
        answered
    }

    /// Other tries where there is no answer yet: by turns that become longer and longer, and without a
    /// limit for the last that is open. What stays open is told as it is.
    pub(super) fn late(
        &self,
        circuit: &mut Option<AsCircuit>,
        mut left: Vec<(usize, Answer)>,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) {
        let mut work = LEAST_TURN;
        while let Some(circuit) = circuit.as_mut().filter(|_| !left.is_empty()) {
            let own = (left.len() > 1).then_some(work);
            let mut open = Vec::new();
            for (at, unknown) in left {
                if cx.budget.poll().is_err() {
                    tell(unknown);
                    continue;
                }
                match self.turn(circuit, &self.asked[at], own, (cx, cx)) {
                    Turn::Answered(answer) => tell(*answer),
                    Turn::GaveUp => tell(unknown),
                    Turn::Open => open.push((at, unknown)),
                }
            }
            left = open;
            work = work.saturating_mul(GROWTH);
        }
        left.into_iter().for_each(|(_, unknown)| tell(unknown));
    }

    /// Answers of decision diagrams that something holds, with evidence for those that circuits find some
    /// for: by turns that become longer and longer, after a first one.
    pub(super) fn shown_later(
        &self,
        circuit: &mut Option<AsCircuit>,
        mut left: Vec<(usize, Answer)>,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) {
        let mut work = LEAST_TURN * GROWTH;
        while !left.is_empty() && cx.budget.poll().is_ok() {
            let mut open = Vec::new();
            for (at, answer) in left {
                match self.shown_by_bits(circuit, &self.asked[at], answer, work, cx) {
                    (answer, Tried::Enough) => tell(answer),
                    (answer, Tried::InVain) => open.push((at, answer)),
                }
            }
            left = open;
            work = work.saturating_mul(GROWTH);
        }
        left.into_iter().for_each(|(_, answer)| tell(answer));
    }

    /// An answer of decision diagrams that something holds, with evidence for it if it has none and
    /// circuits find some with so much work out of that of `cx`.
    pub(super) fn shown_by_bits(
        &self,
        circuit: &mut Option<AsCircuit>,
        asked: &Asked,
        mut answer: Answer,
        work: u64,
        cx: &Context,
    ) -> (Answer, Tried) {
        let holds = answer.verdict == Verdict::Holds && answer.evidence.is_none();
        let (true, Ok(specification)) = (holds, &asked.specification) else {
            return (answer, Tried::Enough);
        };
        if self.engine() == Engine::Diagrams {
            return (answer, Tried::Enough);
        }
        let own = with_work(work, cx);
        let program = self.file.program();
        if circuit.is_none() {
            *circuit = AsCircuit::new(program, 1, &own).ok();
        }
        let found =
            (circuit.as_mut()).and_then(|circuit| circuit.bound(program, specification, &own));
        answer.evidence = found.map(|proof| proof.evidence().about(&asked.property.name));
        // Who had work left and found nothing would not with more.
        let tried = match answer.evidence.is_none() && own.budget.poll().is_err() {
            true => Tried::InVain,
            false => Tried::Enough,
        };
        (answer, tried)
    }

    /// Asks a question with so much work out of that of `all`.
    pub(super) fn turn(
        &self,
        circuit: &mut AsCircuit,
        asked: &Asked,
        work: Option<u64>,
        (all, cx): (&Context, &Context),
    ) -> Turn {
        let own = work.map_or_else(|| all.clone(), |work| with_work(work, all));
        match self.by_circuit(circuit, asked, &own, cx) {
            Some(answer) => Turn::Answered(Box::new(answer)),
            // Who had work left and found nothing would not with more.
            None if own.budget.poll().is_ok() => Turn::GaveUp,
            None => Turn::Open,
        }
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

/// The work of one turn after the other of each of some questions, out of a share for all; nothing for
/// what is left of it, which is a third of the share at least. However many there are, each has a first
/// turn.
fn turns(share: u64, questions: usize) -> Vec<Option<u64>> {
    let questions = questions as u64;
    let mut turns = Vec::new();
    if questions > 1 {
        let mut work = LEAST_TURN.min(share / (2 * questions));
        while work.saturating_mul(questions) <= share / 2 && work > 0 {
            turns.push(Some(work));
            work = work.saturating_mul(GROWTH);
        }
    }
    turns.push(None);
    turns
}

/// A context with so much work.
pub(super) fn with_work(work: u64, cx: &Context) -> Context {
    Context {
        budget: cx.budget.child_with_work(work),
        ..cx.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::turns;

    #[test]
    fn every_question_has_a_turn_and_much_is_left_for_the_last() {
        assert_eq!(turns(60_000_000, 1), [None]);
        assert_eq!(turns(0, 5), [None]);
        for share in [1, 1_000_000, 60_000_000, 300_000_000] {
            for questions in 2..300 {
                let given = turns(share, questions);
                let (last, before) = given.split_last().unwrap();
                assert_eq!(*last, None);
                let sum: u64 = before.iter().flatten().sum::<u64>() * questions as u64;
                assert!(sum <= share / 3 * 2 + 1, "{share} {questions}: {given:?}");
                assert!(!before.is_empty() || share < 600, "{share} {questions}");
            }
        }
    }
}
