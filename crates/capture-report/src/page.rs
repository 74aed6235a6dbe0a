//! The page: its head, its sections in their order, and how much space messages have.

use std::collections::HashSet;

use maud::{Markup, html};

use super::ReportOptions;
use super::charts::charts;
use super::diagrams::diagrams;
use super::left_out::LeftOut;
use super::messages::messages;
use super::survey::Survey;
use super::tables::{ReportTable, ReportTables};
use super::time_span::TimeSpan;
use analysis::{InputSet, Pipeline};
use export::Table;
use report::html::{HtmlPage, facts, scrolled, shown};
use text::{counted, grouped, utc};

/// How many bytes a page of [`MESSAGES`](super::MESSAGES) messages or fewer has at most; one of more
/// messages has as many more.
const BYTES: usize = 2_900_000;
/// What the section on what is left out may take.
const RESERVE: usize = 8_000;

/// How many names of captures are seen at once, and how many are listed behind them.
const NAMES: usize = 6;
const MORE_NAMES: usize = 500;

const STYLE: &str = include_str!("report.css");

/// How many bytes a page with these options has at most.
pub(super) fn page_space(options: &ReportOptions<'_>) -> usize {
    BYTES * options.messages.div_ceil(super::MESSAGES).max(1)
}

/// The page of a capture.
pub(super) struct ReportPage<'a> {
    options: &'a ReportOptions<'a>,
    tables: &'a ReportTables,
    survey: &'a Survey,
    /// The names of the captures; pseudonyms, if there are any.
    captures: Vec<String>,
    title: String,
    packets: u64,
    damage: u64,
    /// What was damaged or left out while the captures were read.
    warnings: Vec<String>,
}

impl<'a> ReportPage<'a> {
    pub fn new(
        pipeline: &Pipeline,
        options: &'a ReportOptions<'a>,
        tables: &'a ReportTables,
        survey: &'a Survey,
    ) -> Self {
        let files = names(pipeline.input_set(), pipeline.input_totals().len());
        let name = |file: &String| match &options.redactor {
            Some(redactor) => redactor.file(file),
            None => base_name(file).to_owned(),
        };
        let captures: Vec<_> = files.iter().map(name).collect();
        let mut warnings = pipeline.warnings().to_vec();
        if options.redactor.is_some() {
            // Those that may name a capture are left out.
            warnings.retain(|warning| !files.iter().any(|file| warning.contains(base_name(file))));
        }
        // A page is given to others, so it names captures without their folders.
        for file in files.iter().filter(|file| base_name(file) != file.as_str()) {
            let without = |warning: &mut String| *warning = warning.replace(file, base_name(file));
            warnings.iter_mut().for_each(without);
        }
        let title = options.title.map_or_else(|| title(&captures, options), str::to_owned);
        let (packets, damage) = (pipeline.frames_read(), pipeline.damage());
        Self { options, tables, survey, captures, title, packets, damage, warnings }
    }

    /// The page as text.
    pub fn into_string(self) -> String {
        let mut left_out = LeftOut::default();
        self.warnings.iter().for_each(|warning| left_out.add_line(shown(warning)));
        self.tables.iter().for_each(|table| left_out.add_table(table));
        let Some(span) = self.survey.span else {
            return self.page(&html! { p.none { (self.none()) } }, &html! {}, &left_out);
        };
        let sections = self.sections(span, &mut left_out);
        let without = self.page(&sections, &html! {}, &left_out).len() + RESERVE;
        let space = page_space(self.options).saturating_sub(without);
        let count = self.survey.statistics.messages;
        let messages = messages(&self.survey.messages, span, space, (count, &mut left_out));
        let messages = html! {
            section aria-labelledby="messages" {
                h2 id="messages" { "Messages" (Self::count(count)) }
                (messages)
            }
        };
        self.page(&sections, &messages, &left_out)
    }

    fn page(&self, sections: &Markup, messages: &Markup, left_out: &LeftOut) -> String {
        let body = html! {
            (self.facts())
            (left_out.section())
            main { (sections) (messages) }
        };
        let version = env!("CARGO_PKG_VERSION");
        let under = html! { p.under { "fragshark report, version " (version) } };
        HtmlPage { title: &self.title, under, style: STYLE, body }.into_string()
    }

    /// What the page is about.
    fn facts(&self) -> Markup {
        let statistics = &self.survey.statistics;
        let mut rows: Vec<(&str, Markup)> = Vec::new();
        rows.push(("captures", captures(&self.captures)));
        if let Some(TimeSpan { first, last }) = self.survey.span {
            let [first, last] = [first, last].map(utc);
            rows.push(("from", html! { time { (first) } }));
            rows.push(("to", html! { time { (last) } }));
        }
        if let Some(filter) = self.options.filter {
            let is_redacted = self.options.redactor.is_some();
            let filter = if is_redacted {
                html! { "one is in force; it may name what is redacted, and is left out" }
            } else {
                html! { code { (shown(filter)) } }
            };
            rows.push(("display filter", filter));
        }
        rows.push(("packets", html! { (self.packets) }));
        rows.push(("messages", html! { (statistics.messages) }));
        for table in self.tables.iter() {
            rows.push((table.page.rows, html! { (table.count) (severities(table)) }));
        }
        if self.damage > 0 {
            let places = counted(self.damage, "place");
            rows.push(("damage", html! { (places) ": what can be read is used" }));
        }
        if self.options.redactor.is_some() {
            let note = "addresses, names and secrets are replaced by pseudonyms";
            rows.push(("redacted", html! { (note) }));
        }
        facts(rows.into_iter().map(|(name, value)| (name, vec![value])))
    }

