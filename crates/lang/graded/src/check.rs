//! Answers.

use quotient_core::{Context, Evidence, Trouble, Verdict};
use quotient_language::text::count;
use quotient_language::{Answer, Ask, Table};
use serde_json::json;

use crate::algebra::ActionLattice;
use crate::certify::{Body, KIND, listed};
use crate::evaluate::Evaluator;
use crate::model::GradedModel;
use crate::system::{Question, System};
use crate::tree::Formula;
use crate::verdict::{satisfies, settled};
use crate::witness::witness;

/// The most rows of a table of grades.
const MOST_ROWS: usize = 30;
/// The most grades that evidence lists.
const MOST_LISTED: usize = 2_000_000;

pub(crate) fn answer<A: ActionLattice>(
    model: &GradedModel<A>,
    question: &Question<A::Grade>,
    ask: &Ask,
    cx: &Context,
) -> Result<Answer, Trouble> {
    let system = &model.system;
    let algebra = &system.algebra;
    let mut evaluator = Evaluator::new(algebra, system.states.len(), &cx.budget);
    let grades = evaluator.grades(&question.formula)?;
    let solutions = evaluator.solutions;
    let fine = |state: usize| satisfies(algebra, &grades[state], question.bound.as_ref());
    let holds = settled(question, fine);
    let verdict = if holds {
        Verdict::Holds
    } else {
        Verdict::Violated
    };
    // The state that the verdict is told by.
    let telling = match (question.somewhere, holds) {
        (true, true) => question.states.iter().find(|state| fine(**state)),
        (false, false) => question.states.iter().find(|state| !fine(**state)),
        _ => question.states.first(),
    };
    let telling = telling.copied().unwrap_or_default();
    let name = question.check.name.text.clone();
    let mut answer = Answer::new(name.clone(), verdict).by("star by strongly connected parts");
    answer.because = because(system, question, &grades, telling);
    answer.trace = witness(system, &question.formula, telling, &solutions, &cx.budget)?;
    answer.table = table(system, question, &grades);
    let shown = question.states.iter().take(1000);
    let shown = shown.map(|state| {
        let grade = algebra.write(&grades[*state]);
        json!({ "state": system.states[*state], "grade": grade })
    });
    answer
        .details
        .push(("algebra".to_owned(), json!(algebra.name())));
    answer.details.push(("grades".to_owned(), shown.collect()));
    let size: usize = solutions.iter().map(|one| one.grades.len()).sum();
    let listed = match size <= MOST_LISTED {
        true => listed(algebra, solutions),
        false => None,
    };
    match listed {
        Some(solutions) => {
            let body = Body { solutions };
            let evidence = match holds {
                true => Evidence::of_holds(KIND, &body),
                false => Evidence::of_violated(KIND, &body),
            };
            answer.evidence = Some(evidence.about(name));
        }
        None if size <= MOST_LISTED => {
            let note = format!("no evidence: the {size} grades that it would list are too long");
            answer.notes.push(note);
        }
        None => answer
            .notes
            .push(format!("no evidence: it would list {size} grades")),
    }
    if ask.vacuity {
        vacuity(model, question, holds, cx, &mut answer)?;
    }
    Ok(answer)
}

fn because<A: ActionLattice>(
    system: &System<A>,
    question: &Question<A::Grade>,
    grades: &[A::Grade],
    telling: usize,
) -> String {
    let algebra = &system.algebra;
    let grade = algebra.write(&grades[telling]);
    let looked = count(question.states.len(), "state");
    let asked = match &question.bound {
        Some((sign, bound)) => format!("asked: {sign} {}", algebra.write(bound)),
        None => format!(
            "asked: at least as good as {}",
            algebra.write(&algebra.one())
        ),
    };
    format!(
        "grade {grade} at {} ({asked}; {looked} looked at)",
        system.states[telling]
    )
}

/// The grades of the states asked about, or of all where they are few.
fn table<A: ActionLattice>(
    system: &System<A>,
    question: &Question<A::Grade>,
    grades: &[A::Grade],
) -> Option<Table> {
    let mut table = Table::new(["state", "grade"]);
    let all = system.states.len();
    let states: Vec<usize> = match all <= MOST_ROWS {
        true => (0..all).collect(),
        false => question.states.iter().copied().take(MOST_ROWS).collect(),
    };
    for &state in &states {
        table.row([
            system.states[state].clone(),
            system.algebra.write(&grades[state]),
        ]);
    }
    Some(table)
}

/// Tells which propositions do not matter: the verdict is the same whether they are true or false.
fn vacuity<A: ActionLattice>(
    model: &GradedModel<A>,
    question: &Question<A::Grade>,
    holds: bool,
    cx: &Context,
    answer: &mut Answer,
) -> Result<(), Trouble> {
    let mut names: Vec<String> = Vec::new();
    question.check.formula.visit(&mut |part| {
        if let Formula::Proposition(spot) = part
            && !names.contains(&spot.text)
        {
            names.push(spot.text.clone());
        }
    });
    let system = &model.system;
    for name in names {
        let mut same = true;
        for by in [Formula::True, Formula::False] {
            let formula = question.check.formula.replaced(&name, &by);
            let formula = system.formula(&formula, &model.source)?;
            let mut evaluator = Evaluator::new(&system.algebra, system.states.len(), &cx.budget);
            let grades = evaluator.grades(&formula)?;
            let bound = question.bound.as_ref();
            same &= holds
                == settled(question, |state| {
                    satisfies(&system.algebra, &grades[state], bound)
                });
        }
        if same {
            answer.vacuous = true;
            answer.notes.push(format!(
                "`{name}` does not matter: true or false, the verdict is the same"
            ));
        }
    }
    Ok(())
}
