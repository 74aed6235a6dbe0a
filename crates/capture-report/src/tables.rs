//! The tables of the page, read from what `export` writes.

use std::collections::BTreeMap;
use std::io::Write;

use super::ReportOptions;
use super::cells::{CellForm, PageColumn};
use super::kept_rows::{KeptRows, KeptTable, TableRow};
use analysis::{CapturedMessage, Pipeline};
use export::{ExportError, Table, TableFormat, TableOptions, write_tables};

/// A table on the page.
pub(super) struct PageTable {
    /// Its name for `export --what`.
    pub name: &'static str,
    pub heading: &'static str,
    /// What its rows are called.
    pub rows: &'static str,
    /// How many rows the page has space for.
    pub limit: usize,
    /// How useful a row is, if there is no space for all: 0 is the most useful.
    rank: fn(&TableRow) -> u8,
    /// Whether the page has the most useful rows first, not the order of `export`.
    by_rank: bool,
    /// Which rows are kept, in words.
    pub kept: &'static str,
    pub columns: &'static [PageColumn],
}

/// A table with the rows that are on the page.
pub(super) struct ReportTable {
    pub page: &'static PageTable,
    pub rows: Vec<TableRow>,
    /// How many rows `export` gives.
    pub count: u64,
    /// How many of them each game has.
    games: BTreeMap<String, u64>,
}

/// All tables of the page.
pub(super) struct ReportTables {
    shown: Vec<ReportTable>,
    /// The flows, which are only counted.
    flows: ReportTable,
}

/// Flows have no table of their own on the page.
const FLOWS: PageTable = PageTable {
    name: "flows",
    heading: "Flows",
    rows: "flows",
    limit: 0,
    rank: alike,
    by_rank: false,
    kept: "none",
    columns: &[],
};

const fn column(heading: &'static str, form: CellForm) -> PageColumn {
    PageColumn { heading, form }
}

/// In the order of the page.
pub(super) const PAGE_TABLES: [PageTable; 5] = {
    use CellForm::{
        Decimal, Endpoint, Frames, List, Milliseconds, Name, Nanoseconds, Number, Of, Prose, Text,
        Time, Verdict,
    };
    [
        PageTable {
            name: "registrations",
            heading: "Registrations",
            rows: "registrations",
            limit: 500,
            rank: registration_failure,
            by_rank: true,
            kept: "first those that failed",
            columns: &[
                column("server", Endpoint(["server", "server_port"])),
                column("master", Endpoint(["master", "master_port"])),
                column("listed", Verdict("listed")),
                column("what came of it", Prose("verdict")),
                column("heartbeats", Number("heartbeats")),
                column("mean interval", Nanoseconds("heartbeat_interval_ns")),
                column("longest", Nanoseconds("heartbeat_interval_max_ns")),
                column("documented", Nanoseconds("heartbeat_documented_ns")),
                column("first heartbeat", Time("first_heartbeat")),
                column("first challenge", Time("first_challenge")),
                column("first proof", Time("first_proof")),
                column("first listed", Time("first_listed")),
                column("last listed", Time("last_listed")),
            ],
        },
        PageTable {
            name: "findings",
            heading: "Findings",
            rows: "findings",
            limit: 300,
            rank: severity,
            by_rank: true,
            kept: "errors first, then warnings",
            columns: &[
                column("severity", Verdict("severity")),
                column("rule", Text("id")),
                column("at fault", Endpoint(["subject", "subject_port"])),
                column("what was found", Prose("text")),
                column("document", Prose("reference")),
                column("times", Number("occurrences")),
                column("frames", Frames("frames")),
            ],
        },
        PageTable {
            name: "servers",
            heading: "Servers",
            rows: "servers",
            limit: 500,
            rank: alike,
            by_rank: false,
            kept: "the first ones",
            columns: &[
                column("server", Endpoint(["server", "server_port"])),
                column("game", Text("game")),
                column("name", Name(["hostname_plain", "hostname"])),
                column("map", Text("map_name")),
                column("players", Of(["players", "max_players"])),
                column("protocol", Text("protocol")),
                column("heartbeats", Number("heartbeats")),
                column("mean interval", Nanoseconds("heartbeat_interval_ns")),
                column("listed", Verdict("listed_where")),
                column("listed by", List("listed_by")),
                column("shutdown", Text("shutdown")),
                column("first seen", Time("first_seen")),
                column("last sent", Time("last_sent")),
            ],
        },
        PageTable {
            name: "masters",
            heading: "Masters",
            rows: "masters",
            limit: 200,
            rank: alike,
            by_rank: false,
            kept: "the first ones",
            columns: &[
                column("master", Endpoint(["master", "master_port"])),
                column("game", Text("game")),
                column("heartbeats", Number("heartbeats")),
                column("list requests", Number("list_requests")),
                column("lists", Number("lists")),
                column("fewest servers", Number("servers_min")),
                column("most", Number("servers_max")),
                column("mean", Decimal("servers_mean")),
                column("packets of a list", Decimal("packets_mean")),
                column("amplification", Decimal("amplification")),
                column("first seen", Time("first_seen")),
            ],
        },
        PageTable {
            name: "sessions",
            heading: "Exchanges",
            rows: "exchanges",
            limit: 500,
            rank: failure,
            by_rank: false,
            kept: "first those that failed",
            columns: &[
                column("number", Number("exchange")),
                column("begin", Time("start_time")),
                column("kind", Text("kind")),
                column("state", Verdict("state")),
                column("game", Text("game")),
                column("from", Endpoint(["source", "source_port"])),
                column("to", Endpoint(["destination", "destination_port"])),
                column("server's name", Prose("hostname_plain")),
                column("latency", Milliseconds("latency_ms")),
                column("servers listed", Number("servers_listed")),
                column("messages", Number("messages")),
                column("frames", Frames("frames")),
            ],
        },
    ]
};

