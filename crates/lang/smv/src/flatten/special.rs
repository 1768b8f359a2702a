//! Specifications that are no formulas of CTL or LTL: `PSLSPEC`, `HCTLSPEC`, `COMPUTE`.

use quotient_core::{Diagnostic, Source, Span};
use quotient_logic::{Formula, Kind as Says, Unary};

use super::formulas::{Converted, one_line};
use super::{Flattener, ScopeId, Scopes};
use crate::parse::parse_hybrid;
use crate::program::{Distance, NodeId, Program, Saying, Special, Specification};
use crate::syntax::{self, Name, Psl, SpecificationKind, SyntaxId};

/// Reads a formula with names for states in the words of a program, which gets new expressions.
pub(crate) fn ask_hybrid(
    program: &mut Program,
    scopes: &mut Scopes,
    source: &Source,
) -> Result<Special, Vec<Diagnostic>> {
    let tree = &mut scopes.tree;
    let parsed = parse_hybrid(source, &mut tree.names, &mut tree.expressions)
        .map_err(|error| vec![error])?;
    let mut flattener = Flattener::resume(program.clone(), scopes.clone(), source.clone());
    flattener.hybrid(ScopeId(0), &parsed);
    if !flattener.diagnostics.is_empty() {
        return Err(flattener.diagnostics);
    }
    (*program, *scopes) = (flattener.program, flattener.scopes);
    program.specials.pop().ok_or_else(Vec::new)
}

impl Flattener {
    /// `PSLSPEC`: without sequences it is LTL.
    pub(super) fn property(&mut self, scope: ScopeId, parsed: &syntax::PslSpecification) {
        let Some(inner) = self.context(scope, parsed.context) else {
            return;
        };
        if parsed.property.has_sequence() {
            let says = self.psl(inner, &parsed.property).map(Saying::Property);
            return self.special(scope, "PSLSPEC", parsed.name, parsed.span, says);
        }
        match self.linear(inner, &parsed.property, parsed.span) {
            Ok(formula) => self.program.specifications.push(Specification {
                kind: SpecificationKind::Ltl,
                is_psl: true,
                name: parsed.name.map(|name| self.full_name(scope, name.id)),
                formula,
                text: one_line(&self.source.text()[parsed.span.range()]),
                span: parsed.span,
            }),
            Err(Some(error)) => self.report(error),
            Err(None) => {}
        }
    }

    /// `HCTLSPEC`.
    pub(super) fn hybrid(&mut self, scope: ScopeId, parsed: &syntax::HybridSpecification) {
        let Some(inner) = self.context(scope, parsed.context) else {
            return;
        };
        let formula = parsed.formula.try_map(&mut |&root| {
            let atom = self.atom(inner, root, SpecificationKind::Ctl)?;
            match atom.kind {
                Says::Atom(node) => Ok(node),
                _ => Err(None),
            }
        });
        let says = formula.map(Saying::Hybrid);
        self.special(scope, "HCTLSPEC", parsed.name, parsed.span, says);
    }

    /// `COMPUTE`.
    pub(super) fn compute(&mut self, scope: ScopeId, parsed: &syntax::Compute) {
        let Some(inner) = self.context(scope, parsed.context) else {
            return;
        };
        let kind = SpecificationKind::Ctl;
        let start = self.formula(inner, parsed.start, kind);
        let goal = self.formula(inner, parsed.goal, kind);
        let both = start.and_then(|start| Ok((start, goal?)));
        let says = both.map(|(start, goal)| {
            Saying::Distance(Distance {
                longest: parsed.longest,
                start,
                goal,
            })
        });
        self.special(scope, "COMPUTE", parsed.name, parsed.span, says);
    }

    /// What is not read is still a question of the file.
    pub(super) fn skipped(&mut self, scope: ScopeId, parsed: &syntax::Skipped) {
        let text = |span: Span| self.source.text().get(span.range()).unwrap_or_default();
        let keyword = text(parsed.keyword).to_owned();
        let says = Ok(Saying::Unread(parsed.why.clone()));
        self.special(scope, &keyword, parsed.name, parsed.body, says);
    }

    fn special(
        &mut self,
        scope: ScopeId,
        keyword: &str,
        name: Option<Name>,
        span: Span,
        says: Result<Saying, Option<Diagnostic>>,
    ) {
        let says = match says {
            Ok(says) => says,
            Err(error) => {
                if let Some(error) = error {
                    self.report(error);
                }
                return;
            }
        };
        let text = self.source.text().get(span.range()).unwrap_or_default();
        let special = Special {
            place: self.program.specifications.len(),
            keyword: keyword.to_owned(),
            name: name.map(|name| self.full_name(scope, name.id)),
            text: one_line(text.trim_end().trim_end_matches(';')),
            span,
            says,
        };
        self.program.specials.push(special);
    }

    /// A property over expressions of the program.
    fn psl(
        &mut self,
        scope: ScopeId,
        property: &Psl<SyntaxId>,
    ) -> Result<Psl<NodeId>, Option<Diagnostic>> {
        property.map(&mut |&root| {
            let atom = self.atom(scope, root, SpecificationKind::Ltl)?;
            match atom.kind {
                Says::Atom(node) => Ok(node),
                _ => Err(None),
            }
        })
    }

    /// A property without sequences as a formula of LTL.
    fn linear(&mut self, scope: ScopeId, property: &Psl<SyntaxId>, span: Span) -> Converted {
        let says = match property {
            &Psl::Boolean(root) => return self.formula(scope, root, SpecificationKind::Ltl),
            Psl::Not(operand) => {
                let operand = self.linear(scope, operand, span)?;
                Says::Unary(Unary::Not, Box::new(operand))
            }
            Psl::Unary(operator, operand) => {
                let operand = self.linear(scope, operand, span)?;
                Says::Unary(*operator, Box::new(operand))
            }
            Psl::Binary(operator, left, right) => {
                let left = self.linear(scope, left, span)?;
                let right = self.linear(scope, right, span)?;
                Says::Binary(*operator, Box::new(left), Box::new(right))
            }
            Psl::Matches { .. } | Psl::After(..) => return Err(None),
        };
        Ok(Formula::new(says, span))
    }
}
