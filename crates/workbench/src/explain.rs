//! What the codes of messages mean, in one place: `explanations.txt`, a line each.

/// All codes with what they mean, in alphabetical order.
///
/// ```
/// assert!(quotient_workbench::codes().all(|(code, text)| !code.is_empty() && !text.is_empty()));
/// ```
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("explanations.txt").lines();
    lines.filter_map(|line| line.split_once(": "))
}

/// What a code means, and what to do about it.
///
/// ```
/// assert!(quotient_workbench::explained("undefined-process").is_some());
/// assert!(quotient_workbench::explained("nobody-says-this").is_none());
/// ```
pub fn explained(code: &str) -> Option<&'static str> {
    let mut codes = codes();
    codes.find_map(|(known, text)| (known == code).then_some(text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// How messages are made; what follows is their code.
    const MAKERS: &[&str] = &[
        "Diagnostic::error(",
        "Diagnostic::warning(",
        "mistake(",
        "wrong(",
        "self.error(",
    ];

    fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !["tests", "benches", "target"].contains(&&*name) {
                codes_in(&path, found);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap_or_default();
                let code = text
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"));
                found.extend(codes_of(&code.collect::<Vec<_>>().join("\n")));
            }
        }
    }

    fn codes_of(text: &str) -> BTreeSet<String> {
        let after = |maker: &&str| text.split(*maker).skip(1).collect::<Vec<_>>();
        let makers = MAKERS.iter().flat_map(after);
        let code = |after: &str| {
            let (code, rest) = after.trim_start().strip_prefix('"')?.split_once('"')?;
            let is_code =
                |letter: char| letter.is_ascii_lowercase() || "-0123456789".contains(letter);
            let fits = code.chars().all(is_code) && rest.starts_with(',') && !code.is_empty();
            fits.then(|| code.to_owned())
        };
        makers.filter_map(code).collect()
    }

    #[test]
    fn every_code_of_a_message_is_explained() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut found = BTreeSet::new();
        codes_in(&crates, &mut found);
        found.retain(|code| explained(code).is_none());
        assert!(found.is_empty(), "add to explanations.txt: {found:?}");
    }

    #[test]
    fn codes_are_in_order_and_each_is_there_once() {
        let all: Vec<&str> = codes().map(|(code, _)| code).collect();
        assert_eq!(all.len(), include_str!("explanations.txt").lines().count());
        assert!(all.is_sorted_by(|one, next| one < next));
    }
}
