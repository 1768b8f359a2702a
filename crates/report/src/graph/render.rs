//! A placed picture as SVG text.

use std::fmt::Write;

use super::chains::{Caption, Kind, LOOP_HEIGHT, node_size};
use super::labels::{FONT_SIZE, LINE_HEIGHT, text_width};
use super::part::Mark;
use super::place::Placed;
use super::ring::{Ring, half};
use super::route::{HEAD, Port, curve, head, ports};
use quotient_language::{Graph, Shape};

/// Colours for light and dark surroundings, within one document.
const STYLE: &str = "\
.q{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}.q .b{fill:#fff}\
.q .n{fill:#f8fafc;stroke:#334155;stroke-width:1.4}.q .i{fill:none;stroke:#334155;stroke-width:1.2}\
.q .m .n{fill:#fee2e2;stroke:#b91c1c}\
.q .e{fill:none;stroke:#64748b;stroke-width:1.3}.q .h{fill:#64748b}\
.q .f .e{stroke-dasharray:4 3}.q .f .e,.q .f .h{opacity:.75}\
.q .folded .n{stroke-width:2.6}.q .more .n{stroke-dasharray:5 3}.q text{fill:#0f172a}.q .l{fill:#1d4ed8}.q .d{fill:#475569}.q .f .l{fill:#64748b}.q .note{fill:#64748b}\
.q g.edge:hover .e{stroke:#d97706;stroke-width:2}.q g.edge:hover .h{fill:#d97706}\
@media(prefers-color-scheme:dark){.q .b{fill:#0f172a}\
.q .n{fill:#1e293b;stroke:#cbd5e1}.q .i{stroke:#cbd5e1}.q .m .n{fill:#450a0a;stroke:#f87171}\
.q .e{stroke:#94a3b8}.q .h{fill:#94a3b8}.q text{fill:#e2e8f0}.q .l{fill:#93c5fd}.q .d{fill:#cbd5e1}.q .f .l,.q .note{fill:#94a3b8}}";

