//! The history of a run as a small chart.

use quotient_core::{Event, What};

use crate::graph::escape;

/// The sizes of a run over its steps, with a mark at each refinement, as a standalone SVG;
/// nothing if the story has no steps.
pub fn history_chart(events: &[Event], method: Option<&str>) -> Option<String> {
    let mut sizes: Vec<(u64, u64)> = Vec::new();
    let mut unit = "";
    for event in events
        .iter()
        .filter(|event| event.method.as_deref() == method)
    {
        if let What::Step {
            attempt,
            sizes: named,
            ..
        } = &event.what
            && let Some((name, size)) = named.0.first()
        {
            sizes.push((*attempt, *size));
            unit = name;
        }
    }
    if sizes.is_empty() {
        return None;
    }
    let most = sizes
        .iter()
        .map(|(_, size)| *size)
        .max()
        .unwrap_or(1)
        .max(1);
    let step = WIDTH / (sizes.len() as f64);
    let x = |index: usize| LEFT + step * (index as f64 + 0.5);
    let y = |size: u64| TOP + HEIGHT * (1.0 - size as f64 / most as f64);
    let mut marks = String::new();
    let mut line = String::new();
    for (index, &(attempt, size)) in sizes.iter().enumerate() {
        let begins = index == 0 || sizes[index - 1].0 != attempt;
        if begins && index > 0 {
            let at = LEFT + step * index as f64;
            marks.push_str(&format!(
                "<line class=\"r\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{:.1}\"><title>refined after attempt {}</title></line>",
                TOP + HEIGHT,
                sizes[index - 1].0
            ));
        }
        let command = if begins { 'M' } else { 'L' };
        line.push_str(&format!("{command}{:.1},{:.1}", x(index), y(size)));
        if sizes.len() <= MOST_DOTS {
            marks.push_str(&format!(
                "<circle class=\"d\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\"><title>attempt {attempt}: {size} {}</title></circle>",
                x(index),
                y(size),
                escape(unit)
            ));
        }
    }
    let (bottom, right) = (TOP + HEIGHT, LEFT + WIDTH);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"c\" width=\"640\" height=\"190\" viewBox=\"0 0 640 190\" role=\"img\">\n\
         <title>sizes over the steps of the run</title>\n<style>{STYLE}</style>\n\
         <path class=\"a\" d=\"M{LEFT},{TOP}V{bottom}H{right}\"/>\n\
         <text text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{most}</text>\
         <text text-anchor=\"end\" x=\"{:.1}\" y=\"{bottom}\">0</text>\
         <text x=\"{LEFT}\" y=\"12\">{}</text>\
         <text text-anchor=\"end\" x=\"{right}\" y=\"{:.1}\">{} steps; dashed: refinements</text>\n\
         <path class=\"s\" d=\"{line}\"/>\n{marks}\n</svg>\n",
        LEFT - 6.0,
        TOP + 9.0,
        LEFT - 6.0,
        escape(unit),
        bottom + 18.0,
        sizes.len(),
    ))
}

const LEFT: f64 = 60.0;
const TOP: f64 = 20.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 140.0;
/// With more steps than this the line has no dots.
const MOST_DOTS: usize = 300;

const STYLE: &str = "\
.c{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}.c text{fill:#475569}\
.c .a{fill:none;stroke:#94a3b8}.c .s{fill:none;stroke:#1d4ed8;stroke-width:1.5}.c .d{fill:#1d4ed8}\
.c .r{stroke:#d97706;stroke-dasharray:3 3}\
@media(prefers-color-scheme:dark){.c text{fill:#cbd5e1}.c .s{stroke:#93c5fd}.c .d{fill:#93c5fd}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_steps_has_no_chart() {
        assert_eq!(history_chart(&[], None), None);
    }

    #[test]
    fn refinements_are_marked() {
        let step = |attempt, states| Event {
            at: std::time::Duration::ZERO,
            method: None,
            what: What::Step {
                attempt,
                step: 0,
                sizes: [("states", states)].into(),
            },
        };
        let chart = history_chart(&[step(0, 2), step(0, 4), step(1, 3)], None).unwrap();
        assert_eq!(chart.matches("class=\"r\"").count(), 1);
        assert_eq!(chart.matches("class=\"d\"").count(), 3);
        assert!(chart.contains("3 steps"));
    }
}
