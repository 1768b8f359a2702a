//! Random protocols as texts.

/// A small generator of numbers (xorshift), so that failures can be repeated.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len())]
    }
}

/// A protocol that uses a random selection of everything in the language.
pub(crate) struct Shape {
    ring: bool,
    set: bool,
    globals: bool,
    holder: bool,
    channel: bool,
}

/// The text of a random protocol.
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
    if random.chance(20) {
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
