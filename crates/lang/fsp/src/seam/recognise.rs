//! Is this a text of the language?

use quotient_language::{Input, Sureness};

use super::about::FSP_ENDINGS;
use super::read::recoded;

/// As much of a text as is looked at.
const BEGINNING: usize = 1 << 16;

/// How sure it is that an input is a text of FSP or one component in the Aldebaran format.
pub(super) fn sureness(input: &Input) -> Sureness {
    let old;
    let text = match input.source() {
        Some(source) => source.text(),
        None => match recoded(input) {
            Some(source) => {
                old = source;
                old.text()
            }
            None => return Sureness::No,
        },
    };
    if is_aldebaran(text) {
        return Sureness::Certain;
    }
    // Comments of other languages; nothing of this one begins so.
    if text.trim_start().starts_with("(*") {
        return Sureness::No;
    }
    if input.has_ending(&["aut"]) {
        return Sureness::ByName;
    }
    of_text(text).with_ending(input.has_ending(FSP_ENDINGS))
}

/// Whether a text begins as one component in the Aldebaran format does.
pub(super) fn is_aldebaran(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("des");
    rest.is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Words that begin lines of other languages.
const FOREIGN: &[&str] = &[
    "module",
    "MODULE",
    "endmodule",
    "dtmc",
    "ctmc",
    "mdp",
    "pta",
    "#include",
    "#define",
    "int",
    "void",
    "proctype",
    "mtype",
    "EXTENDS",
    "VARIABLES",
    "VAR",
    "protocol",
    "Ops",
];

/// What the text says by itself. A process or a composite is what only FSP writes in this way;
/// the definitions around them look like those of other languages.
fn of_text(text: &str) -> Sureness {
    let text = without_comments(text);
    // A line with an action may begin with any word.
    let is_foreign = |line: &str| {
        let first = line.split(char::is_whitespace).next().unwrap_or("");
        FOREIGN.contains(&first) && !line.contains("->")
    };
    if text.lines().any(is_foreign) {
        return Sureness::No;
    }
    let mut best = Sureness::No;
    let mut from = 0;
    while let Some(at) = text[from..].find('=') {
        let at = from + at;
        let (left, right) = (&text[..at], &text[at + 1..]);
        let is_operator =
            right.starts_with(['=', '>', '<']) || left.ends_with(['!', '<', '>', ':', '=']);
        if !is_operator {
            best = best.max(definition(left, right));
        }
        if best == Sureness::Certain {
            break;
        }
        from = at + 1;
    }
    best
}

/// What a name with `=` after it, and what follows, say.
fn definition(left: &str, right: &str) -> Sureness {
    /// As much as is looked at around a name.
    const AROUND: usize = 2000;
    let mut from = left.len().saturating_sub(AROUND);
    while !left.is_char_boundary(from) {
        from += 1;
    }
    let mut to = right.len().min(AROUND);
    while !right.is_char_boundary(to) {
        to -= 1;
    }
    let (left, right) = (without_brackets(&left[from..]), &right[..to]);
    let start = left
        .rfind(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .map_or(0, |at| {
            at + left[at..].chars().next().map_or(1, char::len_utf8)
        });
    let (before, name) = left.split_at(start);
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return Sureness::No;
    }
    let before = before.trim_end();
    let right = right.trim_start();
    if before.ends_with("||") {
        return Sureness::Certain;
    }
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    match word {
        "const" | "range" | "set" | "assert" => return Sureness::Maybe,
        "property" | "progress" | "fluent" | "menu" | "minimal" | "deterministic"
        | "ltl_property" | "constraint" => return Sureness::Certain,
        _ => {}
    }
    // `P = (a -> …`, `P = (when (…) a -> …`, at the beginning or after another definition.
    let follows =
        before.is_empty() || before.ends_with([',', '.', '}', ')']) || begins_line(before);
    let body = right.strip_prefix('(').unwrap_or_default();
    let arrow = body.find("->").is_some_and(|at| !body[..at].contains(';'));
    if follows && arrow {
        return Sureness::Certain;
    }
    let ends = ["STOP", "END", "ERROR"].iter().any(|end| {
        let rest = right.strip_prefix(end).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['.', ',', '+']))
    });
    let other = right.starts_with(|first: char| first.is_ascii_uppercase()) && right.contains("->");
    match follows && (ends || other) {
        true => Sureness::Maybe,
        false => Sureness::No,
    }
}

