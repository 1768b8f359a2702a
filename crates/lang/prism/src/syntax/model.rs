//! Models.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};
use quotient_markov::Kind;

use super::expression::is_keyword;
use super::tokens::{Word, tokens};
use super::{
    CommandTree, Constant, Declaration, Earns, Join, ModelTree, Module, Named, Node, Parser,
    Renamed, RewardItem, RewardTree, Sort, System, Tree, UpdateTree,
};

/// Reads a model; all mistakes are told at once.
pub(crate) fn read_model(source: &Source) -> Result<ModelTree, Vec<Diagnostic>> {
    let (words, mut mistakes) = tokens(source);
    let mut parser = Parser {
        words: Cursor::new(source, words),
        in_property: false,
    };
    let mut model = ModelTree {
        kind: Kind::Mdp,
        timed: false,
        markovian: false,
        constants: Vec::new(),
        formulas: Vec::new(),
        labels: Vec::new(),
        globals: Vec::new(),
        modules: Vec::new(),
        renamed: Vec::new(),
        order: Vec::new(),
        rewards: Vec::new(),
        init: None,
        system: None,
    };
    let mut kind = None;
    while !parser.words.is_at_end() && !parser.words.is_hopeless() {
        let from = parser.words.position();
        if let Err(mistake) = parser.item(&mut model, &mut kind) {
            parser.words.mistake(mistake);
            parser.skip_item(from);
        }
    }
    model.kind = kind.map_or(Kind::Mdp, |(kind, _)| kind);
    match parser.words.finish(model) {
        Ok(model) if mistakes.is_empty() => super::twice::told(model, source),
        Ok(_) => Err(mistakes),
        Err(more) => {
            mistakes.extend(more);
            mistakes.sort_by_key(|one| one.labels.first().map_or(0, |label| label.span.start));
            Err(mistakes)
        }
    }
}

