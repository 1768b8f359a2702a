//! What there is to know about a language.

use quotient_language::text::{wrap, wrap_indented};
use quotient_language::{About, Kind, Setting};
use serde_json::{Value, json};

/// All about a language: its verbs, its settings with examples, its formats.
pub fn about_text(about: &About) -> String {
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
    page
}

/// The same for programs.
pub fn about_json(about: &About) -> Value {
    let offers: Vec<&str> = about.offers.iter().map(|verb| verb.name()).collect();
    json!({
        "language": about.id,
        "name": about.name,
        "about": about.line,
        "endings": about.endings,
        "verbs": offers,
        "settings": about.settings.iter().map(setting_json).collect::<Vec<_>>(),
        "guide": about.guide,
    })
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
