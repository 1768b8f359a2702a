//! Variants of a model, and evidence about one shown to the others.

use std::collections::BTreeMap;
use std::time::Duration;

use quotient_core::{Budget, Claim, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_forger::forge;
use quotient_language::{Ask, Input, MemoryFiles};
use quotient_workbench::{Pins, Request, Workbench};
use serde_json::Value;

/// How many forgeries are made of a piece of evidence for each model.
const FORGERIES: usize = 60;
/// How many of a kind are made in all in one case.
const MOST: usize = 200;
/// How long a variant is looked at; what is not answered by then counts as not known.
const PATIENCE: Duration = Duration::from_secs(20);
/// The work that a checker may do on one of them: it need not end on each.
const WORK: u64 = 100_000;

/// A few models with the same questions.
pub(crate) struct Case {
    /// The kinds of evidence that it is there for.
    pub(crate) kinds: &'static [&'static str],
    /// What the file is called.
    pub(crate) file: &'static str,
    pub(crate) variants: Vec<String>,
    pub(crate) settings: &'static [(&'static str, &'static str)],
    /// Questions that are not in the file.
    pub(crate) asked: &'static [&'static str],
    /// Files beside the model.
    pub(crate) beside: &'static [(&'static str, &'static str)],
    /// Evidence of kinds that no small model is answered with.
    pub(crate) written: Vec<Written>,
}

/// Genuine evidence that is made by hand, from that with which a question was answered.
pub(crate) struct Written {
    /// The number of the variant, and the question there.
    pub(crate) variant: usize,
    pub(crate) property: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) body: fn(&Value) -> Value,
}

/// How often a kind was tried.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// Pieces that were accepted, as they must be.
    pub(crate) genuine: usize,
    /// How often such a piece was shown to a model of which its claim is false.
    pub(crate) elsewhere: usize,
    /// Forgeries with a false claim.
    pub(crate) forged: usize,
}

impl Seen {
    pub(crate) fn add(&mut self, more: Seen) {
        self.genuine += more.genuine;
        self.elsewhere += more.elsewhere;
        self.forged += more.forged;
    }
}

impl Case {
    /// A model in a file of this name, as it is and with a piece of it exchanged for another one each time.
    pub(crate) fn new(file: &'static str, text: &str, faults: &[(&str, &str)]) -> Case {
        let faulty = faults.iter().map(|(old, new)| {
            assert!(text.contains(old), "{file} has no `{old}`");
            text.replace(old, new)
        });
        let mut variants = vec![text.to_owned()];
        variants.extend(faulty);
        Case {
            kinds: &[],
            file,
            variants,
            settings: &[],
            asked: &[],
            beside: &[],
            written: Vec::new(),
        }
    }

    pub(crate) fn kinds(mut self, kinds: &'static [&'static str]) -> Case {
        self.kinds = kinds;
        self
    }

    pub(crate) fn settings(mut self, settings: &'static [(&'static str, &'static str)]) -> Case {
        self.settings = settings;
        self
    }

    pub(crate) fn asked(mut self, asked: &'static [&'static str]) -> Case {
        self.asked = asked;
        self
    }

    pub(crate) fn beside(mut self, beside: &'static [(&'static str, &'static str)]) -> Case {
        self.beside = beside;
        self
    }

    /// With evidence by hand for what is answered about a variant.
    pub(crate) fn written(
        mut self,
        variant: usize,
        property: &'static str,
        kind: &'static str,
        body: fn(&Value) -> Value,
    ) -> Case {
        self.written.push(Written {
            variant,
            property,
            kind,
            body,
        });
        self
    }

    fn request(&self, variant: usize) -> Request {
        let mut request = Request::of(Input::text(&Source::new(
            self.file,
            self.variants[variant].as_str(),
        )));
        request.files = Box::new(self.beside.iter().copied().collect::<MemoryFiles>());
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        request.settings = self.settings.iter().map(own).collect();
        request
    }

    fn properties(&self) -> Vec<String> {
        self.asked.iter().map(|one| (*one).to_owned()).collect()
    }

    fn certify(&self, variant: usize, evidence: &Evidence, work: u64) -> Result<(), Rejection> {
        let pins = Pins {
            properties: self.properties(),
            ..Pins::default()
        };
        let cx = Context {
            budget: Budget::unlimited().child_with_work(work),
            ..Context::default()
        };
        // What is pinned would refuse other settings at once: here the model is to do it.
        let mut request = self.request(variant);
        request.settings.clear();
        let judged = Workbench::standard().certify(request, vec![evidence.clone()], &pins, &cx);
        match judged {
            Ok(judged) => judged.into_iter().try_for_each(|one| one.outcome.map(drop)),
            Err(Trouble::Stopped(stop)) => Err(Rejection::Stopped(stop)),
            Err(wrong) => Err(Rejection::unreadable(wrong.to_string())),
        }
    }
}

/// What is true of one variant.
struct Known {
    verdicts: BTreeMap<String, Verdict>,
    /// The numbers that answer questions for one.
    numbers: BTreeMap<String, Value>,
    evidence: Vec<Evidence>,
}

