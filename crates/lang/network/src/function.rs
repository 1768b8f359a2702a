//! Functions of a network as they stand in files.
//!
//! Programs write them, not people: thousands of operands, each in one more pair of parentheses. So
//! open parentheses are kept in a list, rows of one operator are taken together however they are
//! nested, and rows become trees that are as shallow as can be.

use quotient_core::Diagnostic;
use quotient_language::text::Parsed;

use crate::network::{Network, Update};
use crate::read::{Walk, constant};
use crate::words::Word::{Name, Number, Sign};

/// Trees may be so deep: what works on them goes down one by one.
const DEEPEST: usize = 1_000;

/// What joins operands, from weak to strong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Or,
    Xor,
    And,
}

/// A part that has been read: a tree with its depth, or a row that may still grow.
enum Part {
    Tree(Update, usize),
    Row(Join, Vec<(Update, usize)>),
}

/// What is open since a parenthesis: rows for each operator, the last one being that of `&`.
#[derive(Default)]
struct Open {
    rows: [Vec<Part>; 3],
    /// Whether the next operand is negated.
    negates: bool,
}

/// Reads a function, up to what cannot belong to it.
pub(crate) fn read(cursor: &mut Walk<'_>, network: &mut Network) -> Parsed<Update> {
    let mut outer: Vec<Open> = Vec::new();
    let mut open = Open::default();
    loop {
        // An operand, with what stands before it.
        match cursor.peek().kind {
            Sign("!" | "~") => {
                cursor.advance();
                open.negates = !open.negates;
                continue;
            }
            Sign("(") => {
                cursor.advance();
                outer.push(std::mem::take(&mut open));
                continue;
            }
            _ => {
                let read = operand(cursor, network)?;
                open.add(Part::Tree(read, 0), cursor)?;
            }
        }
        // What closes, and the operator after it.
        while matches!(cursor.peek().kind, Sign(")")) {
            let Some(before) = outer.pop() else { break };
            cursor.advance();
            let inner = std::mem::replace(&mut open, before).close(Join::Or, cursor)?;
            open.add(inner, cursor)?;
        }
        let join = match cursor.peek().kind {
            Sign("|" | "||") => Join::Or,
            Sign("^") => Join::Xor,
            Sign("&" | "&&") => Join::And,
            _ if outer.is_empty() => {
                let whole = open.close(Join::Or, cursor)?;
                return Ok(whole.tree(cursor)?.0);
            }
            _ => return Err(cursor.unexpected("`)`")),
        };
        cursor.advance();
        if join != Join::And {
            let row = open.close(
                if join == Join::Or {
                    Join::Xor
                } else {
                    Join::And
                },
                cursor,
            )?;
            open.rows[join as usize].push(row);
        }
    }
}

fn operand(cursor: &mut Walk<'_>, network: &mut Network) -> Parsed<Update> {
    match cursor.peek().kind {
        Number => constant(cursor).map(Update::Constant),
        Name => {
            let span = cursor.advance().span;
            let name = cursor.text(span);
            match name.to_ascii_lowercase().as_str() {
                "true" => return Ok(Update::Constant(true)),
                "false" => return Ok(Update::Constant(false)),
                _ => {}
            }
            let found = network.names.iter().position(|other| other == name);
            // A name without a function is an input.
            Ok(Update::Variable(found.unwrap_or_else(|| {
                network.names.push(name.to_owned());
                network.names.len() - 1
            })))
        }
        _ => Err(cursor.unexpected("a function")),
    }
}

impl Open {
    fn add(&mut self, part: Part, cursor: &Walk<'_>) -> Parsed<()> {
        let part = match std::mem::take(&mut self.negates) {
            false => part,
            true => {
                let (tree, depth) = part.tree(cursor)?;
                let (tree, depth) = checked(Update::Not(Box::new(tree)), depth + 1, cursor)?;
                Part::Tree(tree, depth)
            }
        };
        self.rows[Join::And as usize].push(part);
        Ok(())
    }

    /// Ends the rows of this operator and of all that bind stronger; what they come to.
    fn close(&mut self, weakest: Join, cursor: &Walk<'_>) -> Parsed<Part> {
        let mut last: Option<Part> = None;
        for join in [Join::And, Join::Xor, Join::Or] {
            let row = &mut self.rows[join as usize];
            row.extend(last.take());
            last = Some(joined(join, std::mem::take(row), cursor)?);
            if join == weakest {
                break;
            }
        }
        Ok(last.unwrap_or(Part::Tree(Update::Constant(true), 0)))
    }
}

/// The parts as a row; one alone stays what it is.
fn joined(join: Join, mut parts: Vec<Part>, cursor: &Walk<'_>) -> Parsed<Part> {
    if parts.len() == 1
        && let Some(part) = parts.pop()
    {
        return Ok(part);
    }
    // The longest row takes the others in, so that deep nesting costs no more than a long row.
    let same = |part: &Part| matches!(part, Part::Row(own, _) if *own == join);
    let longest = (0..parts.len()).filter(|&at| same(&parts[at]));
    let longest = longest.max_by_key(|&at| match &parts[at] {
        Part::Row(_, row) => row.len(),
        Part::Tree(..) => 0,
    });
    let mut row = match longest.map(|at| parts.swap_remove(at)) {
        Some(Part::Row(_, row)) => row,
        Some(Part::Tree(tree, depth)) => vec![(tree, depth)],
        None => Vec::new(),
    };
    for part in parts {
        match part {
            Part::Row(own, more) if own == join => row.extend(more),
            other => row.push(other.tree(cursor)?),
        }
    }
    Ok(Part::Row(join, row))
}

