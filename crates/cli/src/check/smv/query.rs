//! What would make a formula about a model true?

use quotient_core::{Context, Diagnostic, Source};
use quotient_logic::{Formula, Fragment, Kind as Says};
use quotient_smv::{Compiled, Config, File, NodeId, SpecificationKind};
use quotient_symbolic::{Answer, AskOptions, GeneralAnswer, Query, Refusal, Term};

use super::config;
use super::marked::text_of;
use crate::apart::apart;
use crate::failure::Failure;
use crate::session::Session;

/// A question with a placeholder.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) options: AskOptions,
    /// How many solutions are wanted if all statements are asked for, not only values.
    pub(crate) general: Option<usize>,
}

/// What was found: one of the two kinds of answers.
pub(crate) struct Asked {
    pub(crate) answer: Solutions,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// An answer to a query.
pub(crate) enum Solutions {
    Values(Answer),
    Statements(GeneralAnswer),
}

/// Answers a query about a model.
pub(crate) fn ask(
    source: &Source,
    question: &Question,
    session: &Session,
) -> Result<Asked, Failure> {
    let (source, question, config) = (source.clone(), question.clone(), config(session));
    let context = Context {
        budget: session.budget.clone(),
        story: session.story(Vec::new()),
        ..Context::default()
    };
    apart(&session.budget, move || {
        answer(&source, &question, config, &context)
    })?
}

fn answer(
    source: &Source,
    question: &Question,
    config: Config,
    context: &Context,
) -> Result<Asked, Failure> {
    let mut file = File::read(source).map_err(Failure::Input)?;
    let text = Source::new("query", &question.text);
    let asked = file.formula(&text, Some(SpecificationKind::Ctl));
    let asked = asked.map_err(Failure::Input)?;
    if !Fragment::of(&asked.formula).query {
        let message = "this is a formula, not a query: it has no placeholder";
        return Err(Diagnostic::error("no-placeholder", message)
            .in_source(&text)
            .help("put `?` or `?{a, b}` where something is to be found out")
            .help("`quotient check --property` checks a formula")
            .into());
    }
    let mut compiled = Compiled::new(file.program(), &context.budget)?;
    let formula = compiled.query(file.program(), &asked.formula, &context.budget)?;
    let names = names(&asked.formula, &file, &text, &mut compiled, context)?;
    let refused = |refusal: Refusal| match refusal {
        Refusal::Stopped(stop) => Failure::Stopped(stop),
        other => other.diagnostic(&text).into(),
    };
    let model = compiled.model().clone();
    let mut query = Query::new(model, formula, config, context).map_err(refused)?;
    for (term, name) in names {
        if let Term::Holds(statement) = term {
            query.name_statement(statement, name);
        }
    }
    let answer = match question.general {
        Some(limit) => Solutions::Statements(query.ask_general(limit).map_err(refused)?),
        None => Solutions::Values(query.ask(&question.options).map_err(refused)?),
    };
    Ok(Asked {
        answer,
        warnings: file.warnings().to_vec(),
    })
}

/// What the placeholders are about, as the query says it.
fn names(
    formula: &Formula<NodeId>,
    file: &File,
    text: &Source,
    compiled: &mut Compiled,
    context: &Context,
) -> Result<Vec<(Term, String)>, Failure> {
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
            let term = compiled.term(program, node, &context.budget)?;
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
