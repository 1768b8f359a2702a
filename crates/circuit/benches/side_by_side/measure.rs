//! One question, put to the command and to its peers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// What is run, and for how long.
pub(crate) struct Tools {
    pub(crate) quotient: PathBuf,
    pub(crate) peers: Vec<String>,
    pub(crate) seconds: u64,
}

/// What is said below the table.
#[derive(Default)]
pub(crate) struct Sums {
    asked: usize,
    ours: usize,
    our_time: f64,
    check_time: f64,
    /// The most that a check took, compared with finding the answer, where it took a tenth of a second.
    slowest: Option<(f64, String)>,
    wrong: Vec<String>,
    unchecked: Vec<String>,
    peers: Vec<Peer>,
}

/// What one method of ABC did.
#[derive(Default, Clone)]
struct Peer {
    solved: usize,
    both: usize,
    our_time: f64,
    time: f64,
    alone: Vec<String>,
}

/// An answer that took so long, if there was one.
type Answer = (Option<bool>, f64);

/// More memory than this (in KiB) is given to nobody.
const MEMORY: u64 = 6 << 20;

impl Default for Tools {
    fn default() -> Self {
        Tools {
            quotient: PathBuf::from("quotient"),
            peers: ["pdr", "bmc3"].map(str::to_owned).to_vec(),
            seconds: 60,
        }
    }
}

impl Tools {
    pub(crate) fn head(&self) {
        let names: Vec<String> = self
            .peers
            .iter()
            .map(|one| format!(" {one} | s |"))
            .collect();
        println!(
            "| circuit | quotient | s | certified | s |{}",
            names.concat()
        );
        println!("|---|---|---:|---|---:|{}", "---|---:|".repeat(names.len()));
    }

    /// Asks about one file, and prints what came out.
    pub(crate) fn row(&self, file: &Path, holds: Option<bool>, folder: &Path, sums: &mut Sums) {
        let name = file.file_stem().unwrap_or_default().display().to_string();
        let evidence = folder.join("evidence.json");
        let _ = std::fs::remove_file(&evidence);
        let (ours, our_time) = self.check(file, &evidence);
        sums.asked += 1;
        let (mut certified, mut check_time) = ("", 0.0);
        if let Some(answer) = ours {
            let (accepted, took) = self.certify(file, &evidence);
            (certified, check_time) = (if accepted { "yes" } else { "no" }, took);
            sums.ours += 1;
            sums.our_time += our_time;
            sums.check_time += took;
            let times = took / our_time.max(0.01);
            if took >= 0.1 && sums.slowest.as_ref().is_none_or(|(most, _)| times > *most) {
                sums.slowest = Some((times, name.clone()));
            }
            if !accepted {
                sums.unchecked.push(name.clone());
            }
            if holds.is_some_and(|holds| holds != answer) {
                sums.wrong.push(name.clone());
            }
        }
        let mut line = format!(
            "| {name} | {} | {our_time:.2} | {certified} | {check_time:.2} |",
            told(ours)
        );
        sums.peers.resize(self.peers.len(), Peer::default());
        let bits = self.as_bits(file, folder);
        for (method, peer) in self.peers.iter().zip(&mut sums.peers) {
            let (theirs, time) = match &bits {
                Some(bits) => self.abc(bits, method),
                None => (None, 0.0),
            };
            line += &format!(" {} | {time:.2} |", told(theirs));
            let Some(answer) = theirs else { continue };
            peer.solved += 1;
            if ours.is_some() {
                peer.both += 1;
                peer.our_time += our_time;
                peer.time += time;
            } else {
                peer.alone.push(name.clone());
            }
            if ours.or(holds).is_some_and(|known| known != answer) {
                sums.wrong.push(format!("{name} ({method} differs)"));
            }
        }
        println!("{line}");
    }

