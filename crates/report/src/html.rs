//! A report as one HTML page that needs nothing else.

use quotient_core::Verdict;

use crate::graph::escape;

/// A page that is put together from top to bottom.
///
/// ```
/// use quotient_core::Verdict;
/// use quotient_report::Page;
/// let page = Page::new("token passing")
///     .verdict("mutual exclusion", &Verdict::Holds)
///     .paragraph("No word with two tokens can be reached.")
///     .finish();
/// assert!(page.starts_with("<!doctype html>"));
/// ```
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// A page with a title.
    pub fn new(title: impl Into<String>) -> Page {
        let title = title.into();
        let body = format!("<h1>{}</h1>\n", escape(&title));
        Page { title, body }
    }

    /// A section begins.
    #[must_use]
    pub fn heading(mut self, text: &str) -> Page {
        self.body.push_str(&format!("<h2>{}</h2>\n", escape(text)));
        self
    }

    /// The verdict on a property.
    #[must_use]
    pub fn verdict(mut self, property: &str, verdict: &Verdict) -> Page {
        let class = match verdict {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown(_) => "unknown",
        };
        self.body.push_str(&format!(
            "<p class=\"verdict {class}\"><strong>{}</strong> {}</p>\n",
            escape(property),
            escape(&verdict.to_string())
        ));
        self
    }

    /// Plain text.
    #[must_use]
    pub fn paragraph(mut self, text: &str) -> Page {
        self.body.push_str(&format!("<p>{}</p>\n", escape(text)));
        self
    }

    /// Lines of text that keep their blanks.
    #[must_use]
    pub fn lines(mut self, text: &str) -> Page {
        self.body
            .push_str(&format!("<pre>{}</pre>\n", escape(text)));
        self
    }

    /// A table; cells are plain text.
    #[must_use]
    pub fn table(self, head: &[&str], rows: &[Vec<String>]) -> Page {
        self.rows(head, rows, |_| false)
    }

    /// A table of a run: cells that begin with a star are new and set off.
    #[must_use]
    pub fn run(self, head: &[&str], rows: &[Vec<String>]) -> Page {
        self.rows(head, rows, |cell| cell.starts_with('*'))
    }

    fn rows(mut self, head: &[&str], rows: &[Vec<String>], is_new: fn(&str) -> bool) -> Page {
        let row = |cells: &mut dyn Iterator<Item = &str>, tag: &str| -> String {
            let cells: String = cells
                .map(|cell| match is_new(cell) {
                    true => format!("<{tag} class=\"new\">{}</{tag}>", escape(&cell[1..])),
                    false => format!("<{tag}>{}</{tag}>", escape(cell)),
                })
                .collect();
            format!("<tr>{cells}</tr>\n")
        };
        self.body.push_str("<table>\n");
        self.body.push_str(&row(&mut head.iter().copied(), "th"));
        for cells in rows {
            self.body
                .push_str(&row(&mut cells.iter().map(String::as_str), "td"));
        }
        self.body.push_str("</table>\n");
        self
    }

    /// A drawing made by this crate, with what it shows; a file that holds the same, if any.
    #[must_use]
    pub fn figure(mut self, caption: &str, svg: &str, file: Option<&str>) -> Page {
        let link = file
            .map(|file| format!(" <a href=\"{0}\">{0}</a>", escape(file)))
            .unwrap_or_default();
        self.body.push_str(&format!(
            "<figure><figcaption>{}{link}</figcaption>\n<div class=\"drawing\">{svg}</div></figure>\n",
            escape(caption)
        ));
        self
    }

    /// The whole document.
    pub fn finish(self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
            escape(&self.title),
            self.body
        )
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#0f172a;background:#fff}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid #cbd5e1}\
.verdict{padding:.5rem .8rem;border-left:.4rem solid #94a3b8;background:#f1f5f9}\
.holds{border-color:#15803d}.violated{border-color:#b91c1c}.unknown{border-color:#d97706}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #e2e8f0;vertical-align:top}\
td{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9rem}\
pre{font:.9rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap}\
.new{font-weight:700;color:#92400e;background:#fef3c7}\
figure{margin:1.5rem 0}figcaption{color:#475569}.drawing{overflow-x:auto;padding:.5rem 0}\
@media(prefers-color-scheme:dark){.new{color:#fde68a;background:#451a03}body{color:#e2e8f0;background:#0f172a}.verdict{background:#1e293b}h2{border-color:#334155}th,td{border-color:#334155}figcaption{color:#94a3b8}a{color:#93c5fd}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_changed_is_set_off() {
        let rows = [vec!["enter".to_owned(), "*critical".to_owned()]];
        let page = Page::new("run").run(&["step", "P1"], &rows).finish();
        assert!(page.contains("<td>enter</td><td class=\"new\">critical</td>"));
    }

    #[test]
    fn names_cannot_break_the_page() {
        let page = Page::new("<script>")
            .heading("a & b")
            .table(&["<th>"], &[vec!["<td>".into()]])
            .figure("<f>", "<svg></svg>", Some("a\"b.tmb"))
            .finish();
        assert!(!page.contains("<script>") && page.contains("&lt;td&gt;"));
        assert!(page.contains("<svg></svg>") && page.contains("a&quot;b.tmb"));
    }
}
