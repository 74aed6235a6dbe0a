//! A reply in several datagrams. Each has a header before its part of the reply; how that is written
//! depends on the engine, and nothing in it says so: the content decides.

use std::ops::Range;

use super::super::S2C;
use codec::{Choice, Endian::Little, Field, FieldRole, Kind, PackedNumber, Pass, Shape, Walk};
use protocol::{Message, Packing, Part, Spec, SplitForms, SplitPart};

/// The mark of a part.
const MARK: &[u8] = b"\xfe\xff\xff\xff";
/// The bit of the id that says that the whole reply is compressed.
const COMPRESSED: u32 = 1 << 31;
/// The least bytes of a datagram with a part that is not the last, where no size is in it.
const LEAST: usize = 512;
/// Sizes of parts that servers may set.
const SIZES: Range<usize> = 200..4097;
/// By how much the size of a part may differ from what the header says: by the header's length.
const HEADER: usize = 12;

static SPLIT_MARK: Field =
    Field::new("header", Kind::Mark, "FE and three bytes FF: a part of a reply");
static ID: Field =
    Field::number("id", "the same in all parts of a reply; bit 31: the reply is compressed");
static TOTAL: Field = Field::number("total", "how many parts the reply has");
static NUMBER: Field = Field::number("number", "which part it is, from 0");
static BOTH: Field = Field::number(
    "number and total",
    "which part it is, from 0, in the upper half; how many there are in the lower one",
)
.packed(
    const {
        &[PackedNumber::new(0xf0, 1, ["part ", ""]), PackedNumber::new(0x0f, 0, [" of ", ""])]
    },
    &[],
);
static SIZE: Field = Field::number("size", "the most bytes of a part, set by the server");
static PLAIN_LENGTH: Field =
    Field::number("plain length", "how many bytes the reply has when it is not compressed");
static CHECKSUM: Field = Field::number("checksum", "CRC-32 of the reply when it is not compressed");
static REPLY: Field =
    Field::new("reply", Kind::Mark, "the mark and the letter with which the reply begins");
static BZIP2: Field = Field::new("bzip2", Kind::Mark, "BZh: what begins that is compressed");
static BODY: Field =
    Field::text("part", "the bytes of the reply in this part").role(FieldRole::Free);

/// How the header of a part is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SplitForm {
    /// Source's: total, number and size.
    #[default]
    Source,
    /// GoldSrc's: number and total in one byte.
    GoldSrc,
    /// That of old games on Source: total and number.
    Old,
}

impl SplitForm {
    const EACH: [Self; 3] = [Self::Source, Self::GoldSrc, Self::Old];
}

impl Choice for SplitForm {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Source, "Source: total, number and size"),
        (Self::GoldSrc, "GoldSrc: number and total in one byte"),
        (Self::Old, "old games on Source (protocol 7): total and number"),
    ];

    fn peek(rest: &[u8]) -> Self {
        parse_behind(rest).map_or(Self::Source, |packet| packet.form)
    }
}

/// One part of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitPacket {
    /// The same in all parts, with the bit for compression.
    pub id: u32,
    /// Which part it is, from 0.
    pub index: u8,
    /// How many parts there are; more than `index`.
    pub total: u8,
    /// How its header is written.
    pub form: SplitForm,
    /// Whether the joined parts are compressed with bzip2.
    pub is_compressed: bool,
    /// The length of the reply when it is decompressed, in the first part of a compressed one; not
    /// checked.
    pub plain_length: Option<u32>,
    /// CRC-32 of the same.
    pub crc: Option<u32>,
    /// The most bytes of a part, where the header says it.
    pub size: Option<u16>,
    /// Where the part of the reply is in the datagram.
    pub body: Range<usize>,
}

/// Reads one datagram; `None` if it is no part of a reply.
pub fn parse(bytes: &[u8]) -> Option<SplitPacket> {
    let mut packet = parse_behind(bytes.strip_prefix(MARK)?)?;
    packet.body = packet.body.start + MARK.len()..bytes.len();
    Some(packet)
}

/// The same for the bytes behind the mark; `body` is in these.
fn parse_behind(rest: &[u8]) -> Option<SplitPacket> {
    SplitForm::EACH.into_iter().find_map(|form| in_form(form, rest))
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// How parts are joined: the joined reply shows which form they have.
pub(super) const FORMS: SplitForms = SplitForms {
    mark: MARK,
    is_part: |bytes| parse(bytes).is_some(),
    forms: &[
        |bytes| part(SplitForm::Source, bytes),
        |bytes| part(SplitForm::GoldSrc, bytes),
        |bytes| part(SplitForm::Old, bytes),
    ],
    begins: b"\xff\xff\xff\xff",
};

fn part(form: SplitForm, bytes: &[u8]) -> Option<SplitPart<'_>> {
    let rest = bytes.strip_prefix(MARK)?;
    let SplitPacket { id, index, total, is_compressed, plain_length, crc, body, .. } =
        laid_out(form, rest)?;
    let body = rest.get(body)?;
    let packing = match (plain_length, crc) {
        (Some(length), Some(crc)) if is_compressed => Packing::Bzip2 { length, crc },
        _ => Packing::Plain,
    };
    (index < total).then_some(SplitPart { id, index, total, body, packing })
}

/// The part, if its header is written so and its content fits.
fn in_form(form: SplitForm, all: &[u8]) -> Option<SplitPacket> {
    let packet = laid_out(form, all)?;
    packet.fits(all).then_some(packet)
}

