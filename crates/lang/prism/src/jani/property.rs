//! Properties of JANI to the trees that properties in the language of PRISM are read to.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use quotient_core::Diagnostic;
use quotient_markov::Kind;

use super::expression::{Scope, replaced};
use super::json::{Json, Part};
use super::model::{Given, Read};
use crate::syntax::{
    Ahead, Asks, Body, Bound, Chance, Earns, Filter, FilterKind, Join, Limit, Node, PropertiesTree,
    PropertyTree, RewardItem, RewardTree, Structure, Tree, Until, Within,
};

/// Reads the properties, and adds the rewards that they speak about to the model. A property that
/// cannot be read keeps its name: whoever asks for it hears why.
pub(crate) fn read(root: &Part, read: &mut Read<'_>) -> PropertiesTree {
    let mut tree = PropertiesTree::default();
    for part in root.all("properties") {
        let properties = Properties::new(read);
        let made = properties.property(part);
        let rewards = properties.rewards.into_inner();
        match made {
            Ok(property) => {
                tree.properties.push(property);
                read.model.rewards.extend(rewards);
            }
            Err(mistake) => {
                let text = &read.expressions.source.text()[part.span.range()];
                tree.properties.push(PropertyTree {
                    name: part.text_of("name").map(str::to_owned),
                    tree: Tree {
                        node: Node::Refused(mistake.message),
                        span: mistake.labels.first().map_or(part.span, |one| one.span),
                    },
                    text: text.split_whitespace().collect::<Vec<_>>().join(" "),
                    span: part.span,
                });
            }
        }
    }
    tree
}

pub(super) struct Properties<'r, 's> {
    pub(super) read: &'r Read<'s>,
    /// Rewards that the property at hand speaks about.
    pub(super) rewards: RefCell<Vec<RewardTree>>,
}

impl<'r, 's> Properties<'r, 's> {
    pub(super) fn new(read: &'r Read<'s>) -> Properties<'r, 's> {
        let rewards = RefCell::default();
        Properties { read, rewards }
    }

    /// What a variable earns that is asked for by its name: in states, and by edges that give it a
    /// value.
    pub(super) fn by_name(&self, inner: &Tree) -> Vec<RewardItem> {
        let span = inner.span;
        let truth = Tree {
            node: Node::Truth(true),
            span,
        };
        let item = |earns: Earns, value: Tree| RewardItem {
            earns,
            guard: truth.clone(),
            value,
            span,
        };
        let mut items = vec![item(Earns::State, inner.clone())];
        let usual = replaced(inner, &self.read.transient);
        for (command, given) in self.read.given.iter().enumerate() {
            let value = self.gained(inner, &usual, given);
            items.extend(value.map(|value| item(Earns::Command(command), value)));
        }
        items
    }

    fn property(&self, part: &Part) -> Result<PropertyTree, Diagnostic> {
        let expressions = &self.read.expressions;
        let name = expressions.text(part, "name")?;
        let expression = expressions.field(part, "expression")?;
        let text = &expressions.source.text()[expression.span.range()];
        Ok(PropertyTree {
            // A name that says nothing is none.
            name: (!name.is_empty()).then(|| name.to_owned()),
            tree: self.formula(expression)?,
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            span: part.span,
        })
    }

    /// A formula over states, or a number for each.
    fn formula(&self, part: &Part) -> Result<Tree, Diagnostic> {
        let scope = Scope::default();
        let more = |part: &Part, operator: &str| self.operator(part, operator);
        let tree = self.read.expressions.tree_with(part, &scope, &more)?;
        Ok(bounded(tree))
    }

