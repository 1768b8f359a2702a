//! A toy language, `count from 0 by 3 to 30 never 7`, that gets `check`, `certify`, `show` and
//! `simulate` by implementing the seam.

use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble, Verdict,
};
use quotient_language::*;

/// The language, for a workbench.
pub const LANGUAGE: &dyn Language = &Toy;

// The programs of the page are run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Page;

struct Toy;

const ABOUT: About = About {
    id: "toy",
    name: "Toy",
    text: "a toy model",
    line: "a counter that must not reach a number",
    endings: &["toy"],
    offers: &[Verb::Check, Verb::Certify, Verb::Show, Verb::Simulate],
    settings: &[],
    formats: &[],
    starter: "count from 0 by 3 to 30 never 7\n",
    methods: Vec::new,
    examples: &[],
    guide: "docs/library.md",
};

impl Language for Toy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        match input.source() {
            Some(source) if source.text().starts_with("count from") => Sureness::Certain,
            _ => Sureness::No.with_ending(input.has_ending(ABOUT.endings)),
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        _: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let words: Vec<&str> = source.text().split_whitespace().collect();
        let numbers: Vec<u16> = words.iter().filter_map(|word| word.parse().ok()).collect();
        match (&words[..], &numbers[..]) {
            (["count", "from", _, "by", _, "to", _, "never", _], &[from, by, to, never]) => {
                let run = vec![from];
                Ok(Box::new(Counter { run, by, to, never }))
            }
            _ => Err(Diagnostic::error("toy", "this is not understood")
                .in_source(source)
                .help(format!("write it as in `{}`", ABOUT.starter.trim()))
                .into()),
        }
    }
}

/// A counter, and the numbers it has been at.
#[derive(Clone)]
struct Counter {
    run: Vec<u16>,
    by: u16,
    to: u16,
    never: u16,
}

impl Counter {
    fn next(&self, at: u16) -> Option<u16> {
        at.checked_add(self.by).filter(|next| *next <= self.to)
    }

    fn now(&self) -> u16 {
        self.run.last().copied().unwrap_or_default()
    }
}

impl Model for Counter {
    fn properties(&self) -> Vec<Property> {
        let name = format!("never {}", self.never);
        vec![Property {
            text: name.clone(),
            name,
            in_file: true,
            ..Property::default()
        }]
    }

    fn check(
        &mut self,
        _: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let name = format!("never {}", self.never);
        let mut counter = self.clone();
        while counter.now() != self.never {
            cx.budget.poll()?;
            match counter.next(counter.now()) {
                Some(next) if !counter.run.contains(&next) => counter.run.push(next),
                _ => {
                    let evidence = Evidence::of_holds("toy-set", &counter.run);
                    let because = format!("{} numbers", counter.run.len());
                    let answer = Answer::new(name, Verdict::Holds).because(because);
                    tell(answer.with_evidence(evidence));
                    return Ok(());
                }
            }
        }
        let evidence = Evidence::of_violated("toy-run", &counter.run);
        let answer = Answer::new(name, Verdict::Violated).with_trace(counter.trace());
        tell(answer.with_evidence(evidence));
        Ok(())
    }

    /// A set with the start that no step leaves proves that what is not in it is never reached; a
    /// run from the start to the number proves that it is.
    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        _: &Budget,
    ) -> Result<Certified, Rejection> {
        let read = evidence.read::<Vec<u16>>();
        let numbers = read.map_err(|error| Rejection::unreadable(error.to_string()))?;
        let inside = |number: u16| numbers.contains(&number);
        let shown = match (evidence.verdict(), evidence.kind.as_str()) {
            (Verdict::Holds, "toy-set") => {
                let closed = |at: &u16| self.next(*at).is_none_or(inside);
                inside(self.now()) && numbers.iter().all(closed) && !inside(self.never)
            }
            (Verdict::Violated, "toy-run") => {
                let ends = (numbers.first(), numbers.last());
                let step = |pair: &[u16]| self.next(pair[0]) == Some(pair[1]);
                ends == (Some(&self.now()), Some(&self.never)) && numbers.windows(2).all(step)
            }
            _ => false,
        };
        match shown {
            true => Ok(Certified {
                property: property.name.clone(),
                facts: vec![format!("{} numbers were looked at", numbers.len())],
            }),
            false => Err(Rejection::wrong("the numbers do not show it")),
        }
    }

    fn show(&mut self, _: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        let mut graph = Graph::new("a counter");
        let start = graph.node(Node::round(self.now().to_string()).initial());
        let end = graph.node(Node::round(format!("up to {}", self.to)));
        graph.edge(start, end, format!("+{}", self.by));
        Ok(Shown::titled("a counter")
            .fact("step", self.by.to_string())
            .picture(graph))
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(self.clone()))
    }
}

impl Simulation for Counter {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |next: u16| Choice {
            action: format!("count to {next}"),
            ..Choice::default()
        };
        Ok(self.next(self.now()).map(choice).into_iter().collect())
    }

    fn take(&mut self, _: usize, _: &Context) -> Result<(), Trouble> {
        self.run.extend(self.next(self.now()));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.run.len() > 1 && self.run.pop().is_some()
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::new(Layout::Grid, ["counter"]);
        for (at, number) in self.run.iter().enumerate() {
            let cell = [Cell::new(number.to_string())];
            trace.steps.push(match at {
                0 => Step::start(cell),
                _ => Step::of(format!("+{}", self.by), cell),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        Ok(Status {
            deadlock: self.choices(cx)?.is_empty(),
            ..Status::default()
        })
    }
}
