//! Parallel programs with formulas about their runs.

use crate::dice::Dice;
use crate::kind::{Instance, Kind};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "bsp",
    generate,
    ways: |_, _| Vec::new(),
    instance: Instance::None,
    judge: |_| Vec::new(),
};

const STATEMENTS: [&str; 12] = [
    "x := y + 1",
    "y := 1 - x",
    "(if pid = 0 then x := 2 else y := 3)",
    "bsp_sync World",
    "bsp_sync Some",
    "(if pid < 2 then bsp_sync Some else void)",
    "(if pid < 2 then bsp_sync Some else bsp_sync World)",
    "(bsp_send World x (1 - pid); bsp_sync World; y := bsp_findmsg (1 - pid) 0)",
    "(bsp_push World y; bsp_sync World; bsp_put World 0 x y; bsp_sync World)",
    "(if pid = 1 then (loop void) else void)",
    "(if pid = 0 then (loop x := 1 - x) else y := 2)",
    "(if pid < 2 then (loop (bsp_sync Some; x := 1 - x)) else y := 1)",
];

fn atom(dice: &mut Dice, processors: usize) -> String {
    let (one, number) = (dice.below(processors), dice.below(4));
    match dice.below(8) {
        0 => "done".to_owned(),
        1 => "deadlock".to_owned(),
        2 => "fault".to_owned(),
        3 => format!("ended at {one}"),
        4 => format!("waits at {one}"),
        5 => format!("waits Some at {one}"),
        6 => format!("y at {one} > {number}"),
        _ => format!("x at {one} = {number}"),
    }
}

fn formula(dice: &mut Dice, processors: usize, depth: usize) -> String {
    if depth == 0 || dice.chance(20) {
        return atom(dice, processors);
    }
    let left = formula(dice, processors, depth - 1);
    let right = formula(dice, processors, depth - 1);
    match dice.below(7) {
        0 => format!("!({left})"),
        1 => format!("(({left}) & ({right}))"),
        2 => format!("(({left}) -> ({right}))"),
        3 => format!("F ({left})"),
        4 => format!("G ({left})"),
        5 => format!("G F ({left})"),
        _ => format!("(({left}) U ({right}))"),
    }
}

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let processors = dice.within(2, 3);
    let all: Vec<String> = (0..processors).map(|one| one.to_string()).collect();
    let mut text = format!(
        "processors {processors}\ngroup World = {}\ngroup Some = 0, 1\n",
        all.join(", ")
    );
    for number in 0..dice.within(1, 2) {
        text += &format!("ltl q{number}: {}\n", formula(dice, processors, 2));
    }
    let many = dice.within(1, 2 + size);
    let body: Vec<&str> = (0..many).map(|_| dice.pick(&STATEMENTS)).collect();
    text += &format!(
        "run\nlet x = ref pid in let y = ref 0 in {}; x\n",
        body.join("; ")
    );
    Sample::of("bsp", "model.bsp", text)
}
