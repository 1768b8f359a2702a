//! Names that hide each other: what is lowered against what the text says, read naively.

use quotient_arrays::Instance;
use quotient_core::Source;

use super::*;
use crate::parse::parse;

const HEAD: &str = "
    array A[proc] : bool
    array R[proc, proc] : bool
    init (z) { A[z] = False }
";

/// Small numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, many: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005);
        self.0 = self.0.wrapping_add(1442695040888963407);
        (self.0 >> 33) % many
    }

    fn of<'n>(&mut self, names: &[&'n str]) -> &'n str {
        names[self.below(names.len() as u64) as usize]
    }

    /// A formula about some processes; few names, so that they hide each other.
    fn formula(&mut self, depth: u64, scope: &[&'static str], predicates: u64) -> String {
        if depth == 0 {
            let (x, y) = (self.of(scope), self.of(scope));
            return match self.below(4) {
                0 => format!("{x} <> {y}"),
                1 => format!("A[{x}] = True"),
                _ => format!("R[{x},{y}] = True"),
            };
        }
        if predicates > 0 && self.below(3) == 0 {
            let (x, y) = (self.of(scope), self.of(scope));
            return format!("p{}({x}, {y})", self.below(predicates));
        }
        let (name, other) = match self.below(4) {
            0 => ("a", "b"),
            1 => ("b", "a"),
            2 => ("c", "a"),
            _ => ("b", "c"),
        };
        let inner = [scope, &[name]].concat();
        let both = [scope, &[name, other]].concat();
        let joined = |one: String, two: String, sign: &str| format!("({one} {sign} {two})");
        match self.below(7) {
            0 => format!(
                "(forall {name}. {})",
                self.formula(depth - 1, &inner, predicates)
            ),
            1 => format!(
                "(exists {name}. {})",
                self.formula(depth - 1, &inner, predicates)
            ),
            2 => format!(
                "(forall_other {name}. {})",
                self.formula(depth - 1, &inner, predicates)
            ),
            3 => format!(
                "(exists_other {name}. {})",
                self.formula(depth - 1, &inner, predicates)
            ),
            4 => {
                let word = self.of(&["forall", "exists"]);
                let body = self.formula(depth - 1, &both, predicates);
                format!("({word} {name} <> {other}. {body})")
            }
            _ => {
                let one = self.formula(depth - 1, scope, predicates);
                let two = self.formula(depth - 1, scope, predicates);
                let sign = self.of(&["&&", "||", "=>"]);
                joined(one, two, sign)
            }
        }
    }
}

/// What a text says of a state, name by name.
struct Naive<'t> {
    tree: &'t Tree,
    processes: usize,
    state: &'t [i64],
}

