//! A protocol whose processes stand in a tree, opened: what it can be asked.

use std::collections::BTreeMap;

use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Span, Trouble, Verdict,
};
use quotient_forest::{Checked, Direction, Found, METHODS, Options, Step, System, check};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Cell, Choice, Doubt, Inspected, Layout, Model, Property, Settings, Shown,
    Simulation, Status, Step as Told, Table, Trace, Viewed, Written,
};
use quotient_trees::evidence::{INVARIANT_KIND, RUN_KIND, TreeInvariant, TreeRun};
use quotient_trees::timbuk::{
    NamedAutomaton, NamedTransducer, TimbukFile, write_automaton, write_file, write_transducer,
};
use quotient_trees::{Transducer, Tree, TreeAutomaton};
use serde_json::json;

use super::certify_tree;
use super::model::{laid_out, properties};
use crate::Protocol;
use crate::trees::InTrees;

/// How many processes there are if that is not said.
const USUAL_SIZE: usize = 3;
/// The most choices that are listed.
const MOST_CHOICES: usize = 100;

/// A protocol in a tree with the settings it was opened with.
pub(super) struct InTree {
    protocol: Protocol,
    compiled: InTrees,
    system: System,
    options: Options,
    size: usize,
}

/// A run: the first tree, then the number of each step with the tree it makes.
struct Run {
    first: Tree,
    steps: Vec<(usize, Tree)>,
}

impl InTree {
    pub(super) fn new(
        protocol: Protocol,
        settings: &Settings,
        budget: &Budget,
    ) -> Result<InTree, Trouble> {
        let compiled = protocol.compile_trees(budget)?;
        let method = settings.text("method").map(str::to_owned);
        let known = METHODS.iter().map(|(name, _)| *name);
        if let Some(method) = &method
            && !known.clone().any(|name| name == method)
        {
            let message = format!("there is no method `{method}` for trees");
            let all = known.clone().collect::<Vec<_>>().join("`, `");
            return Err(Diagnostic::error("no-such-method", message)
                .note(format!("the methods are `{all}`"))
                .did_you_mean(method, known)
                .into());
        }
        let steps = compiled.steps.iter();
        let steps = steps.map(|(name, one)| (name.clone(), Step::Transducer(one.clone())));
        let size = settings.whole("processes");
        Ok(InTree {
            system: System {
                initial: compiled.initial.clone(),
                steps: steps.collect(),
                equations: Vec::new(),
            },
            options: Options { method },
            size: size
                .and_then(|size| usize::try_from(size).ok())
                .unwrap_or(USUAL_SIZE),
            protocol,
            compiled,
        })
    }

    fn text(&self, tree: &Tree) -> String {
        tree.text(self.system.initial.alphabet())
    }

