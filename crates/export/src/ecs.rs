//! NDJSON with the names of the Elastic Common Schema (ECS).
//!
//! Documents are nested (`{"source":{"ip":…}}`), not dotted (`{"source.ip":…}`): Elasticsearch
//! indexes both alike, but the processors of ingest pipelines find only nested fields. A column
//! that has no field in the schema is in `fragshark`.

use super::ndjson::Ndjson;
use super::{Cell, Column, Row, json, names};
use text::digits::push_signed;

/// The version of the schema that the fields are of.
const VERSION: &str = "8.17.0";

/// Nanoseconds of a millisecond.
const MILLISECOND: f64 = 1e6;

/// Appends rows of one table to lines.
pub(crate) struct Ecs {
    values: Ndjson,
    /// What is written before a value, and the value.
    parts: Vec<(String, EcsValue)>,
    /// What is written after the last value.
    end: String,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
enum EcsValue {
    /// That of the cell at this place.
    Cell(usize),
    /// That of the cell at this place, milliseconds in nanoseconds.
    Nanoseconds(usize),
    Text(String),
}

/// A field: its name in parts, from the outermost object, and its value.
type EcsField<'a> = (Vec<&'a str>, EcsValue);

impl Ecs {
    /// Fields are in the order of the columns, those of one object together.
    pub fn new(table: &str, columns: &[Column]) -> Self {
        let mut fields: Vec<EcsField<'_>> = [
            ("ecs", "version", VERSION.to_owned()),
            ("event", "module", "fragshark".to_owned()),
            ("event", "dataset", format!("fragshark.{table}")),
        ]
        .map(|(object, name, text)| (vec![object, name], EcsValue::Text(text)))
        .into();
        for (at, column) in columns.iter().enumerate() {
            let known = names::column_names(table, column.name).map_or(&[][..], |names| names.ecs);
            if known.is_empty() {
                fields.push((vec!["fragshark", column.name], EcsValue::Cell(at)));
            }
            for name in known {
                let is_converted = *name == "event.duration" && column.unit == "milliseconds";
                let value =
                    if is_converted { EcsValue::Nanoseconds(at) } else { EcsValue::Cell(at) };
                fields.push((name.split('.').collect(), value));
            }
        }
        let (mut parts, mut end) = (Vec::new(), String::new());
        lay_out(&fields, 0, &mut parts, &mut end);
        end.push('\n');
        Self { values: Ndjson::default(), parts, end }
    }

    /// Appends a row. An empty text is null: a field of addresses or times takes no empty one.
    pub fn push<R: Row>(&mut self, row: &R, lines: &mut Vec<u8>) {
        let cells: Vec<_> = row.cells().collect();
        let cell = |at: &usize| cells.get(*at).cloned().unwrap_or(Cell::Nothing);
        for (before, value) in &self.parts {
            lines.extend_from_slice(before.as_bytes());
            match value {
                EcsValue::Text(text) => json::push_text(lines, text),
                EcsValue::Cell(at) => match cell(at) {
                    Cell::Text("") | Cell::Word("") => self.values.value(Cell::Nothing, lines),
                    cell => self.values.value(cell, lines),
                },
                EcsValue::Nanoseconds(at) => match cell(at) {
                    Cell::Decimal(number) => {
                        push_signed(lines, (number * MILLISECOND).round() as i64);
                    }
                    cell => self.values.value(cell, lines),
                },
            }
        }
        lines.extend_from_slice(self.end.as_bytes());
    }
}

/// Writes an object of fields whose names are the same up to `depth`. What has been written since
/// the last value is in `text`.
fn lay_out(
    fields: &[EcsField<'_>],
    depth: usize,
    parts: &mut Vec<(String, EcsValue)>,
    text: &mut String,
) {
    let mut done: Vec<&str> = Vec::new();
    text.push('{');
    for (path, value) in fields {
        let Some(name) = path.get(depth).filter(|name| !done.contains(name)) else { continue };
        if !done.is_empty() {
            text.push(',');
        }
        done.push(name);
        text.extend(["\"", name, "\":"]);
        if path.len() == depth + 1 {
            parts.push((std::mem::take(text), value.clone()));
            continue;
        }
        let inside = fields.iter().filter(|(path, _)| path.get(depth) == Some(name));
        lay_out(&inside.cloned().collect::<Vec<_>>(), depth + 1, parts, text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::names::COLUMN_NAMES;
    use crate::{TABLES, Table};

    /// How many values an object has in all; of two of the same name, one is left.
    fn count(value: &serde_json::Value) -> usize {
        value.as_object().map_or(1, |object| object.values().map(count).sum())
    }

    /// No field of a table is written twice, and none is an object for another.
    #[test]
    fn every_column_has_a_field_of_its_own() {
        for table in TABLES {
            let ecs = Ecs::new(table.name, table.columns);
            let values = ecs.parts.iter().flat_map(|(text, _)| [text.as_str(), "0"]);
            let line: String = values.chain([ecs.end.as_str()]).collect();
            let document: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(count(&document), ecs.parts.len(), "{}: {line}", table.name);
            let cells: BTreeSet<_> = ecs
                .parts
                .iter()
                .filter_map(|(_, value)| match value {
                    EcsValue::Cell(at) | EcsValue::Nanoseconds(at) => Some(*at),
                    EcsValue::Text(_) => None,
                })
                .collect();
            assert_eq!(cells, (0..table.columns.len()).collect(), "{}", table.name);
        }
    }

    /// The table of names has no column that no table has.
    #[test]
    fn every_name_is_that_of_a_column() {
        for names in COLUMN_NAMES {
            let is_of = |t: &&Table| names.table.is_empty() || names.table == t.name;
            let mut tables = TABLES.iter().filter(is_of);
            let has = tables.any(|t| t.columns.iter().any(|c| c.name == names.column));
            assert!(has, "{names:?}");
        }
    }
}
