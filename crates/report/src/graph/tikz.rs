//! A picture for LaTeX.

use std::collections::BTreeMap;
use std::fmt::Write;

use quotient_language::{Graph, Shape};

use super::chains::Kind;

/// Points of our drawings in a centimetre of a printed one.
const SCALE: f64 = 42.0;

/// Writes a picture as a `tikzpicture` for a LaTeX document with the package `tikz` and its
/// library `automata`. Nodes stand where the SVG has them; edges are arcs.
///
/// ```
/// use quotient_language::{Graph, Node};
/// use quotient_report::tikz;
/// let mut picture = Graph::new("a lamp");
/// let off = picture.node(Node::round("off_1").initial());
/// picture.edge(off, off, "push");
/// assert!(tikz(&picture).contains("\\node[state, initial] (n0)"));
/// assert!(tikz(&picture).contains("{off\\_1}"));
/// ```
pub fn tikz(picture: &Graph) -> String {
    let (shown, placed, left_out) = super::lay_out(picture, super::MOST_NODES, false);
    let mut text = String::from(
        "% \\usepackage{tikz} \\usetikzlibrary{automata}\n\
         \\begin{tikzpicture}[->, auto, initial text=, every state/.style={minimum size=0pt, inner sep=3pt}]\n",
    );
    // Writing to a string cannot fail.
    for (slot, described) in placed.chains.slots.iter().enumerate() {
        let Kind::Node(number) = described.kind else {
            continue;
        };
        let node = &shown.nodes[number];
        let mut style = match node.shape {
            Shape::Round => "state".to_owned(),
            Shape::Box => "draw, rectangle".to_owned(),
        };
        for (is, word) in [
            (node.initial && node.shape == Shape::Round, ", initial"),
            (node.accepting, ", accepting"),
            (node.marked, ", draw=red"),
        ] {
            if is {
                style.push_str(word);
            }
        }
        let _ = writeln!(
            text,
            "  \\node[{style}] (n{number}) at ({:.2}, {:.2}) {{{}}};",
            placed.at(slot).0 / SCALE,
            -placed.at(slot).1 / SCALE,
            escape(&node.label)
        );
    }
    // Edges with the same ends are one, with their labels below each other; dashed ones apart.
    let mut bundles: BTreeMap<(usize, usize, bool), Vec<&str>> = BTreeMap::new();
    for edge in &shown.edges {
        let ends = (edge.source, edge.target, edge.faint);
        bundles.entry(ends).or_default().push(&edge.label);
    }
    for (&(source, target, faint), labels) in &bundles {
        let has = |source, target, faint| bundles.contains_key(&(source, target, faint));
        let back = has(target, source, false) || has(target, source, true);
        let mut style = match source == target {
            true if faint => "loop below".to_owned(),
            true => "loop above".to_owned(),
            false if faint && has(source, target, false) => "bend left=35".to_owned(),
            false if back => "bend left=15".to_owned(),
            false => String::new(),
        };
        if faint {
            style.push_str(if style.is_empty() {
                "dashed"
            } else {
                ", dashed"
            });
        }
        if picture.undirected {
            style.push_str(if style.is_empty() { "-" } else { ", -" });
        }
        let labels: Vec<String> = labels.iter().map(|label| escape(label)).collect();
        let _ = writeln!(
            text,
            "  \\path (n{source}) edge[{style}] node[align=center, font=\\scriptsize] {{{}}} (n{target});",
            labels.join(" \\\\ ")
        );
    }
    if left_out > 0 {
        let _ = writeln!(text, "  % {left_out} more states are not drawn");
    }
    text.push_str("\\end{tikzpicture}\n");
    text
}

/// Text for LaTeX.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.trim_end().chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '_' | '#' | '$' | '%' | '&' => {
                out.push('\\');
                out.push(letter);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '\n' => out.push_str(" \\\\ "),
            '→' => out.push_str("$\\to$"),
            '∧' => out.push_str("$\\wedge$"),
            '¬' => out.push_str("$\\neg$"),
            '≤' => out.push_str("$\\le$"),
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::Node;

    #[test]
    fn names_cannot_break_the_document() {
        let mut picture = Graph::new("odd");
        let one = picture.node(Node::round("}\\input{x}%"));
        let other = picture.node(Node::boxed("a & b").accepting().marked());
        picture.edge(one, other, "50%");
        picture.edge(other, one, "$x$");
        picture.edge(one, other, "more");
        let text = tikz(&picture);
        assert!(text.contains("\\}\\textbackslash{}input\\{x\\}\\%"));
        assert!(text.contains("{50\\% \\\\ more}"));
        assert_eq!(text.matches("bend left").count(), 2);
    }
}
