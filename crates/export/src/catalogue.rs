//! Every message that fragshark decodes: text for people, JSON for programs, Markdown for the docs.
//!
//! All of it is generated from the declarations.

use std::fmt::{self, Write as _};

use serde::Serialize;

use codec::{Field, FieldRole, Kind, NumberParts, OutlineLine, OutlinePart};
use protocol::{Entry, Game, Magic, Protocol, SignatureSource};
use protocols::registry;

/// All messages, in the order of their protocols.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Catalogue {
    messages: Vec<CatalogueEntry>,
}

/// One message.
#[derive(Serialize)]
struct CatalogueEntry {
    id: String,
    name: &'static str,
    protocol: &'static str,
    /// The games of the protocol that have it.
    games: Vec<&'static str>,
    /// The same for people.
    #[serde(skip)]
    of: String,
    /// Document and section, the fullest description first.
    sections: &'static [&'static str],
    /// The directions: `client-to-master`.
    directions: Vec<String>,
    transport: &'static str,
    /// Whether its first bytes alone identify it on any port.
    magic: &'static str,
    ports: Vec<ListedPort>,
    /// The ids of the requests that it answers.
    answers: Vec<String>,
    fields: Vec<ListedField>,
}

/// A documented port, and which role listens on it.
#[derive(Serialize, PartialEq)]
struct ListedPort {
    port: u16,
    party: String,
}

/// One line of a message's layout, in wire order.
#[derive(Serialize)]
struct ListedField {
    /// The number of groups and conditions around it.
    depth: usize,
    name: &'static str,
    kind: &'static str,
    /// The role of the field; absent if it has none in particular.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// The bytes of a mark, one entry per spelling, escaped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    written: Vec<String>,
    means: &'static str,
    /// Documented values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<(String, &'static str)>,
}

impl Default for Catalogue {
    /// What `registry().protocols()` declares.
    fn default() -> Self {
        let messages = registry()
            .protocols()
            .iter()
            .flat_map(|p| p.messages.iter().map(|e| CatalogueEntry::new(p, e)));
        Self { messages: messages.collect() }
    }
}

impl Catalogue {
    /// The catalogue as a page: a table of all messages, then a section for each.
    pub fn markdown(&self) -> String {
        let mut page = String::from(
            "# Catalogue\n\nFor people who look for a message by its name.\n\nEvery message that fragshark decodes. This page is made by \
             `fragshark catalogue --format markdown`; a test fails when it is stale.\n\n\
             | protocol | its games |\n|---|---|\n",
        );
        for protocol in registry().protocols() {
            _ = writeln!(page, "| `{}` | {} |", protocol.id, names(protocol.games).join(", "));
        }
        page.push_str(
            "\n| id | name | games | direction | transport | section |\n|---|---|---|---|---|---|\n",
        );
        for m in &self.messages {
            _ = writeln!(
                page,
                "| [`{}`](#{}) | `{}` | {} | {} | {} | {} |",
                m.id,
                m.anchor(),
                m.name,
                m.of,
                m.directions.join(", "),
                m.transport,
                m.sections.first().unwrap_or(&"")
            );
        }
        for m in &self.messages {
            m.section(&mut page);
        }
        page
    }
}

