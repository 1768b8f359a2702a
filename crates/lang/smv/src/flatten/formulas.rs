//! Specifications: temporal formulas over Boolean expressions of the program.
//!
//! Boolean operators become part of the formula, so that its atoms are as small as the user
//! wrote them: vacuity and queries speak about those.

use quotient_core::{Diagnostic, Source, Span};
use quotient_logic::{Binary, Formula, Kind as Says, Placeholder, Unary};

use super::{Entity, Flattener, ScopeId, Scopes};
use crate::parse::parse_formula;
use crate::program::{Node, NodeId, Program, Specification};
use crate::syntax::{
    self, BinaryOperator, SpecificationKind, Syntax, SyntaxId, Temporal, UnaryOperator,
};

/// Longer chains of `&` or `|` without temporal operators are one atom.
const LONGEST_CHAIN: usize = 100;
/// Longer chains with temporal operators are refused.
const LONGEST_TEMPORAL_CHAIN: usize = 1000;

/// Reads a formula in the words of a program; new expressions are added to the program.
pub(crate) fn ask(
    program: &mut Program,
    scopes: &mut Scopes,
    source: &Source,
    kind: Option<SpecificationKind>,
) -> Result<Specification, Vec<Diagnostic>> {
    let tree = &mut scopes.tree;
    let guess = kind.unwrap_or(SpecificationKind::Ctl);
    let mut parsed = parse_formula(source, guess, &mut tree.names, &mut tree.expressions)
        .map_err(|error| vec![error])?;
    let mut flattener = Flattener::resume(program.clone(), scopes.clone(), source.clone());
    if kind.is_none() {
        parsed.kind = flattener.likely_kind(parsed.formula);
    }
    flattener.specification(ScopeId(0), &parsed);
    if !flattener.diagnostics.is_empty() {
        return Err(flattener.diagnostics);
    }
    (*program, *scopes) = (flattener.program, flattener.scopes);
    program.specifications.pop().ok_or_else(Vec::new)
}

pub(super) type Converted = Result<Formula<NodeId>, Option<Diagnostic>>;

impl Flattener {
    /// The scope that `IN instance` names; none if it names no instance.
    pub(super) fn context(&mut self, scope: ScopeId, context: Option<SyntaxId>) -> Option<ScopeId> {
        let Some(context) = context else {
            return Some(scope);
        };
        match self.elaborate(scope, context) {
            Entity::Instance(found) => Some(found),
            Entity::Broken => None,
            _ => {
                let span = self.scopes.tree.expressions.span(context);
                let message = "only an instance of a module can stand after `IN`";
                let error = self.error("smv-context", message, span);
                self.report(error);
                None
            }
        }
    }

    pub(super) fn specification(&mut self, scope: ScopeId, parsed: &syntax::Specification) {
        let Some(inner) = self.context(scope, parsed.context) else {
            return;
        };
        match self.formula(inner, parsed.formula, parsed.kind) {
            Ok(formula) => {
                let span = self.scopes.tree.expressions.span(parsed.formula);
                let text = one_line(&self.source.text()[span.range()]);
                self.program.specifications.push(Specification {
                    kind: parsed.kind,
                    is_psl: false,
                    name: parsed.name.map(|name| self.full_name(scope, name.id)),
                    formula,
                    text,
                    span,
                });
            }
            Err(Some(error)) => self.report(error),
            Err(None) => {}
        }
    }

    /// LTL if there is a temporal operator without a path quantifier, else CTL.
    fn likely_kind(&self, root: SyntaxId) -> SpecificationKind {
        let expressions = &self.scopes.tree.expressions;
        let is_ltl = expressions.run(root).any(|at| {
            matches!(
                expressions.node(SyntaxId(at)),
                Syntax::Temporal(Temporal::Unary(..) | Temporal::Binary(..))
            )
        });
        match is_ltl {
            true => SpecificationKind::Ltl,
            false => SpecificationKind::Ctl,
        }
    }

