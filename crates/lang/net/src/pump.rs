//! Nets without bounds: a run that adds tokens and can be repeated.
//!
//! Where transitions only need, take and give, what can fire can fire with more tokens, too. A run
//! that comes back to all that it had and more can therefore be gone again and again: there is no
//! end of markings, nor of tokens in places where it adds some. If some of the transitions of that run look at
//! places in another way (they must not hold more than so much, or are added to others), then the run must
//! come back to exactly what these hold: so all these transitions see the same each time.

use std::collections::HashMap;

use quotient_core::{Evidence, Rejection, Stop, Verdict};
use quotient_language::{Answer, Number, Random};
use serde_json::json;

use crate::certify;
use crate::check::{Checker, Task};
use crate::evidence::{self, PUMP, Pump};
use crate::formula::{Linear, Question};
use crate::net::Net;
use crate::trace;

/// How many markings are looked at, and how many walks of how many steps are taken.
const MOST_MARKINGS: usize = 3_000;
const WALKS: usize = 8;
const WALK_STEPS: usize = 300;

/// Answers open questions for numbers that have no bound.
pub(crate) fn solve(checker: &Checker<'_>, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
    let open = |task: &Task| is_number(&task.asked.question) && !task.is_answered();
    if !tasks.iter().any(open) {
        return Ok(());
    }
    let plain = checker.net.only_takes_and_gives();
    let mut found = |before: &[u64], after: &[u64], run: &dyn Fn() -> (Vec<usize>, usize)| {
        for task in tasks.iter_mut().filter(|task| open(task)) {
            if grows(&task.asked.question, before, after) {
                let (fired, from) = run();
                if plain || sees_the_same(checker.net, &fired[from..], before, after) {
                    task.answer = Some(endless(checker, task, start, &fired, from));
                }
            }
        }
        tasks.iter().any(open)
    };
    if nearby(checker, start, &mut found)? {
        walks(checker, start, &mut found)?;
    }
    Ok(())
}

fn is_number(question: &Question) -> bool {
    matches!(question, Question::Size | Question::Most(_))
}

/// Whether going from a marking to another again and again makes the number as large as one likes.
fn grows(question: &Question, before: &[u64], after: &[u64]) -> bool {
    let covers = before
        .iter()
        .zip(after)
        .all(|(before, after)| before <= after);
    covers
        && match question {
            Question::Size => before != after,
            Question::Most(terms) => Linear::sum(terms, after) > Linear::sum(terms, before),
            _ => false,
        }
}

/// Whether the places that these transitions must not see more tokens in hold the same in both markings.
fn sees_the_same(net: &Net, fired: &[usize], before: &[u64], after: &[u64]) -> bool {
    fired.iter().all(|&one| {
        let transition = &net.transitions[one];
        let limited = transition.guard.iter().filter(|guard| guard.most.is_some());
        let limited = limited.map(|guard| guard.place);
        let moved = transition.assign.iter().flat_map(|one| {
            let own = std::iter::once(one.place);
            own.chain(one.sum.iter().copied())
        });
        limited
            .chain(moved)
            .all(|place| before[place] == after[place])
    })
}

/// Told of two markings of a run, and how to get the run and where the first one is on it; says
/// whether anything is left to find.
type Found<'a> = dyn FnMut(&[u64], &[u64], &dyn Fn() -> (Vec<usize>, usize)) -> bool + 'a;

/// Looks at markings near the start; says whether anything is left to find.
fn nearby(checker: &Checker<'_>, start: &[u64], found: &mut Found<'_>) -> Result<bool, Stop> {
    let mut all: Vec<(Vec<u64>, usize, usize)> = vec![(start.to_vec(), 0, 0)];
    let mut numbers = HashMap::from([(start.to_vec(), 0)]);
    let mut at = 0;
    while at < all.len() && all.len() < MOST_MARKINGS {
        checker.cx.budget.charge(1)?;
        for (one, transition) in checker.net.transitions.iter().enumerate() {
            let Some(next) = transition.fire(&all[at].0) else {
                continue;
            };
            if numbers.contains_key(&next) {
                continue;
            }
            let number = all.len();
            numbers.insert(next.clone(), number);
            all.push((next, at, one));
            let mut before = number;
            let mut labels = Vec::new();
            while before != 0 {
                labels.push(all[before].2);
                before = all[before].1;
                let run = || {
                    let (mut fired, mut way) = (labels.clone(), before);
                    while way != 0 {
                        fired.push(all[way].2);
                        way = all[way].1;
                    }
                    fired.reverse();
                    let from = fired.len() - labels.len();
                    (fired, from)
                };
                if !found(&all[before].0, &all[number].0, &run) {
                    return Ok(false);
                }
            }
        }
        at += 1;
    }
    Ok(true)
}

