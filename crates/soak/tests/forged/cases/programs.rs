//! Programs, machines, Promela and parallel programs.

use serde_json::json;

use super::example;
use crate::attack::Case;

const TWO: &str = "shared bool a = false, b = false;
process P { while (true) { await(!a) a := true, b := true; c: skip; a := false, b := false; } }
process Q { while (true) { await(!a) a := true; d: skip; a := false; } }
check ex: G !(P at c & Q at d)
check one: G F (P at c)
check both: G (!b | a)
";

const TWO_FAULTS: [(&str, &str); 3] = [
    (
        "process Q { while (true) { await(!a)",
        "process Q { while (true) { await(!b)",
    ),
    ("a := true, b := true", "b := true"),
    (
        "d: skip; a := false; }",
        "d: skip; a := false; await(b) a := false; }",
    ),
];

/// Customers of few resources who hand each other numbers.
fn customers(number: usize, resources: usize, guard: &str) -> String {
    let mut text = format!(
        "shared bool taken[1..{resources}] = false;\nshared int demand[1..{number}] = 0;\n"
    );
    for own in 1..=number {
        let (first, second) = match own {
            1 | 2 => (1, 1),
            _ => (1 + own % resources, 1 + (own + 1) % resources),
        };
        let next = 1 + own % number;
        text += &format!(
            "process Customer{own} {{
  local bool side = false;
  while (true) {{
    if (demand[{own}] > 0) {{ await({guard}taken[{first}]) taken[{first}] := true, side := true; }}
    else {{ await({guard}taken[{second}]) taken[{second}] := true, side := false; }}
    demand[{next}] := demand[{next}] + demand[{own}] - 1;
    critical: skip;
    if (side) {{ taken[{first}] := false; }} else {{ taken[{second}] := false; }}
  }}
}}
"
        );
    }
    text + "check exclusive: G !(Customer1 at critical & Customer2 at critical)
check served: G F (Customer1 at critical)
"
}

const MISSING: &str = "processors 2..
check deadlock
run
if pid = 0 then bsp_sync W else void
";

const BARRIER: &str = "processors any
check no deadlock
run
let x = ref pid in
bsp_push W x;
bsp_sync W;
x := !x + 1;
bsp_sync W
";

const TURNS: &str = "processors 3
group A = 0, 1
ltl one: G !(holds at 0 = 1 & holds at 1 = 1)
ltl never: F G (holds at 0 = 0)
ltl onlooker: F (ended at 2)
run
let holds = ref 0 in
let turn = ref 0 in
if pid < 2 then
  loop (
    (if turn = pid then (holds := 1; holds := 0) else void);
    turn := 1 - turn;
    bsp_sync A
  )
else void
";

const FOUR: &str = "processors 4
group L = 0, 1
group R = 2, 3
check no deadlock
run
let x = ref pid in
x := !x + 1;
bsp_sync L|R
";

pub(crate) fn all() -> Vec<Case> {
    let mut allocation = Case::new("customers.spl", &customers(5, 3, "!"), &[]);
    // Whoever finds it taken takes it, too.
    let careless = customers(5, 3, "true | ");
    allocation.variants.push(careless);
    // The first one waits for nothing.
    let served = customers(5, 3, "!").replacen("await(!taken[1])", "await(true)", 2);
    allocation.variants.push(served);
    vec![
        Case::new("two.spl", TWO, &TWO_FAULTS)
            .kinds(&["program-spotlight", "program-run", "program-states"])
            .written(0, "ex", "program-states", |_| json!({})),
        allocation.kinds(&["program-pairs", "program-schedule"]),
        Case::new(
            "champion.tm",
            &(example("champion-2.tm") + "check diverges on blank\n"),
            &[
                ("1LA1RZ", "1LA1RB"),
                ("1RB1LB", "1RB1RB"),
                ("1RB1LB", "1RB1RZ"),
            ],
        )
        .kinds(&["machine-runs"]),
        Case::new(
            "p.pml",
            &example("philosophers.pml"),
            &[
                ("assert(eating <= N / 2)", "assert(eating < N / 2)"),
                (
                    "fork[_pid]!take;\n\t   fork[(_pid + 1) % N]!take",
                    "fork[(_pid + 1) % N]!take;\n\t   fork[_pid]!take",
                ),
                (
                    "active [N] proctype Philosopher",
                    "active [2] proctype Philosopher",
                ),
            ],
        )
        .kinds(&["promela-run", "promela-states"]),
        Case::new(
            "barrier.bsp",
            BARRIER,
            &[
                ("1;\nbsp_sync W", "1;\nif pid = 0 then bsp_sync W else void"),
                (
                    "ref pid in\n",
                    "ref pid in\nif pid = 1 then bsp_sync W else void;\n",
                ),
            ],
        )
        .kinds(&["bsp-alike", "bsp-some"]),
        Case::new(
            "gather.bsp",
            &example("gather.bsp"),
            &[
                (
                    "if pid = 0 then\n  bsp_sync W\n",
                    "if pid = 0 then\n  void\n",
                ),
                (
                    "bsp_send W x 0;\n  bsp_sync W",
                    "bsp_send W x 0;\n  bsp_sync W;\n  bsp_sync W",
                ),
            ],
        )
        .kinds(&["bsp-every"]),
        Case::new(
            "missing.bsp",
            MISSING,
            &[
                // All end; somebody fails; it goes on for ever.
                ("else void", "else bsp_sync W"),
                ("if pid = 0", "if pid / (3 - nprocs) = 0"),
                ("else void", "else loop void"),
                ("processors 2..", "processors 1.."),
            ],
        )
        .kinds(&["bsp-every"]),
        Case::new(
            "turns.bsp",
            TURNS,
            &[
                ("turn := 1 - turn", "turn := turn"),
                ("if turn = pid then", "if turn = 0 then"),
                ("else void\n", "else loop void\n"),
            ],
        )
        .kinds(&["bsp-states", "bsp-lasso"]),
        Case::new(
            "four.bsp",
            FOUR,
            &[
                ("bsp_sync L|R", "if pid = 0 then void else bsp_sync L|R"),
                ("group R = 2, 3", "group R = 1, 2, 3"),
            ],
        )
        .kinds(&["bsp-run"]),
    ]
}