impl CatalogueEntry {
    fn new(protocol: &'static Protocol, entry: &'static Entry) -> Self {
        let spec = &entry.spec;
        let games = games_of(protocol, entry);
        let mut ports = Vec::new();
        for port in games.iter().flat_map(|g| g.ports) {
            let port_of = |party| spec.directions.iter().any(|(f, t)| *f == party || *t == party);
            let listed = ListedPort { port: port.number, party: port.role.to_string() };
            if port_of(port.role) && !ports.contains(&listed) {
                ports.push(listed);
            }
        }
        let slug = |id: &str| format!("{}.{id}", entry.protocol.id);
        Self {
            id: slug(spec.id),
            name: spec.name,
            protocol: entry.protocol.id,
            of: match games.len() {
                all if all == protocol.games.len() && all > FEW => {
                    format!("all games of {}", protocol.id)
                }
                _ => names(&games).join(", "),
            },
            games: names(&games),
            sections: spec.sections,
            directions: spec.all_directions().map(|(f, t)| format!("{f}-to-{t}")).collect(),
            transport: spec.carrier.transport(),
            magic: match spec.magic {
                Magic::Strong => "strong",
                Magic::Exact => "exact",
                Magic::Weak => "weak",
                Magic::AnswerOnly => "half",
            },
            ports,
            answers: spec.answers.iter().map(|id| slug(id)).collect(),
            fields: entry.outline().lines.iter().flat_map(ListedField::from_line).collect(),
        }
    }

    fn anchor(&self) -> String {
        self.id.replace('.', "-")
    }

    fn section(&self, page: &mut String) {
        _ = writeln!(page, "\n<a id=\"{}\"></a>\n\n## {}\n", self.anchor(), self.id);
        _ = writeln!(page, "- Name: `{}`, of {}", self.name, self.of);
        _ = writeln!(page, "- Described in: {}", self.sections.join("; "));
        _ = writeln!(page, "- {}, over {}", self.directions.join(", "), self.transport);
        let ports = self.ports.iter().map(|p| format!("{} ({})", p.port, p.party));
        let ports = ports.collect::<Vec<_>>().join(", ");
        if !ports.is_empty() {
            _ = writeln!(page, "- Ports: {ports}");
        }
        if !self.answers.is_empty() {
            _ = writeln!(page, "- Answers: {}", self.answers.join(", "));
        }
        page.push_str("\n| field | kind | written | meaning |\n|---|---|---|---|\n");
        for field in &self.fields {
            field.row(page);
        }
    }
}

/// How many games are named one by one where a message is of all that its protocol has.
const FEW: usize = 3;

