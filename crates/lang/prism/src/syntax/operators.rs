//! Operators of properties: `P`, `R`, `S`, `E`, `A`, `filter`, and bounds.

use quotient_core::Diagnostic;
use quotient_language::text::Parsed;

use super::tokens::Word;
use super::{
    Asks, Body, Bound, Chance, Filter, FilterKind, Join, Limit, Node, Parser, Quantile, Structure,
    Tree, Until,
};

impl Parser<'_> {
    /// An operator, if the word begins one.
    pub(crate) fn operator(&mut self, word: &str) -> Parsed<Option<Node>> {
        let next = self.words.peek_at(1).kind;
        let begins = match next {
            Word::Sign("=" | "<" | "<=" | ">" | ">=" | "{" | "(") => true,
            Word::Name => matches!(self.words.text(self.words.peek_at(1).span), "min" | "max"),
            _ => false,
        };
        let (asks, least) = match word {
            "P" => (Asks::Probability, None),
            "Pmin" => (Asks::Probability, Some(true)),
            "Pmax" => (Asks::Probability, Some(false)),
            "S" | "LRA" => (Asks::Steady, None),
            "Smin" | "LRAmin" => (Asks::Steady, Some(true)),
            "Smax" | "LRAmax" => (Asks::Steady, Some(false)),
            "R" => (Asks::Reward, None),
            "Rmin" => (Asks::Reward, Some(true)),
            "Rmax" => (Asks::Reward, Some(false)),
            "E" | "A" if next == Word::Sign("[") => {
                self.words.advance();
                self.expect("[")?;
                let path = self.expression()?;
                self.expect("]")?;
                return Ok(Some(quantified(word == "E", path)));
            }
            "T" | "Tmin" | "Tmax"
                if next == Word::Sign("=") && self.words.peek_at(2).kind == Word::Sign("?") =>
            {
                let message = format!("`{word}` is not read: times are rewards here");
                let error = Diagnostic::error("syntax", message);
                let error = error.at(self.words.source(), self.words.peek().span, "");
                return Err(error.help(
                    "as in `R{\"time\"}min=? [ F a ]`, with `rewards \"time\" true : 1; endrewards` in the model",
                ));
            }
            "filter" if next == Word::Sign("(") => return self.filter().map(Some),
            "quantile" if next == Word::Sign("(") => return self.quantile().map(Some),
            "multi" if next == Word::Sign("(") => {
                self.words.advance();
                self.expect("(")?;
                let mut parts = vec![self.expression()?];
                while self.takes(",") {
                    parts.push(self.expression()?);
                }
                self.expect(")")?;
                return Ok(Some(Node::Multi(parts)));
            }
            _ => return Ok(None),
        };
        if !begins {
            return Ok(None);
        }
        self.words.advance();
        self.chance(asks, least).map(Some)
    }

    fn chance(&mut self, asks: Asks, mut least: Option<bool>) -> Parsed<Node> {
        let start = self.words.peek().span.start;
        let mut structure = None;
        if asks == Asks::Reward && self.takes("{") {
            structure = Some(self.structure()?);
        }
        if least.is_none() {
            least = match self.word() {
                "min" => Some(true),
                "max" => Some(false),
                _ => None,
            };
            if least.is_some() {
                self.words.advance();
            }
        }
        let relation = self.comparison()?;
        self.expect("[")?;
        let body = self.body(asks)?;
        let given = match self.takes("||") {
            true => Some(self.expression()?),
            false => None,
        };
        let body = match (asks, body) {
            (Asks::Probability, Body::Formula(path)) if given.is_none() => {
                Body::Formula(at_once(path))
            }
            (_, body) => body,
        };
        let states = self.states_inside(relation.is_some())?;
        self.expect("]")?;
        let node = Node::Chance(Box::new(Chance {
            asks,
            least,
            relation,
            structure,
            body,
            given,
        }));
        Ok(match states {
            None => node,
            Some((what, states)) => Node::Filter(Box::new(Filter {
                what,
                of: self.tree(start, node),
                states: Some(states),
            })),
        })
    }

    /// `[ … {states}{max} ]`: a filter as older files write it.
    fn states_inside(&mut self, bounded: bool) -> Parsed<Option<(FilterKind, Tree)>> {
        if !self.takes("{") {
            return Ok(None);
        }
        let states = self.expression()?;
        self.expect("}")?;
        let (mut least, mut most) = (false, false);
        while self.takes("{") {
            match self.word() {
                "min" => least = true,
                "max" => most = true,
                _ => return Err(self.words.unexpected("`min` or `max`")),
            }
            self.words.advance();
            self.expect("}")?;
        }
        let what = match (bounded, least, most) {
            (true, ..) => FilterKind::ForAll,
            (_, true, true) => FilterKind::Range,
            (_, true, false) => FilterKind::Min,
            (_, false, true) => FilterKind::Max,
            _ => FilterKind::State,
        };
        Ok(Some((what, states)))
    }

    /// Whether `R` begins an operator for rewards here, and does not join two paths: a property
    /// may end without a semicolon.
    pub(crate) fn begins_rewards(&self) -> bool {
        match self.words.peek_at(1).kind {
            Word::Sign("{") => true,
            // `a R=3 b` has a bound.
            Word::Sign("=") => self.words.peek_at(2).kind == Word::Sign("?"),
            Word::Sign("<" | "<=" | ">" | ">=") => self.at_new_line(),
            Word::Name => matches!(self.words.text(self.words.peek_at(1).span), "min" | "max"),
            _ => false,
        }
    }

    /// `=?`, or a relation and a number.
    fn comparison(&mut self) -> Parsed<Option<(Join, Tree)>> {
        let joins = [
            ("<", Join::Less),
            ("<=", Join::AtMost),
            (">", Join::Greater),
            (">=", Join::AtLeast),
        ];
        if self.takes("=") {
            self.expect("?")?;
            return Ok(None);
        }
        for (sign, join) in joins {
            if self.takes(sign) {
                return Ok(Some((join, self.sum()?)));
            }
        }
        Err(self.words.unexpected("`=?` or a bound"))
    }

    fn body(&mut self, asks: Asks) -> Parsed<Body> {
        if asks != Asks::Reward {
            return Ok(Body::Formula(self.expression()?));
        }
        let next = self.words.peek_at(1).kind;
        match self.word() {
            "C" if next == Word::Sign("<=") => {
                self.words.advance();
                self.words.advance();
                Ok(Body::Until(self.sum()?))
            }
            "C" if next == Word::Sign("]") => {
                self.words.advance();
                Ok(Body::Total)
            }
            "I" if next == Word::Sign("=") => {
                self.words.advance();
                self.words.advance();
                Ok(Body::At(self.sum()?))
            }
            "S" | "LRA" if next == Word::Sign("]") => {
                self.words.advance();
                Ok(Body::LongRun)
            }
            _ => Ok(Body::Formula(self.expression()?)),
        }
    }

    /// A bound on steps or time, if there is one.
    pub(crate) fn bound(&mut self) -> Parsed<Option<Box<Bound>>> {
        let mut bound = Bound {
            low: None,
            low_strict: false,
            high: None,
            high_strict: false,
        };
        if self.takes("[") {
            bound.low = Some(self.sum()?);
            self.expect(",")?;
            bound.high = Some(self.sum()?);
            self.expect("]")?;
            return Ok(Some(Box::new(bound)));
        }
        if self.takes("=") {
            let at = self.bound_number()?;
            bound.low = Some(at.clone());
            bound.high = Some(at);
            return Ok(Some(Box::new(bound)));
        }
        let mut any = false;
        loop {
            let (high, strict) = match self.words.peek().kind {
                Word::Sign("<=") => (true, false),
                Word::Sign("<") => (true, true),
                Word::Sign(">=") => (false, false),
                Word::Sign(">") => (false, true),
                _ => return Ok(any.then_some(Box::new(bound))),
            };
            any = true;
            let span = self.words.advance().span;
            let before = if high { &bound.high } else { &bound.low };
            if before.is_some() {
                let error = Diagnostic::error("twice", "there is a second bound of this kind");
                return Err(error.at(self.words.source(), span, ""));
            }
            let number = self.bound_number()?;
            match high {
                true => (bound.high, bound.high_strict) = (Some(number), strict),
                false => (bound.low, bound.low_strict) = (Some(number), strict),
            }
        }
    }

    /// Which rewards are meant, behind the bracket that opens.
    fn structure(&mut self) -> Parsed<Structure> {
        let structure = match self.words.is(Word::Quoted) {
            true => {
                let (name, span) = self.quoted()?;
                Structure::Named(name, span)
            }
            false => Structure::Numbered(self.expression()?),
        };
        self.expect("}")?;
        Ok(structure)
    }

    /// `{"r"}<=5,{"s"}>=2`: which rewards, and how much of them.
    pub(crate) fn earning(&mut self) -> Parsed<Vec<Limit>> {
        let mut limits = Vec::new();
        loop {
            self.expect("{")?;
            let structure = self.structure()?;
            let (upper, strictly) = match self.words.peek().kind {
                Word::Sign("<=") => (true, false),
                Word::Sign("<") => (true, true),
                Word::Sign(">=") => (false, false),
                Word::Sign(">") => (false, true),
                _ => return Err(self.words.unexpected("`<=` and what may be earned")),
            };
            self.words.advance();
            limits.push(Limit {
                structure,
                amount: self.bound_number()?,
                strictly,
                upper,
            });
            if !(self.is_sign(",") && self.words.peek_at(1).kind == Word::Sign("{")) {
                return Ok(limits);
            }
            self.words.advance();
        }
    }

    /// The number of a bound: words and brackets, joined by signs that no formula begins with.
    fn bound_number(&mut self) -> Parsed<Tree> {
        let mut sum = self.bound_product()?;
        while self.takes("+") {
            let right = self.bound_product()?;
            let node = Node::Two(Join::Plus, Box::new(sum.clone()), Box::new(right));
            sum = self.tree(sum.span.start, node);
        }
        Ok(sum)
    }

    fn bound_product(&mut self) -> Parsed<Tree> {
        let mut product = self.bound_part()?;
        loop {
            let join = match self.words.peek().kind {
                Word::Sign("*") => Join::Times,
                Word::Sign("/") => Join::Divide,
                _ => return Ok(product),
            };
            self.words.advance();
            let right = self.bound_part()?;
            let node = Node::Two(join, Box::new(product.clone()), Box::new(right));
            product = self.tree(product.span.start, node);
        }
    }

    fn bound_part(&mut self) -> Parsed<Tree> {
        let token = self.words.peek();
        match token.kind {
            Word::Sign("(") => {
                self.words.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            Word::Name => {
                let (name, span) = self.name()?;
                let node = Node::Name(name);
                Ok(Tree { node, span })
            }
            Word::Whole | Word::Real => {
                self.words.advance();
                let text = self.words.text(token.span);
                let node = match quotient_markov::decimal(text) {
                    Some(number) => Node::Real(number),
                    None => {
                        let message = "this number is too large or too long";
                        return Err(Diagnostic::error("number", message).at(
                            self.words.source(),
                            token.span,
                            "",
                        ));
                    }
                };
                Ok(Tree {
                    node,
                    span: token.span,
                })
            }
            _ => Err(self.words.unexpected("a number")),
        }
    }

    /// `quantile(min B, P>=0.9 [ F{"cost"}<=B done ])`.
    fn quantile(&mut self) -> Parsed<Node> {
        self.words.advance();
        self.expect("(")?;
        let least = match self.word() {
            "min" => true,
            "max" => false,
            _ => return Err(self.words.unexpected("`min` or `max`")),
        };
        self.words.advance();
        let (name, _) = self.name()?;
        self.expect(",")?;
        let of = self.expression()?;
        self.expect(")")?;
        Ok(Node::Quantile(Box::new(Quantile { least, name, of })))
    }

    fn filter(&mut self) -> Parsed<Node> {
        self.words.advance();
        self.expect("(")?;
        let token = self.words.peek();
        let what = match (token.kind, self.words.text(token.span)) {
            (_, "min") => FilterKind::Min,
            (_, "max") => FilterKind::Max,
            (_, "avg") => FilterKind::Average,
            (_, "sum") | (Word::Sign("+"), _) => FilterKind::Sum,
            (_, "count") => FilterKind::Count,
            (_, "range") => FilterKind::Range,
            (_, "forall") | (Word::Sign("&"), _) => FilterKind::ForAll,
            (_, "exists") | (Word::Sign("|"), _) => FilterKind::Exists,
            (_, "first") => FilterKind::First,
            (_, "state") => FilterKind::State,
            (_, "print") => FilterKind::Print,
            (_, "printall") => FilterKind::PrintAll,
            (_, "argmin") => FilterKind::ArgMin,
            (_, "argmax") => FilterKind::ArgMax,
            _ => {
                return Err(self.words.unexpected("a kind of filter").note(
                    "kinds are min, max, avg, sum, count, range, forall, exists, first, state, \
                     print, printall, argmin, argmax",
                ));
            }
        };
        self.words.advance();
        self.expect(",")?;
        let of = self.expression()?;
        let states = match self.takes(",") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(")")?;
        Ok(Node::Filter(Box::new(Filter { what, of, states })))
    }
}

