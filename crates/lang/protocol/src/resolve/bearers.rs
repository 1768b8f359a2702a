//! That variables which always hold a process keep one when processes are removed.

use super::{Resolved, Resolver};
use crate::model::{Action, Expr};
use crate::syntax::tree;

impl Resolver<'_> {
    /// What one alternative needs so that variables keep their processes would be asked of all: where
    /// it is not the same for each, they are steps of their own.
    pub(super) fn keep_all_bearers(
        &self,
        step: &tree::Step,
        alternatives: &[Vec<Action>],
        guard: &mut Vec<Expr>,
    ) -> Resolved<()> {
        let needs = (alternatives.iter()).map(|actions| self.keep_bearers(step, actions));
        let needs = needs.collect::<Resolved<Vec<_>>>()?;
        let Some((first, rest)) = needs.split_first() else {
            return Ok(());
        };
        if rest.iter().any(|other| other != first) {
            let message =
                "this step removes a process in one alternative only, which a variable may hold";
            return Err(self
                .error("holds-removed", message, step.name.span)
                .note("whoever a `process` variable must hold cannot go: then the other alternative is left")
                .help("make a step of each alternative, or declare the variable as `process or none`"));
        }
        guard.extend(first.iter().cloned());
        Ok(())
    }

    /// A variable that always holds a process is not left holding one that goes away: what must be
    /// true so that the actions can happen.
    fn keep_bearers(&self, step: &tree::Step, actions: &[Action]) -> Resolved<Vec<Expr>> {
        let mut guard = Vec::new();
        let needed = |field: &usize| self.fields[*field].mark.is_some_and(|mark| !mark.optional);
        let removed = actions.iter().filter_map(|action| match action {
            Action::Remove(who) => Some(*who),
            _ => None,
        });
        for gone in removed {
            for mark in (0..self.fields.len()).filter(needed) {
                let bearer = actions.iter().rev().find_map(|action| match action {
                    Action::SetMark(set, bearer) if *set == mark => *bearer,
                    _ => None,
                });
                guard.push(Expr::Not(Box::new(match bearer {
                    None => Expr::Field(gone, mark),
                    Some(bearer) if bearer != gone => Expr::Same(bearer, gone),
                    Some(_) => {
                        let name = &self.fields[mark].name;
                        let message = format!("`{name}` would hold a process that is removed");
                        return Err(self
                            .error("holds-removed", message, step.name.span)
                            .help(format!("declare `{name}` as `process or none`")));
                    }
                })));
            }
        }
        Ok(guard)
    }
}
