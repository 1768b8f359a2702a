//! The same operations on files of trees.

use std::time::Instant;

use quotient_core::{Diagnostic, Source, Trouble, Verdict};
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
        if let Some((name, _)) = self.settings.first() {
            let message = format!("`--{name}` is for words, and these are trees");
            return Err(Trouble::usage(message).into());
        }
        let busy = session.busy(self.operation.doing);
        let began = Instant::now();
        let outcome = self.of_trees(&all, session)?;
        let elapsed = began.elapsed();
        drop(busy);
        let mut reply = match outcome {
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
        };
        reply.time = self.time.then_some(elapsed);
        Ok(Some(reply))
    }

    fn of_trees(&self, all: &[Named<'_>], session: &Session) -> Result<Outcome, Failure> {
        let budget = &session.budget;
        let name = self.operation.name;
        match (name, all) {
            ("accepts", [one]) => {
                let text = self.texts.first().map_or("", String::as_str);
                let text: String = text.split_whitespace().collect();
                let tree = Tree::read(&text, &one.file.alphabet).ok_or_else(|| {
                    let message = format!("`{text}` is no tree over the symbols of the file");
                    Diagnostic::error("tree", message).help("write it as `f(a,g(b))`")
                })?;
                return Ok(match one.set()?.contains(&tree) {
                    true => Outcome::Yes,
                    false => Outcome::No(None),
                });
            }
            ("apply", [step, set]) => {
                let set = set.set()?;
                let (steps, systems) = (&step.file.transducers, &step.file.systems);
                let fits = |name: &str| step.part.is_none_or(|part| part == name);
                if let Some(one) = steps.iter().find(|one| fits(&one.name)) {
                    return Ok(Outcome::Set(one.transducer.image(set, budget)?));
                }
                if let Some(one) = systems.iter().find(|one| fits(&one.name)) {
                    return Ok(Outcome::Set(one.system.image(set, budget)?));
                }
                return Err(step.missing("no transducer and no rewriting system").into());
            }
            _ => {}
        }
        let found = OPERATIONS.iter().find(|one| one.name == name);
        let Some(operation) = found.filter(|one| one.takes == all.len()) else {
            let names: Vec<&str> = OPERATIONS.iter().map(|one| one.name).collect();
            let message = format!("`{name}` is for words, and these are trees");
            let help = format!("for trees there are accepts, apply, {}", names.join(", "));
            return Err(Trouble::from(Diagnostic::error("usage", message).help(help)).into());
        };
        let sets: Result<Vec<&TreeAutomaton>, Trouble> = all.iter().map(Named::set).collect();
        Ok((operation.run)(&sets?, budget)?)
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
