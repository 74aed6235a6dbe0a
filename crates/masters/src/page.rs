//! The tables of `docs/master.md` and `docs/reference/defects.md`: tests compare the pages with them.

use std::fmt::Write as _;

use super::{DEFECTS, SETTINGS, Service, Setting};

/// Each table by its name in the page, in Markdown.
pub fn tables(all: impl Iterator<Item = &'static Service>) -> [(&'static str, String); 3] {
    [("services", services(all)), ("settings", settings()), ("defects", defects())]
}

fn services(all: impl Iterator<Item = &'static Service>) -> String {
    let mut table = "| service | port | what it does | source |\n|---|---|---|---|\n".to_owned();
    for service in all {
        let (name, carrier, port) = (service.name, service.transport(), service.port);
        let unusual = if service.usual { "" } else { "; runs only where it is asked for" };
        let (means, source) = (service.means, service.source);
        _ = writeln!(table, "| `{name}` | {carrier} {port} | {means}{unusual} | {source} |");
    }
    table
}

fn settings() -> String {
    let mut table = "| setting | default | meaning | source |\n|---|---|---|---|\n".to_owned();
    for Setting { name, default, means, source, .. } in SETTINGS {
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        _ = writeln!(table, "| `{name}` | {default} | {means} | {source} |");
    }
    table
}

fn defects() -> String {
    let mut table = "| defect | what it breaks |\n|---|---|\n".to_owned();
    for (_, name, breaks) in DEFECTS {
        _ = writeln!(table, "| `{name}` | {breaks} |");
    }
    table
}
