//! Automata of trees against the plain meaning, on all small trees.

use quotient_core::{Budget, Source};
use quotient_trees::{Tree, TreeAutomaton};

use crate::Protocol;

const PROTOCOLS: &[&str] = &[
    // Everything that a step and a condition can name.
    "topology tree
     process { location idle, busy, done  mark : bool = any }
     initially forall p: p.mark => leaf(p)
     step begin: when at = idle and leaf then at := busy
     step up with child c, child d: when at = idle and c.at = busy and d.at = busy
         then at := busy, c.at := done, d.mark := mark
     step one: when at = idle and count(child c: c.at != idle) = 1 then at := busy, mark := any
     step down with parent p: when p.at = busy and at = done then mark := p.mark, p.at := done
     step alone: when root and leaf then at := done
     step far: when parent.at = busy and exists above q: q.at = done and forall below b: b.at = idle
         then at := done or then parent.mark := mark
     property two: never exists p, q: p.at = busy and q.at = busy and p.mark != q.mark
     property below: always forall p: p.at = done => exists q below p: q.at != idle
     property three: never count(p: p.mark) >= 3
     property child: never exists p, q: child(p, q) and above(p, q) and p.at = busy and root(p)
     property stuck: no deadlock",
    "topology tree
     process { token : bool = any  n0 : 0..2 = 0 }
     initially exists p: p.token and forall other_one: not other_one.token or other_one = p
     step pass with child c choose v : 1..2: when token and not c.token and c.n0 < 2
         then token := false, c.token := true, c.n0 := v
     step back: when token and not parent.token then token := false, parent.token := true
     property one: never exists p, q: p.token and q.token
     property deep: never exists p: p.n0 = 2 and leaf(p)",
    // Kinds and faults are variables like others.
    "topology tree
     process worker may crash { location idle, busy }
     process guard { location awake, asleep }
     define rests(p) = p.at = idle or p.at = asleep
     step work of worker with parent guard g: when at = idle and g.at = awake then at := busy
     step rest of worker: when at = busy then at := idle
     step nap of guard: when at = awake and forall child c: rests(c) then at := asleep
     property calm: never exists guard g: g.at = asleep and exists worker w child of g: w.at = busy",
    // A witness may be the parent: it changes in both ways, and all is read before.
    "topology tree
     process { x : bool = false  y : bool = false }
     step both with q: when not q.y and not parent.y then q.x := not q.x, parent.y := parent.x
     property apart: never exists p: p.x and p.y",
];

fn read(text: &str) -> Protocol {
    let source = Source::new("tree.protocol", text);
    Protocol::parse(&source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// All trees of a set of one size.
fn trees(set: &TreeAutomaton, size: usize, budget: &Budget) -> Vec<Tree> {
    let mut all = set.trees_up_to(size, usize::MAX, budget).unwrap();
    all.retain(|tree| tree.size() == size);
    all.sort();
    all.dedup();
    all
}

#[test]
fn what_is_compiled_means_what_is_written() {
    let budget = Budget::unlimited();
    for text in PROTOCOLS {
        let protocol = read(text);
        let compiled = protocol.compile_trees(&budget).unwrap();
        let plain = compiled.plain(&protocol);
        let mut steps_seen = 0;
        // With two variables a process there are many trees, and three processes show all that two names can mean.
        let most = if text.contains(" y : bool") { 3 } else { 4 };
        for size in 1..=most {
            let mut initial = plain.initial(size, &budget).unwrap();
            initial.sort();
            assert_eq!(initial, trees(&compiled.initial, size, &budget), "{text}");
            let mut seen = initial.clone();
            let mut at = 0;
            while at < seen.len() && at < 300 {
                let tree = seen[at].clone();
                at += 1;
                let all = plain.successors(&tree, &budget).unwrap();
                for (number, (name, relation)) in compiled.steps.iter().enumerate() {
                    let only = TreeAutomaton::only(relation.alphabet().clone(), &tree);
                    let image = relation.image(&only, &budget).unwrap();
                    let own = all.iter().filter(|(step, _)| *step == number);
                    let mut own: Vec<Tree> = own.map(|(_, tree)| tree.clone()).collect();
                    own.sort();
                    own.dedup();
                    let shown = tree.text(relation.alphabet());
                    assert_eq!(own, trees(&image, size, &budget), "{name} of {shown}");
                    steps_seen += own.len();
                }
                for (property, (name, _, bad)) in protocol.properties.iter().zip(&compiled.bad) {
                    let shown = tree.text(bad.alphabet());
                    let is_bad = plain.is_bad(property, &tree, &budget).unwrap();
                    assert_eq!(bad.contains(&tree), is_bad, "{name} of {shown}");
                }
                for (_, next) in all {
                    if !seen.contains(&next) {
                        seen.push(next);
                    }
                }
            }
        }
        assert!(steps_seen > 50, "{steps_seen}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    for text in [
        "topology tree global x : bool process { location a, b } step s: when at = a then at := b
         property p: never exists q: q.at = b",
        "topology tree process { location a, b } step s: when at = a then at := b
         property p: for each q: q.at = a leads to q.at = b",
        "topology tree process { location a, b } step s: when at = a then for p { p.at := b }
         property p: never exists q: q.at = b",
        "topology tree process { location a, b } queue c : bool step s: when at = a then at := b
         property p: never exists q: q.at = b",
        "topology tree assume n >= 2 process { location a, b } step s: when at = a then at := b
         property p: never exists q: q.at = b",
    ] {
        let protocol = read(text);
        assert!(
            protocol.compile_trees(&Budget::unlimited()).is_err(),
            "{text}"
        );
    }
    for text in [
        "topology tree process { location a, b } step s: when at = a and first then at := b",
        "topology tree process { location a, b } step s: when left.at = a then at := b",
        "topology tree process { location a, b } step s with q: when q < self then at := b",
        "topology tree process { root : bool } step s: when root then root := false",
        "topology line process { location a, b } step s with child q: when q.at = a then at := b",
    ] {
        let source = Source::new("tree.protocol", text);
        assert!(Protocol::parse(&source).is_err(), "{text}");
    }
}