    fn operator(&self, part: &Part, operator: &str) -> Result<Option<Tree>, Diagnostic> {
        let expressions = &self.read.expressions;
        let span = part.span;
        let node = match operator {
            "filter" => self.filter(part)?,
            "initial" => Node::Label("init".to_owned()),
            "deadlock" | "timelock" => Node::Label("deadlock".to_owned()),
            "∀" | "∃" => {
                let path = self.path(expressions.field(part, "exp")?)?;
                Node::Quantified(operator == "∃", Box::new(path))
            }
            "Pmin" | "Pmax" => {
                let path = self.path(expressions.field(part, "exp")?)?;
                chance(
                    Asks::Probability,
                    operator == "Pmin",
                    Body::Formula(path),
                    None,
                )
            }
            "Emin" | "Emax" => self.expected(part, operator == "Emin")?,
            "Smin" | "Smax" => {
                let inner = self.formula(expressions.field(part, "exp")?)?;
                let least = operator == "Smin";
                match expressions.is_condition(&inner) {
                    true => chance(Asks::Steady, least, Body::Formula(inner), None),
                    false => {
                        let structure = self.structure(&inner, part, true, span)?;
                        chance(Asks::Reward, least, Body::LongRun, Some(structure))
                    }
                }
            }
            "U" | "W" | "R" | "F" | "G" | "X" => {
                let message = "a path formula must stand inside of `Pmin`, `Pmax`, `∀` or `∃`";
                return Err(expressions.error("path", message, span));
            }
            _ => return Ok(None),
        };
        Ok(Some(Tree { node, span }))
    }

    fn filter(&self, part: &Part) -> Result<Node, Diagnostic> {
        let expressions = &self.read.expressions;
        let of = self.formula(expressions.field(part, "values")?)?;
        let states = expressions.field(part, "states")?;
        let fun = expressions.field(part, "fun")?;
        let initial = states.text_of("op") == Some("initial");
        let what = match fun.text().unwrap_or_default() {
            "values" if initial => return Ok(of.node),
            "values" => FilterKind::PrintAll,
            "min" => FilterKind::Min,
            "max" => FilterKind::Max,
            "sum" => FilterKind::Sum,
            "avg" => FilterKind::Average,
            "count" => FilterKind::Count,
            "∀" => FilterKind::ForAll,
            "∃" => FilterKind::Exists,
            "argmin" => FilterKind::ArgMin,
            "argmax" => FilterKind::ArgMax,
            other => {
                let message = format!("`{other}` is no kind of filter");
                return Err(expressions.error("filter", message, fun.span));
            }
        };
        let states = Some(self.formula(states)?);
        Ok(Node::Filter(Box::new(Filter { what, of, states })))
    }

    fn path(&self, part: &Part) -> Result<Tree, Diagnostic> {
        let expressions = &self.read.expressions;
        let span = part.span;
        let operator = part.text_of("op").unwrap_or_default();
        let inner = |name: &str| Ok(Box::new(self.path(expressions.field(part, name)?)?));
        if let Some(node) = self.within(part, operator)? {
            return Ok(Tree { node, span });
        }
        let node = match operator {
            "U" | "W" | "R" => {
                let kind = match operator {
                    "U" => Until::Strong,
                    "W" => Until::Weak,
                    _ => Until::Release,
                };
                Node::Until(kind, self.bound(part)?, inner("left")?, inner("right")?)
            }
            "F" | "G" | "X" => {
                let kind = match operator {
                    "F" => Ahead::Finally,
                    "G" => Ahead::Globally,
                    _ => Ahead::Next,
                };
                Node::Ahead(kind, self.bound(part)?, inner("exp")?)
            }
            "∧" | "∨" | "⇒" => {
                let join = match operator {
                    "∧" => Join::And,
                    "∨" => Join::Or,
                    _ => Join::Implies,
                };
                Node::Two(join, inner("left")?, inner("right")?)
            }
            "¬" => Node::Not(inner("exp")?),
            _ => return self.formula(part),
        };
        // `true U a` is `F a`: what is short reads best, and is known best.
        if let Node::Until(Until::Strong, bound, left, right) = &node
            && left.node == Node::Truth(true)
        {
            let node = Node::Ahead(Ahead::Finally, bound.clone(), right.clone());
            return Ok(Tree { node, span });
        }
        Ok(Tree { node, span })
    }

