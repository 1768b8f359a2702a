//! Trials until the time is over, in processes of their own.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use quotient_core::Evidence;
use quotient_language::About;
use quotient_workbench::Workbench;
use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::kind::generate;
use crate::minimise::minimise;
use crate::sample::Sample;
use crate::tally::{Class, Find, Summary, Tally};
use crate::trial::{Limits, Outcome, trial};

/// What to soak, and how long.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How long.
    pub time: Duration,
    /// The first seed; trials count on from it.
    pub seed: u64,
    /// Only this language, by id.
    pub only: Option<String>,
    /// Many more files with changed bytes.
    pub mutants: bool,
    /// Where finds and the summary are kept.
    pub folder: PathBuf,
    /// This program, to be started again.
    pub program: PathBuf,
}

/// The trials of one process: a few, so that memory that it lost is given back.
const BATCH: u64 = 40;
/// A process that says nothing for so long hangs.
const SILENCE: Duration = Duration::from_secs(240);
/// Finds of one class and language that are made small; others are kept as they are.
const MOST_MINIMISED: u64 = 4;
/// Trials to make one find small.
const MOST_TRIES: usize = 300;

/// What a process says about one trial.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    seed: u64,
    language: String,
    /// Nothing while it is under way.
    tally: Option<Tally>,
    finds: Vec<Find>,
}

/// The languages that take part.
fn languages(only: Option<&str>) -> Vec<&'static About> {
    let workbench = Workbench::standard();
    let wanted = |about: &&About| only.is_none_or(|only| about.id == only);
    workbench.abouts().filter(wanted).collect()
}

/// The model of a seed.
fn model_of(seed: u64, only: Option<&str>) -> Option<Sample> {
    let languages = languages(only);
    let about = languages.get(seed as usize % languages.len().max(1))?;
    let dice = &mut Dice::new(seed);
    let size = dice.within(0, 3);
    Some(generate(about, dice.seed(), size))
}

fn limits(mutants: bool) -> Limits {
    let plain = Limits::default();
    match mutants {
        true => Limits {
            time: Duration::from_millis(200),
            forgeries: 4,
            mutants: 100,
            brief: true,
            ..plain
        },
        false => plain,
    }
}

/// The process that makes trials: says on standard output what came of each.
pub fn work(seed: u64, only: Option<&str>, mutants: bool) -> io::Result<()> {
    let mut donors: Vec<Evidence> = Vec::new();
    let mut out = io::stdout().lock();
    for seed in seed..seed.saturating_add(BATCH) {
        let Some(sample) = model_of(seed, only) else {
            return Ok(());
        };
        let mut line = Line {
            seed,
            language: sample.language.clone(),
            tally: None,
            finds: Vec::new(),
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        let outcome = trial(&sample, seed, &limits(mutants), &donors);
        line.tally = Some(outcome.tally);
        line.finds = outcome.finds;
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        out.flush()?;
        donors.extend(outcome.evidence.into_iter().take(2));
        let old = donors.len().saturating_sub(8);
        donors.drain(..old);
    }
    Ok(())
}

/// Tries a model that was kept: the files of a folder with its `sample.json`, or that file.
pub fn again(path: &Path, seed: u64) -> io::Result<Outcome> {
    let text = std::fs::read_to_string(match path.is_dir() {
        true => path.join("sample.json"),
        false => path.to_owned(),
    })?;
    let sample: Sample = serde_json::from_str(&text)?;
    let mut limits = Limits::default();
    limits.forgeries *= 4;
    Ok(trial(&sample, seed, &limits, &[]))
}

/// Soaks; `say` hears about finds, and how it goes, for people.
pub fn soak(plan: &Plan, say: &mut dyn FnMut(&str)) -> io::Result<Summary> {
    std::fs::create_dir_all(&plan.folder)?;
    let start = Instant::now();
    let mut soak = Soak {
        plan,
        say,
        summary: Summary {
            seed: plan.seed,
            ..Summary::default()
        },
        kept: BTreeMap::new(),
        end: start + plan.time,
    };
    let mut seed = plan.seed;
    let mut told = Instant::now();
    while Instant::now() < soak.end {
        seed = soak.batch(seed)?;
        soak.summary.seconds = start.elapsed().as_secs();
        soak.write()?;
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            let total = &soak.summary.total;
            let (models, answers, finds) = (total.models, total.answers, total.finds());
            (soak.say)(&format!(
                "{models} models, {answers} answers, {finds} finds"
            ));
        }
    }
    Ok(soak.summary)
}

struct Soak<'a> {
    plan: &'a Plan,
    say: &'a mut dyn FnMut(&str),
    summary: Summary,
    /// Finds of each class and language.
    kept: BTreeMap<(String, Class), u64>,
    end: Instant,
}

