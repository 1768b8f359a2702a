//! What there is to see of a program.

use quotient_core::{Context, Trouble};
use quotient_language::{Block, Graph, Grid, Node, Shown, Table, Tile, Viewed};
use quotient_netlist::{Circuit, Gate, Literal};
use serde_json::json;

use crate::machine::Machine;
use crate::model::EsterelModel;
use crate::print::print;
use crate::purify::Purified;
use crate::syntax::Direction;

/// The most nodes that are drawn.
const MOST_NODES: usize = 80;

pub(crate) fn show(
    model: &mut EsterelModel,
    view: &Viewed,
    cx: &Context,
) -> Result<Shown, Trouble> {
    let (program, source) = (model.program.clone(), model.source.clone());
    let abstraction = model.abstraction(&cx.budget)?;
    let (pure, compiled) = (&abstraction.pure, &abstraction.compiled);
    match view.part.as_deref() {
        None => {}
        Some("pure") => {
            let mut shown = Shown::titled(format!("{}: the pure program", program.name));
            shown.blocks.push(Block::Verbatim(print(&pure.program)));
            return Ok(shown.result(json!({ "pure": print(&pure.program) })));
        }
        Some("circuit") => {
            let shown = Shown::titled(format!("{}: the circuit", program.name));
            let shown = facts(shown, &compiled.circuit);
            return Ok(match compiled.circuit.graph.len() <= MOST_NODES {
                true => shown.picture(picture(&program.name, &compiled.circuit)),
                false => shown.line(0, "too large to draw"),
            });
        }
        Some("ranges") => {
            let shown = Shown::titled(format!("{}: ranges", program.name));
            return Ok(with_ranges(shown, pure));
        }
        Some(part) => {
            let message = format!("there is no part `{part}`: parts are pure, circuit, ranges");
            return Err(Trouble::usage(message));
        }
    }
    let mut shown = Shown::titled(format!("{}: an Esterel program", program.name));
    let named = |wanted: &[Direction]| -> Vec<String> {
        let signals = program.signals[..program.interface].iter();
        signals
            .filter(|signal| wanted.contains(&signal.direction))
            .map(|signal| match &signal.kind {
                Some(kind) => format!("{} : {kind}", signal.name),
                None => signal.name.clone(),
            })
            .collect()
    };
    let lists = [
        ("inputs", named(&[Direction::Input, Direction::Both])),
        ("sensors", named(&[Direction::Sensor])),
        ("outputs", named(&[Direction::Output, Direction::Both])),
    ];
    for (name, list) in &lists {
        if !list.is_empty() {
            shown = shown.fact(*name, list.join(", "));
        }
    }
    let data = match (program.is_pure(), pure.is_exact()) {
        (true, _) => "none: the program is pure".to_owned(),
        (false, true) => "purified: the pure program does the same".to_owned(),
        (false, false) => format!("forgotten in part: {} tests are free", pure.free),
    };
    shown = shown
        .fact("pauses", program.pauses.to_string())
        .fact("data", data)
        .fact(
            "cycles",
            if compiled.is_cyclic() {
                "yes, resolved"
            } else {
                "none"
            },
        );
    shown = facts(shown, &compiled.circuit);
    for reason in pure.reasons.iter().take(8) {
        let (line, _) = source.position(reason.span.start);
        shown = shown.line(2, format!("line {line}, {}: {}", reason.rule, reason.text));
    }
    shown = with_ranges(shown, pure);
    if let Some(machine) = Machine::of(&pure.program, &cx.budget)?
        && let Some(graph) = machine.picture(&pure.program, &source)
    {
        shown = shown.picture(graph);
    }
    let circuit = &compiled.circuit;
    if circuit.graph.len() <= MOST_NODES {
        shown = shown.picture(picture(&program.name, circuit));
    }
    let result = json!({
        "inputs": lists[0].1,
        "sensors": lists[1].1,
        "outputs": lists[2].1,
        "pauses": program.pauses,
        "exact": pure.is_exact(),
        "cyclic": compiled.is_cyclic(),
        "latches": circuit.latches().len(),
        "gates": circuit.gate_count(),
    });
    Ok(shown.result(result).parts(["pure", "circuit", "ranges"]))
}

fn facts(shown: Shown, circuit: &Circuit) -> Shown {
    shown.fact("circuit", quotient_circuit::telling::sizes(circuit))
}

/// The ranges as a table and on a line.
fn with_ranges(shown: Shown, pure: &Purified) -> Shown {
    if pure.tables.is_empty() {
        return shown;
    }
    let mut table = Table::new(["object", "ranges", "signals"]);
    let mut grid = Grid {
        title: "ranges".to_owned(),
        x: "from small to large".to_owned(),
        y: "object".to_owned(),
        ..Grid::default()
    };
    for one in &pure.tables {
        let ranges: Vec<String> = (0..one.ranges.count())
            .map(|range| one.ranges.shown(range))
            .collect();
        let tile = |(number, text): (usize, &String)| Tile {
            text: text.clone(),
            shade: if number % 2 == 0 { 0.1 } else { 0.3 },
            ..Tile::default()
        };
        grid.rows.push(one.name.clone());
        grid.cells
            .push(ranges.iter().enumerate().map(tile).collect());
        table.row([one.name.clone(), ranges.join(" "), one.signals.join(" ")]);
    }
    let most = grid.cells.iter().map(Vec::len).max().unwrap_or(0);
    for row in &mut grid.cells {
        row.resize(most, Tile::default());
    }
    shown.blank().table(table).picture(grid)
}

/// Inputs, registers and gates; dashed edges are negations.
fn picture(name: &str, circuit: &Circuit) -> Graph {
    let mut graph = Graph::new(name);
    let mut places = Vec::new();
    for (node, gate) in circuit.graph.nodes() {
        places.push(graph.node(match gate {
            Gate::Constant => Node::boxed("0").hint("never on"),
            Gate::Input(number) => Node::boxed(circuit.input_name(number)).hint("input"),
            Gate::Latch(number) => Node::boxed(circuit.latch_name(number)).hint("register"),
            Gate::And(..) => Node::round("&").hint(format!("gate {}", node.index())),
        }));
    }
    let mut connect = |from: Literal, to: usize| {
        let source = places[from.node().index()];
        match from.is_negated() {
            true => graph.faint_edge(source, to, "not"),
            false => graph.edge(source, to, ""),
        }
    };
    for (node, gate) in circuit.graph.nodes() {
        if let Gate::And(a, b) = gate {
            connect(a, places[node.index()]);
            connect(b, places[node.index()]);
        }
    }
    for latch in circuit.latches() {
        connect(latch.next, places[latch.node.index()]);
    }
    for (number, &output) in circuit.outputs.iter().enumerate() {
        let name = circuit.output_names.get(number).cloned().flatten();
        let node = Node::boxed(name.unwrap_or_default())
            .hint("output")
            .accepting();
        let own = graph.node(node);
        let source = places[output.node().index()];
        match output.is_negated() {
            true => graph.faint_edge(source, own, "not"),
            false => graph.edge(source, own, ""),
        }
    }
    graph
}