/// Looks along walks at random.
fn walks(checker: &Checker<'_>, start: &[u64], found: &mut Found<'_>) -> Result<(), Stop> {
    let mut random = Random::new(7);
    for _ in 0..WALKS {
        let mut markings = vec![start.to_vec()];
        let mut fired: Vec<usize> = Vec::new();
        while fired.len() < WALK_STEPS {
            checker.cx.budget.charge(1)?;
            let last = &markings[fired.len()];
            let transitions = checker.net.transitions.iter().enumerate();
            let able: Vec<usize> = transitions
                .filter(|(_, one)| one.is_enabled(last))
                .map(|(number, _)| number)
                .collect();
            if able.is_empty() {
                break;
            }
            let one = able[random.below(able.len())];
            let Some(next) = checker.net.transitions[one].fire(last) else {
                break;
            };
            fired.push(one);
            for (from, before) in markings.iter().enumerate() {
                if !found(before, &next, &|| (fired.clone(), from)) {
                    return Ok(());
                }
            }
            markings.push(next);
        }
    }
    Ok(())
}

fn endless(
    checker: &Checker<'_>,
    task: &Task,
    start: &[u64],
    fired: &[usize],
    from: usize,
) -> Answer {
    let body = Pump {
        run: evidence::run(checker.net, start, fired),
        from,
    };
    let mut answer = Answer::new(&task.asked.name, Verdict::Holds).by("search");
    answer.value = Some(Number {
        value: f64::INFINITY,
        lower: f64::INFINITY,
        upper: f64::INFINITY,
        exact: Some("+inf".to_owned()),
    });
    let steps = fired.len() - from;
    answer.because = format!("without bound: {steps} steps add tokens and can be repeated");
    let name = match task.asked.question {
        Question::Size => "markings",
        _ => "bound",
    };
    answer.details.push((name.to_owned(), json!("+inf")));
    let evidence = Evidence::of_holds(PUMP, &body).about(&task.asked.name);
    answer
        .with_trace(trace::of(checker.net, start, fired))
        .with_evidence(evidence)
}

