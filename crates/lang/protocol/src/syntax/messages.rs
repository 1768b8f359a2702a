//! Messages from process to process: what `message NAME` adds to a file.
//!
//! What is under way is a set: for each sender and each receiver, each message with each value is under
//! way or not. So nothing keeps an order, and what is sent again while it is under way is there once.
//! The sender carries it for the receiver, as a variable with a value for each process.

use quotient_core::Span;

use super::kinds::{Wrong, binary, word};
use super::lexer::Token;
use super::mailboxes::{Case, Mailbox};
use super::parser::{Parsed, Parser};
use super::sending::send_all;
use super::tree::*;

/// The most values that a message may carry.
const MOST_VALUES: i64 = 32;

/// A message that processes send each other.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) name: Name,
    /// What it carries.
    pub(crate) contents: Option<Type>,
    pub(crate) lossy: bool,
    /// Whether it is still under way when it has been received.
    pub(crate) duplicating: bool,
    /// Whether it arrives behind all that was sent before.
    pub(crate) ordered: bool,
}

/// `on NAME(v) from p`: a message that a step takes.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) message: Name,
    pub(crate) value: Option<Expression>,
    pub(crate) from: Name,
    /// Of which kind the sender is, if that is said.
    pub(crate) kind: Option<Name>,
}

/// The words before `message`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manner {
    lossy: bool,
    duplicating: bool,
    ordered: bool,
}

impl Parser<'_> {
    /// `lossy`, `duplicating`, `ordered`, in any order, and `message`; the first was read.
    pub(super) fn manner(&mut self, first: &str, span: Span) -> Parsed<Manner> {
        let mut manner = Manner::default();
        let mut word = first.to_owned();
        loop {
            match word.as_str() {
                "lossy" => manner.lossy = true,
                "duplicating" => manner.duplicating = true,
                _ => manner.ordered = true,
            }
            let next = ["lossy", "duplicating", "ordered"].into_iter();
            let next = next.filter(|next| *next != word);
            let Some(next) = next.into_iter().find(|next| self.takes_word(next)) else {
                break;
            };
            word = next.to_owned();
        }
        self.expect_word("message")?;
        if manner.ordered && manner.duplicating {
            let message = "what arrives in order does not arrive twice";
            return Err(self
                .error("ordered-twice", message, span)
                .help("leave out `ordered` or `duplicating`"));
        }
        Ok(manner)
    }

    /// `NAME [: TYPE], …` behind `message`.
    pub(super) fn messages(&mut self, file: &mut File, manner: Manner) -> Parsed<()> {
        loop {
            let name = self.name("the name of a message")?;
            let contents = match self.takes(":") {
                true => Some(self.kind()?),
                false => None,
            };
            file.messages.push(Message {
                name,
                contents,
                lossy: manner.lossy,
                duplicating: manner.duplicating,
                ordered: manner.ordered,
            });
            if !self.takes(",") {
                return Ok(());
            }
        }
    }

    /// `NAME [(v)] from [KIND] p` behind `on`.
    pub(super) fn received(&mut self) -> Parsed<Received> {
        let message = self.name("the name of a message")?;
        let value = self.carried()?;
        self.expect_word("from")?;
        let kind = self.kind_of_process()?;
        let from = self.name("a name for the sender")?;
        Ok(Received {
            message,
            value,
            from,
            kind,
        })
    }

    fn carried(&mut self) -> Parsed<Option<Expression>> {
        if !self.takes("(") {
            return Ok(None);
        }
        let value = self.expression()?;
        self.expect(")")?;
        Ok(Some(value))
    }

    /// Whether `send` is followed by a message to somebody, not by a queue.
    pub(super) fn sends_message(&self) -> bool {
        let mut ahead = 2;
        if self.peek_at(ahead) == &Token::Mark("(") {
            let mut open = 0usize;
            loop {
                match self.peek_at(ahead) {
                    Token::Mark("(") => open += 1,
                    Token::Mark(")") => open -= 1,
                    Token::End => return false,
                    _ => {}
                }
                ahead += 1;
                if open == 0 {
                    break;
                }
            }
        }
        self.peek_word_at(ahead, "to")
    }

    /// `NAME [(e)] to q` or `to others` behind `send`.
    pub(super) fn send_message(&mut self) -> Parsed<Action> {
        let message = self.name("the name of a message")?;
        let value = self.carried()?;
        self.expect_word("to")?;
        let to = match self.takes_word("others") {
            true => None,
            false => Some(self.name("a process, or `others`")?),
        };
        Ok(Action::Message { message, value, to })
    }
}

