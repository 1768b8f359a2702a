//! Derivations in the published rules, and the small kernel that checks them.
//!
//! A line says that from a context (what is used up) something follows. Contexts and aggregates
//! are collections with amounts: nothing is used twice, and nothing is lost but by `and-elim`.
//!
//! | rule | from | follows |
//! |---|---|---|
//! | `identity` | | `A ⊢ A` |
//! | `reaction` | | `⊢ left -> right`, a reaction of the pathway |
//! | `interact` | `C ⊢ A & B` | `C ⊢ A * B` |
//! | `and-intro` | `C ⊢ A` and `D ⊢ B` | `C & D ⊢ A & B` |
//! | `and-elim` | `C ⊢ A & B` | `C ⊢ A` |
//! | `arrow-intro` | `C & A ⊢ B` | `C ⊢ A -> B` |
//! | `arrow-elim` | `C ⊢ A -> B` and `D ⊢ A` | `C & D ⊢ B` |

use std::collections::BTreeMap;

use quotient_core::{Budget, Rejection};
use serde::{Deserialize, Serialize};

use crate::pathway::{Aggregate, Left, Pathway};

/// Amounts by the names of species.
pub(crate) type Amounts = BTreeMap<String, u64>;

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    Aggregate(Amounts),
    /// Molecules that interact, in this order.
    Interaction(Vec<String>),
    Conditional(Box<Said>, Amounts),
}

/// The rule that a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum By {
    Identity,
    Reaction,
    Interact,
    AndIntro,
    AndElim,
    ArrowIntro,
    ArrowElim,
}

/// A line of a derivation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) by: By,
    /// Earlier lines, by number from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) from: Vec<usize>,
    /// The reaction, where one is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reaction: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) context: Amounts,
    pub(crate) said: Said,
}

/// A derivation; its last line is what it shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Derivation {
    pub(crate) lines: Vec<Line>,
}

/// Both together.
fn together(left: &Amounts, right: &Amounts) -> Option<Amounts> {
    let mut all = left.clone();
    for (name, number) in right {
        let entry = all.entry(name.clone()).or_default();
        *entry = entry.checked_add(*number)?;
    }
    Some(all)
}

/// What reacts, as a line says it.
fn left_of(pathway: &Pathway, left: &Left) -> Said {
    match left {
        Left::Interaction(parts) => Said::Interaction(parts.clone()),
        Left::Gathered(all) => Said::Aggregate(amounts(pathway, all)),
    }
}

fn amounts(pathway: &Pathway, all: &[usize]) -> Amounts {
    let mut amounts = Amounts::new();
    for &species in all {
        *amounts.entry(pathway.species[species].name()).or_default() += 1;
    }
    amounts
}

/// Checks every line; says what the last one shows: from what, and what.
pub(crate) fn check(
    pathway: &Pathway,
    derivation: &Derivation,
    budget: &Budget,
) -> Result<(Amounts, Amounts), Rejection> {
    for (number, line) in derivation.lines.iter().enumerate() {
        budget.charge(1)?;
        let positive = |all: &Amounts| all.values().all(|&amount| amount > 0);
        let fine = positive(&line.context) && follows(pathway, &derivation.lines[..number], line);
        if !fine {
            let message = format!("line {} does not follow", number + 1);
            return Err(Rejection::wrong(message));
        }
    }
    match derivation.lines.last() {
        Some(Line {
            context,
            said: Said::Aggregate(all),
            ..
        }) => Ok((context.clone(), all.clone())),
        _ => Err(Rejection::wrong(
            "the derivation does not end in an aggregate",
        )),
    }
}

