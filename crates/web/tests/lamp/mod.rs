//! A language of lamps: small, and endless or broken if told so.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use quotient_core::{
    Budget, Certified, Claim, Context, Diagnostic, Evidence, Rejection, Source, Span, Stop,
    Trouble, Verdict,
};
use quotient_language::{
    About, Answer, Ask, Cell, Choice, Files, Input, Language, Layout, Model, Property, Settings,
    Simulation, Status, Step, Sureness, Trace, Verb,
};

pub(crate) const LAMP: &dyn Language = &Lamps;

/// How many times reading a lamp that takes for ever was called off.
pub(crate) static CALLED_OFF: AtomicUsize = AtomicUsize::new(0);

struct Lamps;

static ABOUT: About = About {
    id: "lamp",
    name: "Lamp",
    text: "a lamp",
    line: "A lamp that is on or off.",
    endings: &["lamp"],
    offers: &[Verb::Check, Verb::Certify, Verb::Simulate],
    settings: &[],
    formats: &[],
    starter: "lamp off",
    methods: Vec::new,
    examples: &[],
    guide: "docs/lamp.md",
};

impl Language for Lamps {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        match input
            .source()
            .is_some_and(|source| source.text().starts_with("lamp"))
        {
            true => Sureness::Certain,
            false => Sureness::No,
        }
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        _: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let wrong = |message: String, at: usize, length: usize| {
            let span = Span::new(at, at + length);
            Diagnostic::error("lamp", message)
                .at(source, span, "here")
                .help("say on or off")
        };
        while source.text().contains("dim") {
            if let Err(stop) = cx.budget.poll() {
                CALLED_OFF.fetch_add(usize::from(stop == Stop::Interrupted), SeqCst);
                return Err(stop.into());
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        if let Some(at) = source.text().find("blink") {
            return Err(wrong("a lamp does not blink".into(), at, 5).into());
        }
        if let Some(at) = source.text().find("read ") {
            let name = source.text()[at + 5..].trim();
            files.read(name).map_err(|why| wrong(why, at, 4))?;
        }
        Ok(Box::new(Lamp {
            source: source.clone(),
        }))
    }
}

struct Lamp {
    source: Source,
}

impl Model for Lamp {
    fn properties(&self) -> Vec<Property> {
        vec![Property {
            name: "dark".into(),
            kind: "never".into(),
            text: "never on".into(),
            span: Some(Span::new(0, 4)),
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
        cx.story.note("looking at the lamp");
        if self.source.text().contains("broken") {
            panic!("on purpose");
        }
        while self.source.text().contains("endless") {
            cx.budget.poll()?;
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let mut run = Switch(vec!["off"]);
        run.take(0, cx)?;
        let evidence = Evidence::of_violated("lamp-run", &"press").about("dark");
        tell(
            Answer::new("dark", Verdict::Violated)
                .with_trace(run.trace())
                .with_evidence(evidence),
        );
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        _: &Budget,
    ) -> Result<Certified, Rejection> {
        match evidence.claim {
            Claim::Violated => Ok(Certified {
                property: property.name.clone(),
                facts: vec!["pressed".into()],
            }),
            Claim::Holds => Err(Rejection::wrong("it can be pressed")),
        }
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Switch(vec!["off"])))
    }
}

struct Switch(Vec<&'static str>);

impl Simulation for Switch {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        Ok(vec![Choice {
            action: "press".into(),
            ..Choice::default()
        }])
    }

    fn take(&mut self, _: usize, _: &Context) -> Result<(), Trouble> {
        let on = self.0.last() == Some(&"on");
        self.0.push(if on { "off" } else { "on" });
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.0.len() > 1 && self.0.pop().is_some()
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::new(Layout::Grid, ["lamp"]);
        for (number, state) in self.0.iter().enumerate() {
            let cell = Cell::new(*state);
            trace.steps.push(match number {
                0 => Step::start([cell]),
                _ => Step::by("press", ["lamp"], [cell]).at(Span::new(0, 4)),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        Ok(Status::default())
    }
}