/// A message with each value that it may carry, and the variable that says whether that is under way.
pub(super) struct Known {
    pub(super) message: Message,
    pub(super) kinds: Vec<(Option<Expression>, String)>,
    pub(super) contents: Type,
}

impl File {
    pub(super) fn add_messages(&mut self) -> Result<(), Wrong> {
        let messages = std::mem::take(&mut self.messages);
        let mut known = Vec::new();
        for message in messages {
            known.push(self.known(message)?);
        }
        let mut mailbox = Mailbox::default();
        for one in &known {
            let span = one.message.name.span;
            if one.message.ordered {
                mailbox.add(one.kinds.iter().map(|(_, variable)| variable.clone()));
            }
            for (_, variable) in &one.kinds {
                self.locals.push(Declaration {
                    name: Name {
                        text: variable.clone(),
                        span,
                    },
                    paired: true,
                    kind: Type::Bool,
                    initial: Some(word("false", span)),
                });
            }
        }
        if let Some(one) = known.iter().find(|one| one.message.ordered) {
            (self.locals).extend(mailbox.declarations(one.message.name.span));
        }
        let mut steps = std::mem::take(&mut self.steps);
        for step in &mut steps {
            let all = std::mem::take(&mut step.received);
            for (number, received) in all.iter().enumerate() {
                let one = find(&known, &received.message)?;
                one.takes_once(received, &all[..number])?;
                one.receive(step, received, &mailbox)?;
            }
            send_all(step, &known, &mailbox)?;
            let last = self.last_part.as_ref();
            if let (Some(part), Some(last)) = (&step.part, last)
                && part.text == last.text
            {
                let all = known.iter().flat_map(|one| &one.kinds);
                let all = all.map(|(_, variable)| variable.clone());
                throw_away(step, all.chain(mailbox.orders()).collect());
            }
        }
        self.steps = steps;
        for one in known.iter().filter(|one| one.message.lossy) {
            self.steps.push(one.lose(&mailbox));
        }
        Ok(())
    }

    /// The values of a message.
    fn known(&self, message: Message) -> Result<Known, Wrong> {
        let name = message.name.text.clone();
        let span = message.name.span;
        let mut contents = message.contents.clone();
        for _ in 0..50 {
            let Some(Type::Named(named)) = &contents else {
                break;
            };
            let found = self
                .types
                .iter()
                .find(|(known, _)| known.text == named.text);
            let Some((_, kind)) = found else {
                let message = format!("there is no type `{}`", named.text);
                return Err((message, named.span, "declare it with `type`"));
            };
            contents = Some(kind.clone());
        }
        let kinds = match &contents {
            None => vec![(None, name.clone())],
            Some(Type::Bool) => ["false", "true"]
                .map(|value| (Some(word(value, span)), format!("{name}_{value}")))
                .to_vec(),
            Some(Type::Values(values)) => values
                .iter()
                .map(|value| {
                    (
                        Some(word(&value.text, span)),
                        format!("{name}_{}", value.text),
                    )
                })
                .collect(),
            Some(Type::Range(low, high, _)) if high.saturating_sub(*low) < MOST_VALUES => (*low
                ..=*high)
                .map(|value| {
                    let kind = Kind::Number(value);
                    (Some(Expression { kind, span }), format!("{name}_{value}"))
                })
                .collect(),
            Some(_) => {
                let help = "let it be a `bool`, a few numbers as in `0..3`, or an enumeration";
                let message = format!("`{name}` cannot carry this");
                return Err((message, span, help));
            }
        };
        Ok(Known {
            message,
            kinds,
            contents: contents.unwrap_or(Type::Bool),
        })
    }
}

/// What others have sent is gone when a step is over.
fn throw_away(step: &mut Step, variables: Vec<String>) {
    let span = step.name.span;
    let own = Name {
        text: "self".to_owned(),
        span,
    };
    let from = somebody(span);
    let gone = variables.iter().map(|variable| {
        let value = Value::Exactly(word("false", span));
        (target(&from.text, variable, &own), value)
    });
    let gone = Action::Broadcast {
        name: from.clone(),
        side: Side::Other,
        only: None,
        assignments: gone.collect(),
    };
    for actions in &mut step.alternatives {
        actions.push(gone.clone());
    }
}