impl certify::Checker<'_> {
    /// A run can be fired, and from one of its markings on it adds tokens, so that the number has
    /// no bound.
    pub(crate) fn has_no_bound(
        &self,
        question: &Question,
        pump: &Pump,
    ) -> Result<String, Rejection> {
        let run = self.markings(&pump.run)?;
        let (Some(before), Some(after)) = (run.get(pump.from), run.last()) else {
            return Err(Rejection::wrong("the run is shorter"));
        };
        let number = |id: &String| self.net.transitions.iter().rposition(|one| one.id == *id);
        let fired: Option<Vec<usize>> = pump.run.fired.iter().map(number).collect();
        let again = fired.as_deref().and_then(|fired| fired.get(pump.from..));
        if !again.is_some_and(|fired| sees_the_same(self.net, fired, before, after)) {
            return Err(Rejection::wrong(
                "with more tokens, less might be able to fire",
            ));
        }
        match grows(question, before, after) {
            true => Ok("a run that adds tokens can be repeated without end".to_owned()),
            false => Err(Rejection::wrong("repeating the run does not add to it")),
        }
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Context, Source};
    use quotient_trial::arbitrary::{self, Unstructured};

    use super::*;
    use crate::properties::Asked;
    use crate::testing::checker;

    fn asked(question: Question) -> Asked {
        Asked {
            name: "q".to_owned(),
            text: "q".to_owned(),
            kind: "q",
            question,
            span: None,
        }
    }

    #[test]
    fn what_can_grow_without_end_is_told_and_nothing_else() {
        let text = "pl a (1)\ntr go a -> b\ntr back b -> a c\ntr use c*2 -> d\n";
        let net = crate::tina::read(&Source::new("g.net", text)).unwrap();
        let place = |id: &str| net.places.iter().position(|one| one.id == id).unwrap();
        let start = net.start().unwrap();
        let cx = Context::default();
        let checker = Checker {
            most: 1_000,
            ..checker(&net, &cx)
        };
        let most = |id: &str| Question::Most(vec![(place(id), 1)]);
        let questions = [
            (Question::Size, true),
            (most("a"), false),
            (most("c"), true),
            (most("d"), true),
            (
                Question::Most(vec![(place("a"), 1), (place("b"), 1)]),
                false,
            ),
        ];
        for (question, endless) in questions {
            let asked = asked(question);
            let mut tasks = Task::of(0, &asked);
            solve(&checker, &start, &mut tasks).unwrap();
            let answer = tasks[0].answer.take();
            assert_eq!(answer.is_some(), endless, "{:?}", asked.question);
            let Some(answer) = answer else { continue };
            let evidence = answer.evidence.unwrap();
            let judged = |evidence: &Evidence| {
                let budget = Budget::unlimited();
                certify::certify(&net, "q", &asked.question, evidence, &budget).is_ok()
            };
            assert!(judged(&evidence));
            // A run that only comes back, one that is cut, one from beyond its end, and the
            // opposite claim.
            let last = evidence.body["run"]["fired"].as_array().unwrap().len();
            for disturb in [0, 1, 2] {
                let mut forged = evidence.clone();
                match disturb {
                    0 => forged.body["from"] = json!(last),
                    1 => forged.body["from"] = json!(last + 1),
                    _ => {
                        forged.body["run"]["fired"].as_array_mut().unwrap().pop();
                    }
                }
                let still = judged(&forged) && disturb == 2 && asked.question == Question::Size;
                assert!(!judged(&forged) || still, "{forged:?}");
            }
            let opposite = Evidence::of_violated(PUMP, &evidence.body).about("q");
            assert!(!judged(&opposite));
        }
        // An inhibitor may end what looks as if it could be repeated.
        let text = "pl a (1)\ntr more a c?-3 -> a c\n";
        let net = crate::tina::read(&Source::new("g.net", text)).unwrap();
        let checker = Checker {
            net: &net,
            ..checker
        };
        let start = net.start().unwrap();
        let asked = asked(Question::Size);
        let mut tasks = Task::of(0, &asked);
        solve(&checker, &start, &mut tasks).unwrap();
        assert!(tasks[0].answer.is_none());
        let body = Pump {
            run: evidence::run(&net, &start, &[0]),
            from: 0,
        };
        let evidence = Evidence::of_holds(PUMP, &body).about("q");
        let budget = Budget::unlimited();
        assert!(certify::certify(&net, "q", &asked.question, &evidence, &budget).is_err());
    }

    /// A net with limits on places: what goes round on tokens, and what may hold it up.
    fn random_net(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
        let mut text = String::from("pl p0 (1)\n");
        for number in 0..u.int_in_range(2..=5)? {
            let place = |u: &mut Unstructured<'_>| u.int_in_range(0..=3);
            text += &format!("tr t{number} p{}", place(u)?);
            if u.ratio(1, 2)? {
                text += &format!(" p{}?-{}", place(u)?, u.int_in_range(1..=3)?);
            }
            text += &format!(" -> p{}", place(u)?);
            if u.ratio(1, 2)? {
                text += &format!(" p{}", place(u)?);
            }
            text += "\n";
        }
        Ok(text)
    }

    #[test]
    fn what_is_told_to_go_round_without_end_goes_round_many_times() {
        let (mut endless, mut limited) = (0, 0);
        quotient_trial::trial(|u| {
            let text = random_net(u)?;
            let net = crate::tina::read(&Source::new("g.net", text.as_str())).unwrap();
            let (start, cx) = (net.start().unwrap(), Context::default());
            let asked = asked(Question::Size);
            let mut tasks = Task::of(0, &asked);
            solve(&checker(&net, &cx), &start, &mut tasks).unwrap();
            let Some(answer) = tasks[0].answer.take() else {
                return Ok(());
            };
            let evidence = answer.evidence.unwrap();
            let budget = Budget::unlimited();
            certify::certify(&net, "q", &asked.question, &evidence, &budget).unwrap();
            let pump: Pump = evidence.read().unwrap();
            let id = |id: &String| net.transitions.iter().find(|one| one.id == *id).unwrap();
            let mut marking = start;
            let mut tokens = 0;
            for round in 0..20 {
                let from = if round == 0 { 0 } else { pump.from };
                for fired in &pump.run.fired[from..] {
                    marking = id(fired).fire(&marking).expect(&text);
                    limited += usize::from(id(fired).guard.iter().any(|one| one.most.is_some()));
                }
                assert!(marking.iter().sum::<u64>() > tokens, "{text}");
                tokens = marking.iter().sum();
            }
            endless += 1;
            Ok(())
        })
        .cases(400);
        assert!(endless > 20 && limited > 100, "{endless} {limited}");
    }
}
