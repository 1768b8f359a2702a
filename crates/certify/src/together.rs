//! What is paid under some way to choose, or under none: checked with exact numbers.
//!
//! A run is paid in two ways: `earned` by each step, and in the end what its states are `settled` at.
//! What a state is settled at changes only finitely often along a run (it tells what has happened so
//! far). The evidence gives a value `v` and a number `t` for every state. That no way to choose is paid
//! more than `v` on average follows if for every choice of every state, with fractions and no rounding,
//!
//! * `v ≥ earned + Σ p·v`: what is paid by a step was reckoned with, and
//! * `t ≥ Σ p·t`, and even `t ≥ 1 + Σ p·t` where the state is settled at more than `v`.
//!
//! The second says that there are no more than some finite number of steps on average, `t` less the
//! least `t`, in which the run stands where it is settled at more than `v`. So the average of what it
//! is settled at, over more and more steps, is in the end not more than that of `v`; and `v` has fallen
//! on average by at least what was earned. Sums of both are therefore not more than the first `v`,
//! whatever was chosen, also by chance or by what happened before.
//!
//! Where only ways count that spend no more than some finite amount on average, `t` may fall short of that by
//! what a choice spends: then there are no more than that many steps more in which the run stands where it is
//! settled at more than `v`, and the rest stays as it is.
//!
//! That one way to choose is paid at least `v` follows from the same turned round, for the choices that
//! the evidence names and the states that these lead to. All that is earned must be of one sign there,
//! so that what is earned in all is a limit of sums that only grow or only fall.

use quotient_core::{Budget, Rejection};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, exactly, whole};

/// What runs are paid.
#[derive(Debug, Clone)]
pub struct Pay {
    /// By each choice; all of one sign if a way to choose is shown.
    pub earned: Vec<Rational>,
    /// In the end, by each state.
    pub settled: Vec<Rational>,
}

/// Numbers for every state.
#[derive(Debug, Clone)]
pub struct Paid {
    /// What is paid from there on.
    pub values: Vec<Rational>,
    /// What bounds the number of steps until that is settled.
    pub steps: Vec<Rational>,
}

impl Paid {
    /// Numbers as written; not if one of them is none.
    pub fn new(values: &[f64], steps: &[f64]) -> Result<Paid, Rejection> {
        let numbers = |all: &[f64]| -> Result<Vec<Rational>, Rejection> {
            let each = all.iter().map(|&one| exactly(one));
            let all: Option<Vec<Rational>> = each.collect();
            all.ok_or_else(|| Rejection::wrong("a number of the evidence is not finite"))
        };
        Ok(Paid {
            values: numbers(values)?,
            steps: numbers(steps)?,
        })
    }
}

/// Checks that no way to choose is paid more than the value of a state from there on, in a model
/// whose weights are probabilities, kept exactly.
pub fn certify_ceiling(
    model: &Markov,
    pay: &Pay,
    paid: &Paid,
    budget: &Budget,
) -> Result<(), Rejection> {
    let nothing = vec![whole(0); model.choices()];
    certify_ceiling_of_finite(model, pay, paid, &nothing, budget)
}

/// The same of those ways alone that spend a finite amount on average, by what each choice spends.
pub fn certify_ceiling_of_finite(
    model: &Markov,
    pay: &Pay,
    paid: &Paid,
    spent: &[Rational],
    budget: &Budget,
) -> Result<(), Rejection> {
    fits(model, pay, paid)?;
    if spent.len() != model.choices() || spent.iter().any(|one| *one < whole(0)) {
        return Err(Rejection::wrong("what is spent is missing or negative"));
    }
    for state in 0..model.states() {
        for choice in model.choices_of(StateId::from_index(state)) {
            budget.charge(1)?;
            let (value, steps) = after(model, choice.index(), paid)?;
            let over = pay.settled[state] > paid.values[state];
            let needed = steps + whole(i64::from(over)) - &spent[choice.index()];
            let kept = paid.values[state] >= &pay.earned[choice.index()] + value
                && paid.steps[state] >= needed;
            if !kept {
                return Err(Rejection::wrong(format!(
                    "a choice in state {state} may be paid more than the evidence says"
                )));
            }
        }
    }
    Ok(())
}