    pub(super) fn formula(
        &mut self,
        scope: ScopeId,
        root: SyntaxId,
        kind: SpecificationKind,
    ) -> Converted {
        let expressions = &self.scopes.tree.expressions;
        let span = expressions.span(root);
        let operator = match expressions.node(root) {
            Syntax::Temporal(temporal) => return self.temporal(scope, temporal, kind, span),
            Syntax::Boolean(value) => return Ok(Formula::new(Says::Constant(value), span)),
            Syntax::Placeholder(over) => return self.placeholder(scope, over, span),
            Syntax::Unary(UnaryOperator::Not, operand) => {
                let operand = self.formula(scope, operand, kind)?;
                return Ok(Formula::new(
                    Says::Unary(Unary::Not, Box::new(operand)),
                    span,
                ));
            }
            Syntax::Binary(operator, ..) => connective(operator),
            _ => None,
        };
        match operator {
            Some(_) => self.chain(scope, root, kind),
            None => self.atom(scope, root, kind),
        }
    }

    /// `a & b | c & …`: long chains lean to the left, so that side is walked, not recursed.
    fn chain(&mut self, scope: ScopeId, root: SyntaxId, kind: SpecificationKind) -> Converted {
        let expressions = &self.scopes.tree.expressions;
        let mut rights = Vec::new();
        let mut left = root;
        while let Syntax::Binary(operator, next, right) = expressions.node(left) {
            let Some(operator) = connective(operator) else {
                break;
            };
            rights.push((operator, right, expressions.span(left)));
            left = next;
        }
        if rights.len() > LONGEST_CHAIN {
            let temporal = |at: u32| {
                let node = expressions.node(SyntaxId(at));
                matches!(node, Syntax::Temporal(_) | Syntax::Placeholder(_))
            };
            if !expressions.run(root).any(temporal) {
                return self.atom(scope, root, kind);
            }
            if rights.len() > LONGEST_TEMPORAL_CHAIN {
                let message =
                    format!("more than {LONGEST_TEMPORAL_CHAIN} formulas are joined here");
                let error = self.error("smv-nesting", message, expressions.span(root));
                return Err(Some(
                    error.help("write them as specifications of their own"),
                ));
            }
        }
        let mut formula = self.formula(scope, left, kind)?;
        for (operator, right, span) in rights.into_iter().rev() {
            let right = self.formula(scope, right, kind)?;
            let says = Says::Binary(operator, Box::new(formula), Box::new(right));
            formula = Formula::new(says, span);
        }
        Ok(formula)
    }

    pub(super) fn atom(
        &mut self,
        scope: ScopeId,
        root: SyntaxId,
        kind: SpecificationKind,
    ) -> Converted {
        let node = self.value(scope, root).ok_or(None)?;
        let span = self.scopes.tree.expressions.span(root);
        let node = self.needs_boolean(node, span, "a formula")?;
        let nodes = &self.program.nodes;
        // An invariant may be about steps, as in NuSMV.
        let is_invariant = kind == SpecificationKind::Invariant;
        if nodes.mentions_next(node) && !is_invariant {
            let error = self.next_misplaced(root, "this specification");
            return Err(Some(
                error.help("INVARSPEC may speak about steps; LTL has the operator `X`"),
            ));
        }
        if nodes.mentions_input(node) && kind == SpecificationKind::Ctl {
            let error = self.input_misplaced(root, "CTL specifications");
            return Err(Some(
                error.help("LTL and invariant specifications may speak about inputs"),
            ));
        }
        Ok(Formula::new(Says::Atom(node), span))
    }

