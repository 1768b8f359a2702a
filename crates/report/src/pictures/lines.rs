//! Series of numbers as a plot.

use quotient_language::{Lines, Scale, Series};

use super::{COLOURS, open};
use crate::graph::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
/// With more points than these a line has no dots.
const MOST_DOTS: usize = 100;

/// Draws the plot.
pub(super) fn svg(lines: &Lines) -> String {
    let legend = 18.0 * lines.series.len() as f64;
    let mut out = open(WIDTH, HEIGHT + legend, &lines.title);
    let points = || {
        let all = lines.series.iter().flat_map(|series| &series.points);
        all.map(|&(x, y)| (x, height(lines.scale, y)))
            .filter(|(x, y)| x.is_finite() && y.is_finite())
    };
    let (left, right) = bounds(points().map(|(x, _)| x));
    let (low, high) = bounds(points().map(|(_, y)| y));
    let x = |value: f64| LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    for tick in ticks(low, high) {
        let at = y(tick);
        let value = match lines.scale {
            Scale::Linear => tick,
            Scale::Logarithmic => 10f64.powf(tick),
        };
        out.push_str(&format!(
            "<line class=\"g\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            short(value)
        ));
    }
    for tick in ticks(left, right) {
        out.push_str(&format!(
            "<text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            x(tick),
            HEIGHT - BOTTOM + 16.0,
            short(tick)
        ));
    }
    out.push_str(&format!(
        "<path class=\"a\" d=\"M{LEFT},{TOP}V{:.1}H{:.1}\"/>\n\
         <text class=\"t\" x=\"{LEFT}\" y=\"20\">{}</text>\n\
         <text text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n\
         <text text-anchor=\"end\" x=\"{:.1}\" y=\"20\">{}</text>\n",
        HEIGHT - BOTTOM,
        WIDTH - RIGHT,
        escape(&lines.title),
        WIDTH - RIGHT,
        HEIGHT - 12.0,
        escape(&lines.x),
        WIDTH - RIGHT,
        escape(&lines.y),
    ));
    for (number, series) in lines.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let placed = series.points.iter().map(|&(at, value)| {
            let value = height(lines.scale, value);
            (at.is_finite() && value.is_finite()).then(|| (x(at), y(value)))
        });
        line(&mut out, series, &placed.collect::<Vec<_>>(), colour);
        let at = HEIGHT + 18.0 * number as f64 + 6.0;
        out.push_str(&format!(
            "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"12\" height=\"3\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            at - 5.0,
            LEFT + 20.0,
            at,
            escape(&series.name)
        ));
    }
    out.push_str("</svg>\n");
    out
}

fn line(out: &mut String, series: &Series, placed: &[Option<(f64, f64)>], colour: &str) {
    let mut path = String::new();
    let mut before: Option<(f64, f64)> = None;
    for place in placed {
        match (place, before) {
            (Some((x, y)), None) => path.push_str(&format!("M{x:.1},{y:.1}")),
            (Some((x, y)), Some(_)) if series.steps => path.push_str(&format!("H{x:.1}V{y:.1}")),
            (Some((x, y)), Some(_)) => path.push_str(&format!("L{x:.1},{y:.1}")),
            (None, _) => {}
        }
        before = *place;
    }
    out.push_str(&format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>\n"
    ));
    if series.points.len() > MOST_DOTS || series.steps {
        return;
    }
    for (place, (at, value)) in placed.iter().zip(&series.points) {
        if let Some((x, y)) = place {
            out.push_str(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\">\
                 <title>{}: {}</title></circle>\n",
                short(*at),
                short(*value)
            ));
        }
    }
}

fn height(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Logarithmic => value.log10(),
    }
}

/// The least and the greatest, apart from each other.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    match (low.is_finite() && high.is_finite(), low < high) {
        (false, _) => (0.0, 1.0),
        (true, true) => (low, high),
        (true, false) => (low - 0.5, high + 0.5),
    }
}

/// About five round numbers within bounds.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let first = (low / step).ceil();
    (0..12)
        .map(|number| (first + f64::from(number)) * step)
        .take_while(|tick| *tick <= high + step * 1e-9)
        .collect()
}

/// A number in few characters.
fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size != 0.0 && !(1e-3..1e6).contains(&size) => format!("{value:.1e}"),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}
