//! Refutations from what a solver learnt.
//!
//! A solver searches, and its log says which clauses it learnt. Each follows from those before by
//! propagation; which of them it takes, and in which order, is found out here again, and written
//! down. In the end all that the contradiction does not need is left out.

use std::fmt::Write;

use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, Var, lbool};
use quotient_core::{Budget, Stop};

use super::formulas::{Clauses, Cnf};
use crate::Rejection;

/// The refutation of a formula, in LRAT.
pub(super) fn refute(cnf: &Cnf, budget: &Budget) -> Result<String, Rejection> {
    let learnt = search(cnf, budget)?;
    let mut elaboration = Elaboration::new(cnf, budget);
    for number in 0..cnf.clauses.len() {
        if elaboration.attach(number as u32)? {
            return Ok(elaboration.to_text());
        }
    }
    for number in 0..learnt.len() {
        if elaboration.learn(learnt.get(number))? {
            return Ok(elaboration.to_text());
        }
    }
    Err(Stop::exhausted("the log of the solver leads to no contradiction").into())
}

/// What a solver learns on the way to a contradiction.
fn search(cnf: &Cnf, budget: &Budget) -> Result<Clauses, Rejection> {
    let log = Log {
        learnt: Clauses::default(),
        budget: budget.clone(),
    };
    let mut solver = batsat::Solver::new(SolverOpts::default(), log);
    let variables: Vec<Var> = (0..cnf.variables)
        .map(|_| solver.new_var_default())
        .collect();
    let mut clause = Vec::new();
    for number in 0..cnf.clauses.len() {
        clause.clear();
        let literals = cnf.clauses.get(number).iter();
        clause.extend(literals.map(|&literal| {
            let variable = variables[literal.unsigned_abs() as usize - 1];
            batsat::Lit::new(variable, literal > 0)
        }));
        solver.add_clause_reuse(&mut clause);
    }
    let result = solver.solve_limited(&[]);
    budget.poll()?;
    if result == lbool::TRUE {
        let message = format!("{} is possible: there is no refutation", cnf.says);
        return Err(Rejection::wrong(message));
    }
    if result != lbool::FALSE {
        return Err(Stop::exhausted("the SAT solver gave up").into());
    }
    Ok(std::mem::take(&mut solver.cb_mut().learnt))
}

/// Keeps what is learnt.
struct Log {
    learnt: Clauses,
    budget: Budget,
}

impl Callbacks for Log {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.learnt.push(clause.iter().map(|literal| {
                let number = literal.var().idx() as i32 + 1;
                if literal.sign() { number } else { -number }
            }));
        }
    }

    fn stop(&self) -> bool {
        self.budget.poll().is_err()
    }
}

/// Clauses, what follows from them alone, and why.
struct Elaboration<'a> {
    axioms: usize,
    /// All clauses: those of the formula, then those added.
    clauses: Vec<Vec<i32>>,
    /// For each clause added the numbers of those that show it.
    reasons: Vec<Vec<u32>>,
    /// By literal, the clauses of which it is one of the first two.
    watches: Vec<Vec<u32>>,
    /// By variable: 1, -1, or 0 if it is open.
    values: Vec<i8>,
    /// By variable: the clause that gave it its value; a single literal for facts.
    causes: Vec<u32>,
    trail: Vec<i32>,
    head: usize,
    /// So many of the trail are facts.
    facts: usize,
    marks: Vec<bool>,
    /// The variables that were marked since the last conflict.
    marked: Vec<usize>,
    budget: &'a Budget,
}

/// The cause of what is only supposed.
const NONE: u32 = u32::MAX;

