//! The declarations as one Lua table: protocols, messages, and the fields that filters name.

use std::collections::BTreeMap;
use std::io;

use super::lua::{LuaTable, LuaValue};
use super::steps::steps;
use codec::{Field, Kind, OutlinePart, Prefix};
use protocol::{
    Carrier, Colours, Confidence, Entry, ExchangeKind, Magic, Pattern, Protocol, Role, Signature,
    SignatureSource,
};
use protocols::registry;

/// Writes the table `DECLARED`.
///
/// # Errors
/// Those of the output.
pub(super) fn write(out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "local DECLARED = {{protocols = {{")?;
    for protocol in registry().protocols() {
        writeln!(out, "{},", self::protocol(protocol).0)?;
    }
    writeln!(out, "}}, messages = {{")?;
    for entry in registry().entries() {
        writeln!(out, "{},", message(entry).0)?;
    }
    writeln!(out, "}}, fields = {{")?;
    for (name, (is_number, meaning)) in fields() {
        let row = [LuaValue::text(name), LuaValue(is_number.to_string()), LuaValue::text(meaning)];
        writeln!(out, "{},", LuaValue::list(row).0)?;
    }
    writeln!(out, "}}}}")
}

fn protocol(protocol: &Protocol) -> LuaValue {
    let ports = protocol.games.iter().flat_map(|game| game.ports);
    let ports = ports.map(|port| (port.number, port.role.name()));
    let mut ports: Vec<_> = ports.collect();
    ports.sort_unstable();
    ports.dedup();
    let ports = ports
        .into_iter()
        .map(|(number, role)| LuaValue::list([LuaValue::number(number), LuaValue::text(role)]));
    let signatures = protocol.games.iter().flat_map(|game| game.signatures);
    LuaTable::default()
        .with("id", &LuaValue::text(protocol.id))
        .with("title", &LuaValue::text(protocol.title))
        .with("colours", &colours(protocol.colours))
        .with("ports", &LuaValue::list(ports))
        .with("strong", &LuaValue::list(signatures.filter_map(strong)))
        .value()
}

/// A signature in a field that tells the game at least as well as a protocol number: the message's
/// id or nothing, the field, how to compare, and the values.
fn strong(signature: &Signature) -> Option<LuaValue> {
    let (id, field, pattern) = match &signature.source {
        SignatureSource::Message(_) => return None,
        SignatureSource::Field(field, pattern) => ("", *field, pattern),
        SignatureSource::In(id, field, pattern) => (*id, *field, pattern),
    };
    let (how, values) = match pattern {
        Pattern::Any => ("any", LuaValue::list([])),
        Pattern::Present => ("present", LuaValue::list([])),
        Pattern::Is(values) => ("is", LuaValue::texts(values.iter().copied())),
        Pattern::Starts(values) => ("starts", LuaValue::texts(values.iter().copied())),
        Pattern::Contains(values) => ("contains", LuaValue::texts(values.iter().copied())),
        Pattern::Bytes(bytes) => ("bytes", LuaValue::list([LuaValue::bytes(bytes)])),
        Pattern::Major(major) => ("major", LuaValue::list([LuaValue::number(*major)])),
    };
    (signature.confidence >= Confidence::Number).then(|| {
        let texts = [id, field, how].map(LuaValue::text);
        LuaValue::list(texts.into_iter().chain([values]))
    })
}

fn colours(colours: Colours) -> LuaValue {
    LuaValue::text(match colours {
        Colours::None => "none",
        Colours::Caret | Colours::CaretLetter | Colours::CaretSign | Colours::CaretDaemon => {
            "caret"
        }
        Colours::HighBit => "high bit",
        Colours::Escape => "escape",
    })
}

fn message(entry: &Entry) -> LuaValue {
    let spec = &entry.spec;
    let content = spec.content_match.map(|content| LuaValue::bytes(content.first));
    let prefixes = if content.is_some() { Vec::new() } else { entry.outline().prefixes };
    let directions = |all: &[(Role, Role)]| {
        LuaValue::list(all.iter().map(|(from, to)| LuaValue::texts([from.name(), to.name()])))
    };
    LuaTable::default()
        .with("protocol", &LuaValue::text(entry.protocol.id))
        .with("id", &LuaValue::text(&format!("{}.{}", entry.protocol.id, spec.id)))
        .with("name", &LuaValue::text(spec.name))
        .with("section", &LuaValue::text(&spec.citation()))
        .with("magic", &magic(spec.magic))
        .with("usual", &directions(spec.directions))
        .with("rare", &directions(spec.rare_directions))
        .with("answers", &LuaValue::texts(spec.answers.iter().copied()))
        .with("shared_with", &LuaValue::texts(spec.shared_with.iter().copied()))
        .with_some("first", content)
        .with("prefixes", &LuaValue::list(prefixes.iter().map(prefix)))
        .with_flag("stream", spec.carrier == Carrier::Stream)
        .with_flag("whole", spec.whole)
        .with_flag("excluded", spec.excluded.is_some())
        .with_flag("named", spec.named.is_some())
        .with_flag("request", entry.is_request())
        .with_flag("one_way", spec.one_way)
        .with_flag("undocumented", spec.undocumented)
        .with_flag("registration", entry.exchange() == ExchangeKind::Registration)
        .with("steps", &steps(&(entry.grammar)()))
        .value()
}

fn magic(magic: Magic) -> LuaValue {
    LuaValue::text(match magic {
        Magic::Strong => "strong",
        Magic::Exact => "exact",
        Magic::Weak => "weak",
        Magic::AnswerOnly => "answer only",
    })
}

fn prefix(prefix: &Prefix) -> LuaValue {
    let flag = |is_so: bool| LuaValue(is_so.to_string());
    LuaValue::list([
        LuaValue::bytes(&prefix.bytes),
        flag(prefix.bounded),
        flag(prefix.any_case),
        LuaValue::bytes(&prefix.hint),
    ])
}

/// Every field that a filter can name: whether it is a number in every message, and its meaning in
/// the first one.
fn fields() -> BTreeMap<&'static str, (bool, &'static str)> {
    let mut all = BTreeMap::new();
    let mut add = |field: &'static Field| {
        if matches!(field.kind, Kind::Separator | Kind::Mark | Kind::Unparsed) {
            return;
        }
        let is_number = field.kind == Kind::Number;
        let known = all.entry(field.name).or_insert((is_number, field.means));
        known.0 &= is_number;
    };
    for entry in registry().entries() {
        for line in entry.outline().lines {
            match line.what {
                OutlinePart::Literal(field, _)
                | OutlinePart::OneOf(field, _)
                | OutlinePart::Field(field) => add(field),
                OutlinePart::View(field, _, inside) => {
                    add(field);
                    inside.into_iter().for_each(&mut add);
                }
                OutlinePart::Branch(_) => {}
            }
        }
    }
    all
}
