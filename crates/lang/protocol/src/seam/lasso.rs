//! Runs of small instances that repeat, told as configurations: evidence that something that must
//! happen does not, wherever it is not a run of words.
//!
//! *What is proved.* The interpreter begins with the first configuration, which is one of its own,
//! and takes the steps, each by the processes that are named, through the configurations that are
//! told. The last one is the one that the run comes back to, with the same processes at the same
//! places, whom they have seen included. In between everybody has the turn that fairness demands,
//! and the property is not true of the run by its meaning.
//!
//! *What is trusted.* The interpreter, and what it takes fairness to be.

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_language::text::count;
use serde::{Deserialize, Serialize};

use super::certify::told;
use crate::model::{Condition, Domain, Expr, Value, Variable};
use crate::{Configuration, Interpreter, Protocol, Replayed, Violation};

/// A run of an instance that comes back to where it was.
pub(super) const LASSO: &str = "protocol-lasso";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    configurations: Vec<Row>,
    steps: Vec<Step>,
    /// The number of the configuration that the last one is again.
    from: usize,
    /// The places of those whom the property is about, there.
    about: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    globals: Vec<String>,
    processes: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    channels: Vec<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    step: String,
    /// The places of those who took it, before it.
    by: Vec<usize>,
}

/// Evidence of a run of an instance that repeats.
pub(super) fn evidence(protocol: &Protocol, violation: &Violation) -> Option<Evidence> {
    let repeats = violation.repeats.as_ref()?;
    let configurations = violation.configurations();
    let steps = violation.taken().into_iter().map(|taken| Step {
        step: taken.step,
        by: taken.people,
    });
    let told = Told {
        configurations: configurations.iter().map(|one| protocol.row(one)).collect(),
        steps: steps.collect(),
        from: repeats.from,
        about: repeats.who.clone(),
    };
    Some(Evidence::of_violated(LASSO, &told))
}

/// Checks evidence of this kind.
pub(super) fn certify(
    interpreter: &Interpreter<'_>,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let told: Told = told(evidence, Claim::Violated, property)?;
    let protocol = interpreter.protocol();
    let rows = told.configurations.iter().map(|row| protocol.read_row(row));
    let rows: Option<Vec<Configuration>> = rows.collect();
    let rows = rows.ok_or_else(|| Rejection::wrong("a value is none of the protocol"))?;
    if rows.len() != told.steps.len() + 1 {
        let why = "there must be one configuration more than steps";
        return Err(Rejection::wrong(why));
    }
    let begins = interpreter.is_initial(&rows[0]);
    budget.poll()?;
    if !begins {
        return Err(Rejection::wrong(
            "no instance of the protocol begins as the run does",
        ));
    }
    let steps = told
        .steps
        .iter()
        .map(|one| (one.step.as_str(), &one.by[..]));
    let run = interpreter.follow_by(&rows, &steps.collect::<Vec<_>>());
    budget.poll()?;
    let run: Replayed = run.ok_or_else(|| Rejection::wrong("the run is none of the protocol"))?;
    let starves = interpreter.confirms_starvation(property, &run, told.from, &told.about)?;
    budget.poll()?;
    if !starves {
        return Err(Rejection::wrong(
            "the run is no fair run of the protocol of which the property is not true",
        ));
    }
    Ok(Certified {
        property: property.to_owned(),
        facts: vec![
            format!(
                "the interpreter of the protocol takes these {}, from one of its own first \
                 configurations",
                count(told.steps.len(), "step")
            ),
            "the run comes back to where it was, and gives everybody their turn".to_owned(),
            "the property is not true of it".to_owned(),
        ],
    })
}

impl Protocol {
    /// Whether it says something by regular expressions or automata, or has channels.
    pub(super) fn speaks_of_words(&self) -> bool {
        let by_words = |condition: &Condition| !matches!(condition, Condition::Holds(_));
        !self.channels.is_empty()
            || self.imports_steps()
            || self.initially.iter().any(by_words)
            || (self.properties.iter()).any(|property| property.demand.names_languages())
    }

    /// Whether only automata can tell what is asked somewhere.
    pub(crate) fn needs_languages(&self) -> bool {
        let by_words = |condition: &Condition| !matches!(condition, Condition::Holds(_));
        let matches = |expr: &Expr| expr.mentions(&|part| matches!(part, Expr::Matches(..)));
        self.imports_steps()
            || self.initially.iter().any(by_words)
            || (self.properties.iter()).any(|property| property.demand.names_languages())
            || (self.conditions().iter()).any(|(expr, _)| matches(expr))
    }

    pub(super) fn row(&self, configuration: &Configuration) -> Row {
        let all = |variables: &[&Variable], values: &[Value]| -> Vec<String> {
            let each = variables.iter().zip(values);
            each.map(|(variable, value)| self.show(&variable.domain, *value))
                .collect()
        };
        let globals: Vec<&Variable> = self.globals.iter().collect();
        let own = self.variables_of(configuration.processes.len());
        let channels = self.channels.iter().zip(&configuration.channels);
        let channels = channels.map(|(channel, values)| {
            let values = values.iter();
            values
                .map(|value| self.show(&channel.domain, *value))
                .collect()
        });
        Row {
            globals: all(&globals, &configuration.globals),
            processes: (configuration.processes.iter())
                .map(|values| all(&own, values))
                .collect(),
            channels: channels.collect(),
        }
    }

    /// What each value of a process is of: its variables, and what it carries for each process.
    fn variables_of(&self, size: usize) -> Vec<&Variable> {
        let pairs = self.pairs.iter();
        let pairs = pairs.flat_map(|pair| std::iter::repeat_n(pair, size));
        self.fields.iter().chain(pairs).collect()
    }

    pub(super) fn read_row(&self, row: &Row) -> Option<Configuration> {
        let read = |domain: &Domain, text: &String| -> Option<Value> {
            if *domain == Domain::Parameter {
                return text.parse().ok();
            }
            let mut values = domain.values().into_iter();
            values.find(|value| self.show(domain, *value) == *text)
        };
        let all = |variables: &[&Variable], texts: &[String]| -> Option<Vec<Value>> {
            let each = variables.iter().zip(texts);
            let each = each.map(|(variable, text)| read(&variable.domain, text));
            let values: Option<Vec<Value>> = each.collect();
            values.filter(|_| variables.len() == texts.len())
        };
        let globals: Vec<&Variable> = self.globals.iter().collect();
        let own = self.variables_of(row.processes.len());
        let channels = self.channels.iter().zip(&row.channels);
        let channels = channels.map(|(channel, texts)| {
            let texts = texts.iter();
            texts.map(|text| read(&channel.domain, text)).collect()
        });
        let channels: Option<Vec<Vec<Value>>> = channels.collect();
        let processes = row.processes.iter().map(|texts| all(&own, texts));
        Some(Configuration {
            globals: all(&globals, &row.globals)?,
            processes: processes.collect::<Option<Vec<_>>>()?,
            channels: channels.filter(|_| row.channels.len() == self.channels.len())?,
            seen: Vec::new(),
        })
    }
}
