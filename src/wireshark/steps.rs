//! The steps of a grammar as Lua tables: a word that says how to read, the field, and what that
//! needs.

use super::lua::LuaValue;
use codec::{
    AddrForm, Counting, Digits, Endian, Field, GrammarStep, LineColumn, LineLayout, RecordForm,
    RecordPart, RecordsEnd, Shape, SizeForm, Spelling, ViewLayout, Width,
};

/// The steps of a message or a branch.
pub(super) fn steps(all: &[GrammarStep]) -> LuaValue {
    LuaValue::list(all.iter().map(step))
}

fn step(step: &GrammarStep) -> LuaValue {
    match step {
        GrammarStep::Literal(field, bytes) => lua_step("literal", field, [LuaValue::bytes(bytes)]),
        GrammarStep::Word { field, word, bounded } => {
            lua_step("word", field, [LuaValue::bytes(word), LuaValue(bounded.to_string())])
        }
        GrammarStep::OneOf(field, spellings) => {
            lua_step("one_of", field, [self::spellings(spellings)])
        }
        GrammarStep::Text(field, stop) => lua_step("text", field, [LuaValue::bytes(stop)]),
        GrammarStep::Terminated(field) => lua_step("terminated", field, []),
        GrammarStep::Counted(field, by) => lua_step("counted", field, [counting(*by)]),
        GrammarStep::Decimal(field) => lua_step("decimal", field, []),
        GrammarStep::Packed(field) => lua_step("packed", field, []),
        GrammarStep::Bytes(field, shape, width) => {
            let width = LuaValue(width.to_string());
            lua_step("bytes", field, [width, self::shape(*shape)])
        }
        GrammarStep::Composite { field, layout, .. } => composite(field, *layout),
        GrammarStep::Optional(branch) => {
            lua_step("optional", &NO_FIELD, [steps(&branch.steps), LuaValue::text(branch.why)])
        }
        GrammarStep::More(branch) => lua_step("more", &NO_FIELD, [steps(&branch.steps)]),
        GrammarStep::Choice(branches) => {
            let whys = LuaValue::texts(branches.iter().map(|branch| branch.why));
            let branches = LuaValue::list(branches.iter().map(|branch| steps(&branch.steps)));
            lua_step("choice", &NO_FIELD, [branches, whys])
        }
        GrammarStep::Led(field, lead, branch) => {
            lua_step("led", field, [spellings(*lead), steps(&branch.steps)])
        }
        GrammarStep::Sized(field, SizeForm { order, base, .. }, inside) => {
            let form = [endian(*order), LuaValue::number(*base), steps(inside)];
            lua_step("sized", field, form)
        }
        GrammarStep::Coded(field, _) => lua_step("rest", field, []),
    }
}

static NO_FIELD: Field = Field::separator("", "");

fn lua_step<const N: usize>(how: &str, field: &Field, form: [LuaValue; N]) -> LuaValue {
    let head = [LuaValue::text(how), LuaValue::text(field.name)];
    LuaValue::list(head.into_iter().chain(form))
}

fn composite(field: &Field, layout: ViewLayout) -> LuaValue {
    match layout {
        ViewLayout::Opaque => lua_step("rest", field, []),
        ViewLayout::Infostring { stop, before } => {
            lua_step("infostring", field, [stop, before].map(LuaValue::bytes))
        }
        ViewLayout::Text(stop) => lua_step("text", field, [LuaValue::bytes(stop)]),
        ViewLayout::TerminatedPairs { may_be_cut } => {
            lua_step("terminated_pairs", field, [LuaValue::flag(may_be_cut)])
        }
        ViewLayout::CountedPairs(by) => lua_step("sized_pairs", field, [counting(by)]),
        ViewLayout::Words { word, has_values, stop } => {
            let (word, has_values) = (LuaValue::text(word.name), LuaValue::flag(has_values));
            lua_step("words", field, [word, LuaValue::bytes(stop), has_values])
        }
        ViewLayout::Numbers { count, number } => {
            lua_step("numbers", field, [count, number].map(|part| LuaValue::text(part.name)))
        }
        ViewLayout::FlaggedTexts { record, fields, counting: by } => {
            let flagged = |(bit, field): &(u8, Field)| {
                LuaValue::list([LuaValue::number(*bit), LuaValue::text(field.name)])
            };
            let fields = LuaValue::list(fields.iter().map(flagged));
            lua_step("flagged_texts", field, [LuaValue::text(record.name), counting(by), fields])
        }
        ViewLayout::Lines { stop, line_stop, kinds } => {
            let kinds = LuaValue::list(kinds.iter().flatten().map(lines));
            lua_step("lines", field, [LuaValue::bytes(stop), LuaValue::bytes(line_stop), kinds])
        }
        ViewLayout::PaddedInfo => lua_step("padded_info", field, []),
        ViewLayout::WideInfostring => lua_step("wide_infostring", field, []),
        ViewLayout::Addresses(form) => addresses(field, form),
        ViewLayout::Endpoints(form) => {
            let ends = LuaValue::list(form.ends.iter().map(|end| LuaValue::bytes(end)));
            let (lead, next) = (LuaValue::bytes(form.lead), LuaValue::bytes(form.next));
            lua_step("endpoints", field, [lead, ends, next])
        }
        ViewLayout::Records(form) => records(field, form),
        ViewLayout::Texts { text, ends_at_empty } => {
            lua_step("texts", field, [LuaValue::text(text.name), LuaValue::flag(ends_at_empty)])
        }
        ViewLayout::TextRows { row } => lua_step("text_rows", field, [LuaValue::text(row.name)]),
        ViewLayout::TextColumns { column, name, first } => lua_step(
            "text_columns",
            field,
            [column, name, first].map(|part| LuaValue::text(part.name)),
        ),
    }
}