    /// A path that reaches something before too much is earned.
    fn within(&self, part: &Part, operator: &str) -> Result<Option<Node>, Diagnostic> {
        let expressions = &self.read.expressions;
        let Some(bounds) = part.get("reward-bounds") else {
            return Ok(None);
        };
        let refused = |message: &str| expressions.error("not-supported", message, bounds.span);
        if part
            .get("step-bounds")
            .or(part.get("time-bounds"))
            .is_some()
        {
            return Err(refused("a bound on rewards stands alone"));
        }
        let right = match operator {
            "U" => "right",
            "F" => "exp",
            _ => return Err(refused("bounds on rewards are for `F` and `U`")),
        };
        // The same text is the same value, wherever it stands.
        let told = |values: &HashMap<String, Tree>| -> BTreeMap<String, &str> {
            let text = |tree: &Tree| &expressions.source.text()[tree.span.range()];
            let values = values.iter();
            values
                .map(|(name, tree)| (name.clone(), text(tree)))
                .collect()
        };
        let uneven = |branches: &Given| {
            branches
                .windows(2)
                .any(|pair| told(&pair[0].transient) != told(&pair[1].transient))
        };
        let message = "bounds are on what is earned whatever comes of a step";
        if self.read.given.iter().any(uneven) {
            return Err(refused(message));
        }
        let mut limits = Vec::new();
        for one in part.all("reward-bounds") {
            let inner = self.formula(expressions.field(one, "exp")?)?;
            let branches = self.read.given.iter().any(|given| given.len() > 1);
            if branches && self.after_steps(&inner)?.is_some() {
                return Err(refused(message));
            }
            let structure = self.structure(&inner, one, false, part.span)?;
            let bounds = expressions.field(one, "bounds")?;
            self.is_bounds(bounds)?;
            for (name, exclusive) in [("upper", "upper-exclusive"), ("lower", "lower-exclusive")] {
                if let Some(amount) = bounds.get(name) {
                    limits.push(Limit {
                        structure: structure.clone(),
                        amount: expressions.tree(amount, &Scope::default())?,
                        strictly: bounds.says(exclusive),
                        upper: name == "upper",
                    });
                }
            }
        }
        if limits.is_empty() {
            return Err(refused("there is no bound here"));
        }
        Ok(Some(Node::Within(Box::new(Within {
            left: match operator {
                "U" => Some(self.path(expressions.field(part, "left")?)?),
                _ => None,
            },
            right: self.path(expressions.field(part, right)?)?,
            limits,
        }))))
    }

    /// Whether time passes in the model.
    pub(super) fn takes_time(&self) -> bool {
        let model = &self.read.model;
        model.kind == Kind::Ctmc || model.timed || model.markovian
    }

    /// Bounds on steps or time.
    fn bound(&self, part: &Part) -> Result<Option<Box<Bound>>, Diagnostic> {
        let expressions = &self.read.expressions;
        let (steps, time) = (part.get("step-bounds"), part.get("time-bounds"));
        let timed = self.takes_time();
        if let (Some(steps), true) = (steps, timed) {
            let message = "bounds on steps of a model with time cannot be checked yet";
            return Err(expressions.error("not-supported", message, steps.span));
        }
        self.only(
            part,
            &["op", "exp", "left", "right", "step-bounds", "time-bounds"],
        )?;
        if let (Some(_), Some(time)) = (steps, time) {
            let message = "bounds on steps and on time do not stand beside each other";
            return Err(expressions.error("not-supported", message, time.span));
        }
        if let (Some(time), false) = (time, timed) {
            return Err(self.no_time(time));
        }
        let Some(bounds) = steps.or(time) else {
            return Ok(None);
        };
        self.is_bounds(bounds)?;
        let number = |name: &str| {
            let part = bounds.get(name);
            part.map(|part| expressions.tree(part, &Scope::default()))
                .transpose()
        };
        Ok(Some(Box::new(Bound {
            low: number("lower")?,
            low_strict: bounds.says("lower-exclusive"),
            high: number("upper")?,
            high_strict: bounds.says("upper-exclusive"),
        })))
    }

    /// Steps are no time: how long they take is not said.
    fn no_time(&self, part: &Part) -> Diagnostic {
        let message = "no time passes in a model of this type: bounds are on steps";
        let error = self.read.expressions.error("time", message, part.span);
        error.help("write `step-bounds` or `step-instant`")
    }

    /// A field that is not known could change what is asked.
    fn only(&self, part: &Part, known: &[&str]) -> Result<(), Diagnostic> {
        let fields = match &part.value {
            Json::Object(fields) => &fields[..],
            _ => &[],
        };
        let mut others = fields.iter().map(|(name, field)| (name.as_str(), field));
        match others.find(|(name, _)| *name != "comment" && !known.contains(name)) {
            None => Ok(()),
            Some((name, field)) => {
                let message = format!("`{name}` cannot stand here");
                let error = self
                    .read
                    .expressions
                    .error("not-supported", message, field.span);
                Err(error.did_you_mean(name, known.iter().copied()))
            }
        }
    }

