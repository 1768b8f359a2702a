//! Questions that are no properties: what is missing, how it ends, what is conserved, and what
//! the published function does.

use quotient_core::{Context, Diagnostic, Source, Trouble};
use quotient_language::{Query, Shown, Table};
use serde_json::json;

use crate::cover::{self, is_within};
use crate::explore::explore;
use crate::model::PathwayModel;
use crate::pathway::{Aggregate, Pathway};
use crate::{derivation, published, sums};

/// What can be asked.
const KNOWN: &str = "ask `missing AGGREGATE`, `missing AGGREGATE from NAMES`, `shortest AGGREGATE`, `ends`, `conserved`, `published` or `published SPECIES`";
/// The most aggregates that are looked at.
const MOST: usize = 1_000_000;

pub(crate) fn ask(model: &PathwayModel, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
    let text = query.text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let limit = match query.limit {
        0 => usize::MAX,
        limit => limit,
    };
    match word {
        "missing" => missing(model, rest, limit, cx),
        "shortest" => shortest(model, rest, cx),
        "ends" => ends(model, limit, cx),
        "conserved" => conserved(model, cx),
        "published" => Ok(as_published(model, rest.trim())),
        _ => {
            let message = format!("`{word}` is no question about pathways");
            Err(Diagnostic::error("bad-query", message).help(KNOWN).into())
        }
    }
}

/// An aggregate of species that the pathway knows.
fn aggregate(pathway: &Pathway, text: &str) -> Result<Aggregate, Trouble> {
    let mut all = vec![0; pathway.species.len()];
    for item in text.split('&').map(str::trim) {
        let (number, name) = match item.split_once(char::is_whitespace) {
            Some((number, name)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                (number.parse().unwrap_or(1), name.trim())
            }
            _ => (1, item),
        };
        let plain: String = name
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .collect();
        let species = pathway.named(name).or_else(|| pathway.named(&plain));
        let Some(species) = species else {
            let names: Vec<String> = pathway.species.iter().map(|one| one.name()).collect();
            let source = Source::new("query", text);
            let wrong = Diagnostic::error("unknown-species", format!("there is no `{name}`"))
                .in_source(&source)
                .did_you_mean(name, names.iter().map(String::as_str));
            return Err(wrong.into());
        };
        all[species] += number;
    }
    Ok(all)
}

fn missing(model: &PathwayModel, text: &str, limit: usize, cx: &Context) -> Result<Shown, Trouble> {
    let pathway = &model.pathway;
    let (target, from) = match text.split_once(" from ") {
        Some((target, from)) => (target, Some(from)),
        None => (text, None),
    };
    let wanted = aggregate(pathway, target)?;
    let mut all = cover::missing(pathway, &wanted, &cx.budget)?;
    if let Some(from) = from {
        let words = from.split([',', ' ', '&']).filter(|word| !word.is_empty());
        let mut allowed = vec![0; pathway.species.len()];
        for word in words {
            let one = aggregate(pathway, word)?;
            for (sum, number) in allowed.iter_mut().zip(one) {
                *sum += number;
            }
        }
        all.retain(|one| {
            one.iter()
                .zip(&allowed)
                .all(|(number, fine)| *number == 0 || *fine > 0)
        });
    }
    let words: Vec<String> = all.iter().map(|one| pathway.words(one)).collect();
    let head = match (words.first().map(String::as_str), words.len()) {
        (None, _) => "nothing that may be added makes it possible".to_owned(),
        (Some("nothing"), _) => "nothing is missing".to_owned(),
        (_, 1) => "there is one least addition".to_owned(),
        (_, number) => format!("there are {number} least additions"),
    };
    let mut shown = Shown::titled(format!("{}: {head}", pathway.words(&wanted)));
    for word in words.iter().take(limit).filter(|word| *word != "nothing") {
        shown = shown.line(2, word.clone());
    }
    let named: Vec<_> = all.iter().map(|one| pathway.by_name(one)).collect();
    Ok(shown.result(json!({ "missing": named })))
}