fn names(games: &[&'static Game]) -> Vec<&'static str> {
    games.iter().map(|game| game.id).collect()
}

/// The games that have a message: all of its protocol, or those that declare it.
fn games_of(protocol: &'static Protocol, entry: &Entry) -> Vec<&'static Game> {
    let owns = |game: &&&'static Game| {
        let mut clues = game.signatures.iter();
        clues.any(|c| matches!(c.source, SignatureSource::Message(id) if id == entry.spec.id))
    };
    let owners: Vec<_> = protocol.games.iter().filter(owns).copied().collect();
    if owners.is_empty() { protocol.games.to_vec() } else { owners }
}

impl ListedField {
    fn from_line(line: &OutlineLine) -> Vec<Self> {
        let one = |field| Self::new(line.depth, field, Vec::new());
        match &line.what {
            OutlinePart::Field(field) => vec![one(field)],
            OutlinePart::Literal(field, bytes) => {
                vec![Self::new(line.depth, field, vec![bytes.escape_ascii().to_string()])]
            }
            OutlinePart::OneOf(field, of) => {
                let written = of.iter().map(|s| s.bytes.escape_ascii().to_string());
                vec![Self::new(line.depth, field, written.collect())]
            }
            OutlinePart::View(field, _, inside) => {
                let inside = inside.iter().map(|f| Self::new(line.depth + 1, f, Vec::new()));
                std::iter::once(one(field)).chain(inside).collect()
            }
            OutlinePart::Branch(why) => vec![Self {
                depth: line.depth,
                name: "",
                kind: "condition",
                role: None,
                written: Vec::new(),
                means: why,
                values: Vec::new(),
            }],
        }
    }

    fn new(depth: usize, field: &'static Field, written: Vec<String>) -> Self {
        Self {
            depth,
            name: field.name,
            kind: kind(field.kind),
            role: role(field.role),
            written,
            means: field.means,
            values: values(field),
        }
    }

    /// A row of a Markdown table; lines in a group or under a condition are indented.
    fn row(&self, page: &mut String) {
        let indent = "&emsp;".repeat(self.depth);
        if self.kind == "condition" {
            _ = writeln!(page, "| {indent}*{}:* | | | |", cell(self.means));
            return;
        }
        let written = self.written.iter().map(|w| match w.as_str() {
            "" => "nothing".to_owned(),
            // A code span would lose a leading or trailing blank.
            " " => "a blank".to_owned(),
            w => format!("`{}`", cell(w)),
        });
        let written = written.collect::<Vec<_>>().join(" or ");
        let mut means = cell(self.means);
        for (value, explained) in &self.values {
            let value = value.escape_default().to_string();
            _ = write!(means, "<br>`{}`: {}", cell(&value), cell(explained));
        }
        let (name, kind) = (cell(self.name), self.kind);
        _ = writeln!(page, "| {indent}{name} | {kind} | {written} | {means} |");
    }
}

/// The documented values of a field: whole values, and bits in hex with their mask.
fn values(field: &'static Field) -> Vec<(String, &'static str)> {
    let whole = field.values.iter().map(|(value, means)| ((*value).to_owned(), *means));
    let bits = match field.inside {
        NumberParts::Bits(bits) | NumberParts::Packed { bits, .. } => bits,
        NumberParts::Whole | NumberParts::Version => &[],
    };
    let bits = bits.iter().map(|b| {
        let of = if b.mask == b.value { String::new() } else { format!(" of {:#x}", b.mask) };
        (format!("{:#x}{of}", b.value), b.means)
    });
    whole.chain(bits).collect()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Mark => "mark",
        Kind::Command => "command",
        Kind::Separator => "separator",
        Kind::Number => "number",
        Kind::Text => "text",
        Kind::Key => "key",
        Kind::Address => "address",
        Kind::Group => "group",
        Kind::Coded => "coded",
        Kind::Unparsed => "unparsed",
    }
}

fn role(role: FieldRole) -> Option<&'static str> {
    Some(match role {
        FieldRole::None => return None,
        FieldRole::Challenge => "challenge",
        FieldRole::Protocol => "protocol",
        FieldRole::Game => "game",
        FieldRole::Version => "version",
        FieldRole::Secret => "secret",
        FieldRole::Address => "address",
        FieldRole::Port => "port",
        FieldRole::Person => "person",
        FieldRole::Host => "host",
        FieldRole::Name => "name",
        FieldRole::Location => "place",
        FieldRole::Free => "free text",
        FieldRole::Map => "map",
        FieldRole::Players => "players",
        FieldRole::MaxPlayers => "places",
        FieldRole::Count => "count",
        FieldRole::End => "end",
        FieldRole::Packet => "packet",
        FieldRole::Verdict => "verdict",
        FieldRole::Time => "time",
        FieldRole::Token => "token",
    })
}

impl fmt::Display for Catalogue {
    /// A few lines per message: its heading, then its fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, m) in self.messages.iter().enumerate() {
            let gap = if n == 0 { "" } else { "\n" };
            writeln!(f, "{gap}{}  {}", m.id, m.name)?;
            writeln!(f, "  {}, {}, {}", m.of, m.directions.join(" "), m.transport)?;
            writeln!(f, "  document {}", m.sections.join(", "))?;
            for field in &m.fields {
                let indent = 4 + 2 * field.depth;
                if field.kind == "condition" {
                    writeln!(f, "{:indent$}if {}:", "", field.means)?;
                    continue;
                }
                let written: Vec<_> = field.written.iter().map(|w| format!("\"{w}\"")).collect();
                let gap = if written.is_empty() { "" } else { " " };
                let written = written.join(" or ");
                let (name, kind, means) = (field.name, field.kind, field.means);
                writeln!(f, "{:indent$}{name} ({kind}){gap}{written}: {means}", "")?;
            }
        }
        Ok(())
    }
}