    /// An interval has at least one end.
    fn is_bounds(&self, bounds: &Part) -> Result<(), Diagnostic> {
        let exclusive = ["lower-exclusive", "upper-exclusive"];
        self.only(bounds, &["lower", "upper", exclusive[0], exclusive[1]])?;
        let error = |message: &str, at: &Part| {
            let span = at.span;
            Err(self.read.expressions.error("syntax", message, span))
        };
        if bounds.get("lower").or(bounds.get("upper")).is_none() {
            return error("an object with `lower` or `upper` was expected", bounds);
        }
        for part in exclusive.iter().filter_map(|name| bounds.get(name)) {
            if !matches!(part.value, Json::Truth(_)) {
                return error("`true` or `false` was expected", part);
            }
        }
        Ok(())
    }

    /// An expected reward.
    fn expected(&self, part: &Part, least: bool) -> Result<Node, Diagnostic> {
        let expressions = &self.read.expressions;
        let inner = self.formula(expressions.field(part, "exp")?)?;
        if let Some(instants) = part.get("reward-instants") {
            let message = "rewards until other rewards cannot be computed yet";
            return Err(expressions.error("not-supported", message, instants.span));
        }
        let instants = ["step-instant", "time-instant"];
        self.only(
            part,
            &["op", "exp", "accumulate", "reach", instants[0], instants[1]],
        )?;
        let steps = part.get(instants[0]);
        if let Some(steps) = steps.filter(|_| self.takes_time() || part.get(instants[1]).is_some())
        {
            let message = "after a number of steps, in a model with time or beside a time, \
                nothing can be computed yet";
            return Err(expressions.error("not-supported", message, steps.span));
        }
        if let (Some(time), false) = (part.get(instants[1]), self.takes_time()) {
            return Err(self.no_time(time));
        }
        let instant = steps.or(part.get(instants[1]));
        let accumulates = part.get("accumulate").is_some();
        let body = match (part.get("reach"), instant) {
            (Some(goal), None) => {
                let span = goal.span;
                let goal = Box::new(self.formula(goal)?);
                let node = Node::Ahead(Ahead::Finally, None, goal);
                Body::Formula(Tree { node, span })
            }
            (None, Some(instant)) => {
                let instant = expressions.tree(instant, &Scope::default())?;
                match accumulates {
                    true => Body::Until(instant),
                    false => Body::At(instant),
                }
            }
            (None, None) => Body::Total,
            (Some(_), Some(instant)) => {
                let message = "`reach` does not stand beside a bound";
                return Err(expressions.error("not-supported", message, instant.span));
            }
        };
        let in_states = matches!(body, Body::At(_));
        let structure = self.structure(&inner, part, in_states, part.span)?;
        Ok(chance(Asks::Reward, least, body, Some(structure)))
    }
}

/// A number that is asked for and compared with another is a bound.
fn bounded(tree: Tree) -> Tree {
    let span = tree.span;
    let Node::Two(join, left, right) = tree.node else {
        return tree;
    };
    let turned = match join {
        Join::Less => Some(Join::Greater),
        Join::AtMost => Some(Join::AtLeast),
        Join::Greater => Some(Join::Less),
        Join::AtLeast => Some(Join::AtMost),
        _ => None,
    };
    let open = |tree: &Tree| matches!(&tree.node, Node::Chance(one) if one.relation.is_none());
    let plain = crate::check::is_plain;
    let (chance, join, limit) = match turned {
        Some(_) if open(&left) && plain(&right) => (*left, join, *right),
        Some(turned) if open(&right) && plain(&left) => (*right, turned, *left),
        _ => {
            let node = Node::Two(join, left, right);
            return Tree { node, span };
        }
    };
    let Node::Chance(mut inner) = chance.node else {
        return chance;
    };
    inner.relation = Some((join, limit));
    Tree {
        node: Node::Chance(inner),
        span,
    }
}

fn chance(asks: Asks, least: bool, body: Body, structure: Option<Structure>) -> Node {
    Node::Chance(Box::new(Chance {
        asks,
        least: Some(least),
        relation: None,
        structure,
        body,
        given: None,
    }))
}

/// Whether a text is one of JANI, by a look at its beginning.
pub(crate) fn is_jani(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('{') && text.contains("\"automata\"") && text.contains("\"type\"")
}
