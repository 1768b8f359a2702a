//! Transient variables by their names: those that are true or false are labels, others rewards, as in
//! other tools of the field.

use quotient_core::Span;

use super::model::Read;
use super::property::Properties;
use crate::syntax::{Named, Node, RewardTree, Sort, Tree};

/// Adds labels and rewards for transient variables whose names are free.
pub(super) fn named(read: &mut Read<'_>) {
    let mut names: Vec<(String, Span)> = Vec::new();
    names.extend(
        read.transient
            .iter()
            .map(|(name, value)| (name.clone(), value.span)),
    );
    // As they stand in the text: rewards can be asked for by their numbers.
    names.sort_by(|one, other| (one.1.start, &one.0).cmp(&(other.1.start, &other.0)));
    for (name, span) in names {
        let sort = read.expressions.sorts.borrow().get(&name).copied();
        let tree = Tree {
            node: Node::Name(name.clone()),
            span,
        };
        if sort == Some(Sort::Truth) {
            let always = matches!(name.as_str(), "init" | "deadlock");
            if !always && read.model.labels.iter().all(|one| one.name != name) {
                read.model.labels.push(Named { name, span, tree });
            }
        } else if read
            .model
            .rewards
            .iter()
            .all(|one| one.name.as_ref() != Some(&name))
        {
            let items = Properties::new(read).by_name(&tree);
            read.model.rewards.push(RewardTree {
                name: Some(name),
                items,
            });
        }
    }
}
