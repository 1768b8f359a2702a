//! The same operations on files of trees.

use std::time::Instant;

use quotient_core::{Budget, Diagnostic, Source, Trouble, Verdict};
use quotient_language::{Json, Written};
use quotient_trees::timbuk::{self, TimbukFile, write_automaton};
use quotient_trees::{OPERATIONS, Outcome, Tree, TreeAutomaton};

use super::command::Chosen;
use crate::failure::Failure;
use crate::files;
use crate::reply::Reply;
use crate::session::Session;

/// A file with the part of it that was named.
struct Named<'a> {
    file: TimbukFile,
    path: &'a str,
    part: Option<&'a str>,
}

impl Chosen {
    /// The operation on trees, if that is what the files hold.
    pub(super) fn on_trees(
        &self,
        sources: &[Source],
        session: &Session,
    ) -> Result<Option<Reply>, Failure> {
        if self.reading.from.is_some() || !sources.iter().any(timbuk::looks_like_trees) {
            return Ok(None);
        }
        let mut all = Vec::new();
        for (source, (path, _)) in sources.iter().zip(&self.files) {
            let (path, part) = files::split(path);
            let file = timbuk::read(source)?;
            all.push(Named { file, path, part });
        }
        let busy = session.busy(self.operation.doing);
        let began = Instant::now();
        let mut reply = match (self.operation.name, &all[..]) {
            ("words", [one]) => self.smallest_trees(one, session)?,
            _ => match self.of_trees(&all, session)? {
                Outcome::Yes => answered(true, None),
                Outcome::No(tree) => answered(false, tree),
                Outcome::Set(set) => {
                    let written = Written {
                        text: write_automaton(&set, "Result"),
                        line: format!("{} states, {} rules", set.states(), set.rules().len()),
                        ..Written::default()
                    };
                    self.output.deliver_timbuk(written)?
                }
            },
        };
        drop(busy);
        reply.time = self.time.then_some(began.elapsed());
        Ok(Some(reply))
    }

