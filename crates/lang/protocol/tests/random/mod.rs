//! Random protocols as texts.

mod crowd;

#[allow(
    unused_imports,
    reason = "not every test that shares this file uses it"
)]
pub(crate) use crowd::crowd;

/// A small generator of numbers (xorshift), so that failures can be repeated.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len())]
    }
}

/// A small protocol in which processes read one by one, beside other steps.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) fn one_by_one(random: &mut Random) -> String {
    let topology = random.pick(&["line", "set"]);
    let line = topology == "line";
    let mut text = format!(
        "topology {topology}\nprocess {{ location a, b, c  x : bool = {} }}\n",
        random.pick(&["false", "any"])
    );
    let globals = random.chance(30);
    if globals {
        text += "global g : bool = false\n";
    }
    for number in 0..2 + random.below(3) {
        let mut guard = vec![format!("at = {}", random.pick(&["a", "b", "c"]))];
        if random.chance(30) {
            guard.push(random.pick(&["x", "not x"]).to_owned());
        }
        if globals && random.chance(40) {
            guard.push(random.pick(&["g", "not g"]).to_owned());
        }
        let reads = number < 1 || random.chance(50);
        for _ in 0..usize::from(reads) + usize::from(reads && random.chance(20)) {
            let side = match line {
                true => random.pick(&["other", "left", "right"]),
                false => "other",
            };
            let quantifier = random.pick(&["forall", "forall", "exists", "not exists"]);
            let body = random.pick(&[
                "o.at = a",
                "o.at != c",
                "not o.x",
                "(o.at != b or o.x != x)",
                "(o.x or x)",
            ]);
            guard.push(format!("({quantifier} {side} o: {body})"));
        }
        let mut actions = vec![format!("at := {}", random.pick(&["a", "b", "c"]))];
        match random.below(7) {
            0 => actions.push("x := not x".to_owned()),
            1 => actions.push("x := any".to_owned()),
            2 => {
                let other = if number % 2 == 0 { "other " } else { "" };
                actions.push(format!("for {other}o where o.at = b {{ o.x := true }}"));
            }
            3 if globals => actions.push("g := not g".to_owned()),
            4 if line => actions.push("move self to right end".to_owned()),
            5 if random.chance(30) => actions.push("remove self".to_owned()),
            6 if line && random.chance(30) => actions.push("create at left end".to_owned()),
            _ => {}
        }
        text += &format!(
            "step s{number}{}: when {} then {}\n",
            match (reads, line) {
                (true, true) => {
                    random.pick(&[
                        " one by one",
                        " one by one from left",
                        " one by one from right",
                    ])
                }
                (true, false) => " one by one",
                _ => "",
            },
            guard.join(" and "),
            actions.join(", ")
        );
    }
    text += "property two: never exists p, q: p.at = c and q.at = c\n";
    text += "property counted: never count(p: p.at = b) >= 2\n";
    text += "property odd: always forall p: p.at = c => not p.x\n";
    text += "property stuck: no deadlock\n";
    text
}

/// A small protocol that asks for progress.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) fn progress(random: &mut Random) -> String {
    let topology = random.pick(&["line", "ring", "set"]);
    let line = topology == "line";
    let mut text = format!("topology {topology}\nprocess {{ location a, b, c }}\n");
    let globals = random.chance(40);
    if globals {
        text += "global g : bool = false\n";
    }
    let places = ["a", "b", "c"];
    let go = |from: usize| format!("at := {}", places[(from + 1) % 3]);
    for (from, place) in places.iter().enumerate() {
        let mut guard = vec![format!("at = {place}")];
        match random.below(6) {
            0 => guard.push("(forall other o: o.at != c)".to_owned()),
            1 => guard.push("(exists other o: o.at = a)".to_owned()),
            2 if globals => guard.push(random.pick(&["g", "not g"]).to_owned()),
            3 if line => guard.push("(forall left o: o.at = a)".to_owned()),
            4 if topology != "set" => guard.push("left.at = a".to_owned()),
            _ => {}
        }
        let mut actions = vec![go(from)];
        match random.below(7) {
            0 if globals => actions.push("g := not g".to_owned()),
            1 if line => actions.push("move self to right end".to_owned()),
            2 if line => actions.push("move self to left end".to_owned()),
            3 => actions.push("for other o where o.at = b { o.at := a }".to_owned()),
            _ => {}
        }
        text += &format!(
            "step s{from}: when {} then {}\n",
            guard.join(" and "),
            actions.join(", ")
        );
    }
    if globals && random.chance(50) {
        text += "step flip: when g then g := false\n";
    }
    if random.chance(30) {
        text += "step meet with q: when at = b and q.at = c then q.at := a\n";
    }
    text += "property goes_on: for each p: p.at = a leads to p.at = b\n";
    text += random.pick(&[
        "property arrives: for each p: p.at = b leads to p.at = c\n",
        "property returns: for each p: p.at = c leads to p.at in { a, b }\n",
        "property alone: for each p: p.at = b leads to forall q: q.at = p.at\n",
    ]);
    text
}

