//! What several parts do over time, as a space-time diagram: time runs downwards.

use quotient_language::{Lane, Lanes};

use super::{COLOURS, open};
use crate::graph::escape;

const MOMENT: f64 = 30.0;
const TOP: f64 = 54.0;
/// The width of a letter.
const LETTER: f64 = 7.3;
/// How wide a lane may be; where there are only one or two, wider.
const LANE: (f64, f64) = (64.0, 168.0);
const WIDE: f64 = 420.0;
/// Longer runs are cut: a page that steps through a run shows a part of it anyway.
const MOST_MOMENTS: usize = 400;

/// Where things stand.
struct Places {
    left: f64,
    /// The middle and half of the width of each lane.
    lanes: Vec<(f64, f64)>,
    width: f64,
    moments: usize,
}

impl Places {
    fn of(lanes: &Lanes) -> Places {
        let moments = lanes.moments.len().min(MOST_MOMENTS);
        let longest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64 * LETTER
        };
        let seen = lanes.moments.iter().take(moments);
        let few = lanes.lanes.len() <= 2;
        let most = if few { 300.0 } else { 190.0 };
        let left = (longest(&mut seen.clone()) + 36.0).clamp(70.0, most);
        let mut at = left;
        let mut places = Vec::new();
        for lane in &lanes.lanes {
            let states = lane.states.iter().take(moments);
            let text = longest(&mut states.chain([&lane.name]));
            let most = match (lane.states.is_empty(), few) {
                (true, _) => 110.0,
                (false, true) => WIDE,
                (false, false) => LANE.1,
            };
            let width = (text + 26.0).clamp(LANE.0, most);
            places.push((at + width / 2.0, width / 2.0));
            at += width;
        }
        Places {
            left,
            lanes: places,
            width: (at + 20.0).max(200.0),
            moments,
        }
    }

    fn y(&self, moment: usize) -> f64 {
        TOP + MOMENT * (moment as f64 + 0.5)
    }
}

/// Draws the diagram. Each moment has a rectangle over all lanes with a name of its own, so that
/// a page finds it.
pub(super) fn svg(lanes: &Lanes) -> String {
    let places = Places::of(lanes);
    let height = TOP + MOMENT * places.moments as f64 + 20.0;
    let mut out = open(places.width, height, &lanes.title);
    out.push_str(&format!(
        "<text class=\"t\" x=\"12\" y=\"20\">{}</text>\n",
        escape(&lanes.title)
    ));
    for (number, moment) in lanes.moments.iter().take(places.moments).enumerate() {
        let y = places.y(number);
        out.push_str(&format!(
            "<text x=\"12\" y=\"{:.1}\">{}</text>\
             <line class=\"g\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n",
            y + 4.0,
            escape(&cut(moment, (places.left - 30.0) / LETTER)),
            places.left,
            places.width - 20.0,
        ));
    }
    together(&mut out, lanes, &places);
    for (lane, &place) in lanes.lanes.iter().zip(&places.lanes) {
        draw_lane(&mut out, lane, place, places.moments);
    }
    messages(&mut out, lanes, &places);
    if let Some(back_to) = lanes.back_to.filter(|&at| at < places.moments) {
        let (from, to) = (
            places.y(places.moments.saturating_sub(1)),
            places.y(back_to),
        );
        let left = places.left;
        out.push_str(&format!(
            "<path class=\"y\" d=\"M{left:.1},{from:.1}H{:.1}V{to:.1}H{left:.1}\">\
             <title>and so on for ever</title></path>\n",
            left - 12.0
        ));
    }
    for number in 0..places.moments {
        out.push_str(&format!(
            "<rect id=\"moment-{number}\" class=\"hit\" x=\"4\" y=\"{:.1}\" width=\"{:.1}\" \
             height=\"{MOMENT}\" rx=\"4\" fill=\"none\" pointer-events=\"all\"/>\n",
            TOP + MOMENT * number as f64,
            places.width - 8.0,
        ));
    }
    out.push_str("</svg>\n");
    out
}

/// A line between those who act at the same moment.
fn together(out: &mut String, lanes: &Lanes, places: &Places) {
    for moment in 0..places.moments {
        let acts = |lane: &&(&Lane, &(f64, f64))| lane.0.acts.contains(&moment);
        let all = || lanes.lanes.iter().zip(&places.lanes);
        let first = all().find(|lane| acts(&lane));
        let last = all().rfind(|lane| acts(&lane));
        if let (Some((_, first)), Some((_, last))) = (first, last)
            && first.0 < last.0
        {
            out.push_str(&format!(
                "<line class=\"y\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\"/>\n",
                first.0,
                last.0,
                places.y(moment)
            ));
        }
    }
}

