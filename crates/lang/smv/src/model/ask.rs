//! What would make a formula about a model true?

use quotient_core::{Context, Diagnostic, Source, Stop, Trouble, nearest};
use quotient_language as seam;
use quotient_language::Shown;
use quotient_logic::{Formula, Fragment, Kind as Says};
use quotient_symbolic::{AskOptions, Config, Initial, Query, Refusal, Term};

use super::marked::text_of;
use super::solutions::Telling;
use super::{Opened, config};
use crate::compile::Compiled;
use crate::file::File;
use crate::program::NodeId;
use crate::syntax::SpecificationKind;

/// Questions by name, each with what it asks.
const READY: [(&str, &str); 4] = [
    ("reachable", "which states are reachable? (EF ?)"),
    (
        "stable",
        "which states are reached and never left? (EF AG ?)",
    ),
    ("invariants", "what always holds? (AG ?, all statements)"),
    (
        "dominators of P",
        "what is passed on every way to a state where P holds?",
    ),
];

/// A question with its wishes, spelled out.
struct Question {
    text: String,
    /// Whether it is one of those by name.
    ready: bool,
    general: bool,
    initial: Initial,
}

impl Opened {
    /// Answers a query.
    pub(super) fn solve(&mut self, query: &seam::Query, cx: &Context) -> Result<Shown, Trouble> {
        let question = self.spelled_out(&query.text)?;
        // The model keeps what the query adds to it: nobody else asks with that.
        let mut file = self.file.clone();
        let text = Source::new("query", &question.text);
        let asked = file.formula(&text, Some(SpecificationKind::Ctl));
        let asked = asked.map_err(|errors| no_query(&query.text, errors))?;
        if !Fragment::of(&asked.formula).query {
            let message = "this is a formula, not a query: it has no placeholder";
            return Err(Diagnostic::error("no-placeholder", message)
                .in_source(&text)
                .help("put `?` or `?{a, b}` where something is to be found out")
                .help("`quotient check --property` checks a formula")
                .into());
        }
        // What it says must have a value everywhere.
        file.add_specification(asked.clone());
        let mut compiled = Compiled::new(file.program(), &cx.budget)?;
        let formula = compiled.query(file.program(), &asked.formula, &cx.budget)?;
        let names = names(&asked.formula, &file, &text, &mut compiled, cx)?;
        let refused = |refusal: Refusal| match refusal {
            Refusal::Stopped(stop) => Trouble::Stopped(stop),
            other => other.diagnostic(&text).into(),
        };
        let engine = |config: Config| -> Result<Query, Refusal> {
            let model = compiled.model().clone();
            let mut engine = Query::new(model, formula.clone(), config, cx)?;
            for (term, name) in &names {
                if let Term::Holds(statement) = term {
                    engine.name_statement(*statement, name);
                }
            }
            Ok(engine)
        };
        let telling = Telling {
            query: &question.text,
            initial: question.initial,
            say_initial: question.ready && !question.general,
            as_formulas: self.settings.flag("formula"),
        };
        if question.general {
            let found = with_room(cx, |config| engine(config)?.ask_general(query.limit));
            let found = found.map_err(refused)?;
            return Ok(telling.statements(&found));
        }
        let options = AskOptions {
            initial: question.initial,
            limit: query.limit,
            refine: self.settings.flag("refine"),
        };
        let found = with_room(cx, |config| engine(config)?.ask(&options));
        let found = found.map_err(refused)?;
        Ok(telling.values(&found))
    }

