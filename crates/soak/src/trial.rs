//! One model through everything: all ways, instances, a run, the naive judge, certify, forgeries.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use quotient_core::{Budget, Context, Evidence, Rejection, Trouble, Verdict};
use quotient_language::{About, Answer, Ask, Random, Verb};
use quotient_workbench::{Checked, Judged, Pins, Workbench, apart};

use crate::dice::Dice;
use crate::forging;
use crate::kind::{Instance, Kind, Truth, kind_of};
use crate::sample::{Given, Sample};
use crate::tally::{Class, Find, Tally};

/// How much a trial may use.
#[derive(Debug, Clone)]
pub struct Limits {
    /// For each check, search or certificate.
    pub time: Duration,
    /// Of the whole process, in bytes.
    pub memory: u64,
    /// Forgeries of each piece of evidence.
    pub forgeries: usize,
    /// Copies of the files and of evidence with changed bytes.
    pub mutants: usize,
    /// Only one check, for the sake of its evidence: no other ways, instances, runs and judges.
    pub brief: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(2),
            memory: 1 << 30,
            forgeries: 12,
            mutants: 2,
            brief: false,
        }
    }
}

/// What a trial came to.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Its numbers.
    pub tally: Tally,
    /// What must not happen, and did.
    pub finds: Vec<Find>,
    /// Evidence for others to forge from.
    pub evidence: Vec<Evidence>,
}

/// How long after its end work may go on, of processor time.
const OVERRUN: Duration = Duration::from_millis(700);

/// An answer with who gave it.
#[derive(Clone)]
struct Opinion {
    who: String,
    property: String,
    verdict: Option<bool>,
    value: Option<(f64, f64)>,
    /// Only that it is violated means something for the whole.
    below: bool,
}

impl std::fmt::Debug for Opinion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match self.verdict {
            Some(true) => "holds",
            Some(false) => "violated",
            None => "unknown",
        };
        write!(f, "`{}`: {verdict} by {}", self.property, self.who)?;
        self.value.map_or(Ok(()), |value| write!(f, " {value:?}"))
    }
}

/// Tries a model; choices that are made on the way depend on the seed only.
pub fn trial(sample: &Sample, seed: u64, limits: &Limits, donors: &[Evidence]) -> Outcome {
    listen();
    let workbench = Workbench::standard();
    let Ok(language) = workbench.named(&sample.language) else {
        return Outcome::default();
    };
    let about = language.about();
    let mut trial = Trial {
        workbench,
        about,
        kind: kind_of(about),
        sample,
        limits,
        dice: Dice::new(seed ^ 0x5eed),
        outcome: Outcome::default(),
        opinions: Vec::new(),
        texts: BTreeMap::new(),
    };
    trial.outcome.tally.models = 1;
    if trial.checks() {
        if !limits.brief {
            trial.instances();
            trial.run();
            trial.compare();
            trial.judge();
        }
        trial.certify();
        forging::forge(&mut trial, donors);
    }
    forging::mutate(&mut trial);
    trial.outcome
}

pub(crate) struct Trial<'a> {
    pub(crate) workbench: Workbench,
    about: &'static About,
    kind: Kind,
    pub(crate) sample: &'a Sample,
    pub(crate) limits: &'a Limits,
    pub(crate) dice: Dice,
    pub(crate) outcome: Outcome,
    opinions: Vec<Opinion>,
    /// The texts of properties by name.
    texts: BTreeMap<String, String>,
}