fn messages(out: &mut String, lanes: &Lanes, places: &Places) {
    for message in &lanes.messages {
        let ((from, sent), (to, received)) = (message.from, message.to);
        if from.max(to) >= lanes.lanes.len() || sent.max(received) >= places.moments {
            continue;
        }
        let (x1, x2) = (places.lanes[from].0, places.lanes[to].0);
        let (y1, y2) = (places.y(sent), places.y(received));
        // Somebody looks at somebody else: along the foot of the row, from the one who looks.
        if sent == received && message.label.is_empty() {
            let y = y1 + MOMENT / 2.0 - 2.0;
            let edge = |lane: usize, towards: f64| {
                let (middle, half) = places.lanes[lane];
                middle + (towards - middle).signum() * (half - 8.0)
            };
            out.push_str(&format!(
                "<g class=\"s\"><title>{} looks at {}</title>\
                 <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <circle cx=\"{3:.1}\" cy=\"{y:.1}\" r=\"3\"/></g>\n",
                escape(&lanes.lanes[to].name),
                escape(&lanes.lanes[from].name),
                edge(to, x1),
                edge(from, x2),
            ));
            continue;
        }
        let colour = COLOURS[from % COLOURS.len()];
        out.push_str(&format!(
            "<g><line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <circle cx=\"{x2:.1}\" cy=\"{y2:.1}\" r=\"3.5\" fill=\"{colour}\"/>\
             <text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>\n",
            // Nearer to the sender: messages that cross do not have their words in one place.
            x1 + (x2 - x1) * 0.3,
            y1 + (y2 - y1) * 0.3 - 4.0,
            escape(&cut(&message.label, 16.0))
        ));
    }
}

fn draw_lane(out: &mut String, lane: &Lane, (x, half): (f64, f64), moments: usize) {
    let (left, width) = (x - half + 5.0, 2.0 * half - 10.0);
    let room = (width - 6.0) / LETTER;
    // A name that is too long is written on two lines if it has two parts.
    let (above, name) = match lane.name.rsplit_once(':') {
        Some((before, name)) if lane.name.chars().count() as f64 > room + 1.0 => {
            (before.trim_end_matches(':'), name)
        }
        _ => ("", lane.name.as_str()),
    };
    let line = |text: &str, up: f64| {
        let text = escape(&cut(text, room + 1.0));
        let y = TOP - up;
        format!("<text class=\"t\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")
    };
    let upper = match above.is_empty() {
        true => String::new(),
        false => line(above, 24.0),
    };
    out.push_str(&format!(
        "<g><title>{}</title>{upper}{}</g>\n",
        escape(&lane.name),
        line(name, 10.0)
    ));
    let states: Vec<&String> = lane.states.iter().take(moments).collect();
    if states.is_empty() {
        let foot = TOP + MOMENT * moments as f64;
        out.push_str(&format!(
            "<line class=\"a\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{foot:.1}\"/>\n"
        ));
    }
    let mut from = 0;
    for at in 1..=states.len() {
        if at < states.len() && states[at] == states[from] {
            continue;
        }
        let top = TOP + MOMENT * from as f64 + 2.0;
        let height = MOMENT * (at - from) as f64 - 4.0;
        out.push_str(&format!(
            "<g><rect class=\"k\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"4\"/><text text-anchor=\"middle\" x=\"{x:.1}\" \
             y=\"{:.1}\">{}</text><title>{}</title></g>\n",
            top + 17.0,
            escape(&cut(states[from], room)),
            escape(states[from])
        ));
        from = at;
    }
    for &act in lane.acts.iter().filter(|&&act| act < moments) {
        let y = TOP + MOMENT * act as f64 + 2.0;
        match states.is_empty() {
            true => out.push_str(&format!(
                "<circle class=\"o\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"5\"/>\n",
                y + MOMENT / 2.0 - 2.0
            )),
            false => out.push_str(&format!(
                "<rect class=\"y\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
                 height=\"{:.1}\" rx=\"4\"/>\n",
                MOMENT - 4.0
            )),
        }
    }
}

/// The start of a longer text.
fn cut(text: &str, most: f64) -> String {
    let most = most.max(2.0) as usize;
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
