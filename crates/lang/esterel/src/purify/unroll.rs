//! Repetitions written out.

use super::objects::{Reason, reason};
use crate::kernel::{Kind, Node, Program, What};
use crate::value::Value;

/// More statements than this are refused.
const MOST_NODES: usize = 100_000;

/// The program without repetitions of a known number of times; the reasons for those that stay.
pub(crate) fn unrolled(program: &Program) -> (Program, Vec<Reason>) {
    let mut reasons = Vec::new();
    let mut nodes = 0;
    let mut program = program.clone();
    program.body = unroll(&program.body, &mut nodes, &mut reasons);
    program.renumber();
    (program, reasons)
}

fn unroll(node: &Node, nodes: &mut usize, reasons: &mut Vec<Reason>) -> Node {
    *nodes += 1;
    if let Kind::Repeat(repeat) = &node.kind {
        let times = match &repeat.times.what {
            What::Constant(Value::Number(number)) => {
                let least = usize::from(repeat.positive);
                let times = usize::try_from(number.to_integer().max(0.into()));
                Some(times.unwrap_or(usize::MAX).max(least))
            }
            _ => None,
        };
        let mut inside = 0;
        repeat.body.walk(&mut |_| inside += 1);
        let fits = |times: &usize| {
            let all = times.saturating_mul(inside);
            nodes.saturating_add(all) <= MOST_NODES
        };
        match times.filter(fits) {
            Some(times) => {
                let bodies = (0..times).map(|_| unroll(&repeat.body, nodes, reasons));
                return Node::new(Kind::Sequence(bodies.collect()), node.span);
            }
            None => {
                let text = match times {
                    Some(times) => format!("{times} repetitions are too many to write out"),
                    None => "how often this is repeated depends on data".to_owned(),
                };
                reasons.push(reason(repeat.times.span, "repeat", text));
            }
        }
    }
    let mut copy = node.clone();
    for (old, new) in node.children().into_iter().zip(copy.children_mut()) {
        *new = unroll(old, nodes, reasons);
    }
    copy
}
