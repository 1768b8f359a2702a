//! A system that was opened: what it can be asked.

use quotient_certify::{TreeProblem, TreeStep, certify_trees};
use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Trouble};
use quotient_forest::{METHODS, Options, Step, check};
use quotient_language::{
    Answer, Ask, Doubt, Inspected, Model, Property, Query, Settings, Shown, Simulation, Viewed,
    Written,
};

use crate::problem::{Bad, Problem};
use crate::simulate::Walk;
use crate::{ask, explore, show, tell};

/// The size of trees to begin with if none is said.
const USUAL_SIZE: usize = 7;

/// A system with the settings it was opened with.
pub(crate) struct TreeModel {
    name: String,
    problem: Problem,
    options: Options,
    size: Option<usize>,
}

impl TreeModel {
    pub(crate) fn new(
        name: &str,
        problem: Problem,
        settings: &Settings,
    ) -> Result<TreeModel, Trouble> {
        let method = settings.text("method").map(str::to_owned);
        let method = method.or(problem.method.clone());
        let known = METHODS.iter().map(|(name, _)| *name);
        if let Some(method) = &method
            && !known.clone().any(|name| name == method)
        {
            let message = format!("there is no method `{method}`");
            let all = known.clone().collect::<Vec<_>>().join("`, `");
            return Err(Diagnostic::error("no-such-method", message)
                .note(format!("the methods are `{all}`"))
                .did_you_mean(method, known)
                .into());
        }
        let size = settings.whole("size");
        Ok(TreeModel {
            name: name.to_owned(),
            problem,
            options: Options { method },
            size: size.and_then(|size| usize::try_from(size).ok()),
        })
    }

    /// Refuses what is no question.
    fn require_question(&self) -> Result<(), Trouble> {
        match &self.problem.lacks {
            None => Ok(()),
            Some(why) => Err(why.clone().into()),
        }
    }
}

impl Model for TreeModel {
    fn title(&self) -> Option<String> {
        self.problem.title.clone()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        self.problem.warnings.clone()
    }

    fn properties(&self) -> Vec<Property> {
        if self.problem.lacks.is_some() {
            return Vec::new();
        }
        let property = |(number, bad): (usize, &Bad)| Property {
            name: bad.name.clone(),
            number: Some(number + 1),
            kind: "never".to_owned(),
            text: bad.text(),
            span: bad.span,
            in_file: true,
        };
        self.problem.bad.iter().enumerate().map(property).collect()
    }

    fn can_begin(&mut self, _: &Budget) -> Result<bool, Trouble> {
        Ok(!self.problem.system.initial.is_empty())
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        self.require_question()?;
        for name in &ask.properties {
            self.property(name)?;
        }
        let system = &self.problem.system;
        for (number, bad) in self.problem.bad.iter().enumerate() {
            if !ask.properties.is_empty() && !ask.properties.contains(&bad.name) {
                continue;
            }
            let checked = check(system, &bad.set, &self.options, cx);
            let mut answer = tell::answer(&bad.name, &checked, system, ask.exhibits);
            answer.number = Some(number + 1);
            tell(answer);
        }
        Ok(())
    }

    /// Checks a set or a run by the independent checker, against the parts as the file has them.
    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let all = &self.problem.bad;
        let Some(bad) = all.iter().find(|bad| bad.name == property.name) else {
            return Err(Rejection::wrong("there is no property of this name"));
        };
        let steps: Vec<(&str, TreeStep<'_>)> = (self.problem.system.steps.iter())
            .map(|(name, step)| {
                let step = match step {
                    Step::Transducer(one) => TreeStep::Transducer(one),
                    Step::Rewriting(one) => TreeStep::Rewriting(one),
                };
                (name.as_str(), step)
            })
            .collect();
        let question = TreeProblem {
            initial: &self.problem.system.initial,
            bad: &bad.set,
            steps: &steps,
        };
        certify_trees(evidence, &property.name, &question, budget)
    }

    /// Steps that no initial tree can take, and properties that hold without any step.
    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let system = &self.problem.system;
        let mut doubts = Vec::new();
        if system.initial.is_empty() {
            doubts.push(Doubt::new("no-beginning", "there is no initial tree"));
        }
        for bad in &self.problem.bad {
            if bad.set.is_empty() {
                let text = format!("`{}` holds for a trivial reason: no tree is bad", bad.name);
                doubts.push(Doubt::new("nothing-bad", text));
            }
        }
        for (name, step) in &system.steps {
            let all = quotient_trees::TreeAutomaton::all(system.initial.alphabet().clone());
            if step.image(&all, &cx.budget)?.is_empty() {
                let text = format!("`{name}` makes no step from any tree");
                doubts.push(Doubt::new("dead-step", text));
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        show::show(&self.name, &self.problem, view, cx)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        self.require_question()?;
        let size = self.size.unwrap_or(USUAL_SIZE);
        Ok(Box::new(Walk::new(self.problem.clone(), size)))
    }

    fn instance(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        self.require_question()?;
        let size = self.size.unwrap_or(USUAL_SIZE);
        Ok(explore::instance(&self.problem, size, &cx.budget)?)
    }

    fn ask(&mut self, query: &Query, cx: &Context) -> Result<Shown, Trouble> {
        ask::ask(&self.problem.file, &query.text, &cx.budget)
    }

    fn convert(&mut self, _: &str, part: Option<&str>, _: &Context) -> Result<Written, Trouble> {
        show::convert(&self.problem, part)
    }
}
