//! Questions that everybody asks of a network: `stable`, `attractors`.

use oxidd::util::num::Natural;
use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::text::count;
use quotient_language::{Query, Shown, Table};
use serde_json::{Value, json};

use crate::landscape::{Complex, Landscape, Steady};
use crate::model::NetworkModel;

/// What is no formula may be meant as the name of a question.
pub(crate) fn with_ready(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let note = "ready-made questions are `stable`: which states does nothing change? and \
                `attractors`: where does it settle, in one state or several?";
    if let Some(first) = errors.first_mut() {
        first.notes.push(note.to_owned());
    }
    errors
}

impl NetworkModel {
    /// The answer, if the question is one of these.
    pub(crate) fn ready_made(&self, query: &Query, cx: &Context) -> Option<Result<Shown, Trouble>> {
        let text = query.text.trim();
        let is_ready = ["stable", "steady", "fixed points", "fixed", "attractors"].contains(&text);
        if is_ready && !self.network.start.is_empty() {
            let message = format!("`{text}` is asked of all states: leave `--start` out");
            return Some(Err(Trouble::usage(message)));
        }
        match text {
            "stable" | "steady" | "fixed points" | "fixed" => Some(self.ask_steady(query, cx)),
            "attractors" => Some(self.ask_attractors(query, cx)),
            _ => None,
        }
    }

    fn ask_steady(&self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        let landscape = Landscape::new(&self.network, &cx.budget)?;
        let steady = landscape.steady(query.limit)?;
        let given = self.network.given();
        let title = format!("{}: {} steady{given}", self.name, steady.count);
        let shown = self.list(Shown::titled(title), &steady.some, "steady");
        Ok(shown.result(self.told(&steady)))
    }

    fn ask_attractors(&self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        let landscape = Landscape::new(&self.network, &cx.budget)?;
        let steady = landscape.steady(query.limit)?;
        let mut result = self.told(&steady);
        let complex = match landscape.complex(query.limit) {
            Ok(complex) => complex,
            // What is known is told, with what is not.
            Err(stop) => {
                let given = self.network.given();
                let title = format!("{}: {} steady{given}", self.name, steady.count);
                let shown = Shown::titled(title).fact(
                    "attractors of more than one state",
                    format!("unknown: {stop}"),
                );
                result["complex"] = Value::Null;
                return Ok(self.list(shown, &steady.some, "steady").result(result));
            }
        };
        let has_levels = !self.network.levels.is_empty();
        // What was found is not lost if there is no time left for these.
        let cycles = match has_levels {
            true => None,
            false => landscape.cycles().unwrap_or(None),
        };
        result["synchronousCycles"] = json!(cycles);
        let cycles = cycles.map_or_else(
            || match has_levels {
                true => "not counted with more than two levels".to_owned(),
                false => "unknown: too many states, or no time left".to_owned(),
            },
            |n| n.to_string(),
        );
        let shown = self.landscape_shown(&steady, &complex, result);
        Ok(shown.fact("cycles if all variables change at once", cycles))
    }

    fn landscape_shown(&self, steady: &Steady, complex: &Complex, mut result: Value) -> Shown {
        let title = format!(
            "{}: {} steady, {} with more than one state (asynchronous){}",
            self.name,
            steady.count,
            complex.count,
            self.network.given()
        );
        let mut shown = Shown::titled(title);
        let states = complex.states.to_string();
        if states != "0" {
            let without = match complex.without {
                0 => String::new(),
                many => format!(" (without {} that only follow)", count(many, "variable")),
            };
            shown = shown.fact("states of those together", format!("{states}{without}"));
        }
        let all = self.network.number_of_states(&[]);
        let told = |many: &Option<Natural>| match many {
            Some(many) => format!("{many} of {all}"),
            None => "unknown: too hard to count".to_owned(),
        };
        shown = shown
            .fact(
                "states that can reach a steady one",
                told(&complex.to_steady),
            )
            .fact(
                "states that can reach another attractor",
                told(&complex.to_complex),
            );
        shown = self.list(shown, &steady.some, "steady");
        shown = self.list(shown, &complex.some, "in a larger one");
        result["complex"] = json!(complex.count.to_string());
        result["complexStates"] = json!(states);
        let text = |many: &Option<Natural>| many.as_ref().map(Natural::to_string);
        result["reachSteady"] = json!(text(&complex.to_steady));
        result["reachComplex"] = json!(text(&complex.to_complex));
        result["followers"] = json!(complex.without);
        result["states"] = json!(complex.some);
        shown.result(result)
    }

    fn told(&self, steady: &Steady) -> Value {
        json!({
            "variables": self.network.names,
            "steady": steady.count.to_string(),
            "steadyStates": steady.some,
        })
    }

    /// States side by side, a row for each variable.
    fn list(&self, shown: Shown, states: &[Vec<bool>], what: &str) -> Shown {
        /// More columns do not fit on a line.
        const MOST: usize = 12;
        let states = &states[..states.len().min(MOST)];
        if states.is_empty() {
            return shown;
        }
        let heads = (1..=states.len()).map(|number| format!("{what} {number}"));
        let heads: Vec<String> = std::iter::once("variable".to_owned())
            .chain(heads)
            .collect();
        let mut table = Table::new(heads);
        for (at, name) in self.network.names.iter().enumerate() {
            let values = states.iter().map(|state| u8::from(state[at]).to_string());
            table.row(std::iter::once(name.clone()).chain(values));
        }
        shown.table(table)
    }
}
