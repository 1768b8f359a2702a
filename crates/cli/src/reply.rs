//! What a verb has to say, and how it is printed.

use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::time::Duration;

use quotient_core::{Diagnostic, Event, Source, Verdict};
use quotient_language::text::count;
use quotient_report::{ForPrograms, Report, Style, painted, snippet};
use quotient_workbench::Checked;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::options::{Colour, Common, OutputFormat};
use crate::terminal;

/// The exit code of wrong usage and wrong input.
pub(crate) const WRONG: u8 = 3;

/// What a verb has to say.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// The answer, if a question was asked; it decides the exit code.
    pub(crate) verdict: Option<Verdict>,
    /// The answer is not accepted, whatever it is: exit code 1.
    pub(crate) denied: bool,
    /// For people; whole lines.
    pub(crate) text: String,
    /// What was asked for, to go to standard output as it is: an automaton, a picture.
    pub(crate) product: Option<Vec<u8>>,
    /// For programs.
    pub(crate) result: Value,
    /// The same where it is what came out of a check, with the files that were written: runs may be
    /// long, so it is written piece by piece.
    pub(crate) checked: Option<(Box<Checked>, Vec<String>)>,
    /// The time of the operation alone, if asked for.
    pub(crate) time: Option<Duration>,
    /// What is odd about the input.
    pub(crate) warnings: Vec<Diagnostic>,
    /// What is wrong with it.
    pub(crate) errors: Vec<Diagnostic>,
    /// What happened on the way, if asked for.
    pub(crate) story: Vec<Event>,
}

/// More mistakes are not told to people: nobody reads them, and to show the places of thousands takes longer
/// than the work did.
const MOST_TOLD: usize = 100;

impl Reply {
    /// Prints the reply as the options ask and gives the exit code.
    pub(crate) fn print(self, verb: &str, common: &Common) -> u8 {
        let exit = match (&self.verdict, self.errors.is_empty()) {
            (_, false) => WRONG,
            (Some(Verdict::Holds), true) if self.denied => Verdict::Violated.exit_code(),
            (Some(verdict), true) => verdict.exit_code(),
            (None, true) => 0,
        };
        let printed = match common.format {
            OutputFormat::Json => self.print_json(verb, exit),
            OutputFormat::Text => self.print_text(common),
        };
        match printed {
            Ok(()) => exit,
            // Whoever read our output has had enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => exit,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "error: cannot write the output: {error}");
                WRONG
            }
        }
    }

    fn print_json(self, verb: &str, exit: u8) -> std::io::Result<()> {
        let report = Report {
            verb: verb.to_owned(),
            exit,
            verdict: self.verdict,
            result: self.result,
            seconds: self.time.map(|time| time.as_secs_f64()),
            diagnostics: [self.errors, self.warnings].concat(),
            story: self.story,
        };
        let mut out = BufWriter::new(std::io::stdout().lock());
        let found = self.checked.as_ref();
        let found = found.map(|(checked, written)| Findings { checked, written });
        match &found {
            Some(found) => serde_json::to_writer(&mut out, &report.with(found))?,
            None => serde_json::to_writer(&mut out, &report.with(&report.result))?,
        }
        writeln!(out)?;
        out.flush()
    }

    fn print_text(self, common: &Common) -> std::io::Result<()> {
        let style = Style {
            colour: colour(common, &std::io::stderr()),
            width: terminal::width(),
        };
        let warnings = if common.quiet {
            &[][..]
        } else {
            &self.warnings
        };
        for (told, what) in [(warnings, "warning"), (&self.errors[..], "error")] {
            for diagnostic in told.iter().take(MOST_TOLD) {
                let snippet = snippet(&harmless(diagnostic), style);
                // That nobody can be told what is odd is no reason to keep the answer back.
                let _ = writeln!(std::io::stderr(), "{snippet}");
            }
            if let Some(more) = told.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
                let more = count(more, what);
                let _ = writeln!(
                    std::io::stderr(),
                    "and {more} like these; --format json has all"
                );
            }
        }
        if let Some(product) = &self.product {
            let mut out = std::io::stdout().lock();
            out.write_all(product)?;
            out.flush()?;
        }
        let unanswered = matches!(self.verdict, Some(Verdict::Unknown(_)));
        let text = terminal::harmless(&self.text);
        if !common.quiet && !text.is_empty() {
            // A product keeps standard output for itself.
            if self.product.is_some() || (unanswered && self.result.is_null()) {
                std::io::stderr().write_all(text.as_bytes())?;
            } else {
                let mut out = std::io::stdout().lock();
                let text = match colour(common, &out) {
                    true => painted(&text),
                    false => text.into_owned(),
                };
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
        }
        if let Some(time) = self.time {
            writeln!(std::io::stderr(), "time: {:.6} s", time.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The answers of a check for programs.
struct Findings<'a> {
    checked: &'a Checked,
    written: &'a [String],
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let checked = self.checked;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("problem", &checked.title)?;
        map.serialize_entry("language", &checked.about.map(|about| about.id))?;
        let answers: Vec<ForPrograms<'_>> = checked.answers.iter().map(ForPrograms).collect();
        map.serialize_entry("properties", &answers)?;
        let doubts: Vec<&Value> = checked.doubts.iter().map(|doubt| &doubt.details).collect();
        map.serialize_entry("doubts", &doubts)?;
        if !self.written.is_empty() {
            map.serialize_entry("files", self.written)?;
        }
        map.end()
    }
}

/// A message whose control characters show as what they are, in the source lines as well.
fn harmless(diagnostic: &Diagnostic) -> Diagnostic {
    let plain = |text: &String| terminal::harmless(text).into_owned();
    let mut shown = diagnostic.clone();
    shown.message = plain(&shown.message);
    shown.notes = shown.notes.iter().map(plain).collect();
    shown.help = shown.help.iter().map(plain).collect();
    for label in &mut shown.labels {
        label.text = plain(&label.text);
    }
    if let Some(source) = &diagnostic.source {
        // Places must stay where they are: every odd byte becomes one other.
        let is_odd =
            |letter: char| letter.is_ascii_control() && !matches!(letter, '\n' | '\t' | '\r');
        let text = source.text();
        if text.contains(is_odd) || source.name().contains(char::is_control) {
            let text = text.replace(is_odd, "?");
            shown.source = Some(Source::new(plain(&source.name().to_owned()), text));
        }
    }
    shown
}

/// Whether to colour what goes to a stream.
pub(crate) fn colour(common: &Common, stream: &impl IsTerminal) -> bool {
    match common.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            stream.is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}