/// Whether a line follows from earlier ones.
fn follows(pathway: &Pathway, earlier: &[Line], line: &Line) -> bool {
    let from: Option<Vec<&Line>> = line.from.iter().map(|&at| earlier.get(at)).collect();
    let Some(from) = from else { return false };
    if (line.by == By::Reaction) != line.reaction.is_some() {
        return false;
    }
    match (line.by, &from[..]) {
        (By::Identity, []) => line.said == Said::Aggregate(line.context.clone()),
        (By::Reaction, []) => {
            let name = line.reaction.as_deref().unwrap_or_default();
            let reaction = pathway.reactions.iter().find(|one| one.name == name);
            reaction.is_some_and(|reaction| {
                let left = left_of(pathway, &reaction.left);
                let right = amounts(pathway, &reaction.products);
                line.context.is_empty() && line.said == Said::Conditional(Box::new(left), right)
            })
        }
        (By::Interact, [one]) => {
            let (Said::Aggregate(all), Said::Interaction(parts)) = (&one.said, &line.said) else {
                return false;
            };
            line.context == one.context && interacts(pathway, all, parts)
        }
        (By::AndIntro, [left, right]) => {
            let (Said::Aggregate(a), Said::Aggregate(b)) = (&left.said, &right.said) else {
                return false;
            };
            together(a, b).is_some_and(|all| line.said == Said::Aggregate(all))
                && together(&left.context, &right.context).as_ref() == Some(&line.context)
        }
        (By::AndElim, [one]) => {
            let (Said::Aggregate(all), Said::Aggregate(some)) = (&one.said, &line.said) else {
                return false;
            };
            let within = |(name, number): (&String, &u64)| {
                *number > 0 && all.get(name).is_some_and(|have| have >= number)
            };
            line.context == one.context && some.iter().all(within)
        }
        (By::ArrowIntro, [one]) => {
            let (Said::Aggregate(result), Said::Conditional(given, to)) = (&one.said, &line.said)
            else {
                return false;
            };
            let Said::Aggregate(given) = &**given else {
                return false;
            };
            result == to && together(&line.context, given).as_ref() == Some(&one.context)
        }
        (By::ArrowElim, [conditional, given]) => {
            let Said::Conditional(wanted, to) = &conditional.said else {
                return false;
            };
            **wanted == given.said
                && line.said == Said::Aggregate(to.clone())
                && together(&conditional.context, &given.context).as_ref() == Some(&line.context)
        }
        _ => false,
    }
}

/// Whether exactly two elements make up an interaction.
fn interacts(pathway: &Pathway, all: &Amounts, parts: &[String]) -> bool {
    let mut elements: Vec<Vec<String>> = Vec::new();
    for (name, &number) in all {
        for _ in 0..number.min(3) {
            elements.push(name.split('*').map(str::to_owned).collect());
        }
    }
    let [one, other] = &elements[..] else {
        return false;
    };
    let joined = |left: &[String], right: &[String]| {
        let mut all = [left, right].concat();
        if pathway.commutative {
            all.sort();
        }
        all == parts
    };
    joined(one, other) || joined(other, one)
}

/// Writes the derivation of a run: each firing gathers what reacts, lets it interact, applies
/// the reaction and carries the rest along. At the end only what is wanted is kept, if something
/// is.
pub(crate) fn written(
    pathway: &Pathway,
    start: &Aggregate,
    fired: &[usize],
    wanted: Option<&Aggregate>,
) -> Derivation {
    let mut writer = Writer {
        pathway,
        lines: Vec::new(),
    };
    let context = pathway.by_name(start);
    let mut current = writer.identity(context.clone());
    let mut aggregate = start.clone();
    for &rule in fired {
        let Some(next) = pathway.rules[rule].fire(&aggregate) else {
            break;
        };
        current = writer.firing(rule, &aggregate, &next, current, &context);
        aggregate = next;
    }
    if let Some(wanted) = wanted {
        let some = pathway.by_name(wanted);
        if Said::Aggregate(some.clone()) != writer.lines[current].said {
            writer.line(By::AndElim, vec![current], context, Said::Aggregate(some));
        }
    }
    Derivation {
        lines: writer.lines,
    }
}

