//! Formulas about runs that have a value whatever the runs are.
//!
//! Weights of places show of some conditions that they hold always, or never. With these and with
//! what holds at the start, a formula may have a value already: `F` of what never holds is false.

use quotient_core::{Evidence, Rejection, Stop, Verdict};
use quotient_language::Answer;
use quotient_logic::{Binary, Formula as Time, Kind, Unary};

use crate::certify::{self, MOST_ALTERNATIVES};
use crate::check::{Checker, Task};
use crate::evidence::{CONSTANT, Constant, Constants};
use crate::formula::{Formula, Question, Temporal};
use crate::weigh::{Weighed, excluded};

/// Answers open formulas about runs whose value no run changes.
pub(crate) fn solve(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    for task in tasks.iter_mut().filter(|task| task.is_open_over_time()) {
        checker.cx.budget.poll()?;
        let Question::Temporal(one) = &task.asked.question else {
            continue;
        };
        let mut atoms = Vec::new();
        for (number, atom) in one.atoms.iter().enumerate() {
            for value in [true, false] {
                if let Some(proofs) = always(checker, start, atom, value)? {
                    atoms.push(Constant {
                        atom: number,
                        value,
                        proofs,
                    });
                    break;
                }
            }
        }
        let known = known(one, &atoms);
        let now = |atom: usize| one.atoms[atom].holds(checker.net, start);
        let Some(value) = value(&one.formula, &known, Some(&now)) else {
            continue;
        };
        let body = Constants { atoms };
        let (verdict, evidence) = match value {
            true => (Verdict::Holds, Evidence::of_holds(CONSTANT, &body)),
            false => (Verdict::Violated, Evidence::of_violated(CONSTANT, &body)),
        };
        let because = "weights of places and the start give it its value on every run";
        let answer = Answer::new(&task.asked.name, verdict).because(because);
        let evidence = evidence.about(&task.asked.name);
        task.answer = Some(answer.by("weights").with_evidence(evidence));
    }
    Ok(())
}

/// Weights that show that a condition has this value in every reachable marking.
fn always(
    checker: &Checker<'_>,
    start: &[u64],
    condition: &Formula,
    value: bool,
) -> Result<Option<Vec<crate::evidence::Weights>>, Stop> {
    if condition.holds(checker.net, start) != value {
        return Ok(None);
    }
    let Some(bad) = condition.alternatives(checker.net, !value, MOST_ALTERNATIVES) else {
        return Ok(None);
    };
    let mut proofs = Vec::new();
    for alternative in &bad {
        match excluded(checker.net, start, alternative, &checker.cx.budget)? {
            Weighed::Excluded(proof) => proofs.push(proof),
            _ => return Ok(None),
        }
    }
    Ok(Some(proofs))
}

fn known(one: &Temporal, constants: &[Constant]) -> Vec<Option<bool>> {
    let mut known = vec![None; one.atoms.len()];
    for constant in constants {
        if let Some(known) = known.get_mut(constant.atom) {
            *known = Some(constant.value);
        }
    }
    known
}

/// The value of a formula that every run gives it, if what is known about atoms in all markings
/// suffices; and, with values of the first marking, if these do.
fn value(
    formula: &Time<u32>,
    known: &[Option<bool>],
    now: Option<&dyn Fn(usize) -> bool>,
) -> Option<bool> {
    let here = |one: &Time<u32>| value(one, known, now);
    let anywhere = |one: &Time<u32>| value(one, known, None);
    match &formula.kind {
        Kind::Constant(value) => Some(*value),
        Kind::Atom(atom) => match now {
            Some(now) => Some(now(*atom as usize)),
            None => known[*atom as usize],
        },
        Kind::Unary(Unary::Not, inner) => here(inner).map(|value| !value),
        // A marking that is stuck has no next one.
        Kind::Unary(quantifier @ (Unary::ForAll | Unary::Exists), path) => match &path.kind {
            Kind::Unary(Unary::Next, inner) => {
                let all = *quantifier == Unary::ForAll;
                anywhere(inner).filter(|value| *value == all)
            }
            _ => here(path),
        },
        Kind::Unary(Unary::Next, inner) => anywhere(inner),
        Kind::Unary(Unary::Finally(None), inner) => match here(inner) {
            Some(true) => Some(true),
            _ => anywhere(inner).filter(|value| !value),
        },
        Kind::Unary(Unary::Globally(None), inner) => match here(inner) {
            Some(false) => Some(false),
            _ => anywhere(inner).filter(|value| *value),
        },
        Kind::Binary(Binary::Until(None), left, right) => {
            match (here(left), here(right), anywhere(right)) {
                (_, Some(true), _) => Some(true),
                (Some(false), Some(false), _) | (_, _, Some(false)) => Some(false),
                _ => None,
            }
        }
        Kind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            let decides = *operator == Binary::Or;
            match (here(left), here(right)) {
                (Some(one), _) | (_, Some(one)) if one == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            }
        }
        _ => None,
    }
}