/// Checks that the choices that are named, of all states that they lead to from the first on and
/// counted from the first of each state, are paid at least the value of the first state, in a model
/// whose weights are probabilities, kept exactly.
pub fn certify_way(
    model: &Markov,
    chosen: &[Option<u32>],
    pay: &Pay,
    paid: &Paid,
    budget: &Budget,
) -> Result<(), Rejection> {
    fits(model, pay, paid)?;
    if chosen.len() != model.states() {
        return Err(Rejection::wrong("not every state has a choice or none"));
    }
    let sign = |negative: bool| {
        let mut earned = pay.earned.iter();
        earned.all(|one| {
            if negative {
                *one <= whole(0)
            } else {
                *one >= whole(0)
            }
        })
    };
    if !sign(false) && !sign(true) {
        return Err(Rejection::unreadable("what is earned has two signs"));
    }
    let mut seen = vec![false; model.states()];
    let mut waiting = vec![0];
    while let Some(state) = waiting.pop() {
        if std::mem::replace(&mut seen[state], true) {
            continue;
        }
        budget.charge(1)?;
        let none = || Rejection::wrong(format!("no choice is named for state {state}"));
        let number = chosen[state].ok_or_else(none)?;
        let choice = model
            .choices_of(StateId::from_index(state))
            .nth(number as usize);
        let choice = choice.ok_or_else(none)?;
        let (value, steps) = after(model, choice.index(), paid)?;
        let under = pay.settled[state] < paid.values[state];
        let kept = paid.values[state] <= &pay.earned[choice.index()] + value
            && paid.steps[state] >= steps + whole(i64::from(under));
        if !kept {
            return Err(Rejection::wrong(format!(
                "the choice in state {state} is not paid what the evidence says"
            )));
        }
        let targets = &model.targets[model.branches_of(choice)];
        waiting.extend(targets.iter().map(|&to| to.index()));
    }
    Ok(())
}

fn fits(model: &Markov, pay: &Pay, paid: &Paid) -> Result<(), Rejection> {
    let states = model.states();
    let by_state = [&pay.settled, &paid.values, &paid.steps];
    if states == 0
        || by_state.iter().any(|all| all.len() != states)
        || pay.earned.len() != model.choices()
    {
        return Err(Rejection::wrong(format!(
            "the evidence is not about the {states} states of the model"
        )));
    }
    Ok(())
}

