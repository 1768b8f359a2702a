//! The tables, for people and for programs.

use quotient_compose::{Alphabet, Heuristic, Means, Rule};
use quotient_core::Verdict;
use serde_json::{Map, Value, json};

use super::{Case, Line, Measured, Outcome, Run, SidesLine};

impl Outcome {
    /// For people, one block for each table.
    pub fn text(&self) -> String {
        text(&self.lines, &self.sides)
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "suite": "components",
            "rows": self.lines.iter().map(line_json).collect::<Vec<_>>(),
            "sides": self.sides.iter().map(sides_json).collect::<Vec<_>>(),
        })
    }
}

fn text(lines: &[Line], sides: &[SidesLine]) -> String {
    let mut text = String::new();
    for block in lines.chunk_by(|left, right| left.row.table == right.row.table) {
        text.push_str(&format!(
            "table {}\n{:30}  {:-^19}  {:-^16}  whole\n",
            block[0].row.table, "", " published ", " here "
        ));
        text.push_str(&format!(
            "{:11} {}  {:15}  {:>4} {:>6} {:>7}  {:>4} {:>5} {:>5}  {:>5}\n",
            "system", "k", "run", "|A|", "MB", "s", "|A|", "MB", "s", "s"
        ));
        for line in block {
            let published = &line.row.published;
            text.push_str(&format!(
                "{:11} {}  {:15}  {:>4} {:>6} {:>7}  {:>4} {:>5} {:>5}  {:>5}\n",
                system(line.row.case),
                line.row.size,
                name(&line.row.run),
                or_dot(published.states),
                or_dot(published.memory.map(decimals)),
                published.seconds.map_or("-".to_owned(), decimals),
                or_dot(line.here.assumption_states),
                or_dot(line.memory.map(|memory| format!("{memory:.1}"))),
                seconds(&line.here),
                seconds(&line.whole),
            ));
        }
    }
    for block in sides.chunk_by(|left, right| left.sides.table == right.sides.table) {
        text.push_str(&format!(
            "table {}\n{:11} {}  {:>20}  {:>20}\n",
            block[0].sides.table, "system", "k", "published S1, S2", "here S1, S2"
        ));
        for line in block {
            let (first, second) = line.sides.states;
            let here = match &line.here {
                Ok((first, second)) => format!("{first}, {second}"),
                Err(_) => "-".to_owned(),
            };
            text.push_str(&format!(
                "{:11} {}  {:>20}  {here:>20}\n",
                system(line.sides.case),
                line.sides.size,
                format!("{first}, {second}"),
            ));
        }
    }
    text
}

fn system(case: Case) -> &'static str {
    match case {
        Case::ChironOrder => "Chiron 1",
        Case::ChironCause => "Chiron 2",
        other => other.name(),
    }
}

fn or_dot(value: Option<impl ToString>) -> String {
    value.map_or(".".to_owned(), |value| value.to_string())
}

fn decimals(value: f64) -> String {
    format!("{value:.2}")
}

/// The time of a run; a dash if it was given up.
fn seconds(measured: &Measured) -> String {
    match measured.verdict {
        Verdict::Unknown(_) => "-".to_owned(),
        _ => decimals(measured.elapsed.as_secs_f64()),
    }
}

/// `ASYM L* bwd`, as the tables have it: rule, source of assumptions, alphabet.
fn name(run: &Run) -> String {
    let Run::Assumptions {
        rule,
        means,
        alphabet,
        ..
    } = run
    else {
        return "monolithic".to_owned();
    };
    let rule = match rule {
        Rule::Asymmetric => "ASYM",
        Rule::Circular => "CIRC",
        Rule::Symmetric => "SYM",
    };
    let means = match means {
        Means::Learn(_) => "L*",
        Means::Abstract => "AGAR",
        Means::Weakest => "weakest",
    };
    let alphabet = match alphabet {
        Alphabet::Whole => "whole",
        Alphabet::Refined { heuristic, .. } => match heuristic {
            Heuristic::Backward => "bwd",
            Heuristic::Forward => "fwd",
            Heuristic::AllDifference => "all",
        },
    };
    format!("{rule} {means} {alphabet}")
}

fn line_json(line: &Line) -> Value {
    let published = &line.row.published;
    json!({
        "table": line.row.table,
        "system": line.row.case.name(),
        "size": line.row.size,
        "run": name(&line.row.run),
        "published": {
            "states": published.states,
            "megabytes": published.memory,
            "seconds": published.seconds,
        },
        "here": measured_json(&line.here, line.memory),
        "whole": measured_json(&line.whole, None),
    })
}

fn measured_json(measured: &Measured, memory: Option<f64>) -> Value {
    let mut object = Map::new();
    for (name, value) in measured.verdict.fields() {
        object.insert(name.into(), value);
    }
    if let Some(states) = measured.assumption_states {
        object.insert("states".into(), json!(states));
        object.insert("questions".into(), json!(measured.statistics.questions));
        object.insert("conjectures".into(), json!(measured.statistics.conjectures));
    }
    if let Some(states) = measured.explored_states {
        object.insert("states".into(), json!(states));
    }
    if let Some(memory) = memory {
        object.insert("megabytes".into(), json!(memory));
    }
    object.insert("seconds".into(), json!(measured.elapsed.as_secs_f64()));
    Value::Object(object)
}

fn sides_json(line: &SidesLine) -> Value {
    let (first, second) = line.sides.states;
    json!({
        "table": line.sides.table,
        "system": line.sides.case.name(),
        "size": line.sides.size,
        "published": [first, second],
        "here": line.here.as_ref().ok().map(|(first, second)| [first, second]),
    })
}
