//! Several questions about one system. Those that are too much alone are asked together, as what shows one of
//! them is often that the others are so; and what was shown of the others helps.

use std::cell::OnceCell;

use quotient_arrays::{Bad, Instance};
use quotient_backward::{Backward, Slice, Unreachable};
use quotient_core::{Conclusion, Context, Verdict};
use quotient_language::{Answer, Ask};

use crate::model::Opened;

/// The work that each of several questions may take alone, before the rest are asked together.
const ALONE: u64 = 3_000_000;
/// The work that these may take together, before each is asked alone to the end.
const TOGETHER: u64 = 30_000_000;

/// What was found out so far.
struct Known<'a> {
    /// The last search of the whole system, which knows its small instances.
    search: Option<Backward<'a>>,
    /// Why questions hold.
    proofs: Vec<Unreachable>,
    /// Whether that is used: a proof with more in it than it needs takes longer to check.
    is_used: bool,
}

impl Opened {
    /// Answers all questions that are asked, in the order of the file.
    pub(crate) fn check_all(&self, ask: &Ask, cx: &Context, tell: &mut dyn FnMut(Answer)) {
        let bad = self.system().bad.iter().enumerate();
        let asked =
            bad.filter(|(_, bad)| ask.properties.is_empty() || ask.properties.contains(&bad.name));
        let asked: Vec<usize> = asked.map(|(number, _)| number).collect();
        let together = OnceCell::new();
        let mut known = Known {
            search: None,
            proofs: Vec::new(),
            is_used: false,
        };
        let little = |work: u64| Context {
            budget: cx.budget.child_with_work(work),
            ..cx.clone()
        };
        let mut answers: Vec<Option<Answer>> = vec![None; asked.len()];
        if asked.len() > 1 {
            for (number, answer) in asked.iter().zip(&mut answers) {
                let found = self.alone(*number, &mut known, &little(ALONE));
                *answer = is_decided(&found).then_some(found);
            }
            known.is_used = true;
            let open = asked.iter().zip(&answers);
            let open: Vec<usize> = open
                .filter(|(_, answer)| answer.is_none())
                .map(|(number, _)| *number)
                .collect();
            if open.len() > 1 && cx.budget.poll().is_ok() {
                let ways = open
                    .iter()
                    .flat_map(|one| self.system().bad[*one].ways.clone());
                let bad = together.get_or_init(|| Bad {
                    name: "together".into(),
                    ways: ways.collect(),
                    span: self.system().bad[open[0]].span,
                });
                for (number, found) in self.jointly(&open, bad, &mut known, &little(TOGETHER)) {
                    let place = asked.iter().position(|one| *one == number);
                    if let Some(place) = place.filter(|_| is_decided(&found)) {
                        answers[place] = Some(found);
                    }
                }
            }
        }
        for (number, answer) in asked.iter().zip(answers) {
            tell(answer.unwrap_or_else(|| self.alone(*number, &mut known, cx)));
        }
    }

    /// One question, with what is known.
    fn alone<'a>(&'a self, number: usize, known: &mut Known<'a>, cx: &Context) -> Answer {
        let system = self.system();
        let bad = &system.bad[number];
        // What the question does not hang on is left out; the proof is checked with all of it.
        let found = match Slice::of(system, bad) {
            Some(slice) => {
                let mut alone = Backward::new(&slice.system, bad).knowing(known.used());
                self.searched(&mut alone, Some(&slice), cx)
            }
            None => {
                let mut next = known.next(self, bad);
                let found = self.searched(&mut next, None, cx);
                known.search = Some(next);
                found
            }
        };
        let proof = match &found.0 {
            Conclusion::Holds(proof) => Some(proof.clone()),
            _ => None,
        };
        let answer = self.answer(number, found, cx);
        if answer.verdict == Verdict::Holds {
            known.proofs.extend(proof);
        }
        answer
    }

    /// Several questions at once: a proof answers all of them, a run those that it is a violation of.
    fn jointly<'a>(
        &'a self,
        open: &[usize],
        bad: &'a Bad,
        known: &mut Known<'a>,
        cx: &Context,
    ) -> Vec<(usize, Answer)> {
        let mut next = known.next(self, bad);
        let (conclusion, refinements) = self.searched(&mut next, None, cx);
        known.search = Some(next);
        let mut answers = Vec::new();
        for number in open {
            let own = match &conclusion {
                Conclusion::Holds(proof) => Conclusion::Holds(proof.clone()),
                Conclusion::Violated(run) => {
                    let instance = Instance::new(self.system(), run.processes);
                    let bad = &self.system().bad[*number];
                    let last = run.states.last();
                    if !last.is_some_and(|state| instance.is_bad(bad, state)) {
                        continue;
                    }
                    Conclusion::Violated(run.clone())
                }
                Conclusion::Unknown(_) => continue,
            };
            answers.push((*number, self.answer(*number, (own, refinements), cx)));
        }
        let holds = |(_, answer): &(usize, Answer)| answer.verdict == Verdict::Holds;
        if let Conclusion::Holds(proof) = conclusion
            && answers.iter().any(holds)
        {
            known.proofs.push(proof);
        }
        answers
    }
}