impl certify::Checker<'_> {
    /// The weights show what they are said to show about conditions, and with these and the start
    /// the formula has the value.
    pub(crate) fn is_constant(
        &self,
        one: &Temporal,
        claimed: &Constants,
        holds: bool,
    ) -> Result<String, Rejection> {
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        for constant in &claimed.atoms {
            let condition = one.atoms.get(constant.atom);
            let condition =
                condition.ok_or_else(|| Rejection::wrong("there is no such condition"))?;
            let bad = condition.alternatives(self.net, !constant.value, MOST_ALTERNATIVES);
            let bad =
                bad.ok_or_else(|| Rejection::wrong("a condition has too many alternatives"))?;
            if bad.len() != constant.proofs.len() {
                return Err(Rejection::wrong("each alternative needs its weights"));
            }
            for (alternative, proof) in bad.iter().zip(&constant.proofs) {
                self.budget.charge(1)?;
                self.excludes(alternative, proof)?;
            }
        }
        let known = known(one, &claimed.atoms);
        let now = |atom: usize| one.atoms[atom].holds(self.net, &start);
        match value(&one.formula, &known, Some(&now)) == Some(holds) {
            true => Ok(format!(
                "{} conditions never change, which decides it",
                claimed.atoms.len()
            )),
            false => Err(Rejection::wrong("what is shown does not decide it so")),
        }
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Context, Source};

    use super::*;
    use crate::testing::checker;

    #[test]
    fn what_never_changes_decides_formulas_of_nets_without_end() {
        let text = "pl lock (1)\npl out (2)\ntr more -> grown\ntr enter out lock -> in\n\
                    tr leave in -> out lock\n\
                    check one : G (F (in <= 1) | X (grown >= 7))\n\
                    check two : F (in >= 2 & grown >= 3)\n\
                    check three : A G (E F (in >= 1))\n";
        let source = Source::new("grow.net", text);
        let net = crate::tina::read(&source).unwrap();
        let asked = crate::asked::read(&source, &net).unwrap();
        let cx = Context::default();
        let checker = Checker {
            most: 1_000,
            ..checker(&net, &cx)
        };
        let numbered = asked.iter().enumerate();
        let mut tasks: Vec<Task> = numbered
            .flat_map(|(number, one)| Task::of(number, one))
            .collect();
        solve(&checker, &net.start().unwrap(), &mut tasks).unwrap();
        let verdicts = tasks.iter().map(|task| task.answer.as_ref());
        let verdicts: Vec<_> = verdicts
            .map(|answer| answer.map(|one| one.verdict.clone()))
            .collect();
        assert_eq!(
            verdicts,
            [Some(Verdict::Holds), Some(Verdict::Violated), None]
        );
        let evidence = tasks[0].answer.take().unwrap().evidence.unwrap();
        let judged = |evidence: &Evidence| {
            let budget = Budget::unlimited();
            certify::certify(&net, "one", &asked[0].question, evidence, &budget)
        };
        judged(&evidence).unwrap();
        // Another value, other weights, no weights, another condition.
        let disturb: [fn(&mut serde_json::Value); 4] = [
            |atom| atom["value"] = serde_json::json!(false),
            |atom| atom["proofs"][0]["weights"]["in"] = serde_json::json!(3),
            |atom| atom["proofs"] = serde_json::json!([]),
            |atom| atom["atom"] = serde_json::json!(1),
        ];
        for disturb in disturb {
            let mut forged = evidence.clone();
            disturb(&mut forged.body["atoms"][0]);
            assert!(judged(&forged).is_err());
        }
    }
}