/// A name for somebody whom the step does not name.
pub(super) fn somebody(span: Span) -> Name {
    Name {
        text: "somebody".to_owned(),
        span,
    }
}

pub(super) fn find<'k>(known: &'k [Known], name: &Name) -> Result<&'k Known, Wrong> {
    let found = known.iter().find(|one| one.message.name.text == name.text);
    found.ok_or_else(|| {
        let message = format!("there is no message `{}`", name.text);
        let help = "declare it with `message`, as in `message request, answer : bool`";
        (message, name.span, help)
    })
}

impl Known {
    /// The value that is meant, or that none is.
    pub(super) fn given<'e>(
        &self,
        name: &Name,
        value: Option<&'e Expression>,
    ) -> Result<Option<&'e Expression>, Wrong> {
        match (value, self.message.contents.is_some()) {
            (Some(value), true) => Ok(Some(value)),
            (None, false) => Ok(None),
            (None, true) => {
                let message = format!("`{}` carries a value", name.text);
                Err((
                    message,
                    name.span,
                    "write it in brackets behind the message",
                ))
            }
            (Some(value), false) => {
                let message = format!("`{}` carries no value", name.text);
                let help = "declare what it carries, as in `message vote : bool`";
                Err((message, value.span, help))
            }
        }
    }

    /// The variable for a value that is written as such.
    pub(super) fn exactly(&self, value: &Expression) -> Option<&str> {
        let same = |known: &Expression| match (&known.kind, &value.kind) {
            (Kind::Name(one), Kind::Name(two)) => one == two,
            (Kind::Number(one), Kind::Number(two)) => one == two,
            _ => false,
        };
        let mut kinds = self.kinds.iter();
        let found = kinds.find(|(known, _)| known.as_ref().is_some_and(same));
        found.map(|(_, variable)| variable.as_str())
    }

    /// Which of the messages it may be that is sent or received, and when it is which.
    pub(super) fn cases(&self, value: Option<&Expression>) -> Vec<Case> {
        let exactly = value.and_then(|value| self.exactly(value));
        let mut cases: Vec<Case> = Vec::new();
        for (known, variable) in &self.kinds {
            match (known, value) {
                (Some(_), Some(_)) if exactly.is_some_and(|only| only != variable) => {}
                (Some(known), Some(value)) if exactly.is_none() => {
                    let is = binary(Operator::Equal, value.clone(), known.clone());
                    cases.push((variable.clone(), Some(is)));
                }
                _ => cases.push((variable.clone(), None)),
            }
        }
        cases
    }

    /// What a step takes, it takes once: two names for what one process has sent may mean the same.
    fn takes_once(&self, received: &Received, before: &[Received]) -> Result<(), Wrong> {
        let named = |one: &Received| {
            let value = one.value.as_ref();
            value.is_some_and(|value| self.exactly(value).is_none())
        };
        let again = before.iter().any(|one| {
            one.message.text == received.message.text
                && one.from.text == received.from.text
                && (named(one) || named(received))
        });
        if again {
            let (name, from) = (&received.message.text, &received.from.text);
            let wrong = format!("this step takes `{name}` from `{from}` already");
            let help =
                "write the values that it takes, as in `on vote(yes) from q on vote(no) from q`";
            return Err((wrong, received.message.span, help));
        }
        Ok(())
    }

    /// A name for what is received is not nearly one of the values.
    fn is_new(&self, text: &str, span: Span) -> Result<(), Wrong> {
        let values = self.kinds.iter().filter_map(|(known, _)| known.as_ref());
        let mut alike = values.filter_map(|known| match &known.kind {
            Kind::Name(known) if known.eq_ignore_ascii_case(text) => Some(known),
            _ => None,
        });
        let Some(known) = alike.next() else {
            return Ok(());
        };
        let wrong = format!("`{text}` is a new name here, and looks like `{known}`");
        let help = "write the value as it is declared, or take another name";
        Err((wrong, span, help))
    }

    fn receive(
        &self,
        step: &mut Step,
        received: &Received,
        mailbox: &Mailbox,
    ) -> Result<(), Wrong> {
        let value = self.given(&received.message, received.value.as_ref())?;
        let (from, span) = (&received.from, received.message.span);
        let own = Name {
            text: "self".to_owned(),
            span,
        };
        let under_way = |variable: &str| {
            let there = pair(&from.text, variable, &own);
            match self.message.ordered {
                true => binary(Operator::And, there, mailbox.is_first(variable, from, &own)),
                false => there,
            }
        };
        if !step
            .witnesses
            .iter()
            .any(|(name, _)| name.text == from.text)
        {
            step.witnesses.push((from.clone(), Side::Other));
        }
        let kind = received.kind.clone();
        (step.kinds).extend(kind.map(|kind| (Some(from.clone()), kind)));
        let mut taken: Vec<Action> = Vec::new();
        let mut take = |variable: &str, left: Expression| {
            if !self.message.duplicating {
                let target = target(&from.text, variable, &own);
                let value = Value::Exactly(left);
                taken.push(Action::Assign { target, value });
            }
        };
        let guard = match value {
            None => {
                take(&self.kinds[0].1, word("false", span));
                under_way(&self.kinds[0].1)
            }
            Some(value) => match (self.exactly(value), &value.kind) {
                (Some(variable), _) => {
                    take(variable, word("false", span));
                    under_way(variable)
                }
                (None, Kind::Name(text)) => {
                    self.is_new(text, value.span)?;
                    let name = Name {
                        text: text.clone(),
                        span: value.span,
                    };
                    if !step.choices.iter().any(|(known, _)| known.text == *text) {
                        step.choices.push((name, self.contents.clone()));
                    }
                    let mut ways = None;
                    for (known, variable) in &self.kinds {
                        let Some(known) = known else { continue };
                        let is = binary(Operator::Equal, value.clone(), known.clone());
                        let other = binary(Operator::Different, value.clone(), known.clone());
                        let still = pair(&from.text, variable, &own);
                        take(variable, binary(Operator::And, other, still));
                        let way = binary(Operator::And, is, under_way(variable));
                        ways = Some(match ways {
                            None => way,
                            Some(before) => binary(Operator::Or, before, way),
                        });
                    }
                    ways.unwrap_or_else(|| word("false", span))
                }
                _ => {
                    let message = "what is received is a value, or a name for it".to_owned();
                    let help = "as in `on vote(v) from q: when v != own`";
                    return Err((message, value.span, help));
                }
            },
        };
        step.guard = Some(match step.guard.take() {
            Some(rest) => binary(Operator::And, guard, rest),
            None => guard,
        });
        if self.message.ordered {
            let gone = mailbox.gone(&self.cases(value), &from.text, &own);
            let gone = gone.into_iter();
            taken.extend(gone.map(|(target, value)| Action::Assign { target, value }));
        }
        for actions in &mut step.alternatives {
            let mut all = taken.clone();
            all.append(actions);
            *actions = all;
        }
        Ok(())
    }

    /// Any one that is under way is lost.
    fn lose(&self, mailbox: &Mailbox) -> Step {
        let name = &self.message.name;
        let span: Span = name.span;
        let somebody = somebody(span);
        let mut alternatives = Vec::new();
        let mut ways: Option<Expression> = None;
        for (_, variable) in &self.kinds {
            let target = target("self", variable, &somebody);
            let value = Value::Exactly(word("false", span));
            let mut lost = vec![Action::Assign { target, value }];
            if self.message.ordered {
                let gone = mailbox.gone(&[(variable.clone(), None)], "self", &somebody);
                let gone = gone.into_iter();
                lost.extend(gone.map(|(target, value)| Action::Assign { target, value }));
            }
            alternatives.push(lost);
            let way = pair("self", variable, &somebody);
            ways = Some(match ways {
                None => way,
                Some(before) => binary(Operator::Or, before, way),
            });
        }
        Step {
            name: Name {
                text: format!("lose {}", name.text),
                span,
            },
            span,
            witnesses: vec![(somebody, Side::Other)],
            kinds: Vec::new(),
            received: Vec::new(),
            choices: Vec::new(),
            one_by_one: None,
            import: None,
            guard: ways,
            alternatives,
            fault: true,
            carried: Vec::new(),
            fairness: Fairness::default(),
            part: None,
        }
    }
}

pub(super) fn pair(owner: &str, variable: &str, index: &Name) -> Expression {
    let name = |text: &str| Name {
        text: text.to_owned(),
        span: index.span,
    };
    Expression {
        kind: Kind::Pair(Some(name(owner)), name(variable), index.clone()),
        span: index.span,
    }
}

pub(super) fn target(owner: &str, variable: &str, index: &Name) -> Target {
    let name = |text: &str| Name {
        text: text.to_owned(),
        span: index.span,
    };
    Target {
        owner: Some(name(owner)),
        field: name(variable),
        index: Some(index.clone()),
    }
}
