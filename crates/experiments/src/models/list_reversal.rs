//! A program that reverses a list.

use quotient_automata::Problem;
use quotient_automata::{Alphabet, Label, Nfa, Predicate, State, Transducer};
use quotient_core::{Budget, Stop};

use super::problem;

/// The program `x := 0; while l.n do y := l.n; l.n := x; x := l; l := y od; l.n := x` on singly
/// linked lists of any length.
///
/// A configuration is the line of the program (q0 to q7), the cells of the list (i) with the
/// variables that point to them, and one cell outside the list (o). Between cells stands `>` if
/// the next cell is the right one, `<` if it is the left one, `|` if they are not linked. If the
/// program follows no cell, or makes a shape that cannot be written like this, all letters but
/// the line become e, and it stops. At the end all links are to lead to the left and l is to
/// point to the last cell.
pub fn list_reversal() -> Problem {
    let variables = ["", "l", "x", "y", "lx", "ly", "xy", "lxy"];
    let lines = (0..8).map(|line| format!("q{line}"));
    let cells = ["i", "o"]
        .into_iter()
        .flat_map(|kind| variables.map(|variables| format!("{kind}{variables}")));
    let others = ["<", ">", "|", "e"].map(str::to_owned);
    let alphabet = Alphabet::new(lines.chain(cells).chain(others))
        .unwrap_or_else(|error| unreachable!("{error}"));
    let program = Program {
        alphabet: &alphabet,
    };
    let parts = program.steps();
    // Without a limit on the budget nothing stops the operations.
    let parts = parts.unwrap_or_else(|stop| unreachable!("{stop}"));
    let bad = program.bad().unwrap_or_else(|stop| unreachable!("{stop}"));
    problem(program.initial(), "the list is reversed", bad, parts)
}

struct Program<'a> {
    alphabet: &'a Alphabet,
}

/// What becomes of a letter, if the step allows it at all.
type Change<'c> = &'c dyn Fn(&str) -> Option<String>;

/// A configuration from left to right, behind the line.
#[derive(Clone, Copy)]
enum Item<'c> {
    /// One letter.
    One(Change<'c>),
    /// Any number of letters without a special part in the step.
    Rest,
}
use Item::{One, Rest};

/// The lines before and after a step.
type Lines = (&'static str, &'static str);

