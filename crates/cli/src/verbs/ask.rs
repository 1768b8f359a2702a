//! `quotient ask MODEL QUERY`

use clap::{Args, ValueEnum};
use quotient_core::{Diagnostic, Source};
use quotient_language::text::wrap;
use quotient_symbolic::{Answer, AskOptions, GeneralAnswer, Initial, Observed, Solution, Value};
use serde_json::{Map, Value as Json, json};

use crate::check::smv::{Question, Solutions, ask};
use crate::check::smv_source;
use crate::failure::Failure;
use crate::outputs::count;
use crate::reply::Reply;
use crate::session::Session;

/// Ask what would make a formula true.
///
/// A query is a CTL formula with placeholders: `?` stands for a statement about all
/// variables, `?{a, b}` for one about these. The answers are the values of the variables that
/// make the formula true in the model.
#[derive(Debug, Args)]
#[command(
    visible_alias = "query",
    after_help = "\
Ready-made questions instead of a formula, about the variables of --over:
  reachable        EF ?              which states are reachable?
  stable           EF AG ?           which states are reached and never left?
  invariants       AG ?              what always holds? (implies --general)
  dominators of P  what is passed on every way to a state where P holds?

Exit codes: 0 answered, 2 unknown, 3 wrong input.

Examples:
  quotient ask model.smv 'EF AG ?{a, b}'
  quotient ask model.smv 'AG (request -> AF ?{state})' --general
  quotient ask model.smv stable --limit 10 --format json"
)]
pub(crate) struct Ask {
    /// The model, in the SMV language.
    model: String,
    /// The formula with placeholders, or a ready-made question.
    query: String,
    /// The variables that a ready-made question is about; all if there are none.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    over: Vec<String>,
    /// List at most so many solutions; all are counted.
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    limit: usize,
    /// From which initial states the formula is to hold.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    initial: From,
    /// All statements, not only values: the strongest ones that make the formula true (the
    /// weakest, if a negation stands before the placeholder).
    #[arg(long, conflicts_with_all = ["initial", "refine"])]
    general: bool,
    /// Search with one variable first and then with more and more of them.
    #[arg(long)]
    refine: bool,
    /// Write the solutions as formulas, not as a table.
    #[arg(long)]
    formula: bool,
}

/// From which initial states a solution is to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum From {
    /// From all of them.
    #[default]
    All,
    /// From at least one.
    Some,
    /// From each of them by itself: a solution is listed with the number of those it works for.
    Each,
}

/// The widest table.
const WIDTH: usize = 78;

impl Ask {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let source = smv_source(&self.model, session)?;
        let (text, general) = self.spelled_out()?;
        let question = Question {
            text: text.clone(),
            general: general.then_some(self.limit),
            options: AskOptions {
                initial: match self.initial {
                    From::All => Initial::All,
                    From::Some => Initial::Some,
                    From::Each => Initial::Each,
                },
                limit: self.limit,
                refine: self.refine,
            },
        };
        let asked = ask(&source, &question, session)?;
        let mut reply = Reply {
            warnings: asked.warnings,
            ..Reply::default()
        };
        let mut result = Map::new();
        result.insert("query".into(), json!(text));
        match &asked.answer {
            Solutions::Statements(general) => {
                reply.text = general_text(&text, general);
                result.insert("general".into(), general_json(general));
            }
            Solutions::Values(answer) => {
                reply.text = self.answer_text(&text, answer);
                answer_json(answer, &mut result);
            }
        }
        reply.result = Json::Object(result);
        Ok(reply)
    }

    /// The query as a formula, and whether all statements are asked for.
    fn spelled_out(&self) -> Result<(String, bool), Diagnostic> {
        let hole = match self.over.is_empty() {
            true => "?".to_owned(),
            false => format!("?{{{}}}", self.over.join(", ")),
        };
        let query = self.query.trim();
        let ready = match query {
            "reachable" => Some(format!("EF {hole}")),
            "stable" => Some(format!("EF AG {hole}")),
            "invariants" => Some(format!("AG {hole}")),
            _ => query
                .strip_prefix("dominators of ")
                .map(|target| format!("!E [!{hole} U (({target}) & !{hole})]")),
        };
        match ready {
            Some(formula) => Ok((formula, self.general || query == "invariants")),
            None if !self.over.is_empty() => {
                let message = "--over is for ready-made questions";
                Err(Diagnostic::error("usage", message)
                    .in_source(&Source::new("query", query))
                    .help(format!("write the variables in the query: `{hole}`")))
            }
            None => Ok((query.to_owned(), self.general)),
        }
    }

    fn answer_text(&self, query: &str, answer: &Answer) -> String {
        let solutions = match answer.count.as_str() {
            "0" => "no solution".to_owned(),
            "1" => "1 solution".to_owned(),
            many => format!("{many} solutions"),
        };
        let pairs = match self.initial {
            From::Each => " (with their initial states)",
            _ => "",
        };
        let mut text = wrap(&format!("{query}: {solutions}{pairs}"), 80) + "\n";
        if answer.trivial {
            text.push_str("  the formula is true whatever stands for the placeholder\n");
        }
        let table = match self.formula {
            true => None,
            false => table(answer),
        };
        text.push_str(&table.unwrap_or_else(|| formulas(answer)));
        if !answer.complete {
            let shown = answer.solutions.len();
            text.push_str(&format!(
                "  … {shown} of them shown: give a higher --limit\n"
            ));
        }
        text
    }
}

