//! The model in another format.

use quotient_core::{Diagnostic, Source, Trouble};
use quotient_language::Written;
use quotient_language::text::count;
use serde_json::json;

use super::Opened;
use crate::file::File;

impl Opened {
    /// Writes the model with all modules inlined.
    pub(super) fn write(&self, to: &str, part: Option<&str>) -> Result<Written, Trouble> {
        if to != "smv" {
            let message = format!("an SMV model cannot be written as `{to}`");
            let error = Diagnostic::error("no-such-format", message);
            return Err(error.help("it can be written as smv").into());
        }
        if let Some(part) = part {
            let message = format!("`{part}` cannot be written alone: only the whole model can");
            return Err(Diagnostic::error("no-such-part", message).into());
        }
        let program = self.file.program();
        let text = program.to_text();
        if let Err(mistakes) = File::read(&Source::new("the text written", &text)) {
            let message = "the text written does not read back";
            let error = Diagnostic::error("smv-convert", message)
                .help("this is a bug in quotient: please report it");
            let first = mistakes.first().map(ToString::to_string);
            return Err(error.note(first.unwrap_or_default()).into());
        }
        let mut warnings = Vec::new();
        for special in program.specials() {
            let message = format!("`{}` is written as a comment", special.keyword);
            let warning = Diagnostic::warning("smv-unsupported-specification", message);
            warnings.push(warning.at(&self.source, special.span, ""));
        }
        let variables = program.variables().len();
        let specifications = program.specifications().len();
        let (told, asked) = (
            count(variables, "variable"),
            count(specifications, "specification"),
        );
        Ok(Written {
            line: format!("one module, {told}, {asked}"),
            details: vec![
                ("variables".to_owned(), json!(variables)),
                ("specifications".to_owned(), json!(specifications)),
            ],
            text,
            warnings,
            ..Written::default()
        })
    }
}
