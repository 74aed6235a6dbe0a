//! `--known`: reads what earlier runs learnt, from their tables of servers, masters or endpoints.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use serde_json::Value;

use flow::{EndpointRecord, KnownEndpoints};
use protocols::registry;
use text::escaped;

use super::captures::warn;

/// The columns of an address and its port in each table.
const ADDRESSES: [&str; 3] = ["server", "master", "endpoint"];
/// The column with what is known.
const KNOWLEDGE: &str = "knowledge";
/// What a Parquet file begins with.
const PARQUET: &[u8] = b"PAR1";

/// The tables, opened: they are read when privileges have been dropped.
pub(super) struct KnownTables(Vec<(String, File)>);

impl KnownTables {
    /// Opens the tables.
    pub fn open(files: &[OsString]) -> anyhow::Result<Self> {
        let opened = files.iter().map(|file| {
            let name = file.display().to_string();
            let opened = File::open(file).context("cannot open it");
            let opened = opened.with_context(|| format!("--known {name}"))?;
            Ok((name, opened))
        });
        opened.collect::<anyhow::Result<_>>().map(Self)
    }

    /// Reads them; their formats are told from their content.
    pub fn read_tables(self) -> anyhow::Result<Arc<KnownEndpoints>> {
        let mut known = KnownEndpoints::default();
        for (name, file) in self.0 {
            known.begin_file(&escaped(&name));
            read_file(file, &mut known).with_context(|| format!("--known {name}"))?;
        }
        let n = known.left_out();
        if n > 0 {
            warn(&[format!("--known: {n} endpoints were left out: there are too many")]);
        }
        Ok(Arc::new(known))
    }
}

fn read_file(mut file: File, known: &mut KnownEndpoints) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    file.by_ref().take(PARQUET.len() as u64).read_to_end(&mut bytes).context("cannot read it")?;
    if bytes == PARQUET {
        file.rewind().context("a pipe cannot be Parquet")?;
        return parquet::read(file, known);
    }
    file.read_to_end(&mut bytes).context("cannot read it")?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("it is neither text nor Parquet"))?;
    if text.trim_start().starts_with('{') { ndjson(&text, known) } else { csv(&text, known) }
}

fn ndjson(text: &str, known: &mut KnownEndpoints) -> anyhow::Result<()> {
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let mut read = || {
            let row: Value = serde_json::from_str(line).context("it is not JSON")?;
            let (address, port) = columns(|name| row.get(name).is_some())?;
            let text = |name: &str| match row.get(name) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            };
            row_of(known, &text(&address), &text(&port), &text(KNOWLEDGE))
        };
        read().with_context(|| format!("line {number}"))?;
    }
    Ok(())
}

fn csv(text: &str, known: &mut KnownEndpoints) -> anyhow::Result<()> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().context("line 1")?.clone();
    let at = |name: &str| header.iter().position(|column| column == name);
    let (address, port) = columns(|name| at(name).is_some()).context("line 1")?;
    for row in reader.records() {
        let row = row?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |name: &str| at(name).and_then(|at| row.get(at)).unwrap_or_default();
        row_of(known, cell(&address), cell(&port), cell(KNOWLEDGE))
            .with_context(|| format!("line {line}"))?;
    }
    Ok(())
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::*;
    use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
    use ::parquet::record::Field;
    use ::parquet::schema::types::Type;

    pub fn read(file: File, known: &mut KnownEndpoints) -> anyhow::Result<()> {
        let reader = SerializedFileReader::new(file)?;
        let schema = reader.metadata().file_metadata().schema();
        let fields = schema.get_fields();
        let (address, port) = columns(|name| fields.iter().any(|field| field.name() == name))?;
        let wanted = [address.as_str(), &port, KNOWLEDGE];
        let fields = fields.iter().filter(|field| wanted.contains(&field.name())).cloned();
        let projection = Type::group_type_builder(schema.name()).with_fields(fields.collect());
        let rows = reader.get_row_iter(Some(projection.build()?))?;
        for (number, row) in (1..).zip(rows) {
            let row = row.with_context(|| format!("row {number}"))?;
            let text = |name: &str| match row.get_column_iter().find(|(column, _)| *column == name)
            {
                None | Some((_, Field::Null)) => String::new(),
                Some((_, Field::Str(text))) => text.clone(),
                Some((_, Field::Bytes(text))) => String::from_utf8_lossy(text.data()).into_owned(),
                Some((_, other)) => other.to_string(),
            };
            row_of(known, &text(&address), &text(&port), &text(KNOWLEDGE))
                .with_context(|| format!("row {number}"))?;
        }
        Ok(())
    }
}

#[cfg(not(feature = "parquet"))]
mod parquet {
    use super::*;

    pub fn read(_: File, _: &mut KnownEndpoints) -> anyhow::Result<()> {
        bail!("this build has no Parquet support; rebuild with `--features parquet`")
    }
}

/// The names of the columns of address and port.
fn columns(has: impl Fn(&str) -> bool) -> anyhow::Result<(String, String)> {
    let ports = ADDRESSES.map(|name| (name.to_owned(), format!("{name}_port")));
    let found = ports.into_iter().find(|(address, port)| has(address) && has(port));
    match found {
        Some(found) if has(KNOWLEDGE) => Ok(found),
        Some((address, _)) => Err(anyhow!("a table with {address} needs the column {KNOWLEDGE}")),
        None => bail!("not a table of servers, masters or endpoints"),
    }
}

/// Adds a row; one without knowledge tells nothing.
fn row_of(
    known: &mut KnownEndpoints,
    address: &str,
    port: &str,
    knowledge: &str,
) -> anyhow::Result<()> {
    let ip: IpAddr = address.parse().map_err(|_| anyhow!("not an address: {address:?}"))?;
    let port: u16 = port.parse().map_err(|_| anyhow!("not a port: {port:?}"))?;
    if knowledge.is_empty() {
        return Ok(());
    }
    let records: Vec<EndpointRecord> =
        serde_json::from_str(knowledge).with_context(|| format!("the column {KNOWLEDGE}"))?;
    for record in &records {
        known
            .add_endpoint(SocketAddr::new(ip, port), record, registry())
            .with_context(|| format!("the column {KNOWLEDGE}"))?;
    }
    Ok(())
}