/// What stands where the header of this form has it.
fn laid_out(form: SplitForm, all: &[u8]) -> Option<SplitPacket> {
    let (id, rest) = number(all)?;
    let (index, total, size, rest) = match (form, rest) {
        (SplitForm::Source, [total, index, low, high, rest @ ..]) => {
            (*index, *total, Some(u16::from_le_bytes([*low, *high])), rest)
        }
        (SplitForm::GoldSrc, [both, rest @ ..]) => (both >> 4, both & 0xf, None, rest),
        (SplitForm::Old, [total, index, rest @ ..]) => (*index, *total, None, rest),
        _ => return None,
    };
    let is_compressed = id & COMPRESSED != 0 && form != SplitForm::GoldSrc;
    let (mut plain_length, mut crc, mut body) = (None, None, rest);
    if is_compressed && index == 0 {
        let (length, behind) = number(rest)?;
        let (sum, behind) = number(behind)?;
        (plain_length, crc, body) = (Some(length), Some(sum), behind);
    }
    let body = all.len() - body.len()..all.len();
    Some(SplitPacket { id, index, total, form, is_compressed, plain_length, crc, size, body })
}

impl SplitPacket {
    /// Whether the content of the bytes behind the mark is that of such a part.
    fn fits(&self, all: &[u8]) -> bool {
        let Self { index, total, is_compressed, size, .. } = *self;
        let is_last = index.checked_add(1) == Some(total);
        let body = all.get(self.body.clone()).unwrap_or_default();
        let with_numbers = body.len() + if self.crc.is_some() { 8 } else { 0 };
        index < total
            && !body.is_empty()
            && match (index, is_compressed, size) {
                (0, true, _) => body.starts_with(b"BZh"),
                (0, false, _) => begins_reply(body),
                (_, _, Some(size)) => has_size(with_numbers, size.into(), is_last),
                (_, true, None) => is_last || all.len() >= LEAST,
                (_, false, None) if is_last => is_mostly_text(body),
                (_, false, None) => all.len() >= LEAST,
            }
    }
}

/// Whether a reply begins here.
fn begins_reply(body: &[u8]) -> bool {
    matches!(body, [0xff, 0xff, 0xff, 0xff, letter, ..] if letter.is_ascii_alphabetic())
}

/// Whether a part of this length may be one where each has `size` bytes, or fewer if it is the last.
fn has_size(length: usize, size: usize, is_last: bool) -> bool {
    SIZES.contains(&size)
        && if is_last { length <= size + HEADER } else { length.abs_diff(size) <= HEADER }
}

/// Whether most bytes are of names and values with NULs: numbers of players are between them.
fn is_mostly_text(body: &[u8]) -> bool {
    let texts = body.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let text: usize = texts.filter(|c| *c == '\0' || !c.is_control()).map(char::len_utf8).sum();
    text * 3 >= body.len() * 2
}

/// A part of a reply that is too long for one datagram.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SplitReply<'a> {
    pub form: SplitForm,
    pub id: u32,
    pub total: u8,
    pub number: u8,
    /// GoldSrc's form of the two before.
    pub both: u8,
    pub size: u16,
    pub plain_length: u32,
    pub checksum: u32,
    /// In the first part of a compressed reply.
    pub bzip2: [u8; 3],
    /// In the first part of another one.
    pub reply: [u8; 5],
    pub body: &'a [u8],
}

impl<'a> Message<'a> for SplitReply<'a> {
    const SPEC: Spec = Spec::new(
        "split packet",
        &["006 multi-packet response format"],
        S2C,
        b"\xfe\xff\xff\xff\x2a\0\0\0\x02\0\xe0\x04\xff\xff\xff\xffE\x02\0mp_timelimit\x0030\0",
    )
    .id("split-packet")
    .weak()
    .excluded(|bytes| parse(bytes).is_none())
    .part(|bytes| {
        let SplitPacket { id, index, total, .. } = parse(bytes)?;
        let index = u16::from(index) + 1;
        Some(Part { reply: id, index, last: index == u16::from(total) })
    })
    .answers(&["a2s-info", "a2s-player", "a2s-rules"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&SPLIT_MARK, MARK)?;
        p.choose(&mut self.form, |p, form| {
            p.int(&ID, Little, &mut self.id)?;
            match form {
                SplitForm::GoldSrc => p.int(&BOTH, Little, &mut self.both)?,
                SplitForm::Source | SplitForm::Old => {
                    p.int(&TOTAL, Little, &mut self.total)?;
                    p.int(&NUMBER, Little, &mut self.number)?;
                }
            }
            if form == SplitForm::Source {
                p.int(&SIZE, Little, &mut self.size)?;
            }
            let is_goldsrc = form == SplitForm::GoldSrc;
            let is_first = if is_goldsrc { self.both >> 4 == 0 } else { self.number == 0 };
            let is_compressed = !is_goldsrc && self.id & COMPRESSED != 0;
            p.when(is_first && is_compressed, "in the first part of a compressed reply", |p| {
                p.int(&PLAIN_LENGTH, Little, &mut self.plain_length)?;
                p.int(&CHECKSUM, Little, &mut self.checksum)?;
                p.raw(&BZIP2, Shape::Text, &mut self.bzip2)
            })?;
            p.when(is_first && !is_compressed, "in the first part of another reply", |p| {
                p.raw(&REPLY, Shape::Raw, &mut self.reply)
            })
        })?;
        p.text(&BODY, b"", &mut self.body)
    }
}
