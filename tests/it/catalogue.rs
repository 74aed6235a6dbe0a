//! The catalogue: the page in `docs/` matches the code, and every format has every message.
//! `UPDATE=1` writes the page again.

use fragshark::protocols::registry;
use std::process::Command;

use crate::golden;

use export::Catalogue;

fn print(format: &str) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = run.args(["catalogue", "--format", format]).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_page_is_what_the_code_says() {
    let should = Catalogue::default().markdown();
    golden::check("docs/reference/catalogue.md", &should);
    assert_eq!(print("markdown"), should);
}

#[test]
fn every_form_holds_every_message() {
    let json: Vec<serde_json::Value> = serde_json::from_str(&print("json")).unwrap();
    assert_eq!(json.len(), registry().entries().len());
    let text = print("text");
    for (entry, row) in registry().entries().iter().zip(&json) {
        let id = format!("{entry:?}");
        assert_eq!(row["id"], id.as_str());
        assert_eq!(row["name"], entry.spec.name);
        assert!(!row["fields"].as_array().unwrap().is_empty(), "{id} has no field");
        assert!(!row["games"].as_array().unwrap().is_empty(), "{id} has no game");
        assert!(text.contains(&format!("{id}  {}\n", entry.spec.name)));
    }
    assert!(registry().protocols().iter().all(|p| json.iter().any(|row| row["protocol"] == p.id)));
}
