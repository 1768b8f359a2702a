//! The checker of refutations: all that has to be trusted.

use quotient_core::Budget;
use rustc_hash::FxHashMap;

use super::formulas::Cnf;
use crate::Rejection;

/// Checks a refutation in LRAT, and says how many steps it has.
///
/// A line `7 1 -2 0 3 5 0` adds clause 7, `1 or not 2`: where both are false, clause 3 and then
/// clause 5 each have all literals but one false, which is true then, and the last clause named has
/// none left. So every clause added follows from those before, and the empty one shows that there
/// is no way to fulfil them all. `7 d 3 4 0` forgets clauses. Other steps that LRAT knows (RAT) are
/// not accepted.
pub(super) fn check(cnf: &Cnf, text: &str, budget: &Budget) -> Result<usize, Rejection> {
    let mut checker = Checker {
        cnf,
        added: FxHashMap::default(),
        values: vec![0; cnf.variables + 1],
        last: cnf.clauses.len() as u64,
    };
    if (0..cnf.clauses.len()).any(|number| cnf.clauses.get(number).is_empty()) {
        return Ok(0);
    }
    let mut steps = 0;
    for (at, line) in text.lines().enumerate() {
        budget.charge(1 + line.len() as u64 / 8)?;
        let wrong = |why: &str| {
            let says = cnf.name;
            Rejection::wrong(format!(
                "line {} of the refutation of {says}: {why}",
                at + 1
            ))
        };
        match checker.line(line) {
            Ok(Step::Nothing) => {}
            Ok(Step::Clause) => steps += 1,
            Ok(Step::Contradiction) => return Ok(steps + 1),
            Err(why) => return Err(wrong(why)),
        }
    }
    let message = format!("the refutation of {} has no end", cnf.name);
    Err(Rejection::wrong(message))
}

enum Step {
    Nothing,
    Clause,
    Contradiction,
}

struct Checker<'a> {
    cnf: &'a Cnf,
    added: FxHashMap<u64, Vec<i32>>,
    /// By variable: 1 if it is true, -1 if it is false.
    values: Vec<i8>,
    /// The highest number of a clause so far.
    last: u64,
}

impl Checker<'_> {
    fn line(&mut self, line: &str) -> Result<Step, &'static str> {
        let mut words = line.split_ascii_whitespace();
        let Some(number) = words.next() else {
            return Ok(Step::Nothing);
        };
        let number: u64 = number
            .parse()
            .map_err(|_| "this is no number of a clause")?;
        let mut words = words.peekable();
        if words.next_if_eq(&"d").is_some() {
            for word in words {
                let number: u64 = word.parse().map_err(|_| "this is no number of a clause")?;
                self.added.remove(&number);
            }
            return Ok(Step::Nothing);
        }
        let mut clause = Vec::new();
        loop {
            let word = words.next().ok_or("the clause has no end")?;
            match word.parse::<i32>().map_err(|_| "this is no literal")? {
                0 => break,
                literal => clause.push(literal),
            }
        }
        let mut reasons: Vec<u64> = Vec::new();
        loop {
            let word = words.next().ok_or("the reasons have no end")?;
            match word.parse().map_err(|_| "this is no number of a clause")? {
                0 => break,
                reason => reasons.push(reason),
            }
        }
        if words.next().is_some() || number <= self.last {
            return Err("numbers of clauses must grow, and lines end");
        }
        let known = |literal: &i32| {
            usize::try_from(literal.unsigned_abs()).is_ok_and(|one| one < self.values.len())
        };
        if !clause.iter().all(known) {
            return Err("this is no variable of the formula");
        }
        let mut touched = Vec::new();
        let follows = self.follows(&clause, &reasons, &mut touched);
        for variable in touched {
            self.values[variable] = 0;
        }
        follows?;
        self.last = number;
        if clause.is_empty() {
            return Ok(Step::Contradiction);
        }
        self.added.insert(number, clause);
        Ok(Step::Clause)
    }

    /// Whether a clause follows from others.
    fn follows(
        &mut self,
        clause: &[i32],
        reasons: &[u64],
        touched: &mut Vec<usize>,
    ) -> Result<(), &'static str> {
        for &literal in clause {
            self.set(-literal, touched);
        }
        for &reason in reasons {
            let others = match self.added.get(&reason) {
                Some(added) => added,
                None => match usize::try_from(reason) {
                    Ok(number @ 1..) if number <= self.cnf.clauses.len() => {
                        self.cnf.clauses.get(number - 1)
                    }
                    _ => return Err("there is no such clause"),
                },
            };
            let mut open = None;
            for &literal in others {
                let value = self.values[literal.unsigned_abs() as usize];
                let is_false = if literal > 0 { value < 0 } else { value > 0 };
                match open {
                    _ if is_false || open == Some(literal) => {}
                    None => open = Some(literal),
                    Some(_) => return Err("a reason leaves a choice"),
                }
            }
            match open {
                None => return Ok(()),
                Some(literal) => self.set(literal, touched),
            }
        }
        Err("the reasons do not contradict each other")
    }

    /// Makes a literal true, unless its variable has a value.
    fn set(&mut self, literal: i32, touched: &mut Vec<usize>) {
        let variable = literal.unsigned_abs() as usize;
        if self.values[variable] == 0 {
            self.values[variable] = if literal > 0 { 1 } else { -1 };
            touched.push(variable);
        }
    }
}