impl<'a> Known<'a> {
    /// A search of the whole system that goes on with all that is known.
    fn next(&mut self, model: &'a Opened, bad: &'a Bad) -> Backward<'a> {
        let next = match self.search.take() {
            Some(search) => search.then(bad),
            None => Backward::new(model.system(), bad),
        };
        next.knowing(self.used())
    }

    /// What a search may rest on.
    fn used(&self) -> &[Unreachable] {
        match self.is_used {
            true => &self.proofs,
            false => &[],
        }
    }
}

fn is_decided(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Holds | Verdict::Violated)
}

#[cfg(test)]
mod tests {
    use quotient_core::{Context, Source, Verdict};

    use super::*;
    use crate::lower::lower;
    use crate::parse::parse;

    fn opened(text: &str) -> Opened {
        let source = Source::new("test.cub", text);
        let lowered = lower(&source, &parse(&source).unwrap()).unwrap();
        Opened::new(&source, lowered, 3)
    }

    /// Two questions each of which shows the other, and one that has nothing to do with them.
    const DOOR: &str = "
        var Open : bool
        array In[proc] : bool
        array Key[proc] : bool
        init (z) { Open = True && In[z] = False && Key[z] = False }
        unsafe (x y) { In[x] = True && In[y] = True }
        unsafe (x) { In[x] = True && Open = True }
        unsafe (x) { In[x] = True && Key[x] = False }
        transition enter (x) requires { Open = True } { In[x] := True; Open := False; }
        transition leave (x) requires { In[x] = True } { In[x] := False; Open := True; }
    ";

    fn verdicts(text: &str, open: &[usize]) -> Vec<(usize, Verdict)> {
        let model = opened(text);
        let bad = Bad {
            name: "together".into(),
            ways: open
                .iter()
                .flat_map(|one| model.system().bad[*one].ways.clone())
                .collect(),
            span: model.system().bad[0].span,
        };
        let mut known = Known {
            search: None,
            proofs: Vec::new(),
            is_used: false,
        };
        let answers = model.jointly(open, &bad, &mut known, &Context::default());
        assert!(answers.iter().all(|(_, answer)| answer.evidence.is_some()));
        let verdicts = answers.into_iter();
        verdicts
            .map(|(number, answer)| (number, answer.verdict))
            .collect()
    }

    #[test]
    fn a_proof_answers_all_and_a_run_those_that_it_violates() {
        let both = vec![(0, Verdict::Holds), (1, Verdict::Holds)];
        assert_eq!(verdicts(DOOR, &[0, 1]), both);
        assert_eq!(verdicts(DOOR, &[0, 1, 2]), [(2, Verdict::Violated)]);
    }

    #[test]
    fn answers_come_in_the_order_of_the_file_and_what_is_known_is_part_of_the_proof() {
        let model = opened(DOOR);
        let mut told = Vec::new();
        let tell = &mut |answer: Answer| told.push((answer.property.clone(), answer.verdict));
        model.check_all(&Ask::default(), &Context::default(), tell);
        let verdicts: Vec<&Verdict> = told.iter().map(|(_, verdict)| verdict).collect();
        let expected = [&Verdict::Holds, &Verdict::Holds, &Verdict::Violated];
        assert_eq!(verdicts, expected);
        let names = model.system().bad.iter().map(|bad| bad.name.clone());
        assert!(told.into_iter().map(|(name, _)| name).eq(names));
    }
}