/// A protocol that uses a random selection of everything in the language.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) struct Shape {
    ring: bool,
    set: bool,
    globals: bool,
    holder: bool,
    channel: bool,
}

/// The text of a random protocol.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) fn protocol(random: &mut Random) -> String {
    let shape = Shape {
        ring: random.chance(25),
        set: random.chance(20),
        globals: random.chance(50),
        holder: random.chance(50),
        channel: random.chance(25),
    };
    let topology = if shape.set {
        "set"
    } else if shape.ring {
        "ring"
    } else {
        "line"
    };
    let mut text = format!(
        "topology {topology}\nprocess {{ location a, b, c  x : bool = false  k : 0..1 = {} }}\n",
        random.pick(&["0", "any"])
    );
    if shape.globals {
        text += "global g : bool = false\nglobal h : {u, v, w} = u\n";
    }
    if shape.holder {
        let start = if shape.set {
            "any"
        } else {
            random.pick(&["first", "last", "any"])
        };
        text += &format!(
            "global t : process{} = {start}\n",
            random.pick(&["", " or none"])
        );
    }
    if shape.channel {
        text += random.pick(&["queue", "lossy queue", "stack"]);
        text += " ch : {m, o}\n";
    }
    text += "define busy(p) = p.at = b or p.x\n";
    let stack = text.contains("stack");
    for number in 0..1 + random.below(4) {
        text += &step(random, &shape, number, stack);
    }
    text += "property two: never exists p, q: p.at = c and q.at = c\n";
    text += &format!(
        "property counted: never count(p: {}) {} {}\n",
        condition(random, "p"),
        random.pick(&["=", ">=", "<"]),
        random.below(3)
    );
    text += "property stuck: no deadlock\n";
    text += "property odd: always forall p: exists q: p.k = q.k and (p.at = c => not p.x or q.x)\n";
    text
}

fn step(random: &mut Random, shape: &Shape, number: usize, stack: bool) -> String {
    let witness = random.chance(40);
    let side = if shape.set || shape.ring {
        ""
    } else {
        random.pick(&["", "left ", "right "])
    };
    let with = if witness {
        format!(" with {side}q")
    } else {
        String::new()
    };
    let choose = random.chance(20);
    let with = if choose {
        with + " choose z : 0..1"
    } else {
        with
    };
    let mut guard = vec![condition(random, "self")];
    if witness {
        guard.push(condition(random, "q"));
        if random.chance(30) {
            guard.push("q.k = k".to_owned());
        }
    }
    if random.chance(60) {
        let quantifier = random.pick(&["forall", "exists"]);
        let side = if shape.set || shape.ring {
            "other"
        } else {
            random.pick(&["other", "left", "right"])
        };
        let body = condition(random, "o");
        let body = if random.chance(40) {
            format!("({body} or o.k != k)")
        } else {
            body
        };
        guard.push(format!("({quantifier} {side} o: {body})"));
    }
    if !shape.set && random.chance(25) {
        let neighbour = random.pick(&["left", "right"]);
        guard.push(format!("{neighbour}.at = {}", random.pick(&["a", "b"])));
    }
    if shape.globals && random.chance(50) {
        guard.push(random.pick(&["g", "not g", "h = u", "h != v"]).to_owned());
    }
    if shape.holder && random.chance(40) {
        guard.push(
            random
                .pick(&["t = self", "t != self", "t.at = a", "not t.x"])
                .to_owned(),
        );
    }
    if random.chance(15) {
        guard.push("count(other o: busy(o)) <= 1".to_owned());
    }
    let mut actions = Vec::new();
    for _ in 0..1 + random.below(3) {
        actions.push(action(random, shape, witness, choose, stack));
    }
    if !shape.set && random.chance(15) {
        let to = if witness {
            random.pick(&["to left end", "to right end", "before q", "after q"])
        } else {
            random.pick(&["to left end", "to right end"])
        };
        actions.push(format!("move self {to}"));
    } else if !actions.contains(&"t := self".to_owned()) && random.chance(8) {
        actions.push("remove self".to_owned());
    }
    let mut text = format!(
        "step s{number}{with}: when {} then {}",
        guard.join(" and "),
        actions.join(", ")
    );
    // Who is removed in one alternative only must not be held.
    if random.chance(20) && !text.contains("remove") {
        text += &format!(" or then {}", action(random, shape, witness, choose, stack));
    }
    text + "\n"
}