impl Parser<'_> {
    /// On to where the next item may begin.
    fn skip_item(&mut self, from: usize) {
        if self.words.position() == from {
            self.words.advance();
        }
        while !self.words.is_at_end() {
            let begins = matches!(
                self.word(),
                "const" | "formula" | "label" | "global" | "module" | "rewards" | "init" | "system"
            );
            if begins {
                return;
            }
            let ends = self.takes(";")
                || matches!(
                    self.word(),
                    "endmodule" | "endrewards" | "endinit" | "endsystem"
                );
            if ends {
                if self.word().starts_with("end") {
                    self.words.advance();
                }
                return;
            }
            self.words.advance();
        }
    }

    fn item(&mut self, model: &mut ModelTree, kind: &mut Option<(Kind, Span)>) -> Parsed<()> {
        match self.word() {
            "dtmc" | "probabilistic" => self.kind(Kind::Dtmc, kind),
            "mdp" | "nondeterministic" => self.kind(Kind::Mdp, kind),
            "ctmc" | "stochastic" => self.kind(Kind::Ctmc, kind),
            "pta" => {
                model.timed = true;
                self.kind(Kind::Mdp, kind)
            }
            "ma" => {
                model.markovian = true;
                self.kind(Kind::Mdp, kind)
            }
            "pomdp" | "popta" | "smg" | "csg" | "imdp" | "idtmc" => {
                let word = self.word().to_owned();
                let span = self.words.advance().span;
                let message = format!("models of kind `{word}` cannot be read yet");
                Err(Diagnostic::error("not-supported", message)
                    .at(self.words.source(), span, "")
                    .help("dtmc, mdp, ctmc, pta and ma can"))
            }
            "const" => {
                let constant = self.constant()?;
                model.constants.push(constant);
                Ok(())
            }
            "formula" => {
                let formula = self.formula()?;
                model.formulas.push(formula);
                Ok(())
            }
            "label" => {
                let label = self.label()?;
                model.labels.push(label);
                Ok(())
            }
            "global" => {
                self.words.advance();
                let declaration = self.declaration()?;
                model.globals.push(declaration);
                Ok(())
            }
            "module" => self.module(model),
            "rewards" => {
                let rewards = self.rewards()?;
                model.rewards.push(rewards);
                Ok(())
            }
            "init" => {
                let span = self.words.advance().span;
                let condition = self.expression()?;
                self.expect_word("endinit")?;
                if model.init.is_some() {
                    let message = "there is a second `init` block";
                    return Err(Diagnostic::error("twice", message)
                        .at(self.words.source(), span, "")
                        .help("join the conditions with `&`"));
                }
                model.init = Some(condition);
                Ok(())
            }
            "system" => {
                let span = self.words.advance().span;
                let system = self.system()?;
                self.expect_word("endsystem")?;
                if model.system.is_some() {
                    let error = Diagnostic::error("twice", "there is a second `system`");
                    return Err(error.at(self.words.source(), span, ""));
                }
                model.system = Some(system);
                Ok(())
            }
            _ => Err(self.words.unexpected("a part of a model").help(
                "parts begin with dtmc, mdp, ctmc, pta, ma, const, formula, label, global, module, init, \
                 rewards, system",
            )),
        }
    }

    fn kind(&mut self, of: Kind, kind: &mut Option<(Kind, Span)>) -> Parsed<()> {
        let span = self.words.advance().span;
        if let Some((_, before)) = kind {
            let message = "the kind of the model is said twice";
            return Err(Diagnostic::error("twice", message)
                .at(self.words.source(), span, "")
                .at(self.words.source(), *before, "first here"));
        }
        *kind = Some((of, span));
        Ok(())
    }

    /// `const int N = 4;`
    pub(crate) fn constant(&mut self) -> Parsed<Constant> {
        self.words.advance();
        let sort = match self.word() {
            "int" => Some(Sort::Whole),
            "double" => Some(Sort::Real),
            "bool" => Some(Sort::Truth),
            "rate" | "prob" => Some(Sort::Real),
            _ => None,
        };
        if sort.is_some() {
            self.words.advance();
        }
        let (name, span) = self.new_name()?;
        let value = match self.takes("=") {
            true => Some(self.expression()?),
            false => None,
        };
        self.ends()?;
        Ok(Constant {
            name,
            sort: sort.unwrap_or(Sort::Whole),
            value,
            bounds: Vec::new(),
            span,
        })
    }

    /// `label "name" = condition;`
    pub(crate) fn label(&mut self) -> Parsed<Named> {
        self.words.advance();
        let (name, span) = self.quoted()?;
        self.expect("=")?;
        let tree = self.expression()?;
        self.ends()?;
        Ok(Named { name, tree, span })
    }

    /// `formula f = …;`
    pub(crate) fn formula(&mut self) -> Parsed<Named> {
        self.words.advance();
        let (name, span) = self.name()?;
        self.expect("=")?;
        let tree = self.expression()?;
        self.ends()?;
        Ok(Named { name, tree, span })
    }

    fn new_name(&mut self) -> Parsed<(String, Span)> {
        if is_keyword(self.word()) || matches!(self.word(), "true" | "false") {
            return Err(self.words.unexpected("a name"));
        }
        self.name()
    }

    /// `x : [0..3] init 1;`
    fn declaration(&mut self) -> Parsed<Declaration> {
        let (name, span) = self.new_name()?;
        self.expect(":")?;
        let mut unbounded = None;
        let mut clock = false;
        let range = match self.word() {
            "bool" => {
                self.words.advance();
                None
            }
            "int" => {
                let span = self.words.advance().span;
                let whole = |number: i32| Tree {
                    node: Node::Whole(number.into()),
                    span,
                };
                unbounded = Some(whole(0));
                Some((whole(i32::MIN), whole(i32::MAX)))
            }
            "clock" => {
                let span = self.words.advance().span;
                let zero = Tree {
                    node: Node::Whole(0),
                    span,
                };
                clock = true;
                unbounded = Some(zero.clone());
                Some((zero.clone(), zero))
            }
            "double" => {
                let word = self.word().to_owned();
                let span = self.words.advance().span;
                let message = format!("variables of type `{word}` have no bounds");
                return Err(Diagnostic::error("not-supported", message)
                    .at(self.words.source(), span, "")
                    .help("give a range, as in `x : [0..10];`"));
            }
            _ => {
                self.expect("[")?;
                let low = self.expression()?;
                self.expect("..")?;
                let high = self.expression()?;
                self.expect("]")?;
                Some((low, high))
            }
        };
        let init = match self.takes_word("init") {
            true => Some(self.expression()?),
            false => unbounded,
        };
        self.expect(";")?;
        Ok(Declaration {
            name,
            span,
            range,
            init,
            clock,
        })
    }

    fn module(&mut self, model: &mut ModelTree) -> Parsed<()> {
        self.words.advance();
        let (name, span) = self.new_name()?;
        if self.takes("=") {
            let (of, of_span) = self.name()?;
            self.expect("[")?;
            let mut pairs = Vec::new();
            while !self.is_sign("]") {
                let (old, old_span) = self.name()?;
                self.expect("=")?;
                let (new, _) = self.name()?;
                pairs.push((old, new, old_span));
                if !self.takes(",") {
                    break;
                }
            }
            self.expect("]")?;
            self.expect_word("endmodule")?;
            model.order.push((true, model.renamed.len()));
            model.renamed.push(Renamed {
                name,
                span,
                of,
                of_span,
                pairs,
            });
            return Ok(());
        }
        let mut module = Module {
            name,
            span,
            variables: Vec::new(),
            invariant: None,
            commands: Vec::new(),
        };
        while self.word() != "endmodule" {
            if self.words.is_at_end() || self.words.is_hopeless() {
                return Err(self.words.unexpected("`endmodule`"));
            }
            let from = self.words.position();
            let part = match self.is_sign("[") || self.is_sign("<") {
                true => self.command().map(|command| module.commands.push(command)),
                false if self.word() == "invariant" => self.invariant(&mut module),
                false => {
                    let declared = self.declaration();
                    declared.map(|declaration| module.variables.push(declaration))
                }
            };
            if let Err(mistake) = part {
                self.words.mistake(mistake);
                self.skip_line(from);
            }
        }
        self.words.advance();
        model.order.push((false, model.modules.len()));
        model.modules.push(module);
        Ok(())
    }

    /// `invariant … endinvariant`
    fn invariant(&mut self, module: &mut Module) -> Parsed<()> {
        self.words.advance();
        let condition = self.expression()?;
        self.expect_word("endinvariant")?;
        module.invariant = Some(match module.invariant.take() {
            None => condition,
            Some(before) => Tree {
                span: before.span,
                node: Node::Two(Join::And, Box::new(before), Box::new(condition)),
            },
        });
        Ok(())
    }

    /// On to behind the next semicolon, but not out of the module.
    fn skip_line(&mut self, from: usize) {
        if self.words.position() == from && !self.word().starts_with("end") {
            self.words.advance();
        }
        while !self.words.is_at_end() && self.word() != "endmodule" && self.word() != "endrewards" {
            if self.takes(";") {
                return;
            }
            self.words.advance();
        }
    }

    /// `[action] guard -> weight : update + …;`
    fn command(&mut self) -> Parsed<CommandTree> {
        let start = self.words.peek().span.start;
        // `<>` begins a command with rates, in a Markov automaton.
        let rated = self.takes("<");
        let mut action = String::new();
        if rated {
            self.expect(">")?;
        } else {
            self.expect("[")?;
            if !self.is_sign("]") {
                action = self.name()?.0;
            }
            self.expect("]")?;
        }
        let guard = self.expression()?;
        self.expect("->")?;
        let mut updates = vec![self.update()?];
        while self.takes("+") {
            updates.push(self.update()?);
        }
        let span = self.words.span_from(start);
        self.expect(";")?;
        Ok(CommandTree {
            rated,
            action,
            guard,
            updates,
            span,
        })
    }

    fn update(&mut self) -> Parsed<UpdateTree> {
        let start = self.words.peek().span.start;
        const PRIMED: &str = "a new value is given with a prime: `(x'=1)`";
        let next = |ahead: usize| self.words.peek_at(ahead).kind;
        let is_unprimed = self.is_sign("(") && next(1) == Word::Name && next(2) == Word::Sign("=");
        let weight = match self.at_assignments() {
            true => None,
            false => {
                let weight = self.expression()?;
                let colon = self.expect(":");
                colon.map_err(|error| {
                    if is_unprimed {
                        error.help(PRIMED)
                    } else {
                        error
                    }
                })?;
                Some(weight)
            }
        };
        let mut assignments = Vec::new();
        if !self.takes_word("true") {
            loop {
                self.expect("(")?;
                let (name, span) = self.name()?;
                let prime = self.expect("'");
                prime.map_err(|error| error.help(PRIMED))?;
                self.expect("=")?;
                let value = self.expression()?;
                self.expect(")")?;
                assignments.push((name, span, value));
                if !self.takes("&") {
                    break;
                }
            }
        }
        Ok(UpdateTree {
            weight,
            assignments,
            span: self.words.span_from(start),
        })
    }

    /// Whether assignments begin here, and no weight.
    fn at_assignments(&self) -> bool {
        let next = |ahead: usize| self.words.peek_at(ahead).kind;
        if self.word() == "true" {
            return matches!(next(1), Word::Sign(";" | "+"));
        }
        self.is_sign("(") && next(1) == Word::Name && next(2) == Word::Sign("'")
    }

    fn rewards(&mut self) -> Parsed<RewardTree> {
        self.words.advance();
        let name = match self.words.is(Word::Quoted) {
            true => Some(self.quoted()?.0),
            false => None,
        };
        let mut items = Vec::new();
        while self.word() != "endrewards" {
            if self.words.is_at_end() || self.words.is_hopeless() {
                return Err(self.words.unexpected("`endrewards`"));
            }
            let from = self.words.position();
            match self.reward_item() {
                Ok(item) => items.push(item),
                Err(mistake) => {
                    self.words.mistake(mistake);
                    self.skip_line(from);
                }
            }
        }
        self.words.advance();
        Ok(RewardTree { name, items })
    }

    fn reward_item(&mut self) -> Parsed<RewardItem> {
        let start = self.words.peek().span.start;
        let mut earns = Earns::State;
        if self.takes("[") {
            earns = Earns::Action(match self.is_sign("]") {
                true => String::new(),
                false => self.name()?.0,
            });
            self.expect("]")?;
        }
        let guard = self.expression()?;
        self.expect(":")?;
        let value = self.expression()?;
        let span = self.words.span_from(start);
        self.expect(";")?;
        Ok(RewardItem {
            earns,
            guard,
            value,
            span,
        })
    }

    /// How modules are put together: parts joined by `||`, `|||` and `|[a,b]|`.
    fn system(&mut self) -> Parsed<System> {
        self.words.enter()?;
        let mut left = self.system_part()?;
        loop {
            if self.takes("||") {
                let alone = self.takes("|");
                let right = Box::new(self.system_part()?);
                left = match alone {
                    true => System::On(Box::new(left), Vec::new(), right),
                    false => System::Full(Box::new(left), right),
                };
            } else if self.is_sign("|") {
                self.words.advance();
                self.expect("[")?;
                let actions = self.actions("]")?;
                self.expect("]")?;
                self.expect("|")?;
                let right = Box::new(self.system_part()?);
                left = System::On(Box::new(left), actions, right);
            } else {
                self.words.leave();
                return Ok(left);
            }
        }
    }

    fn system_part(&mut self) -> Parsed<System> {
        let mut part = match self.takes("(") {
            true => {
                let inner = self.system()?;
                self.expect(")")?;
                inner
            }
            false => {
                let (name, span) = self.name()?;
                System::Module(name, span)
            }
        };
        loop {
            if self.takes("/") {
                self.expect("{")?;
                let actions = self.actions("}")?;
                self.expect("}")?;
                part = System::Hide(Box::new(part), actions);
            } else if self.takes("{") {
                let mut pairs = Vec::new();
                loop {
                    let (old, _) = self.name()?;
                    self.expect("<")?;
                    self.expect("-")?;
                    let (new, _) = self.name()?;
                    pairs.push((old, new));
                    if !self.takes(",") {
                        break;
                    }
                }
                self.expect("}")?;
                part = System::Rename(Box::new(part), pairs);
            } else {
                return Ok(part);
            }
        }
    }

    fn actions(&mut self, end: &'static str) -> Parsed<Vec<String>> {
        let mut actions = Vec::new();
        while !self.is_sign(end) {
            actions.push(self.name()?.0);
            if !self.takes(",") {
                break;
            }
        }
        Ok(actions)
    }
}
