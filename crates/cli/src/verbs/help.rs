//! `quotient help [TOPIC]`

use clap::Args;
use quotient_core::Diagnostic;
use quotient_language::text::{wrap, wrap_indented};
use quotient_language::{About, Kind, Setting};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// Explain a verb or a language.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient help check
  quotient help smv            the settings of a language, with examples
  quotient help automata include")]
pub(crate) struct Help {
    /// A verb or a language; without one, all verbs and languages are listed.
    topic: Vec<String>,
}

impl Help {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let mut command = Arguments::whole_command(&session.workbench);
        command.build();
        for (number, word) in self.topic.iter().enumerate() {
            let Some(next) = command.find_subcommand(word).cloned() else {
                return match (number, session.workbench.named(word)) {
                    (0, Ok(language)) => Ok(language_page(language.about())),
                    _ => Err(self.unknown(word, session).into()),
                };
            };
            command = next;
        }
        let page = command.render_long_help().to_string();
        Ok(Reply {
            result: json!({ "page": page }),
            product: Some(page),
            ..Reply::default()
        })
    }

    fn unknown(&self, word: &str, session: &Session) -> Diagnostic {
        let command = Arguments::whole_command(&session.workbench);
        let verbs = command
            .get_subcommands()
            .map(|verb| verb.get_name().to_owned());
        let languages = session.workbench.abouts().map(|about| about.id.to_owned());
        let known: Vec<String> = verbs.chain(languages).collect();
        Diagnostic::error(
            "no-such-topic",
            format!("there is no verb or language `{word}`"),
        )
        .did_you_mean(word, known.iter().map(String::as_str))
        .help("`quotient help` lists them")
    }
}

/// All about a language.
fn language_page(about: &'static About) -> Reply {
    let mut page = format!("{}: {}\n\n", about.name, about.line);
    let endings: Vec<String> = about.endings.iter().map(|one| format!(".{one}")).collect();
    let offers: Vec<&str> = about.offers.iter().map(|verb| verb.name()).collect();
    for (name, text) in [
        ("files", endings.join(" ")),
        ("verbs", offers.join(", ")),
        ("guide", about.guide.to_owned()),
        (
            "start",
            format!("quotient new starter --language {}", about.id),
        ),
    ] {
        page.push_str(&format!("  {name:<8}{}\n", wrap_indented(&text, 70, 10)));
    }
    let mut groups: Vec<&str> = Vec::new();
    for setting in about.settings {
        if !groups.contains(&setting.group) {
            groups.push(setting.group);
        }
    }
    for group in groups {
        page.push_str(&format!("\n{group}:\n"));
        let own = about.settings.iter().filter(|one| one.group == group);
        page.extend(own.map(setting_text));
    }
    if !about.formats.is_empty() {
        page.push_str("\nFormats (`quotient convert --to`):\n");
        for format in about.formats {
            page.push_str(&format!("  {:<10}{}\n", format.name, format.line));
        }
    }
    if !about.examples.is_empty() {
        page.push_str(&format!(
            "\n{} models to start from: `quotient new --language {}` lists them.\n",
            about.examples.len(),
            about.id
        ));
    }
    Reply {
        result: json!({
            "language": about.id,
            "name": about.name,
            "about": about.line,
            "endings": about.endings,
            "verbs": offers,
            "settings": about.settings.iter().map(setting_json).collect::<Vec<_>>(),
            "guide": about.guide,
        }),
        product: Some(page),
        ..Reply::default()
    }
}

fn setting_text(setting: &Setting) -> String {
    let short = setting.short.map(|letter| format!("-{letter}, "));
    let value = match setting.takes_value() {
        true => format!(" {}", setting.value),
        false => String::new(),
    };
    let mut text = format!("  {}--{}{value}\n", short.unwrap_or_default(), setting.name);
    let mut help = setting.help.to_owned();
    if !setting.verbs.is_empty() {
        let verbs: Vec<&str> = setting.verbs.iter().map(|verb| verb.name()).collect();
        help.push_str(&format!(" [{}]", verbs.join(", ")));
    }
    if let Some(default) = setting.default {
        help.push_str(&format!(" [default: {default}]"));
    }
    let wrapped = wrap(&help, 70).replace('\n', "\n          ");
    text.push_str(&format!("          {wrapped}\n"));
    if let Kind::Choice(choices) = setting.kind {
        for (word, about) in choices {
            let line = wrap_indented(&format!("{word}: {about}"), 68, 14);
            text.push_str(&format!("          - {line}\n"));
        }
    }
    if !setting.example.is_empty() {
        text.push_str(&format!("          example: {}\n", setting.example));
    }
    text
}

fn setting_json(setting: &Setting) -> Value {
    let kind = match setting.kind {
        Kind::Flag => "flag",
        Kind::Text => "text",
        Kind::Whole { .. } => "whole",
        Kind::Choice(_) => "choice",
        Kind::Assignment => "assignment",
        Kind::File => "file",
    };
    let mut object = json!({
        "name": setting.name,
        "kind": kind,
        "help": setting.help,
        "group": setting.group,
        "many": setting.many,
        "pinned": setting.pinned,
    });
    if let Kind::Choice(choices) = setting.kind {
        object["choices"] = choices.iter().map(|(word, _)| json!(word)).collect();
    }
    if let Some(default) = setting.default {
        object["default"] = json!(default);
    }
    object
}
