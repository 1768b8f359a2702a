//! Putting a net together from what a file says.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use quotient_core::{Diagnostic, Source, Span};

use crate::net::{Assign, Guard, Net, Place, Transition};

/// The most mistakes that are told.
const MOST_ERRORS: usize = 50;

/// The most tokens that a file may speak of: sums of products of such numbers fit.
pub(crate) const MOST_TOKENS: u64 = 1 << 53;

/// A net in the making. Mistakes are gathered and told at the end.
pub(crate) struct Builder<'a> {
    source: &'a Source,
    net: Net,
    /// What each transition takes and gives, by place.
    arcs: Vec<BTreeMap<usize, (u64, u64)>>,
    /// How many tokens each transition wants to see at least, and at most, by place.
    tests: Vec<BTreeMap<usize, (u64, Option<u64>)>>,
    /// Places that each transition empties.
    resets: Vec<BTreeSet<usize>>,
    names: HashSet<String>,
    too_many: bool,
    pub(crate) errors: Vec<Diagnostic>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(source: &'a Source) -> Builder<'a> {
        Builder {
            source,
            net: Net::default(),
            arcs: Vec::new(),
            tests: Vec::new(),
            resets: Vec::new(),
            names: HashSet::new(),
            too_many: false,
            errors: Vec::new(),
        }
    }

    pub(crate) fn wrong(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        if self.errors.len() < MOST_ERRORS {
            let wrong = Diagnostic::error(code, message).at(self.source, span, "");
            self.errors.push(wrong);
        }
    }

    /// Each name stands for one thing: another one is told.
    pub(crate) fn name(&mut self, id: &str, span: Span) {
        if id.is_empty() {
            self.wrong("no-name", "places and transitions need a name", span);
        } else if !self.names.insert(id.to_owned()) {
            self.wrong("same-name", format!("`{id}` is there twice"), span);
        }
    }

    pub(crate) fn place(&mut self, id: &str, label: &str, tokens: u64, span: Span) -> usize {
        self.name(id, span);
        self.net.places.push(Place {
            id: id.to_owned(),
            label: label.to_owned(),
            least: tokens,
            most: Some(tokens),
        });
        self.net.places.len() - 1
    }

    pub(crate) fn transition(&mut self, id: &str, label: &str, span: Span) -> usize {
        self.name(id, span);
        self.arcs.push(BTreeMap::new());
        self.tests.push(BTreeMap::new());
        self.resets.push(BTreeSet::new());
        self.net.transitions.push(Transition {
            id: id.to_owned(),
            label: label.to_owned(),
            span,
            ..Transition::default()
        });
        self.net.transitions.len() - 1
    }

    /// More tokens at the start.
    pub(crate) fn mark(&mut self, place: usize, tokens: u64) {
        let place = &mut self.net.places[place];
        place.least = place.least.saturating_add(tokens);
        place.most = Some(place.least);
        self.too_many |= place.least > MOST_TOKENS;
    }

    pub(crate) fn take(&mut self, transition: usize, place: usize, weight: u64) {
        let arc = self.arcs[transition].entry(place).or_default();
        arc.0 = arc.0.saturating_add(weight);
        self.too_many |= arc.0 > MOST_TOKENS;
    }

    pub(crate) fn give(&mut self, transition: usize, place: usize, weight: u64) {
        let arc = self.arcs[transition].entry(place).or_default();
        arc.1 = arc.1.saturating_add(weight);
        self.too_many |= arc.1 > MOST_TOKENS;
    }

    /// A transition needs so many tokens of a place and leaves them there.
    pub(crate) fn test(&mut self, transition: usize, place: usize, weight: u64) {
        let test = self.tests[transition].entry(place).or_default();
        test.0 = test.0.max(weight);
    }

    /// A transition can fire only while a place has fewer tokens.
    pub(crate) fn inhibit(&mut self, transition: usize, place: usize, weight: u64) {
        let test = self.tests[transition].entry(place).or_default();
        let most = weight.saturating_sub(1);
        test.1 = Some(test.1.map_or(most, |other| other.min(most)));
    }

    /// A transition empties a place before it gives anything to it.
    pub(crate) fn reset(&mut self, transition: usize, place: usize) {
        self.resets[transition].insert(place);
        self.arcs[transition].entry(place).or_default();
    }

    pub(crate) fn finish(mut self) -> Result<Net, Vec<Diagnostic>> {
        if self.too_many {
            let message = format!("more than {MOST_TOKENS} tokens at once");
            let wrong = Diagnostic::error("bad-number", message);
            self.errors.push(wrong.in_source(self.source));
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let arcs = self.arcs.into_iter().zip(self.tests).zip(self.resets);
        for (transition, ((mut arcs, tests), resets)) in self.net.transitions.iter_mut().zip(arcs) {
            for &place in tests.keys() {
                arcs.entry(place).or_default();
            }
            for (place, (take, give)) in arcs {
                let (least, most) = tests.get(&place).copied().unwrap_or_default();
                let least = least.max(take);
                if least > 0 || most.is_some() {
                    transition.guard.push(Guard { place, least, most });
                }
                if resets.contains(&place) {
                    let (sum, plus) = (Vec::new(), give as i64);
                    transition.assign.push(Assign { place, sum, plus });
                } else if take != give {
                    // Both are at most `MOST_TOKENS`.
                    transition.effect.push((place, give as i64 - take as i64));
                }
            }
        }
        Ok(self.net)
    }
}
