//! Machines as people write them: tuples, tables and the busy-beaver notation in many layouts.
//!
//! Everything here takes a line apart and decides nothing: the reader says what the parts mean.

use crate::machine::Side;

/// A part of a line, and where it begins.
pub(crate) type Field<'a> = (usize, &'a str);

/// What is done, as it is written: the symbol, the move and the next state.
pub(crate) type Done<'a> = (char, Option<Side>, &'a str);

/// A symbol: one letter that means nothing else.
pub(crate) fn single(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    (letters.next().is_none() && is_symbol(letter)).then_some(letter)
}

/// Whether a letter can be a symbol.
pub(crate) fn is_symbol(letter: char) -> bool {
    !"()[]<>,#|*+?.".contains(letter) && !letter.is_whitespace()
}

/// A move, in short or in full.
pub(crate) fn shift_of(text: &str) -> Option<Option<Side>> {
    match text {
        "L" | "l" | "<" | "left" | "Left" | "LEFT" => Some(Some(Side::Left)),
        "R" | "r" | ">" | "right" | "Right" | "RIGHT" => Some(Some(Side::Right)),
        "N" | "S" | "n" | "s" | "-" | "stay" | "Stay" | "STAY" | "none" => Some(None),
        _ => None,
    }
}

/// The operation of a quadruple: it moves, or it writes.
pub(crate) fn operation_of(text: &str, read: char) -> Option<(char, Option<Side>)> {
    match text {
        "L" => Some((read, Some(Side::Left))),
        "R" => Some((read, Some(Side::Right))),
        _ => {
            let written = text.strip_prefix('W')?.trim();
            let written = written.strip_prefix('(')?.strip_suffix(')')?;
            Some((single(written.trim())?, None))
        }
    }
}

/// Whether a cell of a table says that nothing is done.
pub(crate) fn is_nothing(cell: &str) -> bool {
    cell.chars().all(|letter| "-.–—".contains(letter))
}

/// Whether three letters are a cell of the busy-beaver notation.
fn is_cell(cell: &str) -> bool {
    match cell.as_bytes() {
        [write, side, to] => {
            matches!(cell, "---" | "...")
                || write.is_ascii_digit() && b"LRlr".contains(side) && to.is_ascii_alphanumeric()
        }
        _ => false,
    }
}

/// A machine, or a row of one, in the busy-beaver notation: `1RB1LB_1LA1RZ`, also with blanks,
/// `;`, `|` or `/` between the rows, in small letters, with numbers for states, or at the end of
/// an address.
pub(crate) fn notation(line: &str) -> Option<Vec<Vec<Field<'_>>>> {
    let begin = match line.contains("://") {
        true => line.rfind('/')? + 1,
        false => 0,
    };
    let text = &line[begin..];
    if !text.is_ascii() {
        return None;
    }
    let words = || text.split_whitespace();
    let between: fn(char) -> bool = match text {
        _ if text.contains(['_', ';', '|', '/']) => |letter| "_;|/".contains(letter),
        _ if words().count() > 1 && words().all(|word| word.len() == 3) => |letter| letter == '\n',
        _ => |letter| letter.is_whitespace() || letter == ',',
    };
    let mut rows = Vec::new();
    for row in text.split(between).filter(|row| !row.trim().is_empty()) {
        let row_at = begin + (row.as_ptr() as usize - text.as_ptr() as usize);
        let mut cells = Vec::new();
        let letters = row.bytes().enumerate();
        let letters =
            letters.filter(|(_, letter)| !letter.is_ascii_whitespace() && *letter != b',');
        let places: Vec<usize> = letters.map(|(at, _)| at).collect();
        for three in places.chunks(3) {
            let cell = row.get(three[0]..three.last()? + 1)?;
            if !is_cell(cell) {
                return None;
            }
            cells.push((row_at + three[0], cell));
        }
        rows.push(cells);
    }
    let width = rows.first()?.len();
    (width > 1 && rows.iter().all(|row| row.len() == width)).then_some(rows)
}

/// The fields of a line, whatever stands between them: `(A,0) -> (B,1,R)`, `A 0 1 R B`,
/// `δ(q0, 1) = (q1, 0, L)`.
pub(crate) fn fields(line: &str) -> Vec<Field<'_>> {
    let mut found: Vec<Field<'_>> = Vec::new();
    let mut at = 0;
    while let Some(letter) = line[at..].chars().next() {
        let rest = &line[at..];
        let arrow = ["->", "=>", "|->", "→", "⇒", "↦", "⟶"];
        if let Some(arrow) = arrow.into_iter().find(|arrow| rest.starts_with(arrow)) {
            at += arrow.len();
        } else if is_between(letter) {
            at += letter.len_utf8();
        } else if let Some(end) = written(rest) {
            found.push((at, &rest[..end]));
            at += end;
        } else if "<>".contains(letter) {
            found.push((at, &rest[..1]));
            at += 1;
        } else {
            let ends = |(place, letter): (usize, char)| {
                let arrow = arrow.into_iter().any(|one| rest[place..].starts_with(one));
                (arrow || is_between(letter) || "<>".contains(letter)).then_some(place)
            };
            let end = rest.char_indices().find_map(ends).unwrap_or(rest.len());
            let after = rest[end..].trim_start();
            let is_name = rest[..end].chars().all(char::is_alphabetic);
            let is_called = is_name && rest[end..].starts_with('(');
            let is_defined = found.is_empty() && after.starts_with('=') && !after.starts_with("=>");
            if !is_called && !is_defined {
                found.push((at, &rest[..end]));
            }
            at += end;
        }
    }
    found
}

