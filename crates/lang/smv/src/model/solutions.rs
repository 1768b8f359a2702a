//! Answers to queries as facts, tables and data.

use quotient_language::text::count;
use quotient_language::{Json, Shown, Table};
use quotient_symbolic::{Answer, GeneralAnswer, Initial, Observed, Solution, Value};
use serde_json::{Map, json};

/// The widest table.
const WIDTH: usize = 78;

/// How an answer is told.
pub(super) struct Telling<'a> {
    /// The query as a formula.
    pub(super) query: &'a str,
    /// From which initial states.
    pub(super) initial: Initial,
    /// Whether that is worth saying.
    pub(super) say_initial: bool,
    /// Whether a table is not wanted.
    pub(super) as_formulas: bool,
}

impl Telling<'_> {
    /// Values that make the formula true.
    pub(super) fn values(&self, answer: &Answer) -> Shown {
        let solutions = match answer.count.as_str() {
            "0" => "no solution".to_owned(),
            "1" => "1 solution".to_owned(),
            many => format!("{many} solutions"),
        };
        let from = match (self.initial, self.say_initial) {
            (Initial::Each, _) => " (with their initial states)",
            (Initial::Some, true) => " (from some initial state; --initial all: from every one)",
            (Initial::All, true) => " (from every initial state)",
            _ => "",
        };
        let mut shown = Shown::titled(format!("{}: {solutions}{from}", self.query));
        if answer.trivial {
            shown = shown.line(2, "the formula is true whatever stands for the placeholder");
        }
        let table = match self.as_formulas {
            true => None,
            false => table(answer),
        };
        shown = match table {
            Some(table) => shown.table(table),
            None => formulas(answer)
                .into_iter()
                .fold(shown, |shown, line| shown.line(2, line)),
        };
        if !answer.complete {
            let listed = answer.solutions.len();
            shown = shown.line(
                2,
                format!("… {listed} of them shown: give a higher --limit"),
            );
        }
        let mut result = Map::new();
        result.insert("query".into(), json!(self.query));
        answer_json(answer, &mut result);
        shown.result(Json::Object(result))
    }

    /// Statements that make the formula true.
    pub(super) fn statements(&self, general: &GeneralAnswer) -> Shown {
        let (kind, others) = match general.strongest {
            true => ("strongest", "weaker"),
            false => ("weakest", "stronger"),
        };
        let number = general.solutions.len();
        let solutions = count(number, &format!("{kind} solution"));
        let mut shown = Shown::titled(format!("{}: {solutions}", self.query));
        for solution in &general.solutions {
            shown = shown.line(2, statement(general, solution));
        }
        let last = match (number, general.complete) {
            (0, _) => "no statement makes the formula true".to_owned(),
            (_, true) => format!("and every {others} statement"),
            (_, false) => "… there are more: give a higher --limit".to_owned(),
        };
        let result = json!({ "query": self.query, "general": general_json(general) });
        shown.line(2, last).result(result)
    }
}

/// The solutions in columns, if there is one placeholder and they fit.
fn table(answer: &Answer) -> Option<Table> {
    let [unknown] = &answer.unknowns[..] else {
        return None;
    };
    let first = answer.solutions.first()?;
    if unknown.terms.is_empty() {
        return None;
    }
    let names = first.values[0].iter().map(|(name, _)| name.clone());
    let counted = first.initial_states.as_ref();
    let mut table = Table::new(names.chain(counted.map(|_| "initial states".to_owned())));
    for solution in &answer.solutions {
        let cells = solution.values[0].iter().map(|(_, value)| cell(value));
        table.row(cells.chain(solution.initial_states.clone()));
    }
    let width = |at: usize| {
        let rows = table.rows.iter().map(|row| row[at].chars().count());
        rows.chain([table.head[at].chars().count()]).max()
    };
    let widths = (0..table.head.len()).filter_map(width);
    let fits = widths.map(|width| width + 2).sum::<usize>() <= WIDTH;
    fits.then_some(table)
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

fn formulas(answer: &Answer) -> Vec<String> {
    let line = |solution: &Solution| match &solution.initial_states {
        Some(number) => format!("{solution}  (from {number} initial states)"),
        None => solution.to_string(),
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