    /// The query as a formula, with what is asked about it.
    fn spelled_out(&self, query: &str) -> Result<Question, Diagnostic> {
        let over = self.over();
        let hole = match over.is_empty() {
            true => "?".to_owned(),
            false => format!("?{{{}}}", over.join(", ")),
        };
        let query = query.trim();
        let mut general = self.settings.flag("general");
        let ready = match query {
            "reachable" => Some(format!("EF {hole}")),
            "stable" => Some(format!("EF AG {hole}")),
            "invariants" => {
                general |= !self.settings.is_given("initial") && !self.settings.flag("refine");
                Some(format!("AG {hole}"))
            }
            _ => query
                .strip_prefix("dominators of ")
                .map(|target| format!("!E [!{hole} U (({target}) & !{hole})]")),
        };
        let is_dominators = query.starts_with("dominators of ");
        let initial = match self.settings.text("initial") {
            Some("all") => Initial::All,
            Some("some") => Initial::Some,
            Some("each") => Initial::Each,
            // What lies on every way lies on the ways from all of them.
            _ if ready.is_some() && !is_dominators => Initial::Some,
            _ => Initial::All,
        };
        let question = |text: String, ready: bool| Question {
            text,
            ready,
            general,
            initial,
        };
        match ready {
            Some(formula) => Ok(question(formula, true)),
            None if !over.is_empty() => {
                let message = "--over is for ready-made questions";
                let error = Diagnostic::error("usage", message)
                    .in_source(&Source::new("query", query))
                    .help(format!("write the variables in the query: `{hole}`"));
                Err(error.note(list_of_ready()))
            }
            None => Ok(question(query.to_owned(), false)),
        }
    }

    /// The names given by `--over`.
    pub(super) fn over(&self) -> Vec<String> {
        let given = self.settings.all("over").iter();
        let names = given.flat_map(|names| split_names(names));
        names.collect()
    }
}

/// Asks again with more room as long as the diagrams and not the budget run out of it.
fn with_room<T>(cx: &Context, ask: impl Fn(Config) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let mut config = config(cx);
    loop {
        let grown = config.grown().filter(|_| cx.budget.poll().is_ok());
        match (ask(config), grown) {
            (Err(Refusal::Stopped(Stop::Memory)), Some(larger)) => config = larger,
            (answer, _) => return answer,
        }
    }
}

/// `a, b[0], c.d` as names; a comma inside brackets belongs to a name.
fn split_names(names: &str) -> Vec<String> {
    let names = listed(&format!("{{{names}}}"));
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

fn list_of_ready() -> String {
    let questions = READY.iter().map(|(name, asks)| format!("`{name}`: {asks}"));
    let questions: Vec<String> = questions.collect();
    format!("ready-made questions are {}", questions.join("; "))
}

/// What is no formula may be the name of a question.
fn no_query(query: &str, mut errors: Vec<Diagnostic>) -> Trouble {
    let query = query.trim();
    let is_words = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '_');
    if query.chars().all(is_words)
        && let Some(first) = errors.first_mut()
    {
        first.notes.push(list_of_ready());
        let first_word = query.split(' ').next().unwrap_or_default();
        let words = ["reachable", "stable", "invariants", "dominators"];
        if let Some(near) = nearest(first_word, words) {
            first.help.push(format!("did you mean `{near}`?"));
        }
    }
    Trouble::Invalid(errors)
}

/// What the placeholders are about, as the query says it.
fn names(
    formula: &Formula<NodeId>,
    file: &File,
    text: &Source,
    compiled: &mut Compiled,
    cx: &Context,
) -> Result<Vec<(Term, String)>, Trouble> {
    let program = file.program();
    let mut names = Vec::new();
    for occurrence in formula.occurrences() {
        let Says::Placeholder(hole) = &occurrence.formula.kind else {
            continue;
        };
        // Equal expressions share a node, and its span may be in the model: the text of the
        // placeholder itself tells the names.
        let written = text_of(text, occurrence.formula.span);
        let nodes = hole.over.iter().flatten();
        for (&node, name) in nodes.zip(listed(&written)) {
            let term = compiled.term(program, node, &cx.budget)?;
            names.push((term, as_operand(name)));
        }
    }
    Ok(names)
}

/// A statement as it can stand after `!`.
fn as_operand(statement: String) -> String {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '.');
    match statement.chars().all(part_of_name) {
        true => statement,
        false => format!("({statement})"),
    }
}

/// The expressions in `?{a, b = c, f(x, y)}`.
fn listed(placeholder: &str) -> Vec<String> {
    let inside = placeholder
        .split_once('{')
        .map_or("", |(_, rest)| rest.trim_end().trim_end_matches('}'));
    let mut depth = 0;
    let parts = inside.split(|letter: char| {
        depth += match letter {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        letter == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn the_expressions_of_a_placeholder_are_told_apart() {
        assert_eq!(listed("?{a}"), ["a"]);
        assert_eq!(listed("?{x in {1, 2}, b = c}"), ["x in {1, 2}", "b = c"]);
        assert_eq!(listed("?"), [""]);
    }
}
