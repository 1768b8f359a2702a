//! Conditions as sets of trees in which the processes they speak of are marked.
//!
//! As for words: each node says which of the free processes stand there, one bit a process; `and`,
//! `or` and `not` are the operations on sets, `exists` erases a bit (Thatcher and Wright 1968).
//! The relations of a line are those of a tree: what is to the left is above, what comes first is
//! the root.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::{Budget, Diagnostic, Trouble};
use quotient_trees::{
    Alphabet, Rule, State, TreeAutomaton, complement, intersection, minimise, union,
};

use super::letters::{Letters, MOST_CHILDREN};
use crate::compile::product;
use crate::model::{Bound, Comparison, Expr, Value, Who};

/// More processes than this are not marked at a time.
const MOST_PEOPLE: usize = 6;

/// Makes sets of trees from conditions.
pub(super) struct Conditions<'a> {
    pub(super) letters: &'a Letters,
    pub(super) budget: &'a Budget,
    /// By the number of marks.
    alphabets: Vec<Arc<Alphabet>>,
}

impl<'a> Conditions<'a> {
    pub(super) fn new(letters: &'a Letters, budget: &'a Budget) -> Self {
        Conditions {
            letters,
            budget,
            alphabets: Vec::new(),
        }
    }

    pub(super) fn alphabet(&mut self, people: usize) -> Arc<Alphabet> {
        while self.alphabets.len() <= people {
            let next = self.letters.alphabet(self.alphabets.len());
            self.alphabets.push(next);
        }
        self.alphabets[people].clone()
    }

    /// The trees with these many marks of which a condition is true. What it says of trees where a
    /// mark is missing or there twice means nothing.
    pub(super) fn of(&mut self, expr: &Expr, people: usize) -> Result<TreeAutomaton, Trouble> {
        if people > MOST_PEOPLE {
            return Err(misfit("so many processes in one condition"));
        }
        match expr {
            Expr::Not(inner) => {
                let inner = self.of(inner, people)?;
                Ok(complement(&inner, self.budget)?)
            }
            Expr::And(all) => {
                let mut set = TreeAutomaton::all(self.alphabet(people));
                for part in all {
                    let part = self.of(part, people)?;
                    set = self.both(&set, &part)?;
                }
                Ok(set)
            }
            Expr::Or(all) => {
                let mut set = TreeAutomaton::empty(self.alphabet(people));
                for part in all {
                    let part = self.of(part, people)?;
                    set = minimise(&union(&set, &part), self.budget)?;
                }
                Ok(set)
            }
            Expr::Same(one, other) => {
                let (one, other) = (1 << one, 1 << other);
                self.made(people, 1, &[0], &|_, marks, _| {
                    ((marks & one == 0) == (marks & other == 0)).then_some(0)
                })
            }
            Expr::First(who) => self.made(people, 2, &[1], &|_, marks, _| {
                Some(usize::from(marks & (1 << who) != 0))
            }),
            Expr::Last(who) => self.made(people, 1, &[0], &|_, marks, children| {
                (children.is_empty() || marks & (1 << who) == 0).then_some(0)
            }),
            // The first stands right above the second: 1 is "the second stands on top".
            Expr::Next(one, other) => self.made(people, 3, &[2], &|_, marks, children| {
                let found = children.contains(&2);
                let here = marks & (1 << one) != 0 && children.contains(&1);
                Some(match found || here {
                    true => 2,
                    false => usize::from(marks & (1 << other) != 0),
                })
            }),
            Expr::Before(one, other) => self.made(people, 3, &[2], &|_, marks, children| {
                let below = children.iter().copied().max().unwrap_or(0);
                Some(match below {
                    2 => 2,
                    1 if marks & (1 << one) != 0 => 2,
                    _ => below.max(usize::from(marks & (1 << other) != 0)),
                })
            }),
            Expr::Quantified {
                exists,
                bound,
                body,
            } => match exists {
                true => self.exists(bound, body, people),
                false => {
                    let counter = Expr::Not(body.clone());
                    let counter = self.exists(bound, &counter, people)?;
                    Ok(complement(&counter, self.budget)?)
                }
            },
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => self.count(bound, body, *comparison, *number, people),
            plain if plain.is_plain() => self.plain(plain, people),
            _ => Err(misfit("this condition")),
        }
    }

    fn both(&self, one: &TreeAutomaton, other: &TreeAutomaton) -> Result<TreeAutomaton, Trouble> {
        let both = intersection(one, other, self.budget)?;
        Ok(minimise(&both, self.budget)?)
    }

