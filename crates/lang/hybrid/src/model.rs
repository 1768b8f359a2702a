//! An opened theory: what it can be asked.

use quotient_core::{
    Budget, Certified, Claim, Context, Evidence, Rejection, Source, Stop, Trouble, Verdict,
};
use quotient_language::text::count;
use quotient_language::{Answer, Ask, Doubt, Exhibit, Model as Opened, Property, Shown, Viewed};
use serde_json::json;

use crate::decide::{Decision, Effort, decide};
use crate::formula::{Formula, Model};
use crate::proof::{self, Proof};
use crate::read::{Question, Theory, read_question};
use crate::show;
use crate::types;

/// Kinds of evidence.
pub(crate) const MODEL: &str = "hybrid-model";
pub(crate) const REFUTATION: &str = "hybrid-refutation";
pub(crate) const PROOF: &str = "hybrid-proof";
pub(crate) const TRUTH: &str = "hybrid-truth";

/// A theory with its name.
pub(crate) struct HybridModel {
    pub(crate) name: String,
    pub(crate) theory: Theory,
}

impl HybridModel {
    fn question(&self, name: &str) -> Result<Question, Trouble> {
        let found = self.theory.questions.iter().find(|one| one.name == name);
        match found {
            Some(question) => Ok(question.clone()),
            None => Ok(read_question(&Source::new("property", name), &self.theory)?),
        }
    }

    fn proof(&self, name: &str) -> Option<&Proof> {
        self.theory.proofs.iter().find(|one| one.name == name)
    }

    fn described_proof(&self, proof: &Proof) -> Property {
        let place = self
            .theory
            .proofs
            .iter()
            .position(|one| one.name == proof.name);
        Property {
            name: proof.name.clone(),
            number: place.map(|place| self.theory.questions.len() + place + 1),
            kind: "proof".to_owned(),
            text: proof.text.clone(),
            span: Some(proof.span),
            in_file: true,
        }
    }

    /// Whether a proof is one. There is nothing to search: the text is the evidence.
    fn answer_proof(&self, proof: &Proof, cx: &Context) -> Answer {
        let evidence = |claim: fn(&str, &serde_json::Value) -> Evidence| {
            claim(PROOF, &json!({})).about(&proof.name)
        };
        let mut answer = match proof::check(proof, self.theory.nominals.len(), &cx.budget) {
            Err(stop) => Answer::unknown(&proof.name, stop),
            Ok(None) => Answer::new(&proof.name, Verdict::Holds)
                .because(match proof.lines.len() {
                    1 => "its line follows".to_owned(),
                    many => format!("{} follow", count(many, "line")),
                })
                .with_evidence(evidence(Evidence::of_holds)),
            Ok(Some((line, why))) => {
                let mut answer = Answer::new(&proof.name, Verdict::Violated)
                    .because(format!("line {line} does not follow: {why}"))
                    .with_evidence(evidence(Evidence::of_violated));
                let wrong = proof.lines.iter().find(|one| one.number == line);
                let place = wrong.map(|one| json!(one.span));
                answer
                    .details
                    .extend(place.map(|place| ("place".to_owned(), place)));
                answer
            }
        };
        answer.method = Some("proof checker".to_owned());
        answer.number = self.described_proof(proof).number;
        answer
    }

    fn certify_proof(
        &self,
        proof: &Proof,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if evidence.kind != PROOF {
            let message = format!("`{}` is no evidence for this claim", evidence.kind);
            return Err(Rejection::unreadable(message));
        }
        let flaw = proof::check(proof, self.theory.nominals.len(), budget)?;
        match (flaw, evidence.claim) {
            (None, Claim::Holds) => Ok("every line of the proof follows".to_owned()),
            (Some((line, _)), Claim::Violated) => Ok(format!("line {line} does not follow")),
            (None, Claim::Violated) => Err(Rejection::wrong("every line of the proof follows")),
            (Some((line, why)), Claim::Holds) => Err(Rejection::wrong(format!(
                "line {line} does not follow: {why}"
            ))),
        }
        .map(|fact| Certified {
            property: proof.name.clone(),
            facts: vec![fact],
        })
    }

    fn described(&self, question: &Question) -> Property {
        let place = self
            .theory
            .questions
            .iter()
            .position(|one| one.name == question.name);
        Property {
            name: question.name.clone(),
            number: place.map(|place| place + 1),
            kind: if question.here {
                "truth"
            } else if question.valid {
                "validity"
            } else {
                "satisfiability"
            }
            .to_owned(),
            text: question.text.clone(),
            span: place.map(|_| question.span),
            in_file: place.is_some(),
        }
    }

    fn unknown(&self, question: &Question, why: Stop) -> Answer {
        let mut answer = Answer::unknown(&question.name, why);
        answer.number = self.described(question).number;
        answer
    }

