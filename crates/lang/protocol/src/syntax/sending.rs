//! What a step sends, as assignments.

use super::kinds::{Wrong, binary, word};
use super::mailboxes::{Case, Mailbox, Sent};
use super::messages::{Known, find, pair, somebody, target};
use super::tree::*;

/// Makes assignments of all that a step sends. What it sends to all others comes first: what it
/// sends to one of them beside it is joined to that.
pub(super) fn send_all(step: &mut Step, known: &[Known], mailbox: &Mailbox) -> Result<(), Wrong> {
    let alternatives = step.alternatives.len();
    let mut free: Vec<Expression> = Vec::new();
    for actions in &mut step.alternatives {
        let mut sent = Sent::default();
        let (mut to_all, mut to_one): (Vec<Sending<'_>>, Vec<Sending<'_>>) = Default::default();
        for action in std::mem::take(actions) {
            let Action::Message { message, value, to } = action else {
                actions.push(action);
                continue;
            };
            let one = find(known, &message)?;
            if let Some(own) = to.as_ref().filter(|to| to.text == "self") {
                let wrong = "a message to the process itself never arrives".to_owned();
                return Err((wrong, own.span, "send it to another, or to `others`"));
            }
            let value = one.given(&message, value.as_ref())?;
            if let Some(value) = value.filter(|value| one.exactly(value).is_none()) {
                let what = (value.clone(), one.contents.clone(), message.clone());
                step.carried.push(what);
            }
            let receiver = to.clone().unwrap_or_else(|| somebody(message.span));
            let cases = one.cases(value);
            if one.message.ordered {
                sent.add(&message, to.as_ref(), &step.witnesses, alternatives)?;
                free.push(mailbox.is_free(&cases, to.as_ref(), &receiver));
            }
            let all = if to.is_none() {
                &mut to_all
            } else {
                &mut to_one
            };
            all.push(Sending {
                one,
                cases,
                to,
                receiver,
            });
        }
        to_all.append(&mut to_one);
        let sendings = to_all;
        for (number, sending) in sendings.iter().enumerate() {
            let before = &sendings[..number];
            let cases = sending.joined(before, &step.witnesses)?;
            sending.one.send(&cases, sending, mailbox, actions);
        }
    }
    for free in free {
        step.guard = Some(match step.guard.take() {
            Some(rest) => binary(Operator::And, free, rest),
            None => free,
        });
    }
    Ok(())
}

/// One message that a step sends.
struct Sending<'k> {
    one: &'k Known,
    cases: Vec<Case>,
    /// To whom; nobody in particular means all others.
    to: Option<Name>,
    receiver: Name,
}

impl Sending<'_> {
    /// What is under way to the receiver after this and all that the step sent before: the later
    /// assignment counts, so it says what the earlier ones did.
    fn joined(
        &self,
        before: &[Sending<'_>],
        witnesses: &[(Name, Side)],
    ) -> Result<Vec<Case>, Wrong> {
        let is_witness = |name: &Name| witnesses.iter().any(|(known, _)| known.text == name.text);
        let mut cases = self.cases.clone();
        for earlier in before {
            let same = match (&earlier.to, &self.to) {
                (None, _) | (_, None) => true,
                (Some(one), Some(two)) => one.text == two.text,
            };
            for (variable, condition) in &mut cases {
                let known = earlier.cases.iter().find(|(known, _)| known == variable);
                let Some((_, also)) = known else { continue };
                let apart = match (&earlier.to, &self.to) {
                    (Some(one), Some(two)) => is_witness(one) && is_witness(two),
                    _ => false,
                };
                *condition = match (condition.take(), also) {
                    (None, _) => None,
                    (Some(own), _) if !same && apart => Some(own),
                    (Some(_), _) if !same => {
                        let text = &self.receiver.text;
                        let wrong = format!("`{text}` may be somebody who is sent this already");
                        let help = "name whom it is sent to with `with`, or write two steps";
                        return Err((wrong, self.receiver.span, help));
                    }
                    (Some(_), None) => None,
                    (Some(own), Some(also)) => Some(binary(Operator::Or, own, also.clone())),
                };
            }
        }
        Ok(cases)
    }
}

impl Known {
    fn send(
        &self,
        cases: &[Case],
        sending: &Sending<'_>,
        mailbox: &Mailbox,
        actions: &mut Vec<Action>,
    ) {
        let receiver = &sending.receiver;
        let mut set: Vec<(Target, Value)> = Vec::new();
        for (variable, condition) in cases {
            let new = match condition {
                None => word("true", receiver.span),
                Some(is) => {
                    let already = pair("self", variable, receiver);
                    binary(Operator::Or, is.clone(), already)
                }
            };
            let target = target("self", variable, receiver);
            set.push((target, Value::Exactly(new)));
        }
        if self.message.ordered {
            set.extend(mailbox.sent(cases, receiver));
        }
        match sending.to {
            Some(_) => {
                let each = set.into_iter();
                actions.extend(each.map(|(target, value)| Action::Assign { target, value }));
            }
            None => actions.push(Action::Broadcast {
                name: receiver.clone(),
                side: Side::Other,
                only: None,
                assignments: set,
            }),
        }
    }
}
