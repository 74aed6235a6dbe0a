//! The tables of answers in other formats than text.

use std::io::Cursor;

use arrow_ipc::reader::StreamReader;
use fragshark::protocols::registry;

use super::{answering, printed, query, server};
use crate::secrets::parquet_text;

/// The formats of tables, and the columns of rows that each must have in the same order.
const TABLES: [(&[&str], usize); 3] =
    [(&[], 1), (&["--what", "players", "-p"], 1), (&["--what", "messages", "-p", "-r"], 6)];

#[test]
fn a_table_has_the_same_rows_in_each_format() {
    let game = registry().game("source").unwrap();
    answering(server(game.protocol, game), |at| {
        let target = format!("source://{at}");
        for (arguments, least) in TABLES {
            let written = |format| {
                let output = query(&[&[target.as_str(), "--format", format], arguments].concat());
                assert_eq!(output.status.code(), Some(0), "{format} {arguments:?}");
                output.stdout
            };
            let lines = String::from_utf8(written("ndjson")).unwrap().lines().count();
            assert!(lines >= least, "{arguments:?}: {lines}");
            let csv = String::from_utf8(written("csv")).unwrap();
            assert_eq!(csv.lines().count(), lines + 1, "{csv}");
            let json: Vec<serde_json::Value> = serde_json::from_slice(&written("json")).unwrap();
            assert_eq!(json.len(), lines);
            let columns: Vec<_> = csv.lines().next().unwrap().split(',').collect();
            let arrow = StreamReader::try_new(Cursor::new(written("arrow")), None).unwrap();
            let schema = arrow.schema();
            let names: Vec<_> = schema.fields().iter().map(|field| field.name()).collect();
            assert_eq!(names, columns);
            assert_eq!(arrow.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), lines);
            if cfg!(feature = "parquet") {
                let rows = parquet_text(written("parquet"));
                assert_eq!(rows.lines().count(), lines, "{rows}");
                assert!(columns.iter().all(|name| rows.contains(&format!("{name}: "))), "{rows}");
            }
        }
    });
}

#[test]
fn the_ending_of_a_file_names_the_format() {
    let game = registry().game("quake3").unwrap();
    let folder = tempfile::tempdir().unwrap();
    answering(server(game.protocol, game), |at| {
        for (name, begins) in [
            ("a.json", &b"[\n{"[..]),
            ("a.ndjson", b"{\""),
            ("a.csv", b"file,"),
            ("a.arrows", b"\xff\xff\xff\xff"),
        ] {
            let file = folder.path().join(name);
            assert_eq!(printed(&[&format!("quake3://{at}"), "-o", file.to_str().unwrap()], 0), "");
            let bytes = std::fs::read(&file).unwrap();
            assert!(bytes.starts_with(begins), "{name}: {}", bytes.escape_ascii());
        }
    });
}

#[test]
fn what_has_no_table_is_an_error() {
    for (arguments, expected) in [
        (&["-c", "2", "--format", "json"][..], "-c and --compare write text alone"),
        (&["--compare", "127.0.0.1:2", "--format", "csv"], "-c and --compare write text alone"),
        (&["--what", "players"], "--what names a table of other formats than text"),
    ] {
        let output = query(&[&["quake3://127.0.0.1:1"], arguments].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors.contains(expected), "{errors}");
    }
}