/// The value and the number of the next state, on average.
fn after(model: &Markov, choice: usize, paid: &Paid) -> Result<(Rational, Rational), Rejection> {
    let (mut value, mut steps, mut all) = (whole(0), whole(0), whole(0));
    for branch in model.branches_of(ChoiceId::from_index(choice)) {
        let target = model.targets[branch].index();
        let weight = model.exact_weight(branch).ok_or_else(|| {
            Rejection::unreadable("the weights of the model are not known exactly")
        })?;
        if *weight < whole(0) {
            return Err(Rejection::unreadable("a probability is negative"));
        }
        all += weight;
        value += weight * &paid.values[target];
        steps += weight * &paid.steps[target];
    }
    match all == whole(1) {
        true => Ok((value, steps)),
        false => Err(Rejection::unreadable("probabilities do not sum up to one")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_markov::{Builder, Kind};

    /// From the first state one stays or goes to the second or third with chances of one half.
    fn process() -> Markov {
        let mut builder = Builder::keeping_exact(Kind::Mdp);
        let half = builder.weight(Rational::new(1, 2));
        builder.choice(0);
        builder.branch(0, 1.0);
        builder.exactly(quotient_markov::WeightId::ONE);
        builder.choice(0);
        for target in [1, 2] {
            builder.branch(target, 0.5);
            builder.exactly(half);
        }
        builder.end_state();
        for state in [1, 2] {
            builder.choice(0);
            builder.branch(state, 1.0);
            builder.exactly(quotient_markov::WeightId::ONE);
            builder.end_state();
        }
        builder.finish(vec![0])
    }

    fn pay(earned: [i64; 4], settled: [i64; 3]) -> Pay {
        Pay {
            earned: earned.map(whole).to_vec(),
            settled: settled.map(whole).to_vec(),
        }
    }

    fn way(chosen: u32, pay: &Pay, values: [f64; 3], steps: [f64; 3]) -> bool {
        let paid = Paid::new(&values, &steps).expect("numbers");
        let chosen = [Some(chosen), Some(0), Some(0)];
        certify_way(&process(), &chosen, pay, &paid, &Budget::unlimited()).is_ok()
    }

    fn ceiling(pay: &Pay, values: [f64; 3], steps: [f64; 3]) -> bool {
        let paid = Paid::new(&values, &steps).expect("numbers");
        certify_ceiling(&process(), pay, &paid, &Budget::unlimited()).is_ok()
    }

    #[test]
    fn who_goes_is_paid_half_and_who_stays_nothing() {
        let second = pay([0; 4], [0, 1, 0]);
        assert!(way(1, &second, [0.5, 1.0, 0.0], [1.0, 0.0, 0.0]));
        // More than that, without counting steps, or by staying.
        assert!(!way(1, &second, [0.6, 1.0, 0.0], [1.0, 0.0, 0.0]));
        assert!(!way(1, &second, [0.5, 1.0, 0.0], [0.5, 0.0, 0.0]));
        assert!(!way(0, &second, [0.5, 1.0, 0.0], [1.0, 0.0, 0.0]));
        // It is no more than a half, by whatever choice; with one it is settled at, less is wrong.
        assert!(ceiling(&second, [0.5, 1.0, 0.0], [0.0; 3]));
        assert!(!ceiling(&second, [0.4, 1.0, 0.0], [0.0; 3]));
        let first = pay([0; 4], [1, 0, 0]);
        assert!(ceiling(&first, [1.0, 0.0, 0.0], [0.0; 3]));
        for steps in [[0.0; 3], [5.0, 0.0, 0.0], [1e300, 0.0, 0.0]] {
            assert!(!ceiling(&first, [0.5, 0.0, 0.0], steps));
        }
    }

    /// Who stays for ever is settled at one; if that is spent for, only who goes counts.
    #[test]
    fn who_spends_without_an_end_does_not_count() {
        let first = pay([0; 4], [1, 0, 0]);
        let kept = |spent: [i64; 4], values: [f64; 3], steps: [f64; 3]| {
            let paid = Paid::new(&values, &steps).expect("numbers");
            let spent = spent.map(whole);
            let budget = Budget::unlimited();
            certify_ceiling_of_finite(&process(), &first, &paid, &spent, &budget).is_ok()
        };
        assert!(kept([1, 0, 0, 0], [0.0; 3], [1.0, 0.0, 0.0]));
        assert!(!kept([0, 1, 0, 0], [0.0; 3], [1.0, 0.0, 0.0]));
        // Who goes takes a step where it is settled at more, too.
        assert!(!kept([1, 0, 0, 0], [0.0; 3], [0.5, 0.0, 0.0]));
        assert!(!kept([1, 0, 0, -1], [0.0; 3], [1.0, 0.0, 0.0]));
    }

    #[test]
    fn what_steps_earn_counts_once() {
        let going = pay([0, 3, 0, 0], [0; 3]);
        assert!(way(1, &going, [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
        assert!(!way(1, &going, [3.5, 0.0, 0.0], [1.0, 0.0, 0.0]));
        assert!(!way(1, &going, [3.0, 0.0, 0.0], [0.0; 3]));
        assert!(ceiling(&going, [3.0, 0.0, 0.0], [0.0; 3]));
        assert!(!ceiling(&going, [2.5, 0.0, 0.0], [0.0; 3]));
        // Its negative is at least minus three, and not more than nothing for who stays.
        let negative = pay([0, -3, 0, 0], [0; 3]);
        assert!(way(1, &negative, [-3.0, 0.0, 0.0], [0.0; 3]));
        assert!(!way(1, &negative, [-2.5, 0.0, 0.0], [9.0, 0.0, 0.0]));
        assert!(ceiling(&negative, [0.0; 3], [0.0; 3]));
        assert!(!ceiling(&negative, [-1.0, 0.0, 0.0], [9.0, 0.0, 0.0]));
        // Staying for ever earns without end, and has no ceiling.
        assert!(!ceiling(
            &pay([1, 0, 0, 0], [0; 3]),
            [1e300, 0.0, 0.0],
            [0.0; 3]
        ));
        assert!(!way(
            1,
            &pay([-1, 1, 0, 0], [0; 3]),
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0]
        ));
    }
}
