//! Quantifiers: processes that a formula speaks of beside those that are there.

use super::*;
use crate::replace::{free_names, fresh, renamed};

/// More ways to choose processes are not written out.
const MOST_CHOICES: usize = 50_000;

impl Lower<'_> {
    /// A name for a process is not that of a variable or a value: a predicate or a short form that
    /// speaks of these would mean the process where it is put in.
    pub(super) fn is_free(&mut self, name: &Name) {
        let of = &self.names;
        let what = match () {
            () if of.variables.contains_key(&name.text) => "a variable",
            () if of.values.contains_key(&name.text) => "a value",
            () => return,
        };
        let message = format!("`{}` is {what} and cannot be a process, too", name.text);
        let told = |one: &Diagnostic| one.message == message;
        if !self.mistakes.iter().any(told) {
            self.mistake("twice", message, name);
        }
    }

    /// All (some) others: a name that is there already is another one from here on.
    pub(super) fn other(
        &mut self,
        every: bool,
        name: &Name,
        body: &Expression,
        scope: &[String],
    ) -> Option<Formula> {
        let (names, body) = self.apart(std::slice::from_ref(name), body, scope);
        let body = Box::new(self.formula(&body, &[scope, &names[..]].concat())?);
        Some(match every {
            true => Formula::ForallOther(body),
            false => Formula::ExistsOther(body),
        })
    }

    /// All (some) different processes, which may be some of those that are there.
    pub(super) fn different(
        &mut self,
        every: bool,
        names: &[Name],
        body: &Expression,
        scope: &[String],
    ) -> Option<Formula> {
        for (number, name) in names.iter().enumerate() {
            if names[..number].iter().any(|other| other.text == name.text) {
                self.mistake("twice", format!("`{}` is named twice", name.text), name);
                return None;
            }
        }
        if let Some(name) = names.first()
            && scope.len() + names.len() > 2 * MOST_PROCESSES
        {
            self.mistake("many-processes", "too many processes at once".into(), name);
            return None;
        }
        let (names, body) = self.apart(names, body, scope);
        self.choices(every, &names, &body, scope, &[])
    }

    /// Names of a quantifier that nothing in scope has, and the formula behind it with them.
    fn apart(
        &mut self,
        names: &[Name],
        body: &Expression,
        scope: &[String],
    ) -> (Vec<String>, Expression) {
        let mut body = body.clone();
        let mut texts: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
        for (number, name) in names.iter().enumerate() {
            self.is_free(name);
            if !scope.contains(&name.text) {
                continue;
            }
            let mut within = Vec::new();
            free_names(&body, &mut Vec::new(), &mut within);
            let own = fresh(&name.text, |text| {
                let is = |one: &String| one == text;
                scope.iter().any(is)
                    || texts.iter().any(is)
                    || within.iter().any(|one| one.text == text)
            });
            body = renamed(&body, &name.text, &own);
            texts[number] = own;
        }
        (texts, body)
    }

    /// Each name is one of those that are there, at a place that no name before it has, or another.
    fn choices(
        &mut self,
        every: bool,
        names: &[String],
        body: &Expression,
        scope: &[String],
        chosen: &[usize],
    ) -> Option<Formula> {
        let Some((name, rest)) = names.split_first() else {
            return self.formula(body, scope);
        };
        self.choices += 1;
        if self.choices > MOST_CHOICES {
            if self.choices == MOST_CHOICES + 1 {
                let message = "quantifiers stand too deep inside each other".to_owned();
                let mistake = Diagnostic::error("many-processes", message);
                self.mistakes.push(mistake.in_source(self.source));
            }
            return None;
        }
        let mut cases = Vec::new();
        for (place, one) in scope.iter().enumerate() {
            // The place of an index that is a process of the transition is that process.
            if one.starts_with(' ') || chosen.contains(&place) {
                continue;
            }
            let body = renamed(body, name, one);
            let case = self.choices(every, rest, &body, scope, &[chosen, &[place]].concat())?;
            cases.push(self.if_different(every, place, chosen, case));
        }
        let wider = [scope, std::slice::from_ref(name)].concat();
        let chosen = [chosen, &[scope.len()]].concat();
        let inner = Box::new(self.choices(every, rest, body, &wider, &chosen)?);
        Some(match every {
            true => {
                cases.push(Formula::ForallOther(inner));
                Formula::And(cases)
            }
            false => {
                cases.push(Formula::ExistsOther(inner));
                Formula::Or(cases)
            }
        })
    }

    /// An index of an assignment may be any process, also one that is there: then two places are one
    /// process, which is no choice of two.
    fn if_different(&self, every: bool, place: usize, chosen: &[usize], case: Formula) -> Formula {
        let loose = |place: &usize| self.loose.contains(place);
        let doubtful = chosen.iter().filter(|one| loose(&place) || loose(one));
        let relation = match every {
            true => Relation::Same,
            false => Relation::Different,
        };
        let compare =
            |one: &usize| Formula::Compare(Term::Process(place), relation, Term::Process(*one));
        let mut parts: Vec<Formula> = doubtful.map(compare).collect();
        if parts.is_empty() {
            return case;
        }
        parts.push(case);
        match every {
            true => Formula::Or(parts),
            false => Formula::And(parts),
        }
    }
}

/// The processes that a condition says there are, and the rest of it.
pub(super) fn somebody(formula: &Expression, positive: bool) -> (Vec<Name>, Expression) {
    let rest = |formula: &Expression| match positive {
        true => formula.clone(),
        false => Expression::Not(Box::new(formula.clone())),
    };
    match formula {
        Expression::Not(inner) => somebody(inner, !positive),
        Expression::Quantified(every, names, body) if *every != positive => {
            (names.clone(), rest(body))
        }
        other => (Vec::new(), rest(other)),
    }
}