    /// The trees in which each of these many processes is marked at exactly one node.
    pub(super) fn marked_once(
        &mut self,
        set: TreeAutomaton,
        people: usize,
    ) -> Result<TreeAutomaton, Trouble> {
        let mut set = set;
        for who in 0..people {
            let once = self.once(who, people)?;
            set = self.both(&set, &once)?;
        }
        Ok(set)
    }

    fn once(&mut self, who: Who, people: usize) -> Result<TreeAutomaton, Trouble> {
        self.made(people, 2, &[1], &|_, marks, children| {
            let here = usize::from(marks & (1 << who) != 0);
            let there = here + children.iter().sum::<usize>();
            (there <= 1).then_some(there)
        })
    }

    fn exists(
        &mut self,
        bound: &Bound,
        body: &Expr,
        people: usize,
    ) -> Result<TreeAutomaton, Trouble> {
        let who = people;
        let mut parts: Vec<Expr> = (bound.different_from.iter())
            .map(|&other| Expr::Not(Box::new(Expr::Same(other, who))))
            .collect();
        parts.extend(bound.left_of.map(|pivot| Expr::Before(who, pivot)));
        parts.extend(bound.right_of.map(|pivot| Expr::Before(pivot, who)));
        parts.push(body.clone());
        let set = self.of(&Expr::And(parts), people + 1)?;
        let once = self.once(who, people + 1)?;
        let set = self.both(&set, &once)?;
        self.erased(&set, people + 1)
    }

    /// The same trees without the last mark.
    pub(super) fn erased(
        &mut self,
        set: &TreeAutomaton,
        people: usize,
    ) -> Result<TreeAutomaton, Trouble> {
        let rule = |rule: &Rule| {
            let (letter, marks, children) = Letters::read(rule.symbol, people);
            let marks = marks & !(1 << (people - 1));
            Rule {
                symbol: Letters::symbol(letter, marks, people - 1, children),
                ..rule.clone()
            }
        };
        let rules: Vec<Rule> = set.rules().iter().map(rule).collect();
        self.budget.charge(rules.len() as u64)?;
        let alphabet = self.alphabet(people - 1);
        let erased = TreeAutomaton::new(alphabet, set.accepting().clone(), rules);
        Ok(minimise(&erased, self.budget)?)
    }

    /// So many different processes are there, or not.
    fn count(
        &mut self,
        bound: &Bound,
        body: &Expr,
        comparison: Comparison,
        number: Value,
        people: usize,
    ) -> Result<TreeAutomaton, Trouble> {
        let not = |set: &TreeAutomaton, budget: &Budget| complement(set, budget);
        Ok(match comparison {
            Comparison::GreaterOrEqual => self.at_least(bound, body, number, people)?,
            Comparison::Greater => self.at_least(bound, body, number.saturating_add(1), people)?,
            Comparison::Less => not(&self.at_least(bound, body, number, people)?, self.budget)?,
            Comparison::LessOrEqual => {
                let more = self.at_least(bound, body, number.saturating_add(1), people)?;
                not(&more, self.budget)?
            }
            Comparison::Equal | Comparison::Different => {
                let enough = self.at_least(bound, body, number, people)?;
                let more = self.at_least(bound, body, number.saturating_add(1), people)?;
                let equal = self.both(&enough, &not(&more, self.budget)?)?;
                match comparison {
                    Comparison::Equal => equal,
                    _ => not(&equal, self.budget)?,
                }
            }
        })
    }

    fn at_least(
        &mut self,
        bound: &Bound,
        body: &Expr,
        number: Value,
        people: usize,
    ) -> Result<TreeAutomaton, Trouble> {
        let number = usize::try_from(number).unwrap_or(0);
        if number == 0 {
            return Ok(TreeAutomaton::all(self.alphabet(people)));
        }
        if people + number > MOST_PEOPLE {
            return Err(misfit("counts up to so many processes"));
        }
        let mut parts = Vec::new();
        for one in people..people + number {
            let others = (people..one).chain(bound.different_from.iter().copied());
            parts.extend(others.map(|other| Expr::Not(Box::new(Expr::Same(other, one)))));
            parts.extend(bound.left_of.map(|pivot| Expr::Before(one, pivot)));
            parts.extend(bound.right_of.map(|pivot| Expr::Before(pivot, one)));
            // Processes that the body quantifies over stand behind those that are counted.
            parts.push(body.renumbered(&|who| match who.cmp(&people) {
                std::cmp::Ordering::Less => who,
                std::cmp::Ordering::Equal => one,
                std::cmp::Ordering::Greater => who + number - 1,
            }));
        }
        let mut set = self.of(&Expr::And(parts), people + number)?;
        for marks in (people + 1..=people + number).rev() {
            let once = self.once(marks - 1, marks)?;
            let there = self.both(&set, &once)?;
            set = self.erased(&there, marks)?;
        }
        Ok(set)
    }