struct Writer<'a> {
    pathway: &'a Pathway,
    lines: Vec<Line>,
}

impl Writer<'_> {
    fn line(&mut self, by: By, from: Vec<usize>, context: Amounts, said: Said) -> usize {
        self.lines.push(Line {
            by,
            from,
            reaction: None,
            context,
            said,
        });
        self.lines.len() - 1
    }

    fn identity(&mut self, all: Amounts) -> usize {
        self.line(By::Identity, Vec::new(), all.clone(), Said::Aggregate(all))
    }

    fn firing(
        &mut self,
        rule: usize,
        before: &Aggregate,
        after: &Aggregate,
        current: usize,
        context: &Amounts,
    ) -> usize {
        let rule = &self.pathway.rules[rule];
        let reaction = &self.pathway.reactions[rule.reaction];
        let names = |side: &[(usize, u64)]| -> Amounts {
            let named = side
                .iter()
                .map(|&(one, number)| (self.pathway.species[one].name(), number));
            named.collect()
        };
        let (take, give) = (names(&rule.take), names(&rule.give));
        let gathered = self.identity(take.clone());
        let reacting = match &reaction.left {
            Left::Gathered(_) => gathered,
            Left::Interaction(parts) => {
                let said = Said::Interaction(parts.clone());
                self.line(By::Interact, vec![gathered], take.clone(), said)
            }
        };
        let left = left_of(self.pathway, &reaction.left);
        let said = Said::Conditional(Box::new(left), give.clone());
        let known = self.line(By::Reaction, Vec::new(), Amounts::new(), said);
        self.lines[known].reaction = Some(reaction.name.clone());
        let mut made = self.line(
            By::ArrowElim,
            vec![known, reacting],
            take,
            Said::Aggregate(give),
        );
        let mut rest = before.clone();
        for &(species, number) in &rule.take {
            rest[species] -= number;
        }
        let rest = self.pathway.by_name(&rest);
        let (all, result) = (self.pathway.by_name(before), self.pathway.by_name(after));
        if !rest.is_empty() {
            let beside = self.identity(rest);
            let said = Said::Aggregate(result.clone());
            made = self.line(By::AndIntro, vec![made, beside], all.clone(), said);
        }
        let said = Said::Conditional(Box::new(Said::Aggregate(all)), result.clone());
        let step = self.line(By::ArrowIntro, vec![made], Amounts::new(), said);
        let said = Said::Aggregate(result);
        self.line(By::ArrowElim, vec![step, current], context.clone(), said)
    }
}

/// A derivation as text, line by line.
pub(crate) fn shown(derivation: &Derivation) -> String {
    fn aggregate(all: &Amounts) -> String {
        let word = |(name, number): (&String, &u64)| match number {
            1 => name.clone(),
            _ => format!("{number} {name}"),
        };
        all.iter().map(word).collect::<Vec<_>>().join(" & ")
    }
    fn said(one: &Said) -> String {
        match one {
            Said::Aggregate(all) => aggregate(all),
            Said::Interaction(parts) => parts.join(" * "),
            Said::Conditional(from, to) => format!("({} -> {})", said(from), aggregate(to)),
        }
    }
    let mut text = String::new();
    for (number, line) in derivation.lines.iter().enumerate() {
        let by = match line.by {
            By::Identity => "identity",
            By::Reaction => "reaction",
            By::Interact => "*",
            By::AndIntro => "&I",
            By::AndElim => "&E",
            By::ArrowIntro => "->I",
            By::ArrowElim => "->E",
        };
        let from: Vec<String> = line.from.iter().map(|at| (at + 1).to_string()).collect();
        let context = aggregate(&line.context);
        let end = [by, &from.join(", ")].join(" ");
        text.push_str(&format!(
            "{:>3}. {context} ⊢ {}   [{}]\n",
            number + 1,
            said(&line.said),
            end.trim_end()
        ));
    }
    text
}