    fn none(&self) -> &'static str {
        if self.options.filter.is_some() {
            "No message matches the display filter."
        } else {
            "No message was recognised in this capture."
        }
    }

    fn sections(&self, span: TimeSpan, left_out: &mut LeftOut) -> Markup {
        let all = self.survey.messages.iter();
        let frames: HashSet<u64> = all.map(|of| of.header.number).collect();
        let has = |frame: u64| frames.contains(&frame);
        html! {
            nav aria-label="sections" {
                ul {
                    @for table in self.tables.iter().filter(|table| table.count > 0) {
                        li { a href={ "#" (table.page.name) } { (table.page.heading) } }
                    }
                    li { a href="#statistics" { "Statistics" } }
                    li { a href="#diagrams" { "Sequence diagrams" } }
                    li { a href="#messages" { "Messages" } }
                }
            }
            @for table in self.tables.iter() { (section(table, span, &has)) }
            section aria-labelledby="statistics" {
                h2 id="statistics" { "Statistics" }
                (charts((self.survey, self.tables), span, left_out))
            }
            section aria-labelledby="diagrams" {
                h2 id="diagrams" { "Sequence diagrams" }
                (diagrams(self.survey, left_out))
            }
        }
    }

    fn count(count: u64) -> Markup {
        html! { " " span.count { (grouped(count)) } }
    }
}

/// The names of so many captures.
fn names(inputs: &InputSet, count: usize) -> Vec<String> {
    (0..count).map(|at| inputs.file(u16::try_from(at).unwrap_or(u16::MAX)).to_owned()).collect()
}

/// The name of a file without its folders.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `Report of tour.pcapng and 2 more captures`; without names where they are replaced.
fn title(captures: &[String], options: &ReportOptions<'_>) -> String {
    let Some((first, others)) = captures.split_first() else {
        return "Report of a capture".to_owned();
    };
    let name = base_name(first);
    let first = match () {
        () if options.redactor.is_some() || name == "-" => "a capture",
        () => name,
    };
    match others.len() {
        0 => format!("Report of {first}"),
        n => format!("Report of {first} and {}", counted(n as u64, "more capture")),
    }
}

/// The names of captures: the first ones, and the others behind a word.
fn captures(names: &[String]) -> Markup {
    let (first, others) = names.split_at(names.len().min(NAMES));
    let lines = |names: &[String]| {
        html! {
            @for (at, name) in names.iter().enumerate() {
                @if at > 0 { br; }
                (shown(name))
            }
        }
    };
    let (listed, rest) = others.split_at(others.len().min(MORE_NAMES));
    html! {
        (lines(first))
        @if !others.is_empty() {
            details {
                summary { "and " (counted(others.len() as u64, "more capture")) }
                (lines(listed))
                @if !rest.is_empty() { " …" }
            }
        }
    }
}

/// How many findings of each severity there are, as far as they are on the page.
fn severities(table: &ReportTable) -> Markup {
    if table.page.name != "findings" || table.count == 0 {
        return html! {};
    }
    let of = |word: &str| {
        let rows = table.rows.iter().filter(|row| row.text("severity") == word);
        rows.count() as u64
    };
    let words = ["error", "warning", "note"].map(|word| (of(word), word));
    let words = words.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<_> = words.map(|(count, word)| counted(count, word)).collect();
    html! { " (" (words.join(", ")) ")" }
}

/// A table under its heading; nothing if it has no rows.
fn section(table: &ReportTable, span: TimeSpan, has: &dyn Fn(u64) -> bool) -> Markup {
    let page = table.page;
    if table.count == 0 {
        return html! {};
    }
    let columns = Table::named(page.name).map_or(&[][..], |table| table.columns);
    let meaning = |name: &str| {
        let column = columns.iter().find(|column| column.name == name);
        column.map_or("", |column| column.meaning)
    };
    let content = html! {
        table.sorted data-table=(page.name) {
            thead {
                tr {
                    @for column in page.columns {
                        @let names: Vec<_> = column.form.columns().collect();
                        th scope="col" data-columns=(names.join(" "))
                            title=(names.first().map_or("", |name| meaning(name))) {
                            (column.heading)
                        }
                    }
                }
            }
            tbody {
                @for row in &table.rows {
                    tr { @for column in page.columns { (column.form.cell(row, span, has)) } }
                }
            }
        }
    };
    html! {
        section aria-labelledby=(page.name) {
            h2 id=(page.name) { (page.heading) (ReportPage::count(table.count)) }
            (scrolled(page.heading, &content))
        }
    }
}