fn shortest(model: &PathwayModel, text: &str, cx: &Context) -> Result<Shown, Trouble> {
    let pathway = &model.pathway;
    let wanted = aggregate(pathway, text)?;
    let start = pathway.least_start();
    let explored = explore(pathway, &start, MOST, &cx.budget)?;
    let found = explored
        .aggregates
        .iter()
        .position(|one| is_within(&wanted, one));
    let Some(found) = found else {
        let head = match explored.is_complete() {
            true => "cannot be made",
            false => "was not found within limits",
        };
        let shown = Shown::titled(format!("{} {head}", pathway.words(&wanted)));
        return Ok(shown.result(json!({ "reactions": null })));
    };
    let run = explored.run(found);
    let names: Vec<&str> = run
        .iter()
        .map(|&rule| {
            pathway.reactions[pathway.rules[rule].reaction]
                .name
                .as_str()
        })
        .collect();
    let head = format!("{}: {} reactions", pathway.words(&wanted), run.len());
    let mut shown = Shown::titled(head);
    for (number, name) in names.iter().enumerate() {
        shown = shown.line(2, format!("{}. {name}", number + 1));
    }
    let derivation = derivation::written(pathway, &start, &run, Some(&wanted));
    shown.blocks.push(quotient_language::Block::Blank);
    let text = derivation::shown(&derivation);
    shown.blocks.push(quotient_language::Block::Verbatim(text));
    Ok(shown.result(json!({ "reactions": names })))
}

fn ends(model: &PathwayModel, limit: usize, cx: &Context) -> Result<Shown, Trouble> {
    let pathway = &model.pathway;
    let start = pathway.only_start();
    let start = start.ok_or_else(|| Trouble::usage("the start is not one aggregate"))?;
    let explored = explore(pathway, &start, MOST, &cx.budget)?;
    let known = match explored.is_complete() {
        true => "",
        false => " so far",
    };
    let number = explored.ends.len();
    let mut shown = Shown::titled(format!("{number} final aggregates{known}"));
    for &end in explored.ends.iter().take(limit) {
        shown = shown.line(2, pathway.words(&explored.aggregates[end]));
    }
    let named = explored
        .ends
        .iter()
        .map(|&at| pathway.by_name(&explored.aggregates[at]));
    let named: Vec<_> = named.collect();
    let complete = explored.is_complete();
    Ok(shown.result(json!({ "ends": named, "complete": complete })))
}

fn conserved(model: &PathwayModel, cx: &Context) -> Result<Shown, Trouble> {
    let pathway = &model.pathway;
    let Some(all) = sums::conserved(pathway, &cx.budget)? else {
        return Ok(Shown::titled("there are too many conserved sums"));
    };
    let mut shown = Shown::titled(format!("{} conserved sums", all.len()));
    let mut named = Vec::new();
    for weights in &all {
        let words = sums::words(pathway, weights);
        let (line, value) = sums::told(pathway, weights);
        shown = shown.line(2, line);
        named.push(json!({ "sum": words, "value": value.map(|value| value as i64) }));
    }
    Ok(shown.result(json!({ "conserved": named })))
}

/// What the published function does, list by list, and whether something is there at the end.
fn as_published(model: &PathwayModel, wanted: &str) -> Shown {
    let Some((list, formulas)) = model.published() else {
        return Shown::titled(
            "the published function needs interactions of two elements and a start with numbers",
        );
    };
    let deduction = published::deduce(&list, &formulas, None, false);
    let words = |list: &[published::Complex]| {
        let words: Vec<String> = list
            .iter()
            .map(|one| format!("[{}]", one.join(" ")))
            .collect();
        words.concat()
    };
    let mut table = Table::new(["firing", "reaction", "aggregate"]);
    for (number, list) in deduction.lists.iter().enumerate() {
        let fired = number
            .checked_sub(1)
            .map(|before| deduction.fired[before].0);
        let name = fired.map(|one| model.pathway.reactions[one].name.clone());
        table.row([number.to_string(), name.unwrap_or_default(), words(list)]);
    }
    let mut shown = Shown::titled("the published function, list by list").table(table);
    if deduction.cut_short {
        shown = shown.line(
            0,
            "it stops although more could react: there are no more firings than reactions",
        );
    }
    if deduction.pairs_itself() {
        shown = shown.line(0, "an element paired with itself, and a neighbour was lost");
    }
    let parts: Vec<String> = wanted
        .split('*')
        .map(|part| part.trim().to_owned())
        .collect();
    let contains = (!wanted.is_empty()).then(|| published::contains(deduction.last(), &parts));
    if let Some(contains) = contains {
        let words = match contains {
            true => format!("{wanted} is there at the end"),
            false => format!("{wanted} is not there at the end"),
        };
        shown = shown.line(0, words);
    }
    shown.result(json!({
        "lists": deduction.lists,
        "contains": contains,
        "cutShort": deduction.cut_short,
        "pairsItself": deduction.pairs_itself(),
    }))
}
