//! What several parts do over time, as a space-time diagram: time runs downwards.

use quotient_language::{Lane, Lanes};

use super::{COLOURS, open};
use crate::graph::escape;

const LANE: f64 = 120.0;
const MOMENT: f64 = 30.0;
const LEFT: f64 = 150.0;
const TOP: f64 = 54.0;
/// Longer runs are cut: a page that steps through a run shows a part of it anyway.
const MOST_MOMENTS: usize = 400;

/// Draws the diagram.
pub(super) fn svg(lanes: &Lanes) -> String {
    let moments = lanes.moments.len().min(MOST_MOMENTS);
    let width = LEFT + LANE * lanes.lanes.len() as f64 + 20.0;
    let height = TOP + MOMENT * moments as f64 + 20.0;
    let mut out = open(width.max(200.0), height, &lanes.title);
    out.push_str(&format!(
        "<text class=\"t\" x=\"12\" y=\"20\">{}</text>\n",
        escape(&lanes.title)
    ));
    let x = |lane: usize| LEFT + LANE * (lane as f64 + 0.5);
    let y = |moment: usize| TOP + MOMENT * (moment as f64 + 0.5);
    for (number, moment) in lanes.moments.iter().take(moments).enumerate() {
        out.push_str(&format!(
            "<g id=\"moment-{number}\"><text x=\"12\" y=\"{:.1}\">{}</text>\
             <line class=\"g\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/></g>\n",
            y(number) + 4.0,
            escape(&cut(moment, 18)),
            width - 20.0,
            y(number),
            y(number)
        ));
    }
    for (number, lane) in lanes.lanes.iter().enumerate() {
        draw_lane(&mut out, lane, x(number), moments);
    }
    for message in &lanes.messages {
        let ((from, sent), (to, received)) = (message.from, message.to);
        if from.max(to) >= lanes.lanes.len() || sent.max(received) >= moments {
            continue;
        }
        let (x1, y1, x2, y2) = (x(from), y(sent), x(to), y(received));
        let colour = COLOURS[from % COLOURS.len()];
        out.push_str(&format!(
            "<g><line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <circle cx=\"{x2:.1}\" cy=\"{y2:.1}\" r=\"3.5\" fill=\"{colour}\"/>\
             <text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>\n",
            (x1 + x2) / 2.0,
            (y1 + y2) / 2.0 - 4.0,
            escape(&cut(&message.label, 16))
        ));
    }
    if let Some(back_to) = lanes.back_to.filter(|&at| at < moments) {
        let (from, to) = (y(moments.saturating_sub(1)), y(back_to));
        out.push_str(&format!(
            "<path class=\"y\" d=\"M{LEFT},{from:.1}H{:.1}V{to:.1}H{LEFT}\">\
             <title>and so on for ever</title></path>\n",
            LEFT - 12.0
        ));
    }
    out.push_str("</svg>\n");
    out
}

fn draw_lane(out: &mut String, lane: &Lane, x: f64, moments: usize) {
    out.push_str(&format!(
        "<text class=\"t\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
        TOP - 10.0,
        escape(&cut(&lane.name, 16))
    ));
    let states: Vec<&String> = lane.states.iter().take(moments).collect();
    let mut from = 0;
    for at in 1..=states.len() {
        if at < states.len() && states[at] == states[from] {
            continue;
        }
        let top = TOP + MOMENT * from as f64 + 2.0;
        let height = MOMENT * (at - from) as f64 - 4.0;
        out.push_str(&format!(
            "<g><rect class=\"k\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" \
             height=\"{height:.1}\" rx=\"4\"/><text text-anchor=\"middle\" x=\"{x:.1}\" \
             y=\"{:.1}\">{}</text><title>{}</title></g>\n",
            x - LANE / 2.0 + 6.0,
            LANE - 12.0,
            top + 17.0,
            escape(&cut(states[from], 15)),
            escape(states[from])
        ));
        from = at;
    }
    for &act in lane.acts.iter().filter(|&&act| act < moments) {
        let y = TOP + MOMENT * act as f64 + 2.0;
        out.push_str(&format!(
            "<rect class=\"y\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\"/>\n",
            x - LANE / 2.0 + 6.0,
            LANE - 12.0,
            MOMENT - 4.0
        ));
    }
}

/// The start of a longer text.
fn cut(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