fn alike(_: &TableRow) -> u8 {
    0
}

fn severity(row: &TableRow) -> u8 {
    match row.text("severity") {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    }
}

fn registration_failure(row: &TableRow) -> u8 {
    u8::from(row.text("failed_step").is_empty())
}

fn failure(row: &TableRow) -> u8 {
    u8::from(!has_failed(row))
}

/// Whether an exchange did not end as it should.
pub(super) fn has_failed(exchange: &TableRow) -> bool {
    matches!(exchange.text("state"), "unanswered" | "refused" | "incomplete")
}

impl ReportTables {
    /// Reads all tables in one pass.
    pub fn read_captures(
        pipeline: &mut Pipeline,
        options: &mut ReportOptions<'_>,
        selects: &mut (dyn FnMut(&CapturedMessage<'_>) -> bool + Send),
    ) -> Result<Self, ExportError> {
        let pages = || PAGE_TABLES.iter().chain([&FLOWS]);
        let mut kept: Vec<_> = pages().map(|page| KeptRows::new(page.limit, page.rank)).collect();
        let mut selects = |message: &CapturedMessage<'_>| selects(message);
        let to = pages().zip(&mut kept);
        let to = to.filter_map(|(page, rows)| {
            Some((Table::named(page.name)?, rows as &mut (dyn Write + Send)))
        });
        let table_options = TableOptions {
            format: TableFormat::Ndjson,
            secrets: options.secrets,
            live: false,
            redactor: options.redactor.as_mut(),
            scratch: options.scratch.take(),
            selects: options.filter.is_some().then_some(&mut selects),
            origin: None,
        };
        write_tables(pipeline, table_options, to)?;
        let tables = pages().zip(kept).map(|(page, kept)| ReportTable::new(page, kept));
        let mut shown: Vec<_> = tables.collect();
        let flows =
            shown.pop().unwrap_or_else(|| ReportTable::new(&FLOWS, KeptRows::new(0, alike)));
        Ok(Self { shown, flows })
    }

    /// All that are shown, in the order of the page.
    pub fn iter(&self) -> impl Iterator<Item = &ReportTable> {
        self.shown.iter()
    }

    /// The rows of a table that are on the page.
    pub fn rows(&self, name: &str) -> &[TableRow] {
        let table = self.iter().find(|table| table.page.name == name);
        table.map_or(&[], |table| table.rows.as_slice())
    }

    /// How many servers and flows a game has.
    pub fn servers_and_flows(&self, game: &str) -> [u64; 2] {
        let servers = self.iter().find(|table| table.page.name == "servers");
        [servers, Some(&self.flows)]
            .map(|table| table.and_then(|table| table.games.get(game)).copied().unwrap_or(0))
    }
}

impl ReportTable {
    fn new(page: &'static PageTable, kept: KeptRows) -> Self {
        let KeptTable { mut rows, count, games } = kept.finish();
        if page.by_rank {
            rows.sort_by_key(page.rank);
        }
        Self { page, rows, count, games }
    }
}
