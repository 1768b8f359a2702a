//! Why a chance is too large: the fewest runs that have together more than the bound, the likeliest first.

use quotient_core::Trouble;
use quotient_language::{Answer, Table};
use quotient_markov::StateId;
use quotient_probability::{Likely, Values};

use super::chance::{Simple, simple_path};
use super::formula::Checker;
use super::outcome::{down, up};
use crate::syntax::{Asks, Body, Chance, Join, Node, Tree};

/// In larger models no runs are looked for.
const LARGEST: usize = 500_000;
/// No more runs than this are looked for.
const MOST_RUNS: usize = 10_000;
/// So many are listed.
const LISTED: usize = 20;
/// So many states of a run are written, half of them from its end.
const WRITTEN: usize = 8;
/// Longer runs are not shown step by step.
const LONGEST: usize = 200;

impl Checker<'_> {
    /// Runs that show why a bound is violated, beside the answer: `P<=p` of a path, or `P>=p` of one that never
    /// leaves something.
    pub(crate) fn show_mass(
        &self,
        tree: &Tree,
        values: &Values,
        answer: &mut Answer,
    ) -> Result<(), Trouble> {
        let (Node::Chance(chance), &[start]) = (&tree.node, &self.built.model.initial[..]) else {
            return Ok(());
        };
        let Some((allowed, goal, most)) = self.exceeded(chance)? else {
            return Ok(());
        };
        if self.states() > LARGEST {
            return Ok(());
        }
        let mut left = quotient_bits::Bits::with_capacity(self.states());
        left.insert_range(..);
        if let Some(allowed) = allowed {
            left = self.set(allowed)?;
        }
        let mut right = self.set(goal.0)?;
        if goal.1 {
            right.toggle_range(..);
        }
        let wanted = (most, MOST_RUNS);
        let sets = (&left, &right);
        let analysis = self.analysis;
        let runs = analysis.likeliest(start, sets, &values.chosen, wanted, self.budget)?;
        let Some(first) = runs.first() else {
            return Ok(());
        };
        if first.path.len() <= LONGEST {
            answer.trace = Some(self.trace(&first.path, None, &values.chosen)?);
        }
        let together = runs
            .iter()
            .map(|run| run.chance)
            .fold(0.0, |a, b| down(a + b));
        let many = quotient_language::text::count(runs.len(), "run");
        answer.notes.push(match together > most {
            true if runs.len() == 1 => format!("the likeliest run alone is taken with {together}"),
            true => {
                format!("{many}, the likeliest, have together {together}; fewer are not enough")
            }
            false => {
                format!("the likeliest {many} have together {together}, which is not yet enough")
            }
        });
        answer.table = Some(self.listed(&runs));
        Ok(())
    }

    /// What is reached too often, through what: the goal (or what it is the opposite of), and how often is allowed.
    #[allow(clippy::type_complexity)]
    fn exceeded<'t>(
        &self,
        chance: &'t Chance,
    ) -> Result<Option<(Option<&'t Tree>, (&'t Tree, bool), f64)>, Trouble> {
        let (Asks::Probability, Body::Formula(path), None, Some((join, limit))) =
            (chance.asks, &chance.body, &chance.given, &chance.relation)
        else {
            return Ok(None);
        };
        let Some((Simple::Until, allowed, goal, opposite)) = simple_path(path) else {
            return Ok(None);
        };
        let small = matches!(join, Join::Less | Join::AtMost);
        if small == opposite {
            return Ok(None);
        }
        let (low, high) = self.limit(limit)?;
        let most = match opposite {
            true => up(1.0 - low),
            false => high,
        };
        Ok(Some((allowed, (goal, opposite), most)))
    }

    fn listed(&self, runs: &[Likely]) -> Table {
        let mut table = Table::new(["chance", "together", "run"].map(str::to_owned).to_vec());
        let mut together = 0.0;
        for run in &runs[..runs.len().min(LISTED)] {
            together = down(together + run.chance);
            table.row([
                format!("{:.6}", run.chance),
                format!("{together:.6}"),
                self.said(&run.path),
            ]);
        }
        if runs.len() > LISTED {
            table.row(["…"; 3]);
        }
        table
    }

    /// The states of a run, one after the other: the first as a whole, of others what changes.
    fn said(&self, path: &[StateId]) -> String {
        let mut before: Option<Vec<i64>> = None;
        let mut said: Vec<String> = Vec::new();
        for (at, &state) in path.iter().enumerate() {
            let values = self.built.states.values(state.index());
            let skipped =
                path.len() > WRITTEN && (WRITTEN / 2..path.len() - WRITTEN / 2).contains(&at);
            if skipped {
                if at == WRITTEN / 2 {
                    said.push(format!("({} more)", path.len() - WRITTEN));
                }
            } else {
                let cells = self.instance.variables.iter().zip(&values).enumerate();
                let changed = cells.filter(|(place, (_, value))| {
                    before
                        .as_ref()
                        .is_none_or(|before| before[*place] != **value)
                });
                let changed: Vec<String> = changed
                    .map(|(_, (one, &value))| format!("{}={}", one.name, one.text(value)))
                    .collect();
                said.push(match changed.is_empty() {
                    true => "the same".to_owned(),
                    false => changed.join(", "),
                });
            }
            before = Some(values);
        }
        said.join(" -> ")
    }
}