fn lines(kind: &LineLayout) -> LuaValue {
    let word = kind.word.map_or_else(|| LuaValue::flag(false), LuaValue::bytes);
    let columns = LuaValue::list(kind.columns.iter().map(column));
    let at_last = LuaValue::flag(kind.ends_at_last_quote);
    LuaValue::list([LuaValue::text(kind.record.name), word, columns, at_last])
}

fn column(column: &LineColumn) -> LuaValue {
    let name = LuaValue::text(column.field.name);
    LuaValue::list([name, LuaValue::flag(column.quoted), LuaValue::flag(column.optional)])
}

fn addresses(field: &Field, form: AddrForm) -> LuaValue {
    let byte = |byte: Option<u8>| LuaValue::number(byte.map_or(-1, i64::from));
    lua_step(
        "addresses",
        field,
        [
            byte(form.separator),
            byte(form.separator6),
            LuaValue::flag(form.six),
            LuaValue::flag(form.linked),
            endian(form.port),
            LuaValue::flag(form.digits == Digits::Hex),
            LuaValue::list(form.ends.iter().map(|end| LuaValue::bytes(end))),
        ],
    )
}

fn records(field: &Field, form: RecordForm) -> LuaValue {
    let end = match form.end {
        RecordsEnd::Byte(byte) => LuaValue::number(byte),
        RecordsEnd::Rest | RecordsEnd::Count(_) => LuaValue::number(-1),
    };
    let most = match form.end {
        // The number is the last one before the list.
        RecordsEnd::Count(0) => LuaValue::number(-2),
        RecordsEnd::Count(always) => LuaValue::number(always),
        RecordsEnd::Byte(_) | RecordsEnd::Rest => LuaValue::number(-1),
    };
    let members = LuaValue::list(form.members.iter().map(member));
    lua_step("records", field, [LuaValue::text(form.record.name), members, end, most])
}

fn member(part: &RecordPart) -> LuaValue {
    match part.width {
        Width::Bytes(width, shape) => {
            lua_step("bytes", part.field, [LuaValue(width.to_string()), self::shape(shape)])
        }
        Width::Packed => lua_step("packed", part.field, []),
        Width::Text => lua_step("terminated", part.field, []),
        Width::Counted(by) => lua_step("counted", part.field, [counting(by)]),
        Width::Pairs(by, _) => lua_step("counted_pairs", part.field, [counting(by)]),
    }
}

/// Each spelling with whether only the end may follow it, and whether it is unusual.
fn spellings(all: &[Spelling]) -> LuaValue {
    LuaValue::list(all.iter().map(|spelling| {
        let bytes = LuaValue::bytes(spelling.bytes);
        LuaValue::list([
            bytes,
            LuaValue::flag(spelling.last),
            LuaValue::flag(spelling.odd.is_some()),
        ])
    }))
}

fn counting(by: Counting) -> LuaValue {
    LuaValue::text(match by {
        Counting::Text => "text",
        Counting::Itself => "itself",
        Counting::Unreal => "unreal",
    })
}

fn endian(order: Endian) -> LuaValue {
    LuaValue::text(match order {
        Endian::Big => "big",
        Endian::Little => "little",
    })
}

fn shape(shape: Shape) -> LuaValue {
    LuaValue::text(match shape {
        Shape::Unsigned(Endian::Big) => "unsigned_big",
        Shape::Unsigned(Endian::Little) => "unsigned_little",
        Shape::Signed(Endian::Big) => "signed_big",
        Shape::Signed(Endian::Little) => "signed_little",
        Shape::Float(Endian::Big) => "float_big",
        Shape::Float(Endian::Little) => "float_little",
        Shape::Ipv4 => "ipv4",
        Shape::Ipv6 => "ipv6",
        Shape::Text | Shape::Decimal | Shape::DottedIpv4 | Shape::HexIpv4 | Shape::HexNumber => {
            "text"
        }
        Shape::Raw
        | Shape::Utf16
        | Shape::CompactIndex
        | Shape::PackedInt
        | Shape::Endpoints { .. } => "raw",
    })
}