impl Program<'_> {
    fn steps(&self) -> Result<Vec<(&'static str, Transducer)>, Stop> {
        let forget_x = |letter: &str| Some(set(letter, 'x', false));
        let mut parts = vec![
            ("x := 0", self.chain(("q0", "q1"), &forget_x, &[Rest])),
            ("l.n is there", self.has_next(("q1", "q2"))),
            ("l.n is not there", self.at_end(("q1", "q6"), &keep)),
        ];
        let failing: [(&str, &str, Lines, Transducer); 5] = [
            (
                "y := l.n",
                "y := l.n fails",
                ("q2", "q3"),
                self.follow(("q2", "q3")),
            ),
            (
                "l.n := x",
                "l.n := x fails",
                ("q3", "q4"),
                self.link(("q3", "q4"))?,
            ),
            (
                "x := l",
                "x := l fails",
                ("q4", "q5"),
                self.assign(("q4", "q5"), 'x', 'l'),
            ),
            (
                "l := y",
                "l := y fails",
                ("q5", "q1"),
                self.assign(("q5", "q1"), 'l', 'y'),
            ),
            (
                "at last l.n := x",
                "at last l.n := x fails",
                ("q6", "q7"),
                self.link(("q6", "q7"))?,
            ),
        ];
        for (name, failure, lines, step) in failing {
            parts.push((failure, self.error(lines, &step)?));
            parts.push((name, step));
        }
        Ok(parts)
    }

    /// l is at a cell that has a next one.
    fn has_next(&self, lines: Lines) -> Transducer {
        let l = |letter: &str| here(letter, 'l').then(|| letter.to_owned());
        self.union(&[
            self.chain(lines, &keep, &[Rest, One(&l), One(&is(">")), Rest]),
            self.chain(lines, &keep, &[Rest, One(&is("<")), One(&l), Rest]),
        ])
    }

    /// l is at a cell without a next one; all letters change as said.
    fn at_end(&self, lines: Lines, change: Change<'_>) -> Transducer {
        let l = |letter: &str| change(letter).filter(|_| here(letter, 'l'));
        let outside = |letter: &str| change(letter).filter(|_| letter.starts_with('o'));
        let (left, right) = (is(">|"), is("<|"));
        let chain = |items: &[Item<'_>]| self.chain(lines, change, items);
        self.union(&[
            chain(&[One(&l), One(&outside)]),
            chain(&[One(&l), One(&right), Rest]),
            chain(&[Rest, One(&left), One(&l), One(&outside)]),
            chain(&[Rest, One(&left), One(&l), One(&right), Rest]),
        ])
    }

    /// y := l.n
    fn follow(&self, lines: Lines) -> Transducer {
        let forget = |letter: &str| Some(set(letter, 'y', false));
        let l = |letter: &str| forget(letter).filter(|_| here(letter, 'l'));
        let gets = |letter: &str| letter.starts_with('i').then(|| set(letter, 'y', true));
        self.union(&[
            self.chain(
                lines,
                &forget,
                &[Rest, One(&l), One(&is(">")), One(&gets), Rest],
            ),
            self.chain(
                lines,
                &forget,
                &[Rest, One(&gets), One(&is("<")), One(&l), Rest],
            ),
            self.at_end(lines, &forget),
        ])
    }

    /// l.n := x
    fn link(&self, lines: Lines) -> Result<Transducer, Stop> {
        let l = |letter: &str| here(letter, 'l').then(|| letter.to_owned());
        let x = |letter: &str| here(letter, 'x').then(|| letter.to_owned());
        let outside = |letter: &str| letter.starts_with('o').then(|| letter.to_owned());
        let swap = |from: &'static str, to: &'static str| {
            move |letter: &str| (letter == from).then(|| to.to_owned())
        };
        let (cut_next, cut_back) = (swap(">", "|"), swap("<", "|"));
        let (join_next, join_back) = (swap("|", ">"), swap("|", "<"));
        let chain = |items: &[Item<'_>]| self.chain(lines, &keep, items);
        let joined = self.union(&[
            chain(&[Rest, One(&l), One(&is(">")), One(&x), Rest]),
            chain(&[Rest, One(&x), One(&is("<")), One(&l), Rest]),
            chain(&[
                Rest,
                One(&x),
                One(&join_back),
                One(&l),
                One(&cut_next),
                Rest,
            ]),
            chain(&[Rest, One(&x), One(&join_back), One(&l), One(&outside)]),
            chain(&[
                Rest,
                One(&cut_back),
                One(&l),
                One(&join_next),
                One(&x),
                Rest,
            ]),
            chain(&[One(&l), One(&join_next), One(&x), Rest]),
        ]);
        // x points nowhere: a link is cut, if that leaves a shape that can be written.
        let cut = self.union(&[
            chain(&[One(&l), One(&cut_next), Rest]),
            chain(&[Rest, One(&cut_back), One(&l), One(&outside)]),
            self.at_end(lines, &keep),
        ]);
        let no_x = |letter: &str| (!has(letter, 'x')).then(|| letter.to_owned());
        let no_x = self.chain(lines, &no_x, &[Rest]).domain();
        Ok(joined
            .union(&cut.restrict_domain(&no_x, &Budget::unlimited())?)
            .reduce())
    }

    /// One variable becomes another; that may point nowhere, but not outside.
    fn assign(&self, lines: Lines, target: char, source: char) -> Transducer {
        let forget = |letter: &str| Some(set(letter, target, false));
        let gets = |letter: &str| here(letter, source).then(|| set(letter, target, true));
        let nowhere = |letter: &str| forget(letter).filter(|_| !has(letter, source));
        self.union(&[
            self.chain(lines, &forget, &[Rest, One(&gets), Rest]),
            self.chain(lines, &nowhere, &[Rest]),
        ])
    }

    /// Where a step cannot be made, all letters but the line become e.
    fn error(&self, lines: Lines, step: &Transducer) -> Result<Transducer, Stop> {
        let no_error = |letter: &str| (letter != "e").then(|| letter.to_owned());
        let all = self.chain((lines.0, lines.0), &no_error, &[Rest]).domain();
        let budget = Budget::unlimited();
        let stuck = all
            .difference(&step.domain(), &budget)?
            .canonical(&budget)?;
        let to_error = |_: &str| Some("e".to_owned());
        let fail = self.chain(lines, &to_error, &[Rest]);
        Ok(fail.restrict_domain(&stuck.to_nfa(), &budget)?.reduce())
    }

    fn union(&self, parts: &[Transducer]) -> Transducer {
        let nothing = Transducer::builder(self.alphabet).build();
        parts
            .iter()
            .fold(nothing, |all, part| all.union(part))
            .reduce()
    }

    /// The line, then the items; letters without a special part change as `rest` says.
    fn chain(&self, (from, to): Lines, rest: Change<'_>, items: &[Item<'_>]) -> Transducer {
        let mut builder = Transducer::builder(self.alphabet).initial(0);
        let side = |name: &str| Some(Predicate::of(self.alphabet, self.alphabet.letter(name)));
        builder.add_edge(State(0), &Label::Pair(side(from), side(to)), State(1));
        let mut at = State(1);
        for item in items {
            let (change, next) = match item {
                One(change) => (*change, builder.fresh_state()),
                Rest => (rest, at),
            };
            for name in self.alphabet.names().filter(|name| !name.starts_with('q')) {
                if let Some(new) = change(name) {
                    builder.add_edge(at, &Label::Pair(side(name), side(&new)), next);
                }
            }
            at = next;
        }
        builder.add_accepting(at);
        builder.build()
    }

    /// The letters that pass a test.
    fn which(&self, test: impl Fn(&str) -> bool) -> Predicate {
        let letters = self.alphabet.letters();
        let passes = letters.filter(|&letter| test(self.alphabet.name(letter)));
        Predicate::of(self.alphabet, passes)
    }

    /// l is at the first cell, all links lead to the right, x and y are at one cell each.
    fn initial(&self) -> Nfa {
        // Which of x and y were met: one bit each.
        let (before, after) = (|met: u32| State(2 + 2 * met), |met: u32| State(3 + 2 * met));
        let cell = |kind: char, l: bool, now: u32| {
            self.which(|letter| {
                letter.starts_with(kind)
                    && has(letter, 'l') == l
                    && has(letter, 'x') == (now & 1 == 1)
                    && has(letter, 'y') == (now & 2 == 2)
            })
        };
        let mut builder = Nfa::builder(self.alphabet).initial(0).accepting(10);
        builder.add_edge(State(0), &self.which(|letter| letter == "q0"), State(1));
        for met in 0..4 {
            builder.add_edge(State(1), &cell('i', true, met), after(met));
            builder.add_edge(after(met), &self.which(|letter| letter == ">"), before(met));
            builder.add_edge(after(met), &cell('o', false, 3 & !met), State(10));
            for now in (0..4).filter(|now| now & met == 0) {
                builder.add_edge(before(met), &cell('i', false, now), after(met | now));
            }
        }
        builder.build()
    }

    /// At the end, but not a list with all links to the left and l at the last cell.
    fn bad(&self) -> Result<Nfa, Stop> {
        let end = self.which(|letter| letter == "q7");
        let (cell, l) = (
            self.which(|letter| letter.starts_with('i') && !has(letter, 'l')),
            self.which(|letter| here(letter, 'l')),
        );
        let good = Nfa::builder(self.alphabet)
            .initial(0)
            .edge(0, &end, 1)
            .edge(1, &cell, 2)
            .edge(2, &self.which(|letter| letter == "<"), 1)
            .edge(1, &l, 3)
            .edge(3, &self.which(|n| n.starts_with('o') && !has(n, 'l')), 4)
            .accepting(4)
            .build();
        let all = Nfa::builder(self.alphabet)
            .initial(0)
            .edge(0, &end, 1)
            .edge(1, &Predicate::all(self.alphabet), 1)
            .accepting(1)
            .build();
        let budget = Budget::unlimited();
        Ok(all.difference(&good, &budget)?.canonical(&budget)?.to_nfa())
    }
}

fn keep(letter: &str) -> Option<String> {
    Some(letter.to_owned())
}

/// One of these one-letter links, unchanged.
fn is(links: &'static str) -> impl Fn(&str) -> Option<String> {
    move |letter| (letter.len() == 1 && links.contains(letter)).then(|| letter.to_owned())
}

/// Whether a variable points to this cell.
fn has(cell: &str, variable: char) -> bool {
    cell.starts_with(['i', 'o']) && cell[1..].contains(variable)
}

/// Whether a variable points to this cell of the list.
fn here(cell: &str, variable: char) -> bool {
    cell.starts_with('i') && has(cell, variable)
}

/// The cell with a variable pointing to it, or not; other letters stay as they are.
fn set(letter: &str, variable: char, points: bool) -> String {
    if !letter.starts_with(['i', 'o']) {
        return letter.to_owned();
    }
    let all = "lxy".chars();
    let wanted = |&v: &char| {
        if v == variable {
            points
        } else {
            has(letter, v)
        }
    };
    letter[..1].chars().chain(all.filter(wanted)).collect()
}