impl Part {
    /// A tree, shallow if it is one of a row.
    fn tree(self, cursor: &Walk<'_>) -> Parsed<(Update, usize)> {
        let (join, mut row) = match self {
            Part::Tree(tree, depth) => return Ok((tree, depth)),
            Part::Row(join, row) => (join, row),
        };
        while row.len() > 1 {
            let mut shorter = Vec::with_capacity(row.len().div_ceil(2));
            let mut parts = row.into_iter();
            while let Some((one, depth)) = parts.next() {
                let Some((other, deep)) = parts.next() else {
                    shorter.push((one, depth));
                    break;
                };
                let (one, other) = (Box::new(one), Box::new(other));
                let both = match join {
                    Join::Or => Update::Or(one, other),
                    Join::Xor => Update::Xor(one, other),
                    Join::And => Update::And(one, other),
                };
                shorter.push((both, depth.max(deep) + 1));
            }
            row = shorter;
        }
        let (tree, depth) = row.pop().unwrap_or((Update::Constant(true), 0));
        checked(tree, depth, cursor)
    }
}

/// The tree, unless it is too deep.
fn checked(tree: Update, depth: usize, cursor: &Walk<'_>) -> Parsed<(Update, usize)> {
    if depth <= DEEPEST {
        return Ok((tree, depth));
    }
    let message = format!("this nests more than {DEEPEST} levels deep");
    let place = cursor.peek().span;
    Err(Diagnostic::error("too-deep", message).at(cursor.source(), place, ""))
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;

    use crate::network::{Network, read};

    fn network(text: &str) -> Network {
        read(&Source::new("x.bnet", text)).unwrap()
    }

    /// The last of three variables for all values of the others.
    fn table(function: &str) -> Vec<bool> {
        let network = network(&format!("a, a\nb, b\nc, c\nx, {function}\n"));
        (0..8)
            .map(|state| network.updates[3].value(state))
            .collect()
    }

    #[test]
    fn operators_bind_as_they_should() {
        let same = [
            ("a | b & c", "a | (b & c)"),
            ("a ^ b & c | !a", "((a ^ (b & c)) | (!a))"),
            ("!a & b | !(a & b) ^ c", "((!a) & b) | ((!(a & b)) ^ c)"),
            ("!!a", "a"),
            ("!(!(a | !b)) & c", "(a | !b) & c"),
            ("a ^ b ^ c", "a ^ (b ^ c)"),
            ("(((a)))", "a & a"),
            ("a && b || c", "(a & b) | c"),
        ];
        for (one, other) in same {
            assert_eq!(table(one), table(other), "{one}");
        }
        assert_ne!(table("a | b & c"), table("(a | b) & c"));
        assert_ne!(table("!a & b"), table("!(a & b)"));
        assert_ne!(table("a ^ b | c"), table("a ^ (b | c)"));
        for wrong in ["a &", "(a", "a)", "a b", "()", "!", "a | | b", "& a"] {
            let text = format!("a, a\nb, b\nx, {wrong}\n");
            assert!(read(&Source::new("x.bnet", &text)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn thousands_of_parentheses_around_rows_are_read() {
        let deep = |join: &str, count: usize| {
            let mut text = String::from("a, a\nb, b\nx, ");
            for at in 0..count {
                text.push_str(&format!("({} {join} ", ["a", "!b"][at % 2]));
            }
            text.push('b');
            text.push_str(&")".repeat(count));
            text
        };
        for (join, at) in [("|", [true; 4]), ("&", [false; 4])] {
            let network = network(&deep(join, 5_000));
            let values: Vec<bool> = (0..4)
                .map(|state| network.updates[2].value(state))
                .collect();
            assert_eq!(values, at);
        }
        // What changes between operators cannot be taken together.
        let mixed = deep("|", 5_000).replace("(a |", "(a &");
        let refused = read(&Source::new("x.bnet", &mixed)).unwrap_err();
        assert_eq!(refused[0].code, "too-deep");
    }

    #[test]
    fn any_text_is_read_or_refused() {
        let mut random = quotient_language::Random::new(7);
        let signs = ["a", "b", "!", "&", "|", "^", "(", ")", " ", "0", "1", "~"];
        for _ in 0..2_000 {
            let length = random.below(40);
            let text: String = (0..length)
                .map(|_| signs[random.below(signs.len())])
                .collect();
            let _ = read(&Source::new("x.bnet", format!("a, a\nx, {text}\n")));
        }
        let negations = format!("a, a\nx, {}a{}\n", "!(".repeat(5_000), ")".repeat(5_000));
        assert!(read(&Source::new("x.bnet", negations)).is_err());
    }
}