    /// All that it compiles to, as a file.
    fn file(&self) -> TimbukFile {
        let set = |name: &str, automaton: &TreeAutomaton, span: Span| NamedAutomaton {
            name: name.to_owned(),
            span,
            automaton: automaton.clone(),
        };
        let initial = set("Init", &self.compiled.initial, Span::default());
        let bad = self.compiled.bad.iter();
        let bad = bad.map(|(name, span, bad)| set(name, bad, *span));
        let step = |(name, transducer): &(String, Transducer)| NamedTransducer {
            name: name.clone(),
            span: Span::default(),
            transducer: transducer.clone(),
        };
        TimbukFile {
            alphabet: self.compiled.initial.alphabet().clone(),
            automata: std::iter::once(initial).chain(bad).collect(),
            transducers: self.compiled.steps.iter().map(step).collect(),
            systems: Vec::new(),
            equations: Vec::new(),
            variables: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn answer(&self, name: &str, checked: &Checked) -> Answer {
        let mut answer = match &checked.found {
            Found::Nothing(stop) => return Answer::unknown(name, stop.clone()),
            Found::Run(run) => {
                let steps = run.steps.clone();
                let first = run.first.clone();
                self.violated(name, &Run { first, steps }, Some(&checked.method))
            }
            Found::Invariant(invariant) => {
                let backward = invariant.direction == Direction::Backward;
                let body = TreeInvariant {
                    backward,
                    set: (&invariant.set).into(),
                };
                let what = match backward {
                    false => "is never left and has no bad tree",
                    true => "has all bad trees, is never entered and has no initial tree",
                };
                let states = invariant.set.states();
                let evidence = Evidence::of_holds(INVARIANT_KIND, &body).about(name);
                let mut answer = Answer::new(name, Verdict::Holds)
                    .because(format!("a set of trees ({states} states) {what}"))
                    .with_evidence(evidence.found_by(&checked.method));
                answer.details = vec![("states".to_owned(), json!(states))];
                answer
            }
        };
        answer.method = Some(checked.method.clone());
        answer.refinements = checked.refinements;
        answer
    }

    fn violated(&self, name: &str, run: &Run, method: Option<&str>) -> Answer {
        let named =
            |(step, tree): &(usize, Tree)| (self.system.steps[*step].0.clone(), self.text(tree));
        let plain = TreeRun {
            first: self.text(&run.first),
            steps: run.steps.iter().map(named).collect(),
        };
        let mut trace = Trace::new(Layout::States, [""]);
        trace
            .steps
            .push(Told::start([Cell::new(plain.first.clone())]));
        for (step, tree) in &plain.steps {
            trace
                .steps
                .push(Told::of(step.clone(), [Cell::new(tree.clone())]));
        }
        let evidence = Evidence::of_violated(RUN_KIND, &plain).about(name);
        let evidence = match method {
            Some(method) => evidence.found_by(method),
            None => evidence,
        };
        Answer::new(name, Verdict::Violated)
            .because(format!("a run of {}", count(run.steps.len(), "step")))
            .with_trace(trace.mark_changes())
            .with_evidence(evidence)
    }
}

impl Model for InTree {
    fn title(&self) -> Option<String> {
        self.protocol.title().map(str::to_owned)
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.protocol.warnings.clone()
    }

    fn properties(&self) -> Vec<Property> {
        properties(&self.protocol)
    }

    fn can_begin(&mut self, _: &Budget) -> Result<bool, Trouble> {
        Ok(!self.system.initial.is_empty())
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        for name in &ask.properties {
            self.property(name)?;
        }
        if let (Some(place), false) = (self.compiled.never_begins, ask.allow_empty) {
            let message = "nothing can begin: no first configuration satisfies this";
            let error = Diagnostic::error("no-beginning", message);
            let error = error.at(&self.protocol.source, place, "");
            let error = error.note(
                "it contradicts itself, the values that variables begin with, or what is said before",
            );
            let help = "`x : T = any` begins with any value, and `initially` chooses";
            return Err(error.help(help).into());
        }
        for (name, _, bad) in &self.compiled.bad {
            if !ask.properties.is_empty() && !ask.properties.contains(name) {
                continue;
            }
            let checked = check(&self.system, bad, &self.options, cx);
            tell(self.answer(name, &checked));
        }
        Ok(())
    }

    /// Checks a set or a run by the independent checker; a run is replayed by the interpreter, too.
    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let name = property.name.as_str();
        certify_tree::certify(&self.protocol, &self.compiled, evidence, name, budget)
    }

    /// Steps that no tree can take, and properties that hold without any step.
    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut doubts = Vec::new();
        for (name, _, bad) in &self.compiled.bad {
            if bad.is_empty() {
                let text = format!("`{name}` holds for a trivial reason: no tree is bad");
                doubts.push(Doubt::new("nothing-bad", text));
            }
        }
        for (name, step) in &self.system.steps {
            let all = TreeAutomaton::all(self.system.initial.alphabet().clone());
            if step.image(&all, &cx.budget)?.is_empty() {
                let text = format!("`{name}` makes no step from any tree");
                doubts.push(Doubt::new("dead-step", text));
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        if let Some(part) = &view.part {
            let mut steps = self.compiled.steps.iter();
            let Some((name, step)) = steps.find(|(name, _)| name == part) else {
                let names = self.compiled.steps.iter().map(|(name, _)| name.as_str());
                let message = format!("there is no step `{part}`");
                let error = Diagnostic::error("no-such-part", message);
                return Err(error.did_you_mean(part, names).into());
            };
            let lines = write_transducer(step, name);
            let shown = Shown::titled(format!("step {name}, as a transducer of trees"));
            return Ok(lines.lines().fold(shown, |shown, line| shown.line(1, line)));
        }
        let mut table = Table::new(["step", "states", "rules"]);
        for (name, step) in &self.compiled.steps {
            table.row([
                name.clone(),
                step.states().to_string(),
                step.rules().len().to_string(),
            ]);
        }
        let alphabet = self.system.initial.alphabet();
        let mut letters: Vec<&str> = alphabet.symbols().map(|(_, name, _)| name).collect();
        letters.dedup();
        let title = self.protocol.title().unwrap_or("a protocol");
        Ok(Shown::titled(format!("{title}: processes in a tree"))
            .fact("letters", letters.join(" "))
            .blank()
            .table(table))
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let compiled = self.protocol.compile_trees(&Budget::unlimited())?;
        Ok(Box::new(Walk {
            protocol: self.protocol.clone(),
            compiled,
            size: self.size,
            trees: Vec::new(),
        }))
    }

    /// All trees of one size, by the plain meaning of the protocol.
    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let plain = self.compiled.plain(&self.protocol);
        let mut reached: Vec<(Tree, Option<(usize, usize)>)> = Vec::new();
        let mut numbers: BTreeMap<Tree, usize> = BTreeMap::new();
        let starts = plain.initial(self.size, &cx.budget)?;
        for tree in starts {
            numbers.insert(tree.clone(), reached.len());
            reached.push((tree, None));
        }
        let (mut at, mut taken) = (0, 0u64);
        while at < reached.len() {
            let here = reached[at].0.clone();
            for (step, tree) in plain.successors(&here, &cx.budget)? {
                taken += 1;
                if !numbers.contains_key(&tree) {
                    numbers.insert(tree.clone(), reached.len());
                    reached.push((tree, Some((at, step))));
                }
            }
            at += 1;
        }
        let mut answers = Vec::new();
        for property in &self.protocol.properties {
            let mut found = None;
            for (number, (tree, _)) in reached.iter().enumerate() {
                cx.budget.charge(1)?;
                if plain.is_bad(property, tree, &cx.budget)? {
                    found = Some(number);
                    break;
                }
            }
            answers.push(match found {
                Some(found) => self.violated(&property.name, &run_to(&reached, found), None),
                None => Answer::new(&property.name, Verdict::Holds).because("for this size"),
            });
        }
        let size = self.size;
        Ok(Inspected {
            what: format!(
                "trees of {size} {}",
                if size == 1 { "process" } else { "processes" }
            ),
            sizes: vec![("configurations", reached.len() as u64), ("steps", taken)],
            answers,
            notes: Vec::new(),
        })
    }

    fn convert(&mut self, to: &str, part: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        if to == "formatted" {
            return laid_out(&self.protocol);
        }
        if to != "timbuk" {
            let message = format!("a protocol in a tree cannot be written as `{to}`");
            let error = Diagnostic::error("cannot-be-written", message);
            return Err(error.help("Timbuk has trees: `--to timbuk`").into());
        }
        let file = self.file();
        let text = match part {
            None => write_file(&file),
            Some(part) => {
                let mut steps = file.transducers.iter().filter(|one| one.name == part);
                let mut sets = file.automata.iter().filter(|one| one.name == part);
                match (steps.next(), sets.next()) {
                    (Some(one), _) => write_transducer(&one.transducer, part),
                    (None, Some(one)) => write_automaton(&one.automaton, part),
                    (None, None) => {
                        let message = format!("there is no part `{part}`");
                        let names = file.automata.iter().map(|one| one.name.as_str());
                        let error = Diagnostic::error("no-such-part", message);
                        return Err(error.did_you_mean(part, names).into());
                    }
                }
            }
        };
        Ok(Written {
            line: format!("{} lines of Timbuk", text.lines().count()),
            text,
            ..Written::default()
        })
    }
}

fn run_to(reached: &[(Tree, Option<(usize, usize)>)], end: usize) -> Run {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, step)) = reached[at].1 {
        steps.push((step, reached[at].0.clone()));
        at = before;
    }
    steps.reverse();
    Run {
        first: reached[at].0.clone(),
        steps,
    }
}

