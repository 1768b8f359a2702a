//! Formulas as people read them.

use quotient_lts::Relation;
use quotient_lts::evidence::ModalData;

/// A formula of Hennessy and Milner's logic, unless it is longer than anybody reads. `<a>` is a
/// step of `a` after which something holds, `[a]` says that it holds after every such step; with
/// double brackets silent steps may come before and after, and `{p}<a>` lets silent steps come
/// before during which `p` holds.
///
/// ```
/// use quotient_compose::{Relation, modal_text};
/// use quotient_lts::evidence::ModalData::{All, Can, Not};
/// let parts = [All(vec![]), Can("b".into(), 0), Not(1), Can("a".into(), 2)];
/// assert_eq!(modal_text(&parts, Relation::Strong).unwrap(), "<a>[b]false");
/// ```
pub fn modal_text(parts: &[ModalData], relation: Relation) -> Option<String> {
    let writer = Text { parts, relation };
    let mut text = String::new();
    writer.write(parts.len().checked_sub(1)?, true, false, &mut text, 0)?;
    Some(text)
}

/// Longer formulas nobody reads.
const MOST_LETTERS: usize = 600;
const MOST_DEEP: usize = 100;

struct Text<'a> {
    parts: &'a [ModalData],
    relation: Relation,
}

impl Text<'_> {
    /// Writes a part, or the opposite of it; in brackets where it stands under something else.
    fn write(
        &self,
        part: usize,
        sign: bool,
        inner: bool,
        text: &mut String,
        depth: usize,
    ) -> Option<()> {
        if text.len() > MOST_LETTERS || depth > MOST_DEEP {
            return None;
        }
        let [open, close] = match (self.relation == Relation::Weak, sign) {
            (true, true) => ["<<", ">>"],
            (true, false) => ["[[", "]]"],
            (false, true) => ["<", ">"],
            (false, false) => ["[", "]"],
        };
        match self.parts.get(part)? {
            ModalData::Not(one) => self.write(*one, !sign, inner, text, depth + 1)?,
            ModalData::All(all) => self.list(all, sign, true, (inner, depth), text)?,
            ModalData::Some(some) => self.list(some, sign, false, (inner, depth), text)?,
            ModalData::Can(action, then) => {
                text.push_str(&format!("{open}{}{close}", self.named(action)));
                self.write(*then, sign, true, text, depth + 1)?;
            }
            ModalData::Until(during, action, then) => {
                if !matches!(self.parts.get(*during)?, ModalData::All(all) if all.is_empty()) {
                    text.push('{');
                    self.write(*during, true, false, text, depth + 1)?;
                    text.push('}');
                }
                text.push_str(&format!("{open}{action}{close}"));
                self.write(*then, sign, true, text, depth + 1)?;
            }
        }
        Some(())
    }

    fn list(
        &self,
        list: &[usize],
        sign: bool,
        all: bool,
        (inner, depth): (bool, usize),
        text: &mut String,
    ) -> Option<()> {
        let between = if sign == all { " && " } else { " || " };
        if list.is_empty() {
            text.push_str(if sign == all { "true" } else { "false" });
            return Some(());
        }
        let brackets = inner && list.len() > 1;
        if brackets {
            text.push('(');
        }
        for (at, &one) in list.iter().enumerate() {
            if at > 0 {
                text.push_str(between);
            }
            self.write(one, sign, list.len() > 1, text, depth + 1)?;
        }
        if brackets {
            text.push(')');
        }
        Some(())
    }

    fn named<'a>(&self, action: &'a str) -> &'a str {
        match self.relation == Relation::Weak && action == "tau" {
            true => "",
            false => action,
        }
    }
}
