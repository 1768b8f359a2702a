//! A run as wave forms: a row for each variable, time from left to right.

use quotient_language::Trace;

use super::open;
use crate::graph::escape;

const ROW: f64 = 34.0;
const TOP: f64 = 30.0;
/// The width of a letter.
const LETTER: f64 = 7.3;
/// How wide a moment may be.
const MOMENT: (f64, f64) = (30.0, 84.0);
/// More variables or moments are not drawn.
const MOST_ROWS: usize = 60;
const MOST_MOMENTS: usize = 400;

/// What is drawn for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Low,
    High,
}

/// Draws a run as wave forms: what is true or false as a line that rises and falls, other values
/// written between two lines that cross where the value changes. Each moment has a rectangle over all rows
/// with a name of its own, so that a page finds it. Nothing where there are no variables, or too
/// many.
///
/// ```
/// use quotient_language::{Cell, Layout, Step, Trace};
/// let mut trace = Trace::new(Layout::States, ["on"]);
/// trace.steps.push(Step::start([Cell::new("FALSE")]));
/// trace.steps.push(Step::of("", [Cell::changed("TRUE")]));
/// assert!(quotient_report::waves(&trace).is_some_and(|text| text.contains("moment-1")));
/// ```
pub fn waves(trace: &Trace) -> Option<String> {
    let rows: Vec<usize> = (0..trace.columns.len())
        .filter(|&row| !trace.columns[row].is_empty())
        .collect();
    if rows.is_empty() || rows.len() > MOST_ROWS || trace.steps.len() < 2 {
        return None;
    }
    let moments = trace.steps.len().min(MOST_MOMENTS);
    let letters = |text: &str| text.chars().count() as f64 * LETTER;
    let names = rows.iter().map(|&row| letters(&trace.columns[row]));
    let left = (names.fold(0.0, f64::max) + 24.0).clamp(60.0, 220.0);
    // What a step does not say is as it was.
    let value = |row: usize, moment: usize| {
        let cells = trace.steps[..=moment]
            .iter()
            .rev()
            .map(|step| step.cells.get(row));
        let mut told = cells.flatten().map(|cell| cell.text.as_str());
        told.find(|text| !text.is_empty()).unwrap_or_default()
    };
    let widest = rows
        .iter()
        .flat_map(|&row| (0..moments).map(move |moment| (row, moment)))
        .filter(|&(row, moment)| level(value(row, moment)).is_none())
        .map(|(row, moment)| letters(value(row, moment)))
        .fold(0.0, f64::max);
    let wide = (widest + 16.0).clamp(MOMENT.0, MOMENT.1);
    let width = left + wide * moments as f64 + 16.0;
    let height = TOP + ROW * rows.len() as f64 + 22.0;
    let mut out = open(width, height, "");
    for moment in 0..moments {
        let x = left + wide * (moment as f64 + 0.5);
        out.push_str(&format!(
            "<text text-anchor=\"middle\" x=\"{x:.1}\" y=\"18\">{moment}</text>\n"
        ));
    }
    for (place, &row) in rows.iter().enumerate() {
        let top = TOP + ROW * place as f64;
        let most = ((left - 20.0) / LETTER) as usize;
        let name: String = match trace.columns[row].chars().count() > most {
            true => trace.columns[row]
                .chars()
                .take(most - 1)
                .chain(['…'])
                .collect(),
            false => trace.columns[row].clone(),
        };
        out.push_str(&format!(
            "<g><title>{}</title><text class=\"t\" x=\"12\" y=\"{:.1}\">{}</text></g>\n",
            escape(&trace.columns[row]),
            top + ROW / 2.0 + 4.0,
            escape(&name)
        ));
        let values: Vec<&str> = (0..moments).map(|moment| value(row, moment)).collect();
        wave(&mut out, &values, (left, top), wide);
    }
    if let Some(back_to) = trace.back_to.filter(|&at| at < moments) {
        let x = |moment: usize| left + wide * (moment as f64 + 0.5);
        let y = height - 16.0;
        out.push_str(&format!(
            "<path class=\"y\" d=\"M{:.1},{y:.1}V{2:.1}H{1:.1}V{y:.1}\">\
             <title>and so on for ever</title></path>\n",
            x(moments - 1),
            x(back_to),
            y + 8.0
        ));
    }
    for moment in 0..moments {
        out.push_str(&format!(
            "<rect id=\"moment-{moment}\" class=\"hit\" x=\"{:.1}\" y=\"4\" width=\"{wide:.1}\" \
             height=\"{:.1}\" rx=\"4\" fill=\"none\" pointer-events=\"all\"/>\n",
            left + wide * moment as f64,
            height - 24.0
        ));
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// One variable over time.
fn wave(out: &mut String, values: &[&str], (left, top): (f64, f64), wide: f64) {
    let (high, low) = (top + 6.0, top + ROW - 6.0);
    let x = |moment: usize| left + wide * moment as f64;
    let levels: Option<Vec<Level>> = values.iter().map(|value| level(value)).collect();
    if let Some(levels) = levels {
        let y = |level: Level| if level == Level::High { high } else { low };
        let mut path = format!("M{:.1},{:.1}", x(0), y(levels[0]));
        for (moment, &level) in levels.iter().enumerate() {
            path.push_str(&format!("V{:.1}H{:.1}", y(level), x(moment + 1)));
        }
        out.push_str(&format!("<path class=\"v\" d=\"{path}\"/>\n"));
        return;
    }
    let mut from = 0;
    for at in 1..=values.len() {
        if at < values.len() && values[at] == values[from] {
            continue;
        }
        let (begin, end, middle) = (x(from), x(at), f64::midpoint(high, low));
        let slant = 4.0;
        out.push_str(&format!(
            "<g><path class=\"v\" d=\"M{begin:.1},{middle:.1}L{:.1},{high:.1}H{:.1}L{end:.1},{middle:.1}\
             L{1:.1},{low:.1}H{0:.1}Z\"/><text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\
             <title>{}</title></g>\n",
            begin + slant,
            end - slant,
            f64::midpoint(begin, end),
            middle + 4.0,
            escape(&short(values[from], (end - begin - 8.0) / LETTER)),
            escape(values[from])
        ));
        from = at;
    }
}

/// What is true or false.
fn level(value: &str) -> Option<Level> {
    match value {
        "TRUE" | "true" | "1" => Some(Level::High),
        "FALSE" | "false" | "0" => Some(Level::Low),
        _ => None,
    }
}

fn short(text: &str, most: f64) -> String {
    let most = most.max(2.0) as usize;
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::{Cell, Layout, Step};

    #[test]
    fn a_value_that_stays_is_written_once() {
        let mut trace = Trace::new(Layout::States, ["at", "on"]);
        for (at, on) in [("idle", "FALSE"), ("idle", "TRUE"), ("<busy>", "TRUE")] {
            trace
                .steps
                .push(Step::of("", [Cell::new(at), Cell::new(on)]));
        }
        trace.back_to = Some(1);
        let text = waves(&trace).unwrap();
        assert_eq!(text.matches(">idle</text>").count(), 1);
        assert!(text.contains("&lt;busy&gt;") && !text.contains("<busy>"));
        assert_eq!(text.matches("class=\"hit\"").count(), 3);
    }

    #[test]
    fn what_has_no_variables_has_no_waves() {
        let mut trace = Trace::new(Layout::States, [""]);
        trace.steps.push(Step::start([Cell::new("a b")]));
        trace.steps.push(Step::of("x", [Cell::new("b b")]));
        assert!(waves(&trace).is_none());
        assert!(waves(&Trace::default()).is_none());
    }
}
