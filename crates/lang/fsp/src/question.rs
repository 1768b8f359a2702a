//! What to ask about a system, in the engine's terms.

use std::sync::Arc;

use quotient_core::Budget;
use quotient_lts::{Action, LtsBuilder, Question};

use crate::{Compiled, Model, Options, Trouble};

/// What to ask about a system of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ask {
    /// No deadlock, and no property violated: LTSA's safety check.
    #[default]
    Safety,
    /// The progress properties of the text; without any, that every action goes on.
    Progress,
    /// An assertion of the text.
    Assertion {
        /// Its name.
        name: String,
        /// Whether choices are fair, as LTSA assumes unless told otherwise.
        fair: bool,
    },
}

impl Model {
    /// The question to put to [`quotient_compose::check`], together with the system of
    /// `compiled`, which must come from this model with the same options.
    ///
    /// ```
    /// use quotient_compose::check;
    /// use quotient_core::{Budget, Context, Source, Verdict};
    /// use quotient_fsp::{Ask, Model, Options};
    ///
    /// let text = "COIN = (toss -> heads -> COIN | toss -> tails -> COIN).
    ///             assert LUCK = []<>heads";
    /// let model = Model::read(&Source::new("coin.lts", text)).unwrap();
    /// let (options, budget) = (Options::default(), Budget::unlimited());
    /// let mut compiled = model.compile(&options, &budget).unwrap();
    /// let ask = Ask::Assertion { name: "LUCK".into(), fair: true };
    /// let question = model.question(&ask, &options, &mut compiled, &budget).unwrap();
    /// let how = quotient_compose::Options::default();
    /// let report = check(&compiled.system, &question, &how, &Context::default()).unwrap();
    /// assert_eq!(report.verdict(), Verdict::Holds);
    /// ```
    pub fn question(
        &self,
        ask: &Ask,
        options: &Options,
        compiled: &mut Compiled,
        budget: &Budget,
    ) -> Result<Question, Trouble> {
        Ok(match ask {
            Ask::Safety => Question::Safety { deadlock: true },
            Ask::Progress => {
                compiled.warnings.append(&mut compiled.progress_warnings);
                Question::Progress(compiled.progress.clone())
            }
            Ask::Assertion { name, fair } => {
                let check = self.assertion(name, options, &mut compiled.system, budget)?;
                compiled.let_happen(&check.free);
                compiled.warnings.extend(check.warnings);
                Question::Formula {
                    name: check.name,
                    formula: check.formula,
                    fluents: check.fluents,
                    fair: *fair,
                }
            }
        })
    }
}

/// The component that does what only an assertion or a property speaks of.
pub(crate) const ENVIRONMENT: &str = "environment";

impl Compiled {
    /// Adds a component that does these actions at any time.
    fn let_happen(&mut self, actions: &[Action]) {
        let Some(root) = self.system.root().filter(|_| !actions.is_empty()) else {
            return;
        };
        let mut anything = LtsBuilder::new();
        for &action in actions {
            anything.edge(0, action, 0);
        }
        let environment = self.system.process(ENVIRONMENT, Arc::new(anything.build()));
        let root = self.system.parallel(vec![root, environment]);
        self.system.set_root(root);
        self.components.push(ENVIRONMENT.to_string());
    }
}
