//! Conditions on where processes stand, and whether there are any.

use quotient_automata::Canonical;

use super::conditions::{Compiled, Conditions};
use super::letters::Part;
use crate::model::{Expr, Topology, Who};

impl Conditions<'_> {
    /// Conditions on where processes stand, and whether there are any.
    pub(super) fn place(&mut self, expr: &Expr, depth: usize) -> Compiled {
        let ring = self.protocol.topology == Topology::Ring;
        let is_process = |part: &Part| matches!(part, Part::Process(_));
        let here = |bits: u32, who: Who| bits >> who & 1 == 1;
        Ok(match *expr {
            Expr::Same(left, right) => self.tracks.machine(
                depth,
                false,
                |_, bits| here(bits, left) && here(bits, right),
                |&seen, &together| Some(seen || together),
                |&seen| seen,
            )?,
            Expr::Before(left, right) => self.tracks.machine(
                depth,
                0,
                |_, bits| (here(bits, left), here(bits, right)),
                |&stage, &(at_left, at_right)| match stage {
                    0 if at_right => None,
                    0 => Some(i32::from(at_left)),
                    1 => Some(1 + i32::from(at_right)),
                    _ => Some(2),
                },
                |&stage| stage == 2,
            )?,
            Expr::Next(left, right) => self.neighbours(left, right, ring, depth)?,
            Expr::First(who) => self.tracks.machine(
                depth,
                None,
                |part, bits| (is_process(part), here(bits, who)),
                |&first: &Option<bool>, &(process, marked)| {
                    Some(first.or(if process { Some(marked) } else { None }))
                },
                |&first| first == Some(true),
            )?,
            Expr::Last(who) => self.tracks.machine(
                depth,
                false,
                |part, bits| (is_process(part), here(bits, who)),
                |&last, &(process, marked)| Some(if process { marked } else { last }),
                |&last| last,
            )?,
            Expr::Nobody(mark) => self.tracks.machine(
                depth,
                (),
                |part, _| matches!(part, Part::Process(values) if values[mark] != 0),
                |(), &carried| (!carried).then_some(()),
                |()| true,
            )?,
            Expr::Empty(channel) => self.tracks.machine(
                depth,
                (),
                |part, _| matches!(part, Part::Content(known, _) if *known == channel),
                |(), &inside| (!inside).then_some(()),
                |()| true,
            )?,
            _ => Canonical::empty(&self.tracks.alphabet(depth)?),
        })
    }

    /// The right one is the right neighbour of the left one; in a ring, also the first of the last, who is
    /// another one.
    fn neighbours(&mut self, left: Who, right: Who, ring: bool, depth: usize) -> Compiled {
        // What came before: the last process letter was the left one; the first was the right
        // one; the pair was found side by side.
        Ok(self.tracks.machine(
            depth,
            (false, None, false),
            |part, bits| {
                let process = matches!(part, Part::Process(_));
                (process, bits >> left & 1 == 1, bits >> right & 1 == 1)
            },
            |&(left_just_now, first_is_right, found): &(bool, Option<bool>, bool),
             &(process, at_left, at_right)| {
                if !process {
                    return Some((left_just_now, first_is_right, found));
                }
                if at_left && at_right {
                    return None;
                }
                let found = found || (left_just_now && at_right);
                Some((at_left, first_is_right.or(Some(at_right)), found))
            },
            |&(left_is_last, first_is_right, found)| {
                found || (ring && left_is_last && first_is_right == Some(true))
            },
        )?)
    }

    /// The words in which exactly one position is marked by a track, and it is a process.
    pub(super) fn one_process(&mut self, who: Who, depth: usize) -> Compiled {
        Ok(self.tracks.machine(
            depth,
            false,
            |part, bits| (bits >> who & 1 == 1, matches!(part, Part::Process(_))),
            |&seen, &(marked, process)| match marked {
                true => (process && !seen).then_some(true),
                false => Some(seen),
            },
            |&seen| seen,
        )?)
    }
}
