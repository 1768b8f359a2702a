//! Words, trees and arrays: any number of processes; and games about words.

use super::example;
use crate::attack::Case;

const LOCK: &str = "topology line
process { location idle, wants, critical }
step ask: when at = idle then at := wants
step enter one by one: when at = wants and forall left p: p.at = idle then at := critical
step leave: when at = critical then at := idle
property first: for each p: p.at = wants and first(p) leads to p.at = critical
property all: for each p: p.at = wants leads to p.at = critical
property out: for each p: always eventually not p.at = critical
";

pub(crate) fn all() -> Vec<Case> {
    vec![
        Case::new(
            "semaphore.protocol",
            &example("semaphore.protocol"),
            &[
                (
                    "and free > 0 then at := inside, free := free - 1",
                    "then at := inside",
                ),
                ("free : 0..2 = 2", "free : 0..2 = 1"),
                ("at := inside, free := free - 1", "at := inside, free := 0"),
            ],
        )
        .kinds(&["regular-invariant", "regular-run"]),
        Case::new(
            "lock.protocol",
            LOCK,
            &[
                (
                    "forall left p: p.at = idle",
                    "forall left p: p.at != critical",
                ),
                (
                    "step leave: when at = critical then at := idle",
                    "step leave: when at = critical then at := critical",
                ),
                (
                    "and forall left p: p.at = idle",
                    "and exists left p: p.at = idle",
                ),
            ],
        )
        .kinds(&["protocol-lasso"]),
        Case::new(
            "lock_service.protocol",
            &example("lock_service.protocol"),
            &[
                ("lossy message", "duplicating message"),
                ("when not held then held", "then held"),
                ("then held := true, send", "then send"),
            ],
        )
        .kinds(&["protocol-never", "protocol-run"]),
        Case::new(
            "spawn.trees",
            &example("spawn.trees"),
            &[
                ("R(d,d) -> D(d,d)", "R(x,d) -> D(x,d)"),
                ("r -> d", "r -> D(r,r)"),
                ("R(d,D(x,y)) -> D(d,D(x,y))", "R(x,D(d,d)) -> D(x,d)"),
            ],
        )
        .kinds(&["tree-invariant", "tree-run"]),
        Case::new(
            "door.cub",
            &example("door.cub"),
            &[
                (
                    "requires { At[p] = Out && Free = True }",
                    "requires { At[p] = Out }",
                ),
                ("Free := False", "Free := ?"),
                ("At[z] = Out && Free = True", "Free = True"),
            ],
        )
        .kinds(&["arrays-invariant", "arrays-run"]),
        Case::new(
            "tokens.game",
            &example("tokens.game"),
            &[
                ("    before -> passed picked/no;\n", ""),
                (
                    "    before -> after picked/token;\n    before -> passed picked/no;",
                    "    before -> after picked/token;",
                ),
                (
                    "    none -> one token;\n    one -> one no;\n    accepting: one;",
                    "    none -> one token;\n    one -> one no;\n    accepting: none;",
                ),
            ],
        )
        .kinds(&["game-order", "game-trap"]),
    ]
}