fn action(random: &mut Random, shape: &Shape, witness: bool, choose: bool, stack: bool) -> String {
    match random.below(10) {
        0..3 => format!("at := {}", random.pick(&["a", "b", "c"])),
        3 => format!("x := {}", random.pick(&["not x", "any", "at = a", "true"])),
        4 if witness => random
            .pick(&["q.at := c", "q.x := x", "q.k := 1 - k", "x := q.x"])
            .to_owned(),
        5 => format!(
            "for other o where {} {{ o.at := {}, o.x := x }}",
            condition(random, "o"),
            random.pick(&["a", "o.at"])
        ),
        6 if shape.globals => random
            .pick(&[
                "g := not g",
                "h := v",
                "h := any {u, w}",
                "g := x",
                "k := if g then 1 else 0",
            ])
            .to_owned(),
        7 if shape.holder && witness => "t := q".to_owned(),
        7 if shape.holder => "t := self".to_owned(),
        8 if shape.channel && stack => random
            .pick(&["push ch(m)", "pop ch(o)", "pop ch(m)", "push ch(o)"])
            .to_owned(),
        8 if shape.channel => random
            .pick(&[
                "send ch(m)",
                "receive ch(o)",
                "receive ch(m)",
                "send ch(if x then m else o)",
            ])
            .to_owned(),
        9 if choose => "k := z".to_owned(),
        _ => "k := 1 - k".to_owned(),
    }
}

fn condition(random: &mut Random, who: &str) -> String {
    match random.below(6) {
        0 => format!("{who}.at = a"),
        1 => format!("{who}.at in {{a, b}}"),
        2 => format!("not {who}.x"),
        3 => format!("({who}.x or {who}.k = 1)"),
        4 => format!("({who}.at != c and {who}.k < 1)"),
        _ => "true".to_owned(),
    }
}

/// The text with processes that may fail, in one way or another or not at all.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) fn with_faults(text: &str, seed: u64) -> String {
    let faults = [
        "",
        "may crash",
        "may crash at most 1",
        "may crash and recover",
        "may lie",
        "may crash and recover at most 1",
    ];
    let faults = faults[(seed % 6) as usize];
    text.replace("process {", &format!("process {faults} {{"))
}

/// The text with sums of counts, and with what is assumed of every configuration.
#[allow(dead_code, reason = "not every test that shares this file uses it")]
pub(crate) fn with_sums(text: &str, seed: u64) -> String {
    let sums = [
        "never count(p: ",
        "never count(p: p.x) + count(p: ",
        "never 2 * count(q: q.at = b) + count(p: ",
        "never 1 + count(p: ",
    ];
    let assumed = [
        "",
        "assume count(p: p.at = c) <= 1\n",
        "assume count(p: p.x) + count(p: p.at = c) <= 2\n",
        "assume count(p: p.k = 1 and p.at = b) != 1\n",
    ];
    let (sum, assumed) = (sums[(seed % 4) as usize], assumed[(seed / 4 % 4) as usize]);
    assumed.to_owned() + &text.replace("never count(p: ", sum)
}