    /// Whether a formula is true at the initial world of the system.
    fn answer_here(&self, question: &Question, ask: &Ask, cx: &Context) -> Answer {
        let system = self.theory.system.clone().unwrap_or_default();
        let worlds = match system.true_at(&question.formula, &cx.budget) {
            Ok(worlds) => worlds,
            Err(stop) => return self.unknown(question, stop),
        };
        let here = worlds.get(system.initial) == Some(&true);
        let (verdict, evidence) = match here {
            true => (Verdict::Holds, Evidence::of_holds(TRUTH, &json!({}))),
            false => (Verdict::Violated, Evidence::of_violated(TRUTH, &json!({}))),
        };
        let many = worlds.iter().filter(|one| **one).count();
        let because = format!(
            "{} at the initial world; true at {many} of {}",
            if here { "true" } else { "false" },
            count(worlds.len(), "world")
        );
        let mut answer = Answer::new(&question.name, verdict).because(because);
        answer.evidence = Some(evidence.about(&question.name));
        answer.method = Some("evaluation".to_owned());
        answer.details.push(("trueAt".to_owned(), json!(many)));
        if ask.exhibits {
            let name = format!("where {} is true", question.name);
            let (picture, _) = show::picture_of_system(&name, &self.theory, &system, &worlds);
            answer.exhibits.push(Exhibit {
                caption: format!("{name}: worlds with a double line"),
                name,
                picture: Some(picture.into()),
                files: Vec::new(),
            });
        }
        answer.number = self.described(question).number;
        answer
    }

    fn certify_here(
        &self,
        question: &Question,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if evidence.kind != TRUTH || evidence.body != json!({}) {
            let message = format!("`{}` is no evidence for this claim", evidence.kind);
            return Err(Rejection::unreadable(message));
        }
        let system = self.theory.system.clone().unwrap_or_default();
        let holds = system.holds(&question.formula, budget)?;
        if holds != (evidence.claim == Claim::Holds) {
            return Err(Rejection::wrong("the formula has the other value there"));
        }
        let fact = format!(
            "the formula was evaluated by the definition in a system with {}",
            count(system.worlds, "world")
        );
        Ok(Certified {
            property: question.name.clone(),
            facts: vec![fact],
        })
    }

    fn answer(&self, question: &Question, ask: &Ask, cx: &Context) -> Answer {
        if question.here {
            return self.answer_here(question, ask, cx);
        }
        let wanted = wanted(question);
        let mut effort = Effort::default();
        let decided = decide(&wanted, self.theory.signature(), &mut effort, 0, &cx.budget);
        let asked = format!(
            "{} to the base logic, {} excluded",
            count(effort.base as usize, "question"),
            count(effort.blocked as usize, "combination")
        );
        let mut answer = match decided {
            Err(stop) => return self.unknown(question, stop),
            Ok(Decision::Satisfiable(model)) => {
                let verdict = if question.valid {
                    Verdict::Violated
                } else {
                    Verdict::Holds
                };
                let what = if question.valid {
                    "a model where it is false"
                } else {
                    "a model"
                };
                // Nothing is answered that the definition does not confirm.
                let satisfied = match model.is_whole(&wanted) {
                    true => model.satisfies(&wanted, &cx.budget),
                    false => Ok(false),
                };
                let satisfied = match satisfied {
                    Ok(satisfied) => satisfied,
                    Err(stop) => return self.unknown(question, stop),
                };
                if !satisfied {
                    let why =
                        Stop::inconclusive("the model that was found does not satisfy the formula");
                    return self.unknown(question, why);
                }
                let evidence = match question.valid {
                    true => Evidence::of_violated(MODEL, &model),
                    false => Evidence::of_holds(MODEL, &model),
                };
                let because = format!(
                    "{what} with {} ({asked})",
                    count(model.worlds.len(), "world")
                );
                let mut answer = Answer::new(&question.name, verdict).because(because);
                answer.evidence = Some(evidence.about(&question.name));
                answer.table = Some(show::table_of_model(&self.theory, &model));
                answer
                    .details
                    .push(("worlds".to_owned(), json!(model.worlds.len())));
                if ask.exhibits {
                    answer.exhibits.push(Exhibit {
                        name: format!("model of {}", question.name),
                        caption: what.to_owned(),
                        picture: Some(show::picture_of_model(&self.theory, &model).into()),
                        files: Vec::new(),
                    });
                }
                answer
            }
            Ok(Decision::Unsatisfiable) => {
                let verdict = if question.valid {
                    Verdict::Holds
                } else {
                    Verdict::Violated
                };
                let mut answer = Answer::new(&question.name, verdict)
                    .because(format!("every branch of the tableau closes ({asked})"));
                match types::is_small(&wanted) {
                    true => {
                        let evidence = match question.valid {
                            true => Evidence::of_holds(REFUTATION, &json!({})),
                            false => Evidence::of_violated(REFUTATION, &json!({})),
                        };
                        answer.evidence = Some(evidence.about(&question.name));
                    }
                    false => answer.notes.push(
                        "no evidence: the formula is too large for the second method".to_owned(),
                    ),
                }
                answer
            }
        };
        answer.method = Some("tableau".to_owned());
        answer
            .details
            .push(("baseQuestions".to_owned(), json!(effort.base)));
        answer.number = self.described(question).number;
        answer
    }
}

