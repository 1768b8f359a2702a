//! `--out FOLDER`: everything about a check as files, and a page that shows it.

use std::path::Path;
use std::time::Duration;

use quotient_core::{Context, Diagnostic, Event, Source};
use quotient_language::{Shown, Verb, Viewed};
use quotient_report::Findings;
use quotient_web::{Beside, report_page};
use quotient_workbench::{Checked, Request, Workbench, apart};

use crate::outputs::write_file;

/// Makes the folder, before any work is done, with a page that says that there is more to come. Where
/// there is no room for that page the work is done all the same: the verdict is told, and that the
/// files are missing.
pub(crate) fn prepare(folder: &str) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(
            "unwritable",
            format!("cannot make the folder `{folder}`: {error}"),
        )
    })?;
    let page = Path::new(folder).join("index.html");
    let _ = write_file(&page.to_string_lossy(), UNDER_WAY);
    Ok(())
}

const UNDER_WAY: &str = "<!DOCTYPE html>\n<title>under way</title>\n";

/// Takes the page away if it still says that work is under way: there is nothing to show.
pub(crate) fn withdraw(folder: &str) {
    let page = Path::new(folder).join("index.html");
    if std::fs::read_to_string(&page).is_ok_and(|text| text == UNDER_WAY) {
        let _ = std::fs::remove_file(page);
    }
}

/// How long pictures of the model may take.
const PICTURES: Duration = Duration::from_secs(5);
/// The most parts of a model that are drawn.
const MOST_PARTS: usize = 16;
/// Work that each of them may take: one that takes more has too many states to be drawn.
const PART_WORK: u64 = 1_000_000;

/// What there is to see of a model and of its parts, for a page; nothing where the language does
/// not show it, or where it takes too long.
pub(crate) fn shown(workbench: &Workbench, mut request: Request, cx: &Context) -> Option<Shown> {
    let budget = cx.budget.child_for(PICTURES);
    let cx = Context {
        budget: budget.clone(),
        ..Context::default()
    };
    let workbench = workbench.clone();
    let work = move || {
        let mut opened = workbench.open(&mut request, Verb::Show, &cx).ok()?;
        let mut view = Viewed {
            part: None,
            picture: true,
        };
        let whole = opened.model.show(&view, &cx).ok();
        view.picture = false;
        let told = opened.model.show(&view, &cx).ok();
        let mut shown = whole.or_else(|| told.clone())?;
        view.picture = true;
        for part in told
            .into_iter()
            .flat_map(|told| told.parts)
            .take(MOST_PARTS)
        {
            view.part = Some(part);
            let limited = &cx.with_work(PART_WORK);
            if let Ok(part) = opened.model.show(&view, limited) {
                shown.pictures.extend(part.pictures);
            }
        }
        Some(shown)
    };
    apart(&budget, work).ok().flatten()
}

/// Writes the folder (files that are not ours are left alone, those of a former run go away) and
/// gives the names of the files written.
pub(crate) fn write(
    checked: &Checked,
    source: Option<&Source>,
    story: &[Event],
    mut beside: Beside,
    folder: &str,
) -> Result<Vec<String>, Diagnostic> {
    let findings = Findings {
        answers: &checked.answers,
        exhibits: &checked.exhibits,
        story,
    };
    let file = source.map_or(checked.title.as_str(), Source::name);
    let command = format!("quotient check {file}");
    let mut files = findings.files();
    beside.evidence = findings.evidence_files();
    let page = report_page(checked, source, story, &command, &beside);
    files.push(("index.html".to_owned(), page));
    let path = |name: &str| {
        let path = Path::new(folder).join(name);
        path.to_string_lossy().into_owned()
    };
    let mut paths = Vec::new();
    for (name, text) in &files {
        write_file(&path(name), text)?;
        paths.push(path(name));
    }
    // What a former run wrote and this one did not is not about this one.
    let former = std::fs::read_to_string(path(LIST)).unwrap_or_default();
    for name in former.lines() {
        let is_plain = !name.is_empty() && !name.contains(['/', '\\']) && name != "..";
        if is_plain && !files.iter().any(|(own, _)| own == name) {
            let _ = std::fs::remove_file(path(name));
        }
    }
    let list: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    write_file(&path(LIST), &list)?;
    Ok(paths)
}

/// The names of the files of the last run, so that the next one can take them away.
const LIST: &str = ".quotient-report";
