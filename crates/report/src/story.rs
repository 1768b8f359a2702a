//! A story in few lines: what each attempt came to.

use std::time::Duration;

use quotient_core::{Event, What};

/// One attempt of a method, from the events of its story.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttemptSummary {
    /// Its number, from 0.
    pub attempt: u64,
    /// How many steps it took.
    pub steps: u64,
    /// The largest size on the way, whatever the method counts first.
    pub largest: u64,
    /// What that size counts: `states`.
    pub unit: String,
    /// When it ended, as far as the story tells.
    pub until: Duration,
    /// How the approximation was refined after it, if it was a false alarm.
    pub refined: Option<String>,
}

/// The attempts of a method, in order; `None` for a story told by one method alone.
///
/// ```
/// use quotient_core::{Event, What};
/// use quotient_report::attempts;
/// let step = |attempt, step| Event {
///     at: std::time::Duration::ZERO,
///     method: None,
///     what: What::Step { attempt, step, sizes: [("states", 3 + step)].into() },
/// };
/// let summary = attempts(&[step(0, 0), step(0, 1), step(1, 0)], None);
/// assert_eq!((summary.len(), summary[0].steps, summary[0].largest), (2, 2, 4));
/// ```
pub fn attempts(events: &[Event], method: Option<&str>) -> Vec<AttemptSummary> {
    let mut all: Vec<AttemptSummary> = Vec::new();
    for event in events
        .iter()
        .filter(|event| event.method.as_deref() == method)
    {
        match &event.what {
            What::Step { attempt, sizes, .. } | What::FalseAlarm { attempt, sizes } => {
                if all.last().is_none_or(|last| last.attempt != *attempt) {
                    all.push(AttemptSummary {
                        attempt: *attempt,
                        ..AttemptSummary::default()
                    });
                }
                let Some(last) = all.last_mut() else { continue };
                last.until = event.at;
                if matches!(event.what, What::Step { .. }) {
                    last.steps += 1;
                    if let Some((unit, size)) = sizes.0.first() {
                        last.largest = last.largest.max(*size);
                        last.unit = unit.to_string();
                    }
                }
            }
            What::Refined { detail, .. } => {
                if let Some(last) = all.last_mut() {
                    last.refined = Some(detail.clone());
                    last.until = event.at;
                }
            }
            What::Began { .. } | What::Note { .. } | What::Ended { .. } => {}
        }
    }
    all
}

/// The story as lines of text, the attempts in a table that fits 80 columns. Of more than
/// `most` attempts, the first and the last are shown.
pub fn story_text(events: &[Event], method: Option<&str>, most: usize) -> String {
    let mut out = String::new();
    for event in events
        .iter()
        .filter(|event| event.method.as_deref() == method)
    {
        if let What::Note { text } = &event.what {
            out.push_str(&format!("  note: {text}\n"));
        }
    }
    let attempts = attempts(events, method);
    if attempts.is_empty() {
        return out;
    }
    out.push_str("  attempt  steps  largest   seconds  refinement\n");
    let (first, last) = match attempts.len() <= most {
        true => (attempts.len(), attempts.len()),
        false => (most / 2, attempts.len() - most.div_ceil(2)),
    };
    for (number, summary) in attempts.iter().enumerate() {
        if number == first && first < last {
            out.push_str(&format!("        …  {} more, not shown\n", last - first));
        }
        if (first..last).contains(&number) {
            continue;
        }
        let refined = summary.refined.as_deref().unwrap_or("");
        let refined: String = refined.chars().take(80 - 38).collect();
        let line = format!(
            "  {:>7}  {:>5}  {:>7}  {:>8.3}  {refined}",
            summary.attempt,
            summary.steps,
            summary.largest,
            summary.until.as_secs_f64(),
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(millis: u64, what: What) -> Event {
        Event {
            at: Duration::from_millis(millis),
            method: Some("fast".into()),
            what,
        }
    }

    #[test]
    fn attempts_are_summed_up() {
        let step = |attempt, step, states| {
            let sizes = [("states", states)].into();
            event(
                step,
                What::Step {
                    attempt,
                    step,
                    sizes,
                },
            )
        };
        let events = [
            event(
                0,
                What::Note {
                    text: "Init and Bad are disjoint".into(),
                },
            ),
            step(0, 1, 4),
            step(0, 2, 9),
            event(
                5,
                What::FalseAlarm {
                    attempt: 0,
                    sizes: [].into(),
                },
            ),
            event(
                6,
                What::Refined {
                    refinement: 1,
                    detail: "2 predicates".into(),
                    sizes: [].into(),
                },
            ),
            step(1, 1, 5),
        ];
        insta::assert_snapshot!(story_text(&events, Some("fast"), 20));
        assert_eq!(story_text(&events, None, 20), "");
    }

    #[test]
    fn of_many_attempts_the_first_and_the_last_are_shown() {
        let events: Vec<Event> = (0..100)
            .map(|attempt| {
                let sizes = [("states", attempt)].into();
                event(
                    attempt,
                    What::Step {
                        attempt,
                        step: 0,
                        sizes,
                    },
                )
            })
            .collect();
        let text = story_text(&events, Some("fast"), 5);
        assert_eq!(text.lines().count(), 7);
        assert!(text.contains("…  95 more, not shown"));
        let numbers = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        assert_eq!(
            numbers.collect::<Vec<_>>(),
            ["attempt", "0", "1", "…", "97", "98", "99"]
        );
        assert_eq!(story_text(&events, Some("fast"), 100).lines().count(), 101);
    }
}