fn is_between(letter: char) -> bool {
    letter.is_whitespace() || ",;:=(){}[]|".contains(letter)
}

/// How long `W(a)` is, if that is what a text begins with.
fn written(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("W(")?;
    let end = inner.find(')')?;
    single(inner[..end].trim())?;
    Some(2 + end + 1)
}

/// The orders in which three fields say what is done.
pub(crate) const ORDERS: usize = 3;

/// What is written, the move, the next state.
pub(crate) const WRITE_MOVE_STATE: usize = 0;

/// The next state, what is written, the move: as textbooks have it.
pub(crate) const STATE_WRITE_MOVE: usize = 1;

/// What is written, the next state, the move.
pub(crate) const WRITE_STATE_MOVE: usize = 2;

/// What is done in each of the orders in which it can be read.
pub(crate) type Ways<'a> = [Option<Done<'a>>; ORDERS];

/// What is done, of three fields, in each order that fits: none if none does. `(B,S,R)` fits
/// several, since `S` may be a symbol, or stand for no move.
pub(crate) fn done([first, second, third]: [&str; ORDERS]) -> Option<Ways<'_>> {
    let way = |write: &str, shift: &str, to| Some((single(write)?, shift_of(shift)?, to));
    let ways = [
        way(first, second, third),
        way(second, third, first),
        way(first, third, second),
    ];
    ways.iter().any(Option::is_some).then_some(ways)
}

/// A cell of a table: `1RB`, `B1R`, `1,R,B` or `(B, 1, R)`; and whether it is one of the first two,
/// without anything between its parts.
pub(crate) fn cell(text: &str) -> Option<(Ways<'_>, bool)> {
    let parts: Vec<&str> = fields(text).into_iter().map(|(_, part)| part).collect();
    match parts[..] {
        [first, second, third] => Some((done([first, second, third])?, false)),
        [compact] => Some((compact_cell(compact)?, true)),
        _ => None,
    }
}

/// `1RB` or `B1R`.
fn compact_cell(compact: &str) -> Option<Ways<'_>> {
    let mut letters = compact.char_indices();
    let (_, write) = letters.next()?;
    let (side_at, side) = letters.next()?;
    let to_at = side_at + side.len_utf8();
    let to = &compact[to_at..];
    let first = shift_of(&compact[side_at..to_at]).filter(|_| !to.is_empty());
    let first = first.map(|shift| (write, shift, to));
    let mut letters = compact.char_indices().rev();
    let (last, _) = letters.next()?;
    let (before, write) = letters.next()?;
    let second = shift_of(&compact[last..]).filter(|_| before > 0);
    let second = second.map(|shift| (write, shift, &compact[..before]));
    (first.is_some() || second.is_some()).then_some([first, second, None])
}

/// The cells of a row of a table: between bars if there are some, else between blanks.
pub(crate) fn cells(line: &str) -> Vec<Field<'_>> {
    let inner = line.trim();
    let place = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    match inner.contains('|') {
        true => {
            let inner = inner.strip_prefix('|').unwrap_or(inner);
            let inner = inner.strip_suffix('|').unwrap_or(inner);
            let parts = inner.split('|').map(str::trim);
            parts.map(|part| (place(part), part)).collect()
        }
        false => {
            let parts = inner.split_whitespace();
            parts.map(|part| (place(part), part)).collect()
        }
    }
}

/// Whether a line only draws: `|---|---|`.
pub(crate) fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|letter| "|-:+= ".contains(letter))
}

/// How many cells a line has that may be drawn, or the row of a state that does nothing:
/// `------`.
pub(crate) fn empty_cells(line: &str) -> Option<usize> {
    let only = line.chars().all(|letter| "-. ".contains(letter));
    match &notation(line).filter(|_| only)?[..] {
        [row] => Some(row.len()),
        _ => None,
    }
}

/// Whether actions stand in a line as textbooks have them: `(A,0) -> (B,1,R)`.
pub(crate) fn has_arrow(line: &str) -> bool {
    let arrow = ["->", "=>", "→", "⇒", "↦", "⟶", "="];
    arrow.into_iter().any(|arrow| line.contains(arrow))
}

/// The symbols at the head of a table: `0 1`, `state 0 1`, `| | 0 | 1 |`.
pub(crate) fn head(line: &str) -> Option<Vec<char>> {
    let parts = cells(line);
    let mut parts = parts.iter().map(|(_, part)| *part).peekable();
    let is_corner = |part: &&str| part.is_empty() || part.chars().count() > 1;
    parts.next_if(is_corner);
    let symbols: Option<Vec<char>> = parts.map(single).collect();
    let mut symbols = symbols?;
    let found = symbols.len();
    symbols.dedup();
    (found > 1 && symbols.len() == found).then_some(symbols)
}