    /// A condition on the values of at most two processes.
    fn plain(&mut self, expr: &Expr, people: usize) -> Result<TreeAutomaton, Trouble> {
        let mut spoken: Vec<Who> = expr.people().collect();
        spoken.sort_unstable();
        spoken.dedup();
        let all: Vec<usize> = (0..self.letters.len()).collect();
        let letters = self.letters;
        let is_true = |given: &[usize]| {
            let mut known = letters.known(&[], &[]);
            known.people = vec![None; people];
            for (&who, &letter) in spoken.iter().zip(given) {
                known.people[who] = Some(&letters.values[letter]);
            }
            known.value(expr).map(|value| value != 0)
        };
        let unknown = || misfit("globals, or numbers of processes");
        match spoken[..] {
            [] => Ok(match is_true(&[]).ok_or_else(unknown)? {
                true => TreeAutomaton::all(self.alphabet(people)),
                false => TreeAutomaton::empty(self.alphabet(people)),
            }),
            [who] => {
                let row = all.iter().map(|&letter| is_true(&[letter]));
                let row: Option<Vec<bool>> = row.collect();
                let row = row.ok_or_else(unknown)?;
                self.letter_of(who, &row, people)
            }
            [one, other] => {
                let mut rows: Vec<(Vec<bool>, Vec<bool>)> = Vec::new();
                for &letter in &all {
                    self.budget.charge(all.len() as u64)?;
                    let row = all.iter().map(|&second| is_true(&[letter, second]));
                    let row: Option<Vec<bool>> = row.collect();
                    let row = row.ok_or_else(unknown)?;
                    let place = rows.iter().position(|(_, known)| *known == row);
                    let place = place.unwrap_or_else(|| {
                        rows.push((vec![false; all.len()], row));
                        rows.len() - 1
                    });
                    rows[place].0[letter] = true;
                }
                let mut set = TreeAutomaton::empty(self.alphabet(people));
                for (first, second) in rows {
                    let first = self.letter_of(one, &first, people)?;
                    let second = self.letter_of(other, &second, people)?;
                    let both = self.both(&first, &second)?;
                    set = minimise(&union(&set, &both), self.budget)?;
                }
                Ok(set)
            }
            _ => Err(misfit("comparisons of three processes")),
        }
    }

    /// The process has one of these letters.
    pub(super) fn letter_of(
        &mut self,
        who: Who,
        letters: &[bool],
        people: usize,
    ) -> Result<TreeAutomaton, Trouble> {
        self.made(people, 2, &[1], &|letter, marks, children| {
            if marks & (1 << who) != 0 {
                return letters[letter].then_some(1);
            }
            Some(children.iter().copied().max().unwrap_or(0))
        })
    }

    /// A deterministic automaton from the state that each symbol makes of those of its children.
    pub(super) fn made(
        &mut self,
        people: usize,
        states: usize,
        accepting: &[usize],
        next: &dyn Fn(usize, usize, &[usize]) -> Option<usize>,
    ) -> Result<TreeAutomaton, Trouble> {
        let alphabet = self.alphabet(people);
        let mut rules = Vec::new();
        let each: Vec<usize> = (0..states).collect();
        for arity in 0..=MOST_CHILDREN {
            let below = product((0..arity).map(|_| each.clone()));
            for letter in 0..self.letters.len() {
                self.budget.charge((below.len() << people) as u64)?;
                for marks in 0..1usize << people {
                    for children in &below {
                        let Some(target) = next(letter, marks, children) else {
                            continue;
                        };
                        rules.push(Rule {
                            symbol: Letters::symbol(letter, marks, people, arity),
                            children: children.iter().map(|&q| State::from_index(q)).collect(),
                            target: State::from_index(target),
                        });
                    }
                }
            }
        }
        let mut set = Bits::with_capacity(states);
        set.extend(accepting.iter().copied());
        Ok(TreeAutomaton::new(alphabet, set, rules))
    }
}

/// What an automaton of trees cannot say.
pub(super) fn misfit(what: &str) -> Trouble {
    Diagnostic::error("no-trees", format!("trees cannot keep {what}"))
        .help("in a tree, conditions speak of values, of `child`, `parent`, `above`, `below`, `root` and `leaf`")
        .into()
}
