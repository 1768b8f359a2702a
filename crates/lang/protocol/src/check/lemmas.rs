//! What the source says that helps: lemmas.
//!
//! A lemma is asked like any property, and what follows from it is not believed before it is
//! shown. Those that no step breaks, where all of them are true, are shown by that alone; then
//! only the configurations of which they are true matter for the rest. Of the others it is told
//! which step breaks them.

use std::sync::Arc;

use quotient_automata::{Nfa, Relation, Word};
use quotient_core::{Budget, Stop, Trouble};
use quotient_regular::{Answer, Found, Proof, Set};

use super::Answered;
use crate::{Compiled, Protocol};

/// What the lemmas of a protocol are good for.
#[derive(Default)]
pub(super) struct Lemmas {
    /// The configurations of which those are true that no step breaks.
    kept: Option<Set>,
    /// Their names.
    pub(super) inductive: Vec<String>,
    /// A step that breaks another one, where all lemmas are true before.
    broken: Vec<(String, String)>,
}

impl Protocol {
    /// The lemmas of a protocol whose steps are compiled.
    pub(super) fn lemmas(&self, compiled: &Compiled, budget: &Budget) -> Result<Lemmas, Trouble> {
        let mut lemmas = Lemmas::default();
        let mut with = compiled.clone();
        for name in self.lemma_names() {
            self.compile_property(&mut with, name, budget)?;
        }
        let mut trying: Vec<&(String, Nfa)> = Vec::new();
        for lemma in with.bad() {
            let is_lemma = self.lemma_names().any(|name| name == lemma.0);
            let begins = with.initial().intersection(&lemma.1, budget)?;
            if is_lemma && begins.is_empty_language() {
                trying.push(lemma);
            }
        }
        loop {
            let kept = true_of(&with, &trying, budget)?;
            let mut fails = None;
            for (number, (name, bad)) in trying.iter().enumerate() {
                if let Some(step) = breaking(&with, &kept, bad, budget)? {
                    fails = Some((number, (name.clone(), step)));
                    break;
                }
            }
            let Some((number, broken)) = fails else {
                if !trying.is_empty() {
                    let names = trying.iter().map(|(name, _)| name.clone());
                    lemmas.inductive = names.collect();
                    let kept = kept.determinize(budget)?.minimize(budget)?;
                    lemmas.kept = Some(Arc::new(kept));
                }
                return Ok(lemmas);
            };
            lemmas.broken.push(broken);
            trying.remove(number);
        }
    }
}

/// The configurations of which no lemma is false.
fn true_of(compiled: &Compiled, lemmas: &[&(String, Nfa)], budget: &Budget) -> Result<Nfa, Stop> {
    let mut kept = compiled.configurations().clone();
    for (_, bad) in lemmas {
        kept = kept.difference(bad, budget)?;
    }
    Ok(kept)
}

/// A step from where all lemmas are true to where one is false.
fn breaking(
    compiled: &Compiled,
    kept: &Nfa,
    bad: &Nfa,
    budget: &Budget,
) -> Result<Option<String>, Stop> {
    for (step, part) in compiled.relation().parts() {
        let before = part.apply_inverse(bad, budget)?;
        let before = before.intersection(kept, budget)?;
        let Some(before) = before.shortest_word() else {
            continue;
        };
        let after = part.apply(&only(compiled, &before), budget)?;
        let after = after.intersection(bad, budget)?.shortest_word();
        let show = |word: &Word| compiled.alphabet().show(word);
        let after = after.map(|after| show(&after)).unwrap_or_default();
        let text = format!("`{step}` leads from  {}  to  {after}", show(&before));
        return Ok(Some(text));
    }
    Ok(None)
}

/// The language of one word.
fn only(compiled: &Compiled, word: &Word) -> Nfa {
    use quotient_automata::Predicate;
    let alphabet = compiled.alphabet();
    let mut nfa = Nfa::builder(alphabet).initial(0);
    for (number, &letter) in word.iter().enumerate() {
        let number = number as u32;
        nfa = nfa.edge(number, &Predicate::of(alphabet, [letter]), number + 1);
    }
    nfa.accepting(word.len() as u32).build()
}

impl Lemmas {
    /// The protocol where only the configurations matter of which the lemmas are true.
    pub(super) fn within(&self, compiled: &Compiled, budget: &Budget) -> Result<Compiled, Stop> {
        let Some(kept) = &self.kept else {
            return Ok(compiled.clone());
        };
        let kept = kept.to_nfa();
        let mut parts = Vec::new();
        for (name, part) in compiled.relation().parts() {
            parts.push((name.clone(), part.restrict_domain(&kept, budget)?.reduce()));
        }
        Ok(compiled.with_relation(Relation::new(compiled.alphabet(), parts)))
    }

    /// The answer for a lemma that no step breaks.
    pub(super) fn by_induction(
        &self,
        name: &str,
        compiled: &Compiled,
    ) -> Result<Option<Answered>, Trouble> {
        let known = self.inductive.iter().any(|known| known == name);
        let (Some(kept), true) = (&self.kept, known) else {
            return Ok(None);
        };
        let Some(problem) = compiled.problem_about(&|known| known == name)? else {
            return Ok(None);
        };
        let notes = match self.inductive.len() {
            1 => Vec::new(),
            _ => vec![format!(
                "no step breaks these lemmas, where all of them are true: {}",
                self.inductive.join(", ")
            )],
        };
        Ok(Some(Answered {
            answer: Answer {
                property: name.to_owned(),
                found: Found::Proof(Proof {
                    invariant: Arc::clone(kept),
                    steps: 0,
                }),
                method: Some("induction".to_owned()),
                refinements: 0,
                attempts: Vec::new(),
            },
            problem: Arc::new(problem),
            trace: None,
            instance: None,
            ranks: None,
            notes,
        }))
    }

    /// The answer for the protocol itself, of one within what lemmas say.
    ///
    /// A set that is closed under the steps between configurations where lemmas are true, together
    /// with these, is closed under all steps, because no step breaks the lemmas.
    pub(super) fn with_lemmas(
        &self,
        mut answered: Answered,
        compiled: &Compiled,
        budget: &Budget,
    ) -> Result<Answered, Trouble> {
        let name = answered.answer.property.clone();
        if let Some(kept) = &self.kept {
            if let Found::Proof(proof) = &mut answered.answer.found {
                let both = proof.invariant.intersection(kept, budget)?;
                proof.invariant = Arc::new(both.minimize(budget)?);
                answered
                    .notes
                    .push(format!("with the lemmas {}", self.inductive.join(", ")));
            }
            if let Some(problem) = compiled.problem_about(&|known| known == name)? {
                answered.problem = Arc::new(problem);
            }
        }
        let broken = self.broken.iter().find(|(known, _)| *known == name);
        if let Some((_, step)) = broken {
            let note = format!("a step may break it although all lemmas are true before: {step}");
            answered.notes.push(note);
        }
        Ok(answered)
    }
}