/// Writes the SVG document; `marks` say more about the nodes where somebody can ask for more.
pub(super) fn render(picture: &Graph, placed: &Placed, left_out: usize, marks: &[Mark]) -> String {
    let note = match left_out {
        0 => None,
        1 => Some("… and 1 more state, further from the initial ones".to_owned()),
        more if marks.is_empty() => Some(format!(
            "… and {more} more states, further from the initial ones"
        )),
        more => Some(format!("… and {more} more, behind the dashed ones")),
    };
    let foot = if note.is_some() {
        LINE_HEIGHT + 8.0
    } else {
        0.0
    };
    let width = note
        .as_deref()
        .map_or(0.0, |note| text_width(note) + 24.0)
        .max(placed.size().0);
    let height = placed.size().1 + foot;
    let mut out = opened(&picture.title, (width, height));
    edges(&mut out, picture, placed);
    for (slot, described) in placed.chains.slots.iter().enumerate() {
        if let Kind::Node(node) = described.kind {
            node_shape(&mut out, picture, node, placed.at(slot), marks.get(node));
        }
    }
    if let Some(note) = note {
        let y = height - 10.0;
        put(
            &mut out,
            format_args!(
                "<text class=\"note\" x=\"12\" y=\"{y:.1}\">{}</text>\n",
                escape(&note)
            ),
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The beginning of a document.
fn opened(title: &str, (width, height): (f64, f64)) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"q\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"b\" width=\"100%\" height=\"100%\"/>\n",
        escape(title)
    )
}

/// Writes a graph that goes round in a circle.
pub(super) fn render_ring(picture: &Graph, ring: &Ring, marks: &[Mark]) -> String {
    let mut out = opened(&picture.title, ring.size).replacen("class=\"q\"", "class=\"q ring\"", 1);
    for arc in &ring.arcs {
        let (source, target) = arc.ends;
        let class = if arc.faint { "edge f" } else { "edge" };
        put(
            &mut out,
            format_args!("<g class=\"{class}\" data-edge=\"{source} {target}\">"),
        );
        tooltip(&mut out, &arc.hint);
        let begin = outline_towards(picture, ring, source, arc.bend);
        let end = outline_towards(picture, ring, target, arc.bend);
        let (at, away) = (end.at, end.away);
        let neck = (at.0 + away.0 * (HEAD - 1.0), at.1 + away.1 * (HEAD - 1.0));
        let path = format!(
            "M{:.1},{:.1}Q{:.1},{:.1} {:.1},{:.1}",
            begin.at.0, begin.at.1, arc.bend.0, arc.bend.1, neck.0, neck.1
        );
        arrow(&mut out, &path, Some(end));
        let count = arc.lines.len() as f64;
        for (number, line) in arc.lines.iter().enumerate() {
            let shift = number as f64 - (count - 1.0) / 2.0;
            let (x, y) = arc.label;
            let y = y + shift * LINE_HEIGHT + FONT_SIZE * 0.35;
            let words = escape(line);
            put(
                &mut out,
                format_args!(
                    "<text class=\"l\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>"
                ),
            );
        }
        out.push_str("</g>\n");
    }
    for (node, &at) in ring.nodes.iter().enumerate() {
        node_shape(&mut out, picture, node, at, marks.get(node));
    }
    out.push_str("</svg>\n");
    out
}

/// Where a line from the middle of a node to a point crosses its outline.
fn outline_towards(picture: &Graph, ring: &Ring, node: usize, point: (f64, f64)) -> Port {
    let ((x, y), (wide, high)) = (ring.nodes[node], half(picture, node));
    let (dx, dy) = (point.0 - x, point.1 - y);
    let length = dx.hypot(dy).max(1e-9);
    let share = (wide / dx.abs().max(1e-9)).min(high / dy.abs().max(1e-9));
    Port {
        at: (x + dx * share, y + dy * share),
        away: (dx / length, dy / length),
    }
}

fn edges(out: &mut String, picture: &Graph, placed: &Placed) {
    for (route, &(from, to)) in placed.chains.routes.iter().zip(&ports(picture, placed)) {
        let class = match (route.edges, route.faint) {
            (0, _) => "start",
            (_, false) => "edge",
            (_, true) => "edge f",
        };
        let node = |slot: usize| match placed.chains.slots[slot].kind {
            Kind::Node(node) => Some(node),
            _ => None,
        };
        match (
            node(route.slots[0]),
            node(route.slots[route.slots.len() - 1]),
        ) {
            (Some(source), Some(target)) => put(
                out,
                format_args!("<g class=\"{class}\" data-edge=\"{source} {target}\">"),
            ),
            _ => put(out, format_args!("<g class=\"{class}\">")),
        }
        if let Some((_, caption)) = &route.caption {
            tooltip(out, &caption.hint);
        }
        let mut path = curve(placed, &route.slots, from, to);
        // The curve leaves room for a head; without one the line goes on to the outline.
        let to = to.turned(placed);
        if picture.undirected {
            path.push_str(&format!("L{:.1},{:.1}", to.at.0, to.at.1));
        }
        let to_end = (!picture.undirected).then_some(to);
        arrow(out, &path, to_end);
        if let Some((slot, caption)) = &route.caption {
            let (x, y) = placed.at(*slot);
            match placed.chains.down {
                true => beside(out, caption, x + 6.0, y),
                false => text(out, caption, x, y - 5.0),
            }
        }
        out.push_str("</g>\n");
    }
    for (node, caption) in placed.chains.loops.iter().enumerate() {
        let Some(caption) = caption else { continue };
        let (x, y) = placed.at(node);
        let class = if caption.faint { "edge f" } else { "edge" };
        put(
            out,
            format_args!("<g class=\"{class}\" data-edge=\"{node} {node}\">"),
        );
        tooltip(out, &caption.hint);
        let (half, reach) = node_size(picture, node);
        if placed.chains.down {
            loop_beside(out, picture, node, caption, (x, y));
            continue;
        }
        let inset = match picture.nodes[node].shape {
            Shape::Round if reach < 8.0 => half - (half * half - (8.0 - reach).powi(2)).sqrt(),
            _ => 0.0,
        };
        let top = y - half + inset;
        let away = (0.35, -0.937);
        let neck = (x + 8.0 + away.0 * (HEAD - 1.0), top + away.1 * (HEAD - 1.0));
        let peak = y - half - LOOP_HEIGHT - 6.0;
        let path = format!(
            "M{:.1},{top:.1}C{:.1},{peak:.1} {:.1},{peak:.1} {:.1},{:.1}",
            x - 8.0,
            x - 18.0,
            x + 18.0,
            neck.0,
            neck.1
        );
        arrow(
            out,
            &path,
            Some(Port {
                at: (x + 8.0, top),
                away,
            }),
        );
        text(out, caption, x, y - half - LOOP_HEIGHT - 2.0);
        out.push_str("</g>\n");
    }
}

/// A loop on the right of a node.
fn loop_beside(
    out: &mut String,
    picture: &Graph,
    node: usize,
    caption: &Caption,
    (x, y): (f64, f64),
) {
    let (half, reach) = node_size(picture, node);
    let side = match picture.nodes[node].shape {
        Shape::Round => reach + (half * half - 64.0).max(0.0).sqrt(),
        Shape::Box => reach,
    };
    let edge = x + side;
    let away = (0.937, 0.35);
    let neck = (
        edge + away.0 * (HEAD - 1.0),
        y + 8.0 + away.1 * (HEAD - 1.0),
    );
    let peak = edge + LOOP_HEIGHT + 4.0;
    let path = format!(
        "M{edge:.1},{:.1}C{peak:.1},{:.1} {peak:.1},{:.1} {:.1},{:.1}",
        y - 8.0,
        y - 18.0,
        y + 18.0,
        neck.0,
        neck.1
    );
    let at = (edge, y + 8.0);
    arrow(out, &path, Some(Port { at, away }));
    beside(out, caption, edge + LOOP_HEIGHT, y);
    out.push_str("</g>\n");
}

/// The lines of a label to the right of a point.
fn beside(out: &mut String, caption: &Caption, x: f64, y: f64) {
    let count = caption.lines.len() as f64;
    for (number, line) in caption.lines.iter().enumerate() {
        let y = y + (number as f64 - (count - 1.0) / 2.0) * LINE_HEIGHT + FONT_SIZE * 0.35;
        let class = if line.is_detail { "d" } else { "l" };
        let words = escape(&line.text);
        put(
            out,
            format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>"),
        );
    }
}

/// A line, with a head where it leads to something.
fn arrow(out: &mut String, path: &str, to: Option<Port>) {
    put(out, format_args!("<path class=\"e\" d=\"{path}\"/>"));
    if let Some(to) = to {
        put(out, format_args!("<path class=\"h\" d=\"{}\"/>", head(to)));
    }
}

/// The lines of a label, centred, the last with its foot at `y`.
fn text(out: &mut String, caption: &Caption, x: f64, y: f64) {
    let count = caption.lines.len();
    for (number, line) in caption.lines.iter().enumerate() {
        let y = y - LINE_HEIGHT * (count - 1 - number) as f64;
        put(
            out,
            format_args!(
                "<text class=\"{}\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                if line.is_detail { "d" } else { "l" },
                escape(&line.text)
            ),
        );
    }
}

fn node_shape(
    out: &mut String,
    picture: &Graph,
    number: usize,
    (x, y): (f64, f64),
    mark: Option<&Mark>,
) {
    let node = &picture.nodes[number];
    let (half, reach) = node_size(picture, number);
    let (half_width, corner) = match node.shape {
        Shape::Round => (reach + half, half),
        Shape::Box => (reach, 4.0),
    };
    let mut class = String::from(if node.marked { "node m" } else { "node" });
    let mut more = String::new();
    if let Some(mark) = mark {
        more = format!(" data-at=\"{}\"", mark.at);
        if mark.folded > 0 {
            class.push_str(" folded");
            more.push_str(&format!(" data-fold=\"{}\"", mark.folded));
        }
        if mark.more > 0 {
            class.push_str(" more");
            more.push_str(&format!(" data-more=\"{}\"", mark.more));
        }
    }
    let id = match node.id.is_empty() {
        true => number.to_string(),
        false => escape(&node.id),
    };
    let label = escape(&node.label.replace('\n', " "));
    put(
        out,
        format_args!("<g class=\"{class}\" data-node=\"{id}\" data-label=\"{label}\"{more}>"),
    );
    tooltip(out, &node.hint);
    let mut outline = |class: &str, inset: f64| {
        put(
            out,
            format_args!(
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\"/>",
                x - half_width + inset,
                y - half + inset,
                2.0 * (half_width - inset),
                2.0 * (half - inset),
                (corner - inset).max(1.5)
            ),
        );
    };
    outline("n", 0.0);
    if node.accepting {
        outline("i", 3.2);
    }
    let lines: Vec<&str> = node.label.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let shift = number as f64 - (lines.len() as f64 - 1.0) / 2.0;
        let y = y + shift * LINE_HEIGHT + FONT_SIZE * 0.35;
        put(
            out,
            format_args!(
                "<text text-anchor=\"middle\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                escape(line)
            ),
        );
    }
    out.push_str("</g>\n");
}

fn tooltip(out: &mut String, text: &str) {
    if !text.is_empty() {
        put(out, format_args!("<title>{}</title>", escape(text)));
    }
}

fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(what);
}

/// Text for XML: reserved characters escaped, those that XML does not allow replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}');
            }
            other => out.push(other),
        }
    }
    out
}
