//! A picture for Graphviz.

use std::fmt::Write;

use quotient_language::{Graph, Shape};

/// Writes a picture in the language of Graphviz, for other programs to lay out.
///
/// ```
/// use quotient_language::{Graph, Node};
/// use quotient_report::dot;
/// let mut picture = Graph::new("a lamp");
/// let off = picture.node(Node::round("off").initial());
/// picture.edge(off, off, "push");
/// assert!(dot(&picture).contains("n0 -> n0 [label=\"push\"]"));
/// ```
pub fn dot(picture: &Graph) -> String {
    let mut text = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded];\n",
        quote(&picture.title)
    );
    // Writing to a string cannot fail.
    for (number, node) in picture.nodes.iter().enumerate() {
        let _ = write!(text, "  n{number} [label={}", quote(&node.label));
        if node.shape == Shape::Box {
            text.push_str(", style=solid");
        }
        if node.accepting {
            text.push_str(", peripheries=2");
        }
        if node.marked {
            text.push_str(", color=red");
        }
        text.push_str("];\n");
        if node.initial {
            let _ = writeln!(
                text,
                "  i{number} [shape=point];\n  i{number} -> n{number};"
            );
        }
    }
    for edge in &picture.edges {
        let faint = if edge.faint { ", style=dashed" } else { "" };
        let line = if picture.undirected { ", dir=none" } else { "" };
        let _ = writeln!(
            text,
            "  n{} -> n{} [label={}{faint}{line}];",
            edge.source,
            edge.target,
            quote(&edge.label)
        );
    }
    text.push_str("}\n");
    text
}

fn quote(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::Node;

    #[test]
    fn quotes_and_lines_stay_within_labels() {
        let mut picture = Graph::new("a \"b\" \\");
        let node = picture.node(Node::boxed("x\ny").accepting());
        picture.faint_edge(node, node, "\"");
        let text = dot(&picture);
        assert!(text.starts_with(r#"digraph "a \"b\" \\" {"#), "{text}");
        assert!(
            text.contains(r#"n0 [label="x\ny", style=solid, peripheries=2];"#),
            "{text}"
        );
        assert!(
            text.contains(r#"n0 -> n0 [label="\"", style=dashed];"#),
            "{text}"
        );
    }
}