impl<'a> Elaboration<'a> {
    fn new(cnf: &Cnf, budget: &'a Budget) -> Elaboration<'a> {
        let count = cnf.clauses.len();
        Elaboration {
            axioms: count,
            clauses: (0..count)
                .map(|one| cnf.clauses.get(one).to_vec())
                .collect(),
            reasons: Vec::new(),
            watches: vec![Vec::new(); 2 * cnf.variables + 2],
            values: vec![0; cnf.variables + 1],
            causes: vec![NONE; cnf.variables + 1],
            trail: Vec::new(),
            head: 0,
            facts: 0,
            marks: vec![false; cnf.variables + 1],
            marked: Vec::new(),
            budget,
        }
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal > 0 { value } else { -value }
    }

    fn assign(&mut self, literal: i32, cause: u32) {
        let variable = literal.unsigned_abs() as usize;
        self.values[variable] = if literal > 0 { 1 } else { -1 };
        self.causes[variable] = cause;
        self.trail.push(literal);
    }

    /// Adds a clause that others show; its number.
    fn add(&mut self, literals: Vec<i32>, reasons: Vec<u32>) -> u32 {
        self.clauses.push(literals);
        self.reasons.push(reasons);
        self.clauses.len() as u32 - 1
    }

    /// Draws the conclusions of a clause when there are only facts; true if that contradicts.
    fn attach(&mut self, number: u32) -> Result<bool, Rejection> {
        let clause = &mut self.clauses[number as usize];
        clause.sort_unstable();
        clause.dedup();
        let values = &self.values;
        let value = |literal: i32| values[literal.unsigned_abs() as usize] * literal.signum() as i8;
        // What is not false comes first.
        clause.sort_by_key(|&literal| value(literal) < 0);
        let open = clause
            .iter()
            .filter(|&&literal| value(literal) >= 0)
            .count();
        let satisfied = clause.iter().any(|&literal| value(literal) > 0);
        let first = clause.first().copied();
        if let &[a, b, ..] = &clause[..] {
            self.watches[code(a)].push(number);
            self.watches[code(b)].push(number);
        }
        match (open, first) {
            _ if satisfied => Ok(false),
            (1, Some(first)) => {
                self.fact(first, number);
                Ok(match self.propagate()? {
                    Some(conflict) => {
                        self.contradiction(conflict);
                        true
                    }
                    None => false,
                })
            }
            (0, _) => {
                self.contradiction(number);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A clause that propagation shows; true if that contradicts what is known.
    fn learn(&mut self, literals: &[i32]) -> Result<bool, Rejection> {
        if literals.iter().any(|&literal| self.value(literal) > 0) {
            return Ok(false);
        }
        let mut clause: Vec<i32> = literals.to_vec();
        clause.retain(|&literal| self.value(literal) == 0);
        clause.sort_unstable();
        clause.dedup();
        for &literal in &clause {
            if self.value(literal) == 0 {
                self.assign(-literal, NONE);
            }
        }
        let conflict = self.propagate()?;
        let reasons = conflict.map(|conflict| self.explain(conflict));
        for at in (self.facts..self.trail.len()).rev() {
            self.values[self.trail[at].unsigned_abs() as usize] = 0;
        }
        self.trail.truncate(self.facts);
        self.head = self.facts;
        let Some(reasons) = reasons else {
            return Err(Stop::exhausted("a clause of the solver's log does not follow").into());
        };
        self.budget.charge(reasons.len() as u64)?;
        let is_empty = clause.is_empty();
        let number = self.add(clause, reasons);
        Ok(is_empty || self.attach(number)?)
    }

    /// Makes the one literal of a clause that is not false a fact.
    fn fact(&mut self, literal: i32, number: u32) {
        let mut cause = number;
        if self.clauses[number as usize].len() > 1 {
            let reasons = self.others(number, literal);
            cause = self.add(vec![literal], reasons);
        }
        self.assign(literal, cause);
        self.facts = self.trail.len();
    }

    /// The facts that make all literals of a clause but one false, and the clause.
    fn others(&self, number: u32, but: i32) -> Vec<u32> {
        let clause = self.clauses[number as usize].iter();
        let others = clause.filter(|&&literal| literal != but);
        let cause = |literal: &i32| self.causes[literal.unsigned_abs() as usize];
        others.map(cause).chain([number]).collect()
    }

    /// The empty clause: facts make all literals of a clause false.
    fn contradiction(&mut self, number: u32) {
        let reasons = self.others(number, 0);
        self.add(Vec::new(), reasons);
    }

    /// Draws all conclusions; a clause that became false ends it.
    fn propagate(&mut self) -> Result<Option<u32>, Rejection> {
        let among_facts = self.facts == self.trail.len();
        while self.head < self.trail.len() {
            let made_false = -self.trail[self.head];
            self.head += 1;
            self.budget.charge(1)?;
            let mut list = std::mem::take(&mut self.watches[code(made_false)]);
            let (mut at, mut conflict) = (0, None);
            while at < list.len() {
                let number = list[at];
                let clause = &mut self.clauses[number as usize];
                if clause[0] == made_false {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                let values = &self.values;
                let value =
                    |literal: i32| values[literal.unsigned_abs() as usize] * literal.signum() as i8;
                if value(first) > 0 {
                    at += 1;
                    continue;
                }
                if let Some(other) = (2..clause.len()).find(|&one| value(clause[one]) >= 0) {
                    clause.swap(1, other);
                    self.watches[code(clause[1])].push(number);
                    list.swap_remove(at);
                    continue;
                }
                at += 1;
                if value(first) < 0 {
                    conflict = Some(number);
                    break;
                }
                match among_facts {
                    true => self.fact(first, number),
                    false => self.assign(first, number),
                }
            }
            self.watches[code(made_false)].append(&mut list);
            if conflict.is_some() {
                return Ok(conflict);
            }
        }
        Ok(None)
    }

    /// The clauses that lead from what is supposed to a conflict, in order.
    fn explain(&mut self, conflict: u32) -> Vec<u32> {
        let mut found = vec![conflict];
        self.mark(conflict);
        for at in (self.facts..self.trail.len()).rev() {
            let variable = self.trail[at].unsigned_abs() as usize;
            let cause = self.causes[variable];
            if std::mem::take(&mut self.marks[variable]) && cause != NONE {
                found.push(cause);
                self.mark(cause);
                // What the cause is for is no reason for it.
                self.marks[variable] = false;
            }
        }
        // Facts need nothing, so their order does not matter; they come first.
        for variable in std::mem::take(&mut self.marked) {
            if std::mem::take(&mut self.marks[variable]) {
                found.push(self.causes[variable]);
            }
        }
        found.reverse();
        found
    }

    fn mark(&mut self, number: u32) {
        for literal in &self.clauses[number as usize] {
            let variable = literal.unsigned_abs() as usize;
            if !std::mem::replace(&mut self.marks[variable], true) {
                self.marked.push(variable);
            }
        }
    }

    /// The clauses added that the last one needs.
    fn to_text(&self) -> String {
        let mut needed = vec![false; self.reasons.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for at in (0..needed.len()).rev() {
            if needed[at] {
                for &reason in &self.reasons[at] {
                    if let Some(added) = (reason as usize).checked_sub(self.axioms) {
                        needed[added] = true;
                    }
                }
            }
        }
        let mut text = String::new();
        for at in (0..needed.len()).filter(|&at| needed[at]) {
            // Writing to a text cannot fail.
            let _ = write!(text, "{} ", self.axioms + at + 1);
            for literal in &self.clauses[self.axioms + at] {
                let _ = write!(text, "{literal} ");
            }
            text.push_str("0 ");
            for reason in &self.reasons[at] {
                let _ = write!(text, "{} ", reason + 1);
            }
            text.push_str("0\n");
        }
        text
    }
}

fn code(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize - 2 + usize::from(literal < 0)
}