impl Soak<'_> {
    /// One process with its trials; gives the next seed.
    fn batch(&mut self, seed: u64) -> io::Result<u64> {
        let mut command = Command::new(&self.plan.program);
        command.arg("--work").arg(seed.to_string());
        if let Some(only) = &self.plan.only {
            command.args(["--only", only]);
        }
        if self.plan.mutants {
            command.arg("--mutants");
        }
        let (mut child, lines) = start(command)?;
        let mut under_way: Option<Line> = None;
        let mut next = seed + BATCH;
        loop {
            let wait = SILENCE.min(self.end.saturating_duration_since(Instant::now()));
            let Ok(text) = lines.recv_timeout(wait.max(Duration::from_millis(1))) else {
                break;
            };
            let Ok(line) = serde_json::from_str::<Line>(&text) else {
                continue;
            };
            match &line.tally {
                None => under_way = Some(line),
                Some(tally) => {
                    self.summary.add(&line.language, tally);
                    for find in &line.finds {
                        self.keep(line.seed, find)?;
                    }
                    under_way = None;
                }
            }
        }
        // Either it is done, or time is over, or it hangs, or it died.
        let over = Instant::now() >= self.end;
        let status = match child.try_wait()? {
            Some(status) => Some(status),
            None => {
                // Its last line may come a moment before its end.
                std::thread::sleep(Duration::from_millis(200));
                child.try_wait()?
            }
        };
        if status.is_none() {
            child.kill()?;
        }
        let status = match status {
            Some(status) => status,
            None => child.wait()?,
        };
        if let (Some(line), false) = (under_way, over) {
            let mut tally = Tally {
                models: 1,
                ..Tally::default()
            };
            tally.count(Class::Crash);
            self.summary.add(&line.language, &tally);
            let find = Find {
                class: Class::Crash,
                detail: format!("the process ended or hung: {status}"),
                evidence: None,
            };
            next = line.seed + 1;
            self.keep(line.seed, &find)?;
        }
        Ok(next)
    }

    /// Keeps a find, small where that is to be had.
    fn keep(&mut self, seed: u64, find: &Find) -> io::Result<()> {
        let Some(sample) = model_of(seed, self.plan.only.as_deref()) else {
            return Ok(());
        };
        let key = (sample.language.clone(), find.class);
        let count = self.kept.entry(key).or_default();
        *count += 1;
        let minimised = *count <= MOST_MINIMISED;
        let class = find.class.name();
        (self.say)(&format!(
            "{class} in {} (seed {seed}): {}",
            sample.language, find.detail
        ));
        let folder = self
            .plan
            .folder
            .join(format!("{}-{class}-{seed}", sample.language));
        std::fs::create_dir_all(&folder)?;
        write_sample(&folder, &sample)?;
        std::fs::write(
            folder.join("find.json"),
            serde_json::to_string_pretty(find)?,
        )?;
        if minimised {
            let end = self.end;
            let mut still = |sample: &Sample| {
                Instant::now() < end
                    && self
                        .classes(sample, seed)
                        .is_ok_and(|all| all.contains(&find.class))
            };
            if still(&sample) {
                let small = minimise(&sample, MOST_TRIES, &mut still);
                write_sample(&folder, &small)?;
                (self.say)(&format!(
                    "  made small: {} bytes of {}",
                    small.len(),
                    sample.len()
                ));
            }
        }
        Ok(())
    }

    /// What a model does in a process of its own.
    fn classes(&self, sample: &Sample, seed: u64) -> io::Result<Vec<Class>> {
        let path = self.plan.folder.join("under-way.json");
        std::fs::write(&path, serde_json::to_string(sample)?)?;
        let mut command = Command::new(&self.plan.program);
        command
            .arg("--again")
            .arg(&path)
            .args(["--seed", &seed.to_string()]);
        let (mut child, lines) = start(command)?;
        let mut classes = Vec::new();
        let mut done = false;
        while let Ok(text) = lines.recv_timeout(Duration::from_secs(60)) {
            done |= text == "done";
            classes.extend(serde_json::from_str::<Find>(&text).map(|find| find.class));
        }
        if child.try_wait()?.is_none() && !done {
            child.kill()?;
        }
        child.wait()?;
        if !done {
            classes.push(Class::Crash);
        }
        Ok(classes)
    }

    fn write(&self) -> io::Result<()> {
        let folder = &self.plan.folder;
        let json = serde_json::to_string_pretty(&self.summary)?;
        std::fs::write(folder.join("summary.json"), json)?;
        std::fs::write(folder.join("summary.txt"), self.summary.to_string())
    }
}

/// A process whose lines can be waited for.
fn start(mut command: Command) -> io::Result<(Child, Receiver<String>)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (send, lines) = channel();
    let out = child.stdout.take();
    std::thread::spawn(move || {
        for line in out.into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let Ok(line) = line else { return };
            if send.send(line).is_err() {
                return;
            }
        }
    });
    Ok((child, lines))
}

fn write_sample(folder: &Path, sample: &Sample) -> io::Result<()> {
    std::fs::write(
        folder.join("sample.json"),
        serde_json::to_string_pretty(sample)?,
    )?;
    for (name, text) in &sample.files {
        let name = name.replace(['/', '\\'], "_");
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