impl Known {
    fn of(case: &Case, variant: usize) -> Known {
        let ask = Ask {
            properties: case.properties(),
            threads: Some(1),
            ..Ask::default()
        };
        let cx = Context {
            budget: Budget::new(Some(PATIENCE), Some(1 << 30)),
            ..Context::default()
        };
        let checked = Workbench::standard().check(case.request(variant), &ask, &cx, |_| {});
        let checked =
            checked.unwrap_or_else(|trouble| panic!("{trouble}\n{}", case.variants[variant]));
        let mut known = Known {
            verdicts: BTreeMap::new(),
            numbers: BTreeMap::new(),
            evidence: Vec::new(),
        };
        for answer in checked.answers {
            known.evidence.extend(answer.evidence.clone());
            known
                .verdicts
                .insert(answer.property.clone(), answer.verdict.clone());
        }
        for written in case.written.iter().filter(|one| one.variant == variant) {
            let about = |one: &&Evidence| one.property.as_deref() == Some(written.property);
            let Some(given) = known.evidence.iter().find(about) else {
                panic!("nothing shows {}", written.property);
            };
            let mut piece = given.clone();
            piece.kind = written.kind.to_owned();
            piece.body = (written.body)(&given.body);
            piece.method = None;
            known.evidence.push(piece);
        }
        for piece in &known.evidence {
            if let (Some(number), Some(about)) = (number(piece), &piece.property) {
                known.numbers.insert(about.clone(), number);
            }
        }
        known
    }

    /// A blank more or less is the same question.
    fn verdict(&self, property: Option<&str>) -> Option<&Verdict> {
        self.verdicts.get(property.unwrap_or_default().trim())
    }

    /// Whether what a piece of evidence says is known to be false; a claim about a property that there is not is false, too.
    fn refutes(&self, piece: &Evidence) -> bool {
        let about = piece.property.as_deref().unwrap_or_default().trim();
        match self.verdict(Some(about)) {
            None => true,
            Some(Verdict::Holds) if piece.claim == Claim::Holds => {
                let other = |known: &Value| number(piece).is_some_and(|said| said != *known);
                self.numbers.get(about).is_some_and(other)
            }
            Some(Verdict::Holds) => true,
            Some(Verdict::Violated) => piece.claim == Claim::Holds,
            Some(Verdict::Unknown(_)) => false,
        }
    }

    /// Whether a claim is known to be true.
    fn agrees(&self, claim: Claim, property: Option<&str>) -> bool {
        let verdict = self.verdict(property);
        matches!(
            (verdict, claim),
            (Some(Verdict::Holds), Claim::Holds) | (Some(Verdict::Violated), Claim::Violated)
        )
    }
}

/// What a piece of evidence about a number says that it is: there the answer is no verdict.
fn number(piece: &Evidence) -> Option<Value> {
    match piece.kind.as_str() {
        "net-bound" => Some(piece.body["value"].clone()),
        "net-size" => Some(piece.body.clone()),
        "smv-distance" => Some(piece.body["steps"].clone()),
        "net-pump" => Some(Value::from("without bound")),
        _ => None,
    }
}

/// Shows every piece of evidence about a variant to all variants: it must be accepted of its own, and nothing that is false
/// of a model may be.
pub(crate) fn attack(case: &Case) -> BTreeMap<String, Seen> {
    let variants = 0..case.variants.len();
    let known: Vec<Known> = variants.map(|one| Known::of(case, one)).collect();
    let all: Vec<Evidence> = known.iter().flat_map(|one| one.evidence.clone()).collect();
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    for (own, of) in known.iter().enumerate() {
        for (number, piece) in of.evidence.iter().enumerate() {
            let about = piece.property.as_deref();
            assert!(of.agrees(piece.claim, about), "{about:?} {}", piece.kind);
            case.certify(own, piece, u64::MAX).unwrap_or_else(|why| {
                panic!(
                    "genuine {} was refused: {why}\n{}",
                    piece.kind,
                    written(piece)
                )
            });
            let count = seen.entry(piece.kind.clone()).or_default();
            count.genuine += 1;
            for (variant, of) in known.iter().enumerate() {
                if of.refutes(piece) {
                    count.elsewhere += 1;
                    refused(case, variant, piece, "as it is");
                    refused(case, variant, &fitted(piece, &of.evidence), "made to fit");
                }
                let fitted = fitted(piece, &of.evidence);
                let seed = (1_000 * own + 100 * variant + number) as u64;
                let most = MOST.saturating_sub(count.forged).min(FORGERIES);
                for (forged, what) in forge(&fitted, seed).with_donors(&all).take(most) {
                    // With other settings it is another question.
                    let is_question = forged.settings == fitted.settings;
                    if is_question && of.refutes(&forged) {
                        count.forged += 1;
                        refused(case, variant, &forged, &what.to_string());
                    } else {
                        // Whatever comes of it, it comes to an end.
                        let _ = case.certify(variant, &forged, WORK);
                    }
                }
            }
        }
    }
    seen
}

/// The same with the envelope of what another model says of the question.
fn fitted(piece: &Evidence, there: &[Evidence]) -> Evidence {
    let mut fitted = piece.clone();
    let named = |one: &&Evidence| one.property == piece.property;
    if let Some(other) = there.iter().find(named).or(there.first()) {
        fitted.settings.clone_from(&other.settings);
        fitted.constants.clone_from(&other.constants);
        if other.property == piece.property {
            fitted.text.clone_from(&other.text);
        }
    }
    fitted
}

fn refused(case: &Case, variant: usize, evidence: &Evidence, how: &str) {
    assert!(
        case.certify(variant, evidence, WORK).is_err(),
        "a false claim was accepted: {how}\n{}\n{}",
        written(evidence),
        case.variants[variant]
    );
}

fn written(evidence: &Evidence) -> String {
    serde_json::to_string(evidence).unwrap_or_default()
}