/// What says nothing about later, as in `P>=1 [ a ]`, is about the first state: it is what is left of an until
/// that may not go on.
fn at_once(path: Tree) -> Tree {
    if speaks_of_later(&path) {
        return path;
    }
    let span = path.span;
    let never = Tree {
        node: Node::Truth(false),
        span,
    };
    let node = Node::Until(Until::Strong, None, Box::new(never), Box::new(path));
    Tree { node, span }
}

/// Whether a formula has an operator of paths that is not inside of another question.
fn speaks_of_later(tree: &Tree) -> bool {
    match &tree.node {
        Node::Not(of) | Node::Negative(of) => speaks_of_later(of),
        Node::Two(_, left, right) => speaks_of_later(left) || speaks_of_later(right),
        Node::If(one, two, three) => [one, two, three].iter().any(|part| speaks_of_later(part)),
        Node::Ahead(..) | Node::Until(..) | Node::Within(_) | Node::Refused(_) => true,
        _ => false,
    }
}

/// `E` (true) or `A` of a path. Of `W` and `R` it is what the other of `U` leaves: a run does not do
/// `a W b` if it fails both after `a` alone, nor `a R b` if it fails `b` before `a`.
fn quantified(some: bool, path: Tree) -> Node {
    let span = path.span;
    let at = |node: Node| Box::new(Tree { node, span });
    let not = |of: &Tree| at(Node::Not(Box::new(of.clone())));
    let both = |left: Box<Tree>, right: Box<Tree>| at(Node::Two(Join::And, left, right));
    let (stays, fails) = match &path.node {
        Node::Until(Until::Weak, None, left, right) => {
            (both(left.clone(), not(right)), both(not(left), not(right)))
        }
        Node::Until(Until::Release, None, left, right) => (not(left), not(right)),
        _ => return Node::Quantified(some, Box::new(path)),
    };
    let until = at(Node::Until(Until::Strong, None, stays, fails));
    Node::Not(at(Node::Quantified(!some, until)))
}
