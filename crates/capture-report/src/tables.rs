//! The tables of the page, read from what `export` writes.

use std::collections::BTreeMap;

use super::ReportOptions;
use super::cells::{CellForm, PageColumn};
use super::kept_rows::{KeptRows, KeptTable, TableRow};
use analysis::{CapturedMessage, Pipeline};
use export::{ChoiceOptions, ExportError, PassObserver, RowChoice, Table, choose_rows};

/// A table on the page.
pub(super) struct PageTable {
    /// Its name for `export --what`.
    pub name: &'static str,
    pub heading: &'static str,
    /// What its rows are called.
    pub rows: &'static str,
    /// How many rows the page has space for.
    pub limit: usize,
    /// How useful a row is, if there is no space for all.
    rank: RowRank,
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
    games: BTreeMap<&'static str, u64>,
}

/// How useful a row is, by the word in one of its columns: 0 is the most useful.
#[derive(Debug, Clone, Copy)]
struct RowRank {
    /// The column with the word by which rows are chosen.
    column: &'static str,
    of: fn(&str) -> u8,
}

/// All tables of the page.
pub(super) struct ReportTables {
    shown: Vec<ReportTable>,
    /// The flows, which are only counted.
    flows: ReportTable,
}

/// Flows have no table of their own on the page.
static FLOWS: PageTable = PageTable {
    name: "flows",
    heading: "Flows",
    rows: "flows",
    limit: 0,
    rank: ALIKE,
    by_rank: false,
    kept: "none",
    columns: &[],
};

const fn column(heading: &'static str, form: CellForm) -> PageColumn {
    PageColumn { heading, form }
}

/// In the order of the page.
pub(super) static PAGE_TABLES: [PageTable; 5] = {
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
            rank: REGISTRATION,
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
            rank: SEVERITY,
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
            rank: ALIKE,
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
            rank: ALIKE,
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
            rank: EXCHANGE,
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

const ALIKE: RowRank = RowRank { column: "game", of: |_| 0 };

const SEVERITY: RowRank = RowRank {
    column: "severity",
    of: |severity| match severity {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    },
};

const REGISTRATION: RowRank =
    RowRank { column: "failed_step", of: |failed| u8::from(failed.is_empty()) };

const EXCHANGE: RowRank = RowRank { column: "state", of: |state| u8::from(!is_failure(state)) };

/// Whether an exchange did not end as it should.
pub(super) fn has_failed(exchange: &TableRow) -> bool {
    is_failure(exchange.text("state"))
}

fn is_failure(state: &str) -> bool {
    matches!(state, "unanswered" | "refused" | "incomplete")
}

/// The page's tables, and what is only counted.
fn pages() -> impl Iterator<Item = &'static PageTable> {
    PAGE_TABLES.iter().chain([&FLOWS])
}

/// Whether the page needs a column of a table. Values of messages as JSON are none of them: they may
/// be as long as all that is left out.
fn needs_column(table: &str, column: &str) -> bool {
    pages().filter(|page| page.name == table).any(|page| {
        let mut shown = page.columns.iter().flat_map(|of| of.form.columns());
        ["game", page.rank.column].contains(&column) || shown.any(|name| name == column)
    })
}

impl ReportTables {
    /// Reads all tables in one pass, in which the observer sees all messages and exchanges.
    pub fn read_captures(
        pipeline: &mut Pipeline,
        options: &mut ReportOptions<'_>,
        observer: &mut dyn PassObserver,
        selects: &mut (dyn FnMut(&CapturedMessage<'_>) -> bool + Send),
    ) -> Result<Self, ExportError> {
        let mut kept: Vec<_> =
            pages().map(|page| KeptRows::new(page.limit, page.rank.of)).collect();
        let mut selects = |message: &CapturedMessage<'_>| selects(message);
        let to = pages().zip(&mut kept);
        let to = to.filter_map(|(page, rows)| {
            Some((Table::named(page.name)?, rows as &mut dyn RowChoice))
        });
        let choice_options = ChoiceOptions {
            secrets: options.secrets,
            redactor: options.redactor.as_mut(),
            selects: options.filter.is_some().then_some(&mut selects),
            has: needs_column,
            observer,
        };
        choose_rows(pipeline, choice_options, to)?;
        let tables = pages().zip(kept).map(|(page, kept)| ReportTable::new(page, kept));
        let mut shown: Vec<_> = tables.collect();
        let flows =
            shown.pop().unwrap_or_else(|| ReportTable::new(&FLOWS, KeptRows::new(0, ALIKE.of)));
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
            rows.sort_by_key(|row| (page.rank.of)(row.text(page.rank.column)));
        }
        Self { page, rows, count, games }
    }
}