    /// Runs a command with so many seconds of the processor.
    fn limited(&self, seconds: u64, program: &Path, arguments: &[&str]) -> (Option<Output>, f64) {
        let limits = format!("ulimit -t {seconds}; ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &limits]).arg(program).args(arguments);
        command.stdin(Stdio::null());
        let (began, before) = (Instant::now(), children_seconds());
        let output = command.output().ok();
        let used = match (before, children_seconds()) {
            (Some(before), Some(after)) => after - before,
            _ => began.elapsed().as_secs_f64(),
        };
        (output, used)
    }

    fn check(&self, file: &Path, evidence: &Path) -> Answer {
        let (file, evidence) = (file.display().to_string(), evidence.display().to_string());
        // Time on the wall is no limit: others may be at work.
        let most = (20 * self.seconds).to_string();
        let rest = ["--timeout", &most, "--evidence", &evidence];
        let mut arguments = vec!["check", &file, "--no-doubt", "--threads", "1"];
        arguments.extend(rest);
        let (output, time) = self.limited(self.seconds, &self.quotient, &arguments);
        let code = output.and_then(|output| output.status.code());
        let answer = match code {
            Some(0) => Some(true),
            Some(1) => Some(false),
            _ => None,
        };
        (answer.filter(|_| self.in_time(time)), time)
    }

    /// Whether an answer came in time: systems end processes that have used theirs, but not at once.
    fn in_time(&self, time: f64) -> bool {
        time <= self.seconds as f64 + 0.5
    }

    fn certify(&self, file: &Path, evidence: &Path) -> (bool, f64) {
        let (file, evidence) = (file.display().to_string(), evidence.display().to_string());
        let arguments = ["certify", &evidence, &file];
        let (output, time) = self.limited(10 * self.seconds, &self.quotient, &arguments);
        (output.is_some_and(|output| output.status.success()), time)
    }

    /// The file as AIGER, for those that know no words.
    fn as_bits(&self, file: &Path, folder: &Path) -> Option<PathBuf> {
        if file
            .extension()
            .is_some_and(|ending| ending == "aig" || ending == "aag")
        {
            return Some(file.to_owned());
        }
        let bits = folder.join("bits.aig");
        let _ = std::fs::remove_file(&bits);
        let (from, to) = (file.display().to_string(), bits.display().to_string());
        let (output, _) = self.limited(60, &self.quotient, &["convert", &from, &to]);
        (output?.status.success() && bits.exists()).then_some(bits)
    }

    /// What ABC says. Latches that may start with anything are made to (else it takes them to start
    /// with 0, which is another circuit), and constraints are folded into the property.
    fn abc(&self, file: &Path, method: &str) -> Answer {
        let file = file.display();
        let script = format!("read_aiger {file}; logic; undc; strash; zero; fold; {method}");
        let abc = Path::new("berkeley-abc");
        let (output, time) = self.limited(self.seconds, abc, &["-c", &script]);
        let Some(output) = output else {
            return (None, time);
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let answer = match () {
            () if text.contains("Property proved") => Some(true),
            () if text.contains("was asserted in frame") => Some(false),
            () => None,
        };
        (answer.filter(|_| self.in_time(time)), time)
    }

    pub(crate) fn tell(&self, sums: &Sums) {
        let Sums {
            asked,
            ours,
            our_time,
            check_time,
            ..
        } = sums;
        println!(
            "\n{asked} asked, {} seconds of the processor for each:",
            self.seconds
        );
        println!("quotient answers {ours} in {our_time:.1} s, certified in {check_time:.1} s");
        if let Some((times, name)) = &sums.slowest {
            println!("certified slowest, compared with finding it: {name}, {times:.2} times");
        }
        for (method, peer) in self.peers.iter().zip(&sums.peers) {
            let Peer {
                solved,
                both,
                our_time,
                time,
                alone,
            } = peer;
            println!(
                "{method} answers {solved}; on the {both} that both answer: quotient {our_time:.1} s, {method} {time:.1} s"
            );
            println!("{method} alone answers: {}", listed(alone));
        }
        println!("not certified: {}", listed(&sums.unchecked));
        println!("not as expected: {}", listed(&sums.wrong));
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        _ => names.join(", "),
    }
}

fn told(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "holds",
        Some(false) => "violated",
        None => "–",
    }
}

/// What the processes that this one waited for have used, as Linux tells it.
fn children_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = (13..15).map(|at| fields.get(at)?.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / 100.0)
}
