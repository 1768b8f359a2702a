//! What there is to see of a model, as text.

use quotient_language::text::{wrap, wrap_indented};
use quotient_language::{Block, Shown};

use crate::lines::hanging;
use crate::table_text;

/// The widest line.
const WIDTH: usize = 80;
/// Where the second column of facts begins.
const FACTS: usize = 17;

/// Facts and tables for people, in lines of at most 80 characters where words allow.
///
/// ```
/// use quotient_language::Shown;
/// let shown = Shown::titled("lamp.toy: a lamp").fact("states", "2 (1 initial)");
/// let text = quotient_report::shown_text(&shown);
/// assert_eq!(text, "lamp.toy: a lamp\n  states         2 (1 initial)\n");
/// ```
pub fn shown_text(shown: &Shown) -> String {
    shown.blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Head(text) => wrap_indented(text, WIDTH - 4, 4) + "\n",
        Block::Fact(name, text) => {
            let wrapped = wrap(text, WIDTH - FACTS).replace('\n', &format!("\n{:FACTS$}", ""));
            // A long name does not run into what it is the name of.
            let gap = if name.chars().count() < FACTS - 2 {
                ""
            } else {
                "  "
            };
            format!("  {name:<15}{gap}{wrapped}\n")
        }
        Block::Line(indent, text) => {
            let room = WIDTH.saturating_sub(indent + 2).max(20);
            let margin = format!("\n{:indent$}", "");
            let lines = text
                .lines()
                .map(|line| hanging(line, room, 4).replace('\n', &margin));
            let wrapped = lines.collect::<Vec<_>>().join("\n");
            format!("{:indent$}{wrapped}\n", "")
        }
        Block::Verbatim(text) => match text.ends_with('\n') || text.is_empty() {
            true => text.clone(),
            false => format!("{text}\n"),
        },
        Block::Table(table) => {
            let text = table_text(table, WIDTH - 2);
            let lines = text.lines().map(|line| format!("  {line}\n"));
            lines.collect()
        }
        Block::Blank => "\n".to_owned(),
    }
}