impl Naive<'_> {
    fn who(&self, name: &Name, env: &[(String, usize)]) -> usize {
        let found = env.iter().rfind(|(known, _)| *known == name.text);
        found.unwrap_or_else(|| panic!("no `{}`", name.text)).1
    }

    fn holds(&self, formula: &Expression, env: &[(String, usize)]) -> bool {
        let with = |name: &Name, one: usize| [env, &[(name.text.clone(), one)]].concat();
        let is_other = |one: &usize| env.iter().all(|(_, known)| known != one);
        match formula {
            Expression::And(parts) => parts.iter().all(|part| self.holds(part, env)),
            Expression::Or(parts) => parts.iter().any(|part| self.holds(part, env)),
            Expression::Not(inner) => !self.holds(inner, env),
            Expression::Forall(name, body) => (0..self.processes)
                .filter(is_other)
                .all(|one| self.holds(body, &with(name, one))),
            Expression::Exists(name, body) => (0..self.processes)
                .filter(is_other)
                .any(|one| self.holds(body, &with(name, one))),
            Expression::Quantified(every, names, body) => {
                let mut found = *every;
                quotient_arrays::different(self.processes, names.len(), &mut |at| {
                    let named = names.iter().map(|name| name.text.clone());
                    let env = [env, &named.zip(at.iter().copied()).collect::<Vec<_>>()].concat();
                    match every {
                        true => found &= self.holds(body, &env),
                        false => found |= self.holds(body, &env),
                    }
                });
                found
            }
            Expression::Applied(name, arguments) => {
                let mut known = self.tree.predicates.iter();
                let predicate = known.find(|one| one.name.text == name.text).unwrap();
                let named = predicate.parameters.iter().zip(arguments);
                let named = named.map(|(name, argument)| match argument {
                    Expression::Bare(term) => (name.text.clone(), self.term(term, env) as usize),
                    _ => panic!("an argument that is no process"),
                });
                self.holds(&predicate.body, &[env, &named.collect::<Vec<_>>()].concat())
            }
            Expression::Bare(_) => panic!("no Boolean stands alone here"),
            Expression::Compare(left, sign, right) => {
                let same = self.term(left, env) == self.term(right, env);
                same == (*sign == "=")
            }
        }
    }

    fn term(&self, term: &Written, env: &[(String, usize)]) -> i64 {
        let [(1, Part::Named(name, at))] = &term.parts[..] else {
            panic!("no sums here");
        };
        match &at[..] {
            [] if name.text == "True" => 1,
            [] => self.who(name, env) as i64,
            [one] => self.state[self.who(one, env)],
            [one, two] => {
                let (one, two) = (self.who(one, env), self.who(two, env));
                self.state[self.processes + one * self.processes + two]
            }
            _ => panic!("at most two indices"),
        }
    }
}

#[test]
fn names_that_hide_each_other_mean_what_the_text_says() {
    let mut chance = Chance(7);
    for round in 0..400 {
        let predicates = round % 3;
        let mut text = HEAD.to_owned();
        for number in 0..predicates {
            let body = chance.formula(2, &["a", "x"], number);
            text += &format!("predicate p{number}(x, a) {{ {body} }}\n");
        }
        text += &format!(
            "unsafe (a b) {{ {} }}",
            chance.formula(3, &["a", "b"], predicates)
        );
        let source = Source::new("chance.cub", text.as_str());
        let tree = parse(&source).unwrap_or_else(|_| panic!("{text}"));
        let expanded = predicates::expanded(&source, &tree).unwrap_or_else(|_| panic!("{text}"));
        let mut lower = Lower::new(&source, 1);
        lower.types(&expanded);
        for declared in &expanded.variables {
            lower.variable(declared);
        }
        // Once for two different processes, once with the second as an index that may be the first.
        for loose in [false, true] {
            lower.loose = if loose { 1..2 } else { 0..0 };
            let scope = ["a".to_owned(), "b".to_owned()];
            let formula = lower.formula(&expanded.bad[0].formula, &scope);
            let told: Vec<&str> = lower
                .mistakes
                .iter()
                .map(|one| one.message.as_str())
                .collect();
            let formula = formula.unwrap_or_else(|| panic!("{text}: {told:?}"));
            for _ in 0..12 {
                let processes = 2 + chance.below(2) as usize;
                let cells = processes + processes * processes;
                let state: Vec<i64> = (0..cells).map(|_| chance.below(2) as i64).collect();
                let first = chance.below(processes as u64) as usize;
                let second = match loose && chance.below(2) == 0 {
                    true => first,
                    false => (first + 1) % processes,
                };
                let naive = Naive {
                    tree: &tree,
                    processes,
                    state: &state,
                };
                let env = [("a".to_owned(), first), ("b".to_owned(), second)];
                let expected = naive.holds(&tree.bad[0].formula, &env);
                let instance = Instance::new(&lower.system, processes);
                let got = instance.holds(&formula, &state, &mut vec![first, second]);
                assert_eq!(got, expected, "{text}\n{state:?} {first} {second}");
            }
        }
    }
}