    fn placeholder(&mut self, scope: ScopeId, over: Option<syntax::List>, span: Span) -> Converted {
        let mut atoms = None;
        if let Some(list) = over {
            let items = self.scopes.tree.expressions.list(list).to_vec();
            let mut found = Vec::new();
            for item in items {
                let node = self.value(scope, item).ok_or(None)?;
                let nodes = &self.program.nodes;
                if nodes.mentions_next(node) || nodes.mentions_input(node) {
                    return Err(Some(self.input_misplaced(item, "a placeholder")));
                }
                if !matches!(nodes.node(node), Node::Variable { .. }) {
                    let span = self.scopes.tree.expressions.span(item);
                    let what = "a proposition that is no variable";
                    found.push(self.needs_boolean(node, span, what)?);
                    continue;
                }
                found.push(node);
            }
            atoms = Some(found);
        }
        let says = Says::Placeholder(Placeholder { over: atoms });
        Ok(Formula::new(says, span))
    }

    fn temporal(
        &mut self,
        scope: ScopeId,
        temporal: Temporal,
        kind: SpecificationKind,
        span: Span,
    ) -> Converted {
        let quantified = matches!(
            temporal,
            Temporal::Quantified(..) | Temporal::QuantifiedUntil(..)
        );
        let fits = match kind {
            SpecificationKind::Ctl => quantified,
            SpecificationKind::Ltl => !quantified,
            SpecificationKind::Invariant => false,
        };
        if !fits {
            return Err(Some(self.wrong_logic(kind, quantified, span)));
        }
        let boxed = |formula: Formula<NodeId>| Box::new(formula);
        let (quantifier, path) = match temporal {
            Temporal::Quantified(quantifier, operator, operand) => {
                let operand = self.formula(scope, operand, kind)?;
                (Some(quantifier), Says::Unary(operator, boxed(operand)))
            }
            Temporal::Unary(operator, operand) => {
                let operand = self.formula(scope, operand, kind)?;
                (None, Says::Unary(operator, boxed(operand)))
            }
            Temporal::QuantifiedUntil(quantifier, interval, left, right) => {
                let left = self.formula(scope, left, kind)?;
                let right = self.formula(scope, right, kind)?;
                let until = Binary::Until(interval);
                (
                    Some(quantifier),
                    Says::Binary(until, boxed(left), boxed(right)),
                )
            }
            Temporal::Binary(operator, left, right) => {
                let left = self.formula(scope, left, kind)?;
                let right = self.formula(scope, right, kind)?;
                (None, Says::Binary(operator, boxed(left), boxed(right)))
            }
        };
        let path = Formula::new(path, span);
        Ok(match quantifier {
            Some(quantifier) => Formula::new(Says::Unary(quantifier, boxed(path)), span),
            None => path,
        })
    }

    fn wrong_logic(&self, kind: SpecificationKind, quantified: bool, span: Span) -> Diagnostic {
        let (found, here) = match (quantified, kind) {
            (true, SpecificationKind::Ltl) => ("a CTL operator", "an LTL specification"),
            (false, SpecificationKind::Ctl) => ("an LTL operator", "a CTL specification"),
            _ => ("a temporal operator", "an invariant specification"),
        };
        let error = self.error("smv-logic", format!("{found} cannot stand in {here}"), span);
        match (quantified, kind) {
            (false, SpecificationKind::Ctl) => {
                error.help("write LTLSPEC, or add a path quantifier: `AG`, `EF`, `A [p U q]`")
            }
            (true, SpecificationKind::Ltl) => {
                error.help("write CTLSPEC, or leave the path quantifier out: `G`, `F`, `p U q`")
            }
            _ => error.help("INVARSPEC holds in all reachable states by itself; or use CTLSPEC"),
        }
    }
}

/// Boolean operators as operators of formulas.
fn connective(operator: BinaryOperator) -> Option<Binary> {
    Some(match operator {
        BinaryOperator::And => Binary::And,
        BinaryOperator::Or => Binary::Or,
        BinaryOperator::Xor => Binary::Xor,
        BinaryOperator::Implies => Binary::Implies,
        BinaryOperator::Iff | BinaryOperator::Xnor => Binary::Iff,
        _ => return None,
    })
}

/// The text of a formula without comments and line breaks.
pub(super) fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| match line.find("--") {
        Some(comment) => &line[..comment],
        None => line,
    });
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ")
}
