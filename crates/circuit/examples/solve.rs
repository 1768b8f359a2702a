//! Checks the first bad signal of AIGER or BTOR2 files: `solve [--way NAME] [--time SECONDS] FILE…`.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use quotient_circuit::{Options, Way, never};
use quotient_core::{Budget, Conclusion, Context, LogLines, Source, Story};
use quotient_netlist::Circuit;

fn read(file: &str) -> Result<Circuit, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(file)?;
    if quotient_netlist::aiger::looks_like(&bytes) {
        return Ok(quotient_netlist::aiger::read(file, &bytes)?);
    }
    let source = Source::new(file, String::from_utf8(bytes)?);
    let model = quotient_netlist::words::read(&source)?;
    Ok(quotient_netlist::words::to_bits(&model, &Budget::unlimited())?.circuit)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut time = 60;
    let mut arguments = std::env::args().skip(1);
    let mut story = Story::silent();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--way" => {
                let name = arguments.next().unwrap_or_default();
                options.ways = Way::ALL
                    .into_iter()
                    .filter(|way| way.name() == name)
                    .collect();
            }
            "--time" => time = arguments.next().unwrap_or_default().parse()?,
            "--threads" => options.threads = arguments.next().unwrap_or_default().parse()?,
            "--story" => {
                story = Story::to([Arc::new(LogLines::new(std::io::stdout())) as Arc<_>]);
            }
            file => {
                let began = Instant::now();
                let circuit = read(file)?;
                let bad = circuit.bad.first().or(circuit.outputs.first());
                let bad = *bad.ok_or("nothing is asked")?;
                let cx = Context {
                    budget: Budget::new(Some(Duration::from_secs(time)), None),
                    story: story.clone(),
                    ..Context::default()
                };
                let finding = never(&circuit, bad, &options, &cx);
                let more = match &finding.conclusion {
                    Conclusion::Holds(proof) => {
                        format!("{} clauses depth {}", proof.clauses.len(), proof.depth)
                    }
                    Conclusion::Violated(run) => format!("{} steps", run.inputs.len()),
                    Conclusion::Unknown(_) => String::new(),
                };
                println!(
                    "{:8.2}s {} {} {more} {:?} {file}",
                    began.elapsed().as_secs_f64(),
                    finding.verdict(),
                    finding.way.unwrap_or("-"),
                    finding.sizes,
                );
            }
        }
    }
    Ok(())
}