/// A run, step by step: the first choice is a tree to begin with.
struct Walk {
    protocol: Protocol,
    compiled: InTrees,
    size: usize,
    trees: Vec<(Option<usize>, Tree)>,
}

impl Walk {
    fn next(&self, budget: &Budget) -> Result<Vec<(Option<usize>, Tree)>, Trouble> {
        let plain = self.compiled.plain(&self.protocol);
        Ok(match self.trees.last() {
            None => {
                let all = plain.initial(self.size, budget)?;
                all.into_iter().map(|tree| (None, tree)).collect()
            }
            Some((_, tree)) => {
                let all = plain.successors(tree, budget)?;
                all.into_iter()
                    .map(|(step, tree)| (Some(step), tree))
                    .collect()
            }
        })
    }

    fn name(&self, step: Option<usize>) -> String {
        step.map_or("begin".to_owned(), |step| {
            self.compiled.steps[step].0.clone()
        })
    }

    fn text(&self, tree: &Tree) -> String {
        tree.text(self.compiled.initial.alphabet())
    }
}

impl Simulation for Walk {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        let all = self.next(&cx.budget)?;
        let told = all.iter().take(MOST_CHOICES).map(|(step, tree)| Choice {
            action: self.name(*step),
            leads_to: self.text(tree),
            ..Choice::default()
        });
        Ok(told.collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let mut all = self.next(&cx.budget)?;
        if choice >= all.len().min(MOST_CHOICES) {
            let message = format!("there are {} choices, not number {choice}", all.len());
            return Err(Trouble::usage(message));
        }
        self.trees.push(all.swap_remove(choice));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.trees.pop().is_some()
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::new(Layout::States, [""]);
        for (step, tree) in &self.trees {
            let cell = Cell::new(self.text(tree));
            trace.steps.push(match step {
                Some(_) => Told::of(self.name(*step), [cell]),
                None => Told::start([cell]),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let all = self.next(&cx.budget)?;
        let mut notes = Vec::new();
        match self.trees.last() {
            Some((_, tree)) => {
                let plain = self.compiled.plain(&self.protocol);
                for property in &self.protocol.properties {
                    if plain.is_bad(property, tree, &cx.budget)? {
                        notes.push(format!("{}: violated, this tree is bad", property.name));
                    }
                }
            }
            None if all.is_empty() => {
                notes.push(format!("no tree of {} processes can be first", self.size));
            }
            None => {}
        }
        Ok(Status {
            deadlock: all.is_empty() && !self.trees.is_empty(),
            notes,
            whereabouts: Vec::new(),
            more: all.len() > MOST_CHOICES,
        })
    }
}