impl Trial<'_> {
    pub(crate) fn find(&mut self, class: Class, detail: String, evidence: Option<&Evidence>) {
        self.outcome.tally.count(class);
        let evidence = evidence.and_then(|one| serde_json::to_string(one).ok());
        self.outcome.finds.push(Find {
            class,
            detail,
            evidence,
        });
    }

    /// Work on a thread of its own, with a budget; notes panics and time that was not kept.
    pub(crate) fn guarded<T: Send + 'static>(
        &mut self,
        what: &str,
        work: impl FnOnce(&Context) -> T + Send + 'static,
    ) -> Option<T> {
        let budget = Budget::new(Some(self.limits.time), Some(self.limits.memory));
        let cx = Context {
            budget: budget.clone(),
            ..Context::default()
        };
        let (start, used) = (Instant::now(), processor_time());
        let result = apart(&budget, move || {
            catch_unwind(AssertUnwindSafe(|| work(&cx)))
        });
        // On a machine that is shared only time of our own counts; who sleeps overruns, too.
        let spent = processor_time().saturating_sub(used);
        let most = self.limits.time + OVERRUN;
        if spent > most || start.elapsed() > most * 20 {
            self.find(Class::Overrun, format!("{what}: {spent:?}"), None);
        }
        for panic in panics() {
            self.find(Class::Crash, format!("{what}: {panic}"), None);
        }
        self.outcome.tally.questions += 1;
        result.ok()?.ok()
    }

    /// All ways to answers; says whether the text is a model.
    fn checks(&mut self) -> bool {
        let mut ways = vec![Given::new()];
        if !self.limits.brief {
            ways.extend((self.kind.ways)(self.about, &mut self.dice));
        }
        for (number, way) in ways.into_iter().enumerate() {
            let who = match way.is_empty() {
                true => "check".to_owned(),
                false => format!("check {}", written(&way)),
            };
            let (workbench, request) = (self.workbench.clone(), self.sample.request(&way));
            let ask = Ask {
                threads: Some(1),
                doubt: number == 0,
                ..Ask::default()
            };
            let checked = self.guarded(&who, move |cx| workbench.check(request, &ask, cx, |_| {}));
            match checked {
                Some(Ok(checked)) => self.take(&who, checked),
                Some(Err(Trouble::Invalid(_))) if number == 0 => {
                    self.outcome.tally.invalid += 1;
                    return false;
                }
                _ => {}
            }
        }
        true
    }

    fn take(&mut self, who: &str, checked: Checked) {
        for property in checked.asked {
            self.texts.insert(property.name, property.text);
        }
        for answer in checked.answers {
            self.hear(who, &answer, false);
            self.outcome.evidence.extend(answer.evidence);
        }
    }

    fn hear(&mut self, who: &str, answer: &Answer, below: bool) {
        let verdict = match answer.verdict {
            Verdict::Holds => Some(true),
            Verdict::Violated => Some(false),
            Verdict::Unknown(_) => None,
        };
        match verdict {
            Some(_) => self.outcome.tally.answers += 1,
            None => self.outcome.tally.unknown += 1,
        }
        if verdict.is_some() && answer.evidence.is_none() && who.starts_with("check") {
            self.outcome.tally.without_evidence += 1;
        }
        self.opinions.push(Opinion {
            who: who.to_owned(),
            property: answer.property.clone(),
            verdict,
            value: answer.value.as_ref().map(|one| (one.lower, one.upper)),
            below,
        });
    }

    fn instances(&mut self) {
        let (settings, below): (Vec<Given>, bool) = match self.kind.instance {
            Instance::None => return,
            Instance::Whole => (vec![Given::new()], false),
            Instance::Below(all) => {
                let own = |one: &(&str, &str)| crate::kind::way(&[*one]);
                (all.iter().map(own).collect(), true)
            }
        };
        for given in settings {
            let who = format!("instance {}", written(&given));
            let (workbench, mut request) = (self.workbench.clone(), self.sample.request(&given));
            let inspected = self.guarded(&who, move |cx| {
                let mut opened = workbench.open(&mut request, Verb::Instance, cx)?;
                opened.model.instance(cx)
            });
            if let Some(Ok(inspected)) = inspected {
                for answer in &inspected.answers {
                    self.hear(&who, answer, below);
                }
            }
        }
    }

    /// A random run: it goes back as it came, and a deadlock in it is one.
    fn run(&mut self) {
        if !self.about.offers.contains(&Verb::Simulate) {
            return;
        }
        let seed = self.dice.seed();
        let (workbench, mut request) = (self.workbench.clone(), self.sample.request(&[]));
        let walked = self.guarded("simulate", move |cx| -> Result<bool, Trouble> {
            let mut opened = workbench.open(&mut request, Verb::Simulate, cx)?;
            let mut run = opened.model.simulate(cx)?;
            let mut random = Random::new(seed);
            let mut taken = 0;
            while taken < 20 && run.take_any(&mut random, cx)? {
                taken += 1;
            }
            let deadlock = run.status(cx)?.deadlock;
            let _ = run.trace();
            while run.undo() {}
            Ok(deadlock)
        });
        if let Some(Ok(true)) = walked {
            let free = |(name, text): (&String, &String)| {
                (name == "no deadlock" || text == "no deadlock").then(|| name.clone())
            };
            let names: Vec<String> = self.texts.iter().filter_map(free).collect();
            for property in names {
                self.opinions.push(Opinion {
                    who: "simulate".to_owned(),
                    property,
                    verdict: Some(false),
                    value: None,
                    below: false,
                });
            }
        }
    }

    /// Everybody agrees with everybody.
    fn compare(&mut self) {
        let mut finds = Vec::new();
        let mut compared = 0;
        for (number, one) in self.opinions.iter().enumerate() {
            for other in &self.opinions[..number] {
                if one.property != other.property {
                    continue;
                }
                compared += u64::from(one.verdict.is_some() && other.verdict.is_some());
                let differ = match (one.verdict, other.verdict) {
                    (Some(left), Some(right)) if left != right => {
                        // That a part of it holds says nothing about the whole.
                        let weak = |one: &Opinion, verdict: bool| one.below && verdict;
                        !weak(one, left) && !weak(other, right)
                    }
                    _ => false,
                };
                let apart = match (one.value, other.value) {
                    (Some(left), Some(right)) => {
                        let gap = 1e-9 * left.0.abs().max(right.0.abs()).max(1.0);
                        left.0 > right.1 + gap || right.0 > left.1 + gap
                    }
                    _ => false,
                };
                if differ || apart {
                    finds.push(format!("{one:?} but {other:?}"));
                }
            }
        }
        self.outcome.tally.compared += compared;
        for detail in finds {
            self.find(Class::Disagreement, detail, None);
        }
    }

    /// Everybody agrees with the naive judge.
    fn judge(&mut self) {
        let sample = self.sample.clone();
        let judge = self.kind.judge;
        let truths = catch_unwind(AssertUnwindSafe(|| judge(&sample))).unwrap_or_default();
        // A judge that fails has nothing to say.
        drop(panics());
        let truths: BTreeMap<String, Truth> = truths.into_iter().collect();
        let mut finds = Vec::new();
        for one in &self.opinions {
            let Some(truth) = truths.get(&one.property) else {
                continue;
            };
            let wrong = match (truth, one.verdict, one.value) {
                (Truth::Holds, Some(verdict), _) => !verdict,
                (Truth::Violated, Some(verdict), _) => verdict && !one.below,
                (Truth::Value(value), _, Some((lower, upper))) => {
                    let gap = 1e-6 * value.abs().max(1.0);
                    *value < lower - gap || *value > upper + gap
                }
                _ => continue,
            };
            self.outcome.tally.judged += 1;
            if wrong {
                finds.push(format!("{one:?}, and the judge says {truth:?}"));
            }
        }
        for detail in finds {
            self.find(Class::Disagreement, detail, None);
        }
    }

    /// Our own evidence is accepted.
    fn certify(&mut self) {
        for evidence in self.outcome.evidence.clone() {
            match self.certified(&evidence) {
                Some(Ok(())) => self.outcome.tally.certified += 1,
                Some(Err(Rejection::Stopped(_))) | None => self.outcome.tally.undecided += 1,
                Some(Err(why)) => {
                    let method = evidence.method.clone().unwrap_or_default();
                    let kind = &evidence.kind;
                    let detail = format!("{kind} by {method}: {why}");
                    self.find(Class::RejectedEvidence, detail, Some(&evidence));
                }
            }
        }
    }

    /// What certify says about one piece of evidence.
    pub(crate) fn certified(&mut self, evidence: &Evidence) -> Option<Result<(), Rejection>> {
        let (workbench, request) = (self.workbench.clone(), self.sample.request(&[]));
        let evidence = vec![evidence.clone()];
        let judged = self.guarded("certify", move |cx| {
            workbench.certify(request, evidence, &Pins::default(), cx)
        });
        match judged? {
            Ok(judged) => judged.into_iter().next().map(accepted),
            Err(Trouble::Stopped(stop)) => Some(Err(Rejection::Stopped(stop))),
            Err(wrong) => Some(Err(Rejection::unreadable(wrong.to_string()))),
        }
    }

    /// Whether a claim about a property is known to be false.
    pub(crate) fn is_false(&self, claim: bool, property: &str) -> bool {
        if !self.texts.contains_key(property) {
            return true;
        }
        let own = self.opinions.iter().filter(|one| one.property == property);
        let mut known = own.filter_map(|one| match (one.verdict, one.below) {
            (Some(true), true) => None,
            (verdict, _) => verdict,
        });
        known.next().is_some_and(|verdict| verdict != claim)
    }
}

fn accepted(judged: Judged) -> Result<(), Rejection> {
    judged.outcome.map(|_| ())
}

fn written(given: &Given) -> String {
    let pair = |(name, value): &(String, String)| format!("--{name} {value}");
    given.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// Panics since the last look, of any thread.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes panics instead of printing them.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
            panics.push(info.to_string().replace('\n', " "));
        }));
    });
}

pub(crate) fn panics() -> Vec<String> {
    std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The processor time that this process has used; nothing where it cannot be read.
fn processor_time() -> Duration {
    // Fields 14 and 15 of `stat`, in ticks of a hundredth of a second; the second field is a name
    // in brackets.
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = text.rsplit(')').next().unwrap_or_default();
    let fields = rest.split_ascii_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}