/// Whether the last character before a name ends a line: constants have no full stop.
fn begins_line(before: &str) -> bool {
    before.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '"' || last == ']')
}

/// A name without the parameters and indices after it.
fn without_brackets(text: &str) -> &str {
    let mut text = text.trim_end();
    while text.ends_with([')', ']']) {
        let mut depth = 0usize;
        let open = text.rfind(|letter: char| {
            match letter {
                ')' | ']' => depth += 1,
                '(' | '[' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        match open {
            Some(at) => text = text[..at].trim_end(),
            None => break,
        }
    }
    text
}

/// The beginning of a text without comments.
fn without_comments(text: &str) -> String {
    let mut end = text.len().min(BEGINNING);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut rest = &text[..end];
    let mut kept = String::with_capacity(end);
    loop {
        let line = rest.find("//");
        let block = rest.find("/*");
        let (at, close) = match (line, block) {
            (None, None) => break,
            (Some(line), Some(block)) if block < line => (block, "*/"),
            (Some(line), _) => (line, "\n"),
            (None, Some(block)) => (block, "*/"),
        };
        kept.push_str(&rest[..at]);
        kept.push(' ');
        let inside = &rest[at + 2..];
        rest = match inside.find(close) {
            Some(end) if close == "\n" => &inside[end..],
            Some(end) => &inside[end + 2..],
            None => "",
        };
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::Source;

    fn sure(name: &str, text: &str) -> Sureness {
        sureness(&Input::text(&Source::new(name, text)))
    }

    #[test]
    fn processes_and_composites_show_the_language() {
        let certain = [
            "P = (a -> P).",
            "const N = 3\nP(I=1) = (when (I > 0) a[I] -> P).",
            "// a comment\n||S = (P || Q).",
            "property SAFE = (a -> b -> SAFE).",
            "P = (\nplace -> int -> P\n|int -> STOP).",
            "BUFF = COUNT[0], COUNT[i:0..3] = (when (i<3) put -> COUNT[i+1]).",
            "des (0, 1, 2)\n(0, a, 1)",
        ];
        for text in certain {
            assert_eq!(sure("x", text), Sureness::Certain, "{text}");
        }
    }

    #[test]
    fn what_others_write_as_well_shows_little() {
        assert_eq!(sure("x", "const N = 3"), Sureness::Maybe);
        assert_eq!(
            sure("x", "(* property *)\nproperty P = (a -> P)."),
            Sureness::No
        );
        assert_eq!(sure("x.lts", "const N = 3"), Sureness::Likely);
        assert_eq!(sure("x", "P = STOP."), Sureness::Maybe);
        assert_eq!(sure("x.lts", ""), Sureness::ByName);
        assert_eq!(sure("x.aut", "nothing"), Sureness::ByName);
    }

    #[test]
    fn other_languages_are_left_alone() {
        let others = [
            "const int N = 3;\nint main() { return N; }",
            "dtmc\nconst int N = 3;\nmodule m\n x : [0..N];\n [] x=0 -> (x'=1);\nendmodule",
            "const double p = 0.5;\nmodule m\nendmodule",
            "MODULE main\nVAR x : boolean;\nASSIGN next(x) := (a -> b);",
            "#include <stdio.h>\nconst N = 3;",
            "protocol P\nstates a b",
            "x = (a -> b);",
            "hello = world",
        ];
        for text in others {
            assert_eq!(sure("x", text), Sureness::No, "{text}");
        }
    }
}
