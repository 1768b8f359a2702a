//! Questions that everybody asks of a network: `stable`, `attractors`.

use oxidd::util::num::Natural;
use quotient_core::{Context, Diagnostic, Stop, Trouble};
use quotient_language::text::count;
use quotient_language::{Query, Shown, Table};
use serde_json::{Value, json};

use crate::basins::Basin;
use crate::cycles::{Cycle, Cycles};
use crate::landscape::{Complex, Landscape, Steady};
use crate::model::NetworkModel;

/// More columns do not fit on a line.
const COLUMNS: usize = 12;

/// What stands for a number that was not found.
const UNKNOWN: &str = "unknown";

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
        let is_steady = ["stable", "steady", "fixed points", "fixed"].contains(&text);
        if is_steady && !self.network.start.is_empty() {
            let message = format!(
                "`{text}` is asked of all states: leave `--start` out, or ask for `attractors`, which are told with \
                 whether the start leads there"
            );
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
            Err(stop) => return Ok(self.without_larger(&steady, result, stop)),
        };
        // What was found is not lost if there is no time left for these.
        let basins = landscape.basins_of(&steady, &complex);
        let cycles = landscape.cycles(query.limit);
        let cut_off = basins.as_ref().err().or(cycles.as_ref().err()).cloned();
        let basins = basins.unwrap_or_default();
        let cycles = cycles.unwrap_or(None);
        result["basins"] = basins_json(&basins, steady.some.len());
        result["synchronousCycles"] = json!(cycles.as_ref().map(|cycles| cycles.count));
        result["synchronous"] = json!(cycles.as_ref().map(|all| cycles_json(all, query.limit)));
        let shown = self.landscape_shown(&steady, &complex, result);
        let shown = self.basins_shown(shown, &basins, steady.some.len());
        let mut shown = self.cycles_shown(shown, cycles.as_ref(), &steady.some);
        shown.open = cut_off;
        Ok(shown)
    }

    /// What is known where the larger attractors are not, and that they are not.
    pub(crate) fn without_larger(&self, steady: &Steady, mut result: Value, why: Stop) -> Shown {
        let title = format!(
            "{}: {} steady{}",
            self.name,
            steady.count,
            self.network.given()
        );
        let shown = Shown::titled(title).fact(
            "attractors of more than one state",
            format!("unknown: {why}"),
        );
        result["complex"] = Value::Null;
        let shown = self.list(shown, &steady.some, "steady").result(result);
        shown.left_open(why)
    }

    /// What leads to each attractor, a row for each.
    fn basins_shown(&self, shown: Shown, basins: &[Basin], steady: usize) -> Shown {
        if basins.is_empty() {
            return match steady {
                0 => shown,
                _ => shown.fact(
                    "states that lead to each",
                    "unknown: no time or memory left",
                ),
            };
        }
        let starts = !self.network.start.is_empty();
        let mut head = vec!["attractor", "states", "can reach it", "reach only it"];
        head.extend(starts.then_some("from the start"));
        let mut table = Table::new(head);
        let told =
            |many: &Option<Natural>| many.as_ref().map_or(UNKNOWN.into(), Natural::to_string);
        for (number, basin) in basins.iter().enumerate() {
            let name = match number.checked_sub(steady) {
                None => format!("steady {}", number + 1),
                Some(number) => format!("larger {}", number + 1),
            };
            let reached = basin.from_start.map_or(UNKNOWN, |reached| match reached {
                true => "yes",
                false => "no",
            });
            let mut row = vec![
                name,
                basin.states.to_string(),
                told(&basin.reach),
                told(&basin.only),
            ];
            row.extend(starts.then(|| reached.to_owned()));
            table.row(row);
        }
        let shown = shown.blank().table(table);
        let open = |basin: &Basin| basin.reach.is_none() || basin.only.is_none();
        match basins.iter().any(open) {
            true => shown.line(2, format!("{UNKNOWN}: too hard to count")),
            false => shown,
        }
    }

    /// What happens if all variables change at once: the cycles, with their states and what leads there.
    fn cycles_shown(&self, shown: Shown, cycles: Option<&Cycles>, steady: &[Vec<bool>]) -> Shown {
        /// More cycles are not shown state by state.
        const MOST: usize = 6;
        let what = "cycles if all variables change at once";
        let Some(cycles) = cycles else {
            return shown.fact(what, "unknown: too many states, or no time left");
        };
        let mut shown = shown.blank().fact(what, cycles.count.to_string());
        let all = self.network.number_of_states(&[]);
        let mut table = Table::new(["if all change at once", "states", "lead there"]);
        for (number, state) in steady.iter().enumerate() {
            let found = cycles.steady.iter().find(|one| &one.states[0] == state);
            if let Some(one) = found {
                let lead = format!("{} of {all}", one.basin);
                table.row([format!("steady {}", number + 1), "1".to_owned(), lead]);
            }
        }
        for (number, one) in cycles.longer.iter().enumerate() {
            let lead = format!("{} of {all}", one.basin);
            table.row([
                format!("cycle {}", number + 1),
                one.length.to_string(),
                lead,
            ]);
        }
        if !table.rows.is_empty() {
            shown = shown.table(table);
        }
        for (number, one) in cycles.longer.iter().enumerate().take(MOST) {
            let columns = one.length.min(COLUMNS);
            let which = match one.length - columns {
                0 => format!("cycle {}, state by state", number + 1),
                more => format!(
                    "cycle {}, without its last {}",
                    number + 1,
                    count(more, "state")
                ),
            };
            shown = self.list(shown.blank().line(0, which), &one.states, "state");
        }
        shown
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
        shown = self.list(shown, &complex.some, "in larger");
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
        let states = &states[..states.len().min(COLUMNS)];
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

/// What leads to each attractor, for programs: first those that are steady.
fn basins_json(basins: &[Basin], steady: usize) -> Value {
    let text = |many: &Option<Natural>| many.as_ref().map(Natural::to_string);
    let told = basins.iter().enumerate().map(|(number, basin)| {
        let mut told = json!({
            "kind": if number < steady { "steady" } else { "complex" },
            "state": basin.state,
            "states": basin.states.to_string(),
            "reach": text(&basin.reach),
            "reachOnly": text(&basin.only),
        });
        if let Some(reached) = basin.from_start {
            told["fromStart"] = json!(reached);
        }
        told
    });
    told.collect()
}

/// What happens if all variables change at once, for programs.
fn cycles_json(cycles: &Cycles, most: usize) -> Value {
    let told = |all: &[Cycle]| -> Value {
        let each = all.iter().take(most).map(|one| {
            json!({ "length": one.length, "basin": one.basin.to_string(), "states": one.states })
        });
        each.collect()
    };
    json!({ "steady": told(&cycles.steady), "cycles": told(&cycles.longer) })
}

#[cfg(test)]
mod tests {
    use quotient_core::{Budget, Source};

    use super::*;

    /// What is known is told, and that it is not all.
    #[test]
    fn without_the_larger_attractors_an_answer_is_open() {
        let source = Source::new("x.bnet", "targets, factors\na, !b\nb, !a\n");
        let model = NetworkModel {
            name: "x.bnet".to_owned(),
            network: crate::network::read(&source).unwrap(),
            is_synchronous: false,
            asked_nothing: false,
        };
        let budget = Budget::unlimited();
        let landscape = Landscape::new(&model.network, &budget).unwrap();
        let steady = landscape.steady(3).unwrap();
        let shown = model.without_larger(&steady, model.told(&steady), Stop::Time);
        assert_eq!(shown.open, Some(Stop::Time));
        assert_eq!(shown.result["steady"], "2");
        assert!(shown.result["complex"].is_null());
        let query = Query {
            text: "attractors".to_owned(),
            limit: 3,
        };
        let whole = model.ask_attractors(&query, &Context::default()).unwrap();
        assert_eq!((whole.open, &whole.result["complex"]), (None, &json!("0")));
    }
}