/// The solutions in columns, if there is one placeholder and they fit.
fn table(answer: &Answer) -> Option<String> {
    let [unknown] = &answer.unknowns[..] else {
        return None;
    };
    let first = answer.solutions.first()?;
    let mut head: Vec<String> = first.values[0]
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    if unknown.terms.is_empty() {
        return None;
    }
    let counted = first.initial_states.is_some();
    head.extend(counted.then(|| "initial states".to_owned()));
    let row = |solution: &Solution| {
        let cells = solution.values[0].iter().map(|(_, value)| cell(value));
        let mut cells: Vec<String> = cells.collect();
        cells.extend(solution.initial_states.clone());
        cells
    };
    let mut rows = vec![head];
    rows.extend(answer.solutions.iter().map(row));
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|at| rows.iter().map(|row| row[at].chars().count()).max())
        .map(Option::unwrap_or_default)
        .collect();
    if widths.iter().map(|width| width + 2).sum::<usize>() > WIDTH {
        return None;
    }
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let line: String = cells
            .map(|(cell, &width)| format!("  {cell:<width$}"))
            .collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    Some(text)
}

/// Booleans are short, so that many of them fit on a line.
fn cell(observed: &Observed) -> String {
    match observed {
        Observed::Truth(value) | Observed::Value(Value::Boolean(value)) => {
            u8::from(*value).to_string()
        }
        Observed::Value(value) => value.to_string(),
    }
}

fn formulas(answer: &Answer) -> String {
    let line = |solution: &Solution| {
        let line = match &solution.initial_states {
            Some(number) => format!("{solution}  (from {number} initial states)"),
            None => solution.to_string(),
        };
        format!("  {}\n", wrap(&line, 76).replace('\n', "\n      "))
    };
    answer.solutions.iter().map(line).collect()
}

fn answer_json(answer: &Answer, result: &mut Map<String, Json>) {
    let solutions = answer.solutions.iter().map(|solution| {
        let values = solution.values.iter().map(|values| observed_json(values));
        let mut object = json!({
            "values": values.collect::<Vec<_>>(),
            "formula": solution.to_string(),
        });
        if let Some(number) = &solution.initial_states {
            object["initialStates"] = json!(number);
        }
        object
    });
    result.insert("solutions".into(), solutions.collect());
    result.insert("count".into(), json!(answer.count));
    result.insert("complete".into(), json!(answer.complete));
    result.insert("trivial".into(), json!(answer.trivial));
}

fn observed_json(values: &[(String, Observed)]) -> Json {
    let value = |observed: &Observed| match observed {
        Observed::Truth(value) | Observed::Value(Value::Boolean(value)) => json!(value),
        Observed::Value(value) => json!(value.to_string()),
    };
    let pairs = values
        .iter()
        .map(|(name, observed)| (name.clone(), value(observed)));
    Json::Object(pairs.collect())
}

/// A statement as a disjunction of the values that it allows.
fn statement(general: &GeneralAnswer, solution: &[usize]) -> String {
    if solution.is_empty() {
        return "FALSE".to_owned();
    }
    if solution.len() == general.minterms.len() {
        return "TRUE".to_owned();
    }
    let solution_size = solution.len();
    let alternative = |&at: &usize| {
        let solution = Solution {
            values: vec![general.minterms[at].clone()],
            initial_states: None,
        };
        match (general.minterms[at].len(), solution_size) {
            (1, _) | (_, 1) => solution.to_string(),
            _ => format!("({solution})"),
        }
    };
    let alternatives: Vec<String> = solution.iter().map(alternative).collect();
    alternatives.join(" | ")
}

fn general_text(query: &str, general: &GeneralAnswer) -> String {
    let (kind, others) = match general.strongest {
        true => ("strongest", "weaker"),
        false => ("weakest", "stronger"),
    };
    let number = general.solutions.len();
    let mut text = wrap(
        &format!("{query}: {}", count(number, &format!("{kind} solution"))),
        80,
    ) + "\n";
    for solution in &general.solutions {
        let line = statement(general, solution);
        text.push_str(&format!(
            "  {}\n",
            wrap(&line, 76).replace('\n', "\n      ")
        ));
    }
    match (number, general.complete) {
        (0, _) => text.push_str("  no statement makes the formula true\n"),
        (_, true) => text.push_str(&format!("  and every {others} statement\n")),
        (_, false) => text.push_str("  … there are more: give a higher --limit\n"),
    }
    text
}

fn general_json(general: &GeneralAnswer) -> Json {
    let solutions = general.solutions.iter().map(|solution| {
        let allowed = solution
            .iter()
            .map(|&at| observed_json(&general.minterms[at]));
        json!({
            "allows": allowed.collect::<Vec<_>>(),
            "formula": statement(general, solution),
        })
    });
    json!({
        "solutions": solutions.collect::<Vec<_>>(),
        "strongest": general.strongest,
        "complete": general.complete,
    })
}