/// The formula whose satisfiability answers a question.
fn wanted(question: &Question) -> Formula {
    match question.valid {
        true => Formula::Not(Box::new(question.formula.clone())),
        false => question.formula.clone(),
    }
}

impl Opened for HybridModel {
    fn properties(&self) -> Vec<Property> {
        self.theory
            .questions
            .iter()
            .map(|one| self.described(one))
            .chain(
                self.theory
                    .proofs
                    .iter()
                    .map(|one| self.described_proof(one)),
            )
            .collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        if let Some(proof) = self.proof(name) {
            return Ok(self.described_proof(proof));
        }
        Ok(self.described(&self.question(name)?))
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let names = match ask.properties.is_empty() {
            true => self.properties().into_iter().map(|one| one.name).collect(),
            false => ask.properties.clone(),
        };
        for name in names {
            match self.proof(&name) {
                Some(proof) => tell(self.answer_proof(proof, cx)),
                None => {
                    let question = self.question(&name)?;
                    tell(self.answer(&question, ask, cx));
                }
            }
        }
        Ok(())
    }

    /// A model is evaluated by the definition of truth at a world. That a formula has no model is
    /// decided once more by type elimination, which shares nothing with the tableau.
    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if let Some(proof) = self.proof(&property.name) {
            return self.certify_proof(proof, evidence, budget);
        }
        let question = self
            .question(&property.name)
            .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
        if question.here {
            return self.certify_here(&question, evidence, budget);
        }
        let wanted = wanted(&question);
        let has_model = (evidence.claim == Claim::Holds) != question.valid;
        let fact = match (evidence.kind.as_str(), has_model) {
            (MODEL, true) => {
                let model: Model = evidence
                    .read()
                    .map_err(|error| Rejection::unreadable(error.to_string()))?;
                if !model.is_whole(&wanted) {
                    return Err(Rejection::wrong(
                        "the model does not say all that the formula asks",
                    ));
                }
                if !model.satisfies(&wanted, budget)? {
                    return Err(Rejection::wrong("the formula is not true in the model"));
                }
                format!(
                    "the formula was evaluated in a model with {}",
                    count(model.worlds.len(), "world")
                )
            }
            (REFUTATION, false) => {
                if wanted.binds() || !types::is_small(&wanted) {
                    return Err(Rejection::unreadable(
                        "the formula is too large for the second method",
                    ));
                }
                if types::is_satisfiable(&wanted, budget)? {
                    return Err(Rejection::wrong("type elimination finds a model"));
                }
                "type elimination leaves no model".to_owned()
            }
            (kind, _) => {
                return Err(Rejection::unreadable(format!(
                    "`{kind}` is no evidence for this claim"
                )));
            }
        };
        Ok(Certified {
            property: property.name.clone(),
            facts: vec![fact],
        })
    }

    fn doubts(&mut self, _: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut used = vec![false; self.theory.nominals.len()];
        for question in &self.theory.questions {
            mark(&question.formula, &mut used);
        }
        for line in self.theory.proofs.iter().flat_map(|proof| &proof.lines) {
            mark(&line.formula, &mut used);
        }
        // A world of a system is there whether or not a question names it.
        let system = self.theory.system.as_ref().filter(|one| !one.numbered);
        for (used, world) in used
            .iter_mut()
            .zip(system.iter().flat_map(|one| &one.nominals))
        {
            *used |= world.is_some();
        }
        let unused = self
            .theory
            .nominals
            .iter()
            .zip(used)
            .filter(|(name, used)| !used && !name.is_empty());
        let doubt = |name: &String| {
            Doubt::new(
                "unused-nominal",
                format!("no question mentions the nominal `{name}`"),
            )
        };
        Ok(unused.map(|(name, _)| doubt(name)).collect())
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        show::show(self, view)
    }
}

/// Notes the nominals of a formula, also of those that are sentences in it.
fn mark(formula: &Formula, used: &mut [bool]) {
    formula.visit(&mut |part| match part {
        Formula::Nominal(at) | Formula::At(at, _) => used[*at] = true,
        Formula::Base(crate::formula::Sentence::Hybrid(inner)) => mark(inner, used),
        _ => {}
    });
}