    fn of_trees(&self, all: &[Named<'_>], session: &Session) -> Result<Outcome, Failure> {
        let budget = &session.budget;
        let name = self.operation.name;
        match (name, all) {
            ("accepts", [one]) => return self.accepted_trees(one),
            ("apply", [step, set]) => return step.step(set.set()?, false, budget),
            ("preimage", [step, set]) => return step.step(set.set()?, true, budget),
            _ => {}
        }
        let many = matches!(name, "union" | "intersect");
        let fits = |takes: usize| takes == all.len() || (many && all.len() > takes);
        let found = OPERATIONS.iter().find(|one| one.name == name);
        let Some(operation) = found.filter(|one| fits(one.takes)) else {
            let names: Vec<&str> = OPERATIONS.iter().map(|one| one.name).collect();
            let message = format!("`{name}` is for words, and these are trees");
            let help = format!(
                "for trees there are accepts, words, apply, preimage, {}",
                names.join(", ")
            );
            return Err(Trouble::from(Diagnostic::error("usage", message).help(help)).into());
        };
        if let Some((name, _)) = self.settings.first() {
            let message = format!("`--{name}` is for words, and these are trees");
            return Err(Trouble::usage(message).into());
        }
        let sets: Result<Vec<&TreeAutomaton>, Trouble> = all.iter().map(Named::set).collect();
        let sets = sets?;
        let (first, others) = sets.split_at(operation.takes);
        let mut outcome = (operation.run)(first, budget)?;
        // Where any number of sets can be given, each joins what came of those before it.
        for other in others {
            if let Outcome::Set(so_far) = &outcome {
                outcome = (operation.run)(&[so_far, other], budget)?;
            }
        }
        Ok(outcome)
    }

    /// Whether all trees that were given are in a set; if not, the first that is not.
    fn accepted_trees(&self, one: &Named<'_>) -> Result<Outcome, Failure> {
        let set = one.set()?;
        for text in &self.texts {
            let text: String = text.split_whitespace().collect();
            let tree = Tree::read(&text, &one.file.alphabet).ok_or_else(|| {
                let message = format!("`{text}` is no tree over the symbols of the file");
                Diagnostic::error("tree", message).help("write it as `f(a,g(b))`")
            })?;
            if !set.contains(&tree) {
                let told = tree.text(&one.file.alphabet);
                return Ok(Outcome::No((self.texts.len() > 1).then_some(told)));
            }
        }
        Ok(Outcome::Yes)
    }

    /// The trees of a set up to a number of nodes, the smallest first.
    fn smallest_trees(&self, one: &Named<'_>, session: &Session) -> Result<Reply, Failure> {
        let number = |name: &str| {
            let mut settings = self.settings.iter();
            let value = settings.find(|(setting, _)| setting == name);
            value.and_then(|(_, value)| value.parse::<usize>().ok())
        };
        let (size, most) = (number("up-to").unwrap_or(8), number("most").unwrap_or(100));
        let set = one.set()?;
        let mut trees = set.trees_up_to(size, most.saturating_add(1), &session.budget)?;
        let more = trees.len() > most;
        trees.truncate(most);
        let texts: Vec<String> = trees.iter().map(|tree| tree.text(set.alphabet())).collect();
        let note = if more {
            "note: there are more; see --most\n"
        } else {
            ""
        };
        let lines: String = texts.iter().map(|tree| format!("{tree}\n")).collect();
        Ok(Reply {
            product: Some(lines.into()),
            text: note.to_owned(),
            result: serde_json::json!({ "trees": texts, "more": more }),
            ..Reply::default()
        })
    }
}

impl Named<'_> {
    /// The automaton that is meant: the one that is named, or the only one.
    fn set(&self) -> Result<&TreeAutomaton, Trouble> {
        let mut all = self.file.automata.iter();
        let found = match self.part {
            Some(part) => all.find(|one| one.name == part),
            None if self.file.automata.len() == 1 => all.next(),
            None => None,
        };
        found.map(|one| &one.automaton).ok_or_else(|| {
            let names = self.file.automata.iter().map(|one| one.name.as_str());
            let names: Vec<&str> = names.collect();
            let error = match self.part {
                Some(part) => self.missing(&format!("no automaton `{part}`")),
                None => self.missing("not just one automaton"),
            };
            error
                .help(format!("name one, as FILE#NAME: {}", names.join(", ")))
                .into()
        })
    }

    /// What a step makes of a set, or what it makes a set of.
    fn step(
        &self,
        set: &TreeAutomaton,
        backward: bool,
        budget: &Budget,
    ) -> Result<Outcome, Failure> {
        let fits = |name: &str| self.part.is_none_or(|part| part == name);
        let steps = &self.file.transducers;
        if let Some(one) = steps.iter().find(|one| fits(&one.name)) {
            return Ok(Outcome::Set(match backward {
                true => one.transducer.preimage(set, budget)?,
                false => one.transducer.image(set, budget)?,
            }));
        }
        let systems = &self.file.systems;
        if let Some(one) = systems.iter().find(|one| fits(&one.name)) {
            return Ok(Outcome::Set(match backward {
                true => one.system.preimage(set, budget)?,
                false => one.system.image(set, budget)?,
            }));
        }
        let what = "no transducer and no rewriting system";
        Err(self.missing(what).into())
    }

    fn missing(&self, what: &str) -> Diagnostic {
        Diagnostic::error("part", format!("there is {what} in `{}`", self.path))
    }
}

fn answered(yes: bool, tree: Option<String>) -> Reply {
    let (word, verdict) = match yes {
        true => ("yes", Verdict::Holds),
        false => ("no", Verdict::Violated),
    };
    let because = tree
        .as_ref()
        .map_or(String::new(), |tree| format!(": {tree}"));
    Reply {
        verdict: Some(verdict),
        text: format!("{word}{because}\n"),
        result: serde_json::json!({ "answer": yes, "tree": tree.map(Json::from) }),
        ..Reply::default()
    }
}
