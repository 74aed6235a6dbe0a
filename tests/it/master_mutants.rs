//! The page of the mutants of the reference masters, from what their test has recorded.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::documents;
use conform::fits;

/// A row of `crates/mutants/mutants.csv`.
#[derive(serde::Deserialize)]
struct Mutant {
    file: String,
    function: String,
    code: String,
    change: String,
    nth: usize,
    outcome: String,
}

/// Why mutants survive: a row of `crates/mutants/reasons.csv`, whose columns are patterns.
#[derive(serde::Deserialize)]
struct Reason {
    file: String,
    function: String,
    code: String,
    change: String,
    nth: String,
    #[serde(rename = "reason")]
    why: String,
}

fn rows<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

impl Reason {
    fn is_of(&self, mutant: &Mutant) -> bool {
        let parts = [
            (&self.file, &mutant.file),
            (&self.function, &mutant.function),
            (&self.code, &mutant.code),
            (&self.change, &mutant.change),
        ];
        parts.into_iter().all(|(pattern, text)| fits(pattern, text))
            && fits(&self.nth, &mutant.nth.to_string())
    }
}

/// `UPDATE=1` writes the page again.
#[test]
fn the_page_of_mutants_has_every_survivor() {
    let mutants: Vec<Mutant> = rows(include_str!("../../crates/mutants/mutants.csv"));
    let reasons: Vec<Reason> = rows(include_str!("../../crates/mutants/reasons.csv"));
    let words = ["killed", "warned", "reported", "blocked", "survives", "not reached"];
    let mut used = vec![false; reasons.len()];
    let mut counts: BTreeMap<&str, [usize; 7]> = BTreeMap::new();
    let [mut survivors, mut unreached] = [String::new(), String::new()];
    let shown = |code: &str| code.replace('|', "\\|");
    for mutant in &mutants {
        let of_file = counts.entry(&mutant.file).or_default();
        let index = words.iter().position(|word| *word == mutant.outcome).unwrap();
        of_file[index] += 1;
        let table = match mutant.outcome.as_str() {
            "survives" => &mut survivors,
            "not reached" => &mut unreached,
            _ => continue,
        };
        let reason = reasons.iter().position(|reason| reason.is_of(mutant));
        match reason {
            Some(index) => used[index] = true,
            None => of_file[6] += 1,
        }
        let why = reason.map_or("open", |index| reasons[index].why.as_str());
        let Mutant { file, function, code, change, .. } = mutant;
        let (code, change) = (shown(code), shown(change));
        writeln!(table, "| `{file}`: `{function}` | ``{code}`` | ``{change}`` | {why} |").unwrap();
    }
    let mut text = "## Counts\n\n| file | killed | with a warning | reported | blocked | survive \
                    | not reached | open |\n|---|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let mut all = [0; 7];
    for (file, of_file) in &counts {
        let [a, b, c, d, e, f, open] = of_file;
        writeln!(text, "| `{file}` | {a} | {b} | {c} | {d} | {e} | {f} | {open} |").unwrap();
        all.iter_mut().zip(of_file).for_each(|(sum, count)| *sum += count);
    }
    let [a, b, c, d, e, f, open] = all;
    writeln!(text, "| all | {a} | {b} | {c} | {d} | {e} | {f} | {open} |").unwrap();
    for (title, rows) in [("Survivors", survivors), ("Not reached", unreached)] {
        write!(
            text,
            "\n## {title}\n\n| function | code | change | why |\n|---|---|---|---|\n{rows}"
        )
        .unwrap();
    }
    for (reason, is_used) in reasons.iter().zip(used) {
        assert!(is_used, "no survivor is of {}: {}", reason.file, reason.why);
    }
    documents::check_reference("mutants.md", &text);
}
