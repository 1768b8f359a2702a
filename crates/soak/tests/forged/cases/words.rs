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

const TOKEN: &str = "topology set
queue box : { token } = (token)
process { location idle, wants, has }
step ask: when at = idle then at := wants
strong fair step take: when at = wants then receive box(token), at := has
step give: when at = has then send box(token), at := idle
property comes: for each p: p.at = wants leads to p.at = has
";

const VOTES: &str = "topology set
parameter f
assume n > 2 * f
process may crash at most f { location open, voted, decided }
step vote: when at = open then at := voted
step decide: when at = voted and count(p: p.at != open) > n / 2 then at := decided
property ends: for each p: p.at = open leads to p.at = decided or p.crashed
property some: eventually exists p: p.at = decided
";

/// Who enters is written down in what the first property needs; the numbers are beside the point.
const BESIDE: &str = "topology line
global held : bool = false
process { location idle, wants, critical  a : 0..9 = 0  b : 0..9 = 0  c : 0..9 = 0  said : bool = false }
step up: when a < 9 then a := a + 1
step both: when a > 3 and b < 9 then b := b + 1, a := 0
step third: when b > 3 and c < 9 then c := c + 1
step ask: when at = idle and not said then at := wants, said := true
step enter: when at = wants and not held then at := critical, held := true, move self to right end
step leave: when at = critical then at := idle, held := false, said := false
property mutex: never exists p, q: p.at = critical and q.at = critical
property told: never exists p: p.at = critical and (not p.said or p.a > 9)
property on: no deadlock
";

/// What must happen where runs need not repeat, or where processes are counted.
fn happens() -> Vec<Case> {
    vec![
        Case::new(
            "token.protocol",
            TOKEN,
            &[
                ("strong fair step take", "step take"),
                ("send box(token), at := idle", "at := idle"),
                ("= (token)", "= ()"),
            ],
        )
        .kinds(&["protocol-rounds"]),
        Case::new(
            "votes.protocol",
            VOTES,
            &[
                ("n > 2 * f", "n > f"),
                (
                    "count(p: p.at != open) > n / 2",
                    "count(p: p.at != open) >= n",
                ),
                ("then at := voted", "then at := open"),
            ],
        )
        .kinds(&["protocol-settled"]),
    ]
}

pub(crate) fn all() -> Vec<Case> {
    let mut all = vec![
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
            "beside.protocol",
            BESIDE,
            &[
                ("and not held then at := critical", "then at := critical"),
                (
                    "at := idle, held := false, said",
                    "at := idle, held := held, said",
                ),
                ("at := wants, said := true", "at := wants, said := a > 0"),
            ],
        )
        .kinds(&["protocol-fewer"]),
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
    ];
    all.extend(happens());
    all
}
