//! The mods of DayZ and Arma 3, in a server's settings: a binary block in rules whose names are two
//! bytes. Sources: Bohemia Interactive's wiki on Arma 3's `ServerBrowserProtocol3`, and the programs
//! little-a2s, dayzquery and gamedig, which read it.

use super::rules::{RULES, RuleList, SETTINGS};
use super::string;
use codec::{
    BitMeanings, Body, Choice, Coding, CountedText, Counting, Endian::Little, Fault, Field,
    FieldRole, Group, PackedNumber, Parts, Pass, RawBytes, RecordForm, Records, RecordsEnd, Shape,
    Sink, View, Walk, Want, bytes, counted,
};

/// The version of Arma 3's block, which alone has a difficulty.
const ARMA3: u8 = 3;
/// The version of DayZ's block.
const DAYZ: u8 = 2;
/// The byte that begins an escaped one.
const ESCAPE: u8 = 1;
/// What no string of a reply may have, and the byte of the escape, each with the byte that stands for
/// it after an [`ESCAPE`].
const ESCAPED: [(u8, u8); 3] = [(ESCAPE, 1), (0, 2), (0xff, 3)];
/// The bits of an id's length; the others are flags.
const ID_LENGTH: u8 = 0x0f;
/// The most bytes of an id: those of a number of Steam's.
const ID_MOST: usize = 8;
/// Bytes of a mod before its id: the hash, and the length of the id.
const MOD_HEAD: usize = 5;

static VERSION: Field = Field::number("version", "the form of what follows, up to the signatures")
    .values(&[("2", "DayZ"), ("3", "Arma 3")]);
static OVERFLOW: Field = Field::number("overflow", "flags: what did not fit, and is left out")
    .values(&[("0", "everything is here")]);
static DLC: Field = Field::number("dlc", "the DLCs that are needed; of DayZ's one bit is known")
    .bits(
        const {
            &[
                BitMeanings::set(0x0001, "Karts"),
                BitMeanings::set(0x0002, "Marksmen; DayZ's: Frostline"),
                BitMeanings::set(0x0004, "Helicopters"),
                BitMeanings::set(0x0008, "Zeus"),
                BitMeanings::set(0x0010, "Apex"),
                BitMeanings::set(0x0020, "Jets"),
                BitMeanings::set(0x0040, "Laws of War"),
                BitMeanings::set(0x0080, "Argo"),
                BitMeanings::set(0x0100, "Tac-Ops"),
                BitMeanings::set(0x0200, "Tanks"),
                BitMeanings::set(0x0400, "Contact"),
                BitMeanings::set(0x0800, "Enoch"),
                BitMeanings::set(0x1000, "Art of War"),
            ]
        },
    )
    .values(&[("0", "none")]);
static DIFFICULTY: Field =
    Field::number("difficulty", "how hard the game is set").packed(
        const {
            &[
                PackedNumber::new(0x07, 0, ["level ", ""]),
                PackedNumber::new(0x38, 0, [", skill ", ""]),
            ]
        },
        const {
            &[
                BitMeanings::set(0x40, "advanced flight model"),
                BitMeanings::set(0x80, "third person view"),
                BitMeanings::set(0x100, "crosshair"),
            ]
        },
    );
static DLC_HASHES: Field = Field::group("dlc hashes", "one for each DLC");
static DLC_HASH: Field = Field::group("of a dlc", "of one DLC");
static HASH: Field = Field::number("hash", "tells one version of the files from another");
static MOD_COUNT: Field = Field::number("mod count", "how many mods follow").role(FieldRole::Count);
static MODS: Field = Field::group("mods", "what players need");
static MOD: Field = Field::group("mod", "one mod");
static ID_SIZE: Field = Field::number("id length", "how many bytes the id has, and flags").packed(
    const { &[PackedNumber::new(ID_LENGTH as u32, 0, ["", " bytes"])] },
    const { &[BitMeanings::set(0x10, "a DLC")] },
);
static ID: Field =
    Field::number("id", "the mod's number in Steam's Workshop; of a DLC, its application's");
static NAME: Field = Field::text("name", "the mod's name; mostly empty for a DLC");
static SIGNATURE_COUNT: Field =
    Field::number("signature count", "how many signatures follow").role(FieldRole::Count);
static SIGNATURES: Field = Field::group("signatures", "the keys whose signed files are accepted");
static SIGNED: Field = Field::group("of a key", "one key");
static SIGNATURE: Field = Field::text("signature", "the name of a key's file, without its ending");

const SIGNATURE_FORM: RecordForm = RecordForm {
    record: &SIGNED,
    members: &[counted(&SIGNATURE, Counting::Text)],
    end: RecordsEnd::Rest,
};
const HASH_FORM: RecordForm = RecordForm {
    record: &DLC_HASH,
    members: &[bytes(&HASH, 4, Shape::Unsigned(Little))],
    end: RecordsEnd::Rest,
};

/// Rules of a reply, after their count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RulesForm {
    /// Names and values.
    #[default]
    Plain,
    /// The same after the chunks of a block with the mods.
    Mods(ModChunks),
}

impl Choice for RulesForm {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Plain, "names and values"),
        (Self::Mods(ModChunks { total: 1, size: 0x7f }), "with the mods of DayZ or Arma 3 first"),
    ];

    fn peek(rest: &[u8]) -> Self {
        let Some((chunks, coded, _)) = ModChunks::split_off(rest) else {
            return Self::Plain;
        };
        let mut block = Vec::with_capacity(coded);
        let is_read = chunks.join(rest, &mut block).is_some();
        if is_read && block_length(&block) == Some(block.len()) {
            Self::Mods(chunks)
        } else {
            Self::Plain
        }
    }
}

/// How a block with mods is divided: rules whose name is the number of the chunk, from 1, and how
/// many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModChunks {
    /// How many there are.
    pub total: u8,
    /// Bytes of the longest one.
    pub size: u8,
}

impl ModChunks {
    /// The chunks at the beginning of rules, the number of their bytes, and the rules after them.
    fn split_off(rules: &[u8]) -> Option<(Self, usize, &[u8])> {
        let total = *rules.get(1).filter(|total| **total > 0)?;
        let (mut left, mut size) = (rules, 0);
        for number in 1..=total {
            let (value, rest) = string(left.strip_prefix(&[number, total, 0])?)?;
            size = size.max(u8::try_from(value.len()).ok()?);
            left = rest;
        }
        Some((Self { total, size }, rules.len() - left.len(), left))
    }

    /// Appends the block in the chunks at the beginning of `rules`, and returns the rules after
    /// them; `None` if an escape is no known one.
    fn join<'r>(self, rules: &'r [u8], block: &mut Vec<u8>) -> Option<&'r [u8]> {
        let mut left = rules;
        let mut is_after_escape = false;
        for _ in 0..self.total {
            let (value, rest) = string(left.get(3..)?)?;
            for byte in value {
                let stands_for = |(plain, code): &(u8, u8)| (code == byte).then_some(*plain);
                if is_after_escape {
                    block.push(ESCAPED.iter().find_map(stands_for)?);
                } else if *byte != ESCAPE {
                    block.push(*byte);
                }
                is_after_escape = !is_after_escape && *byte == ESCAPE;
            }
            left = rest;
        }
        (!is_after_escape).then_some(left)
    }
}

impl Coding for ModChunks {
    fn undo(&self, coded: &[u8], plain: &mut Vec<u8>) -> Result<(), Fault> {
        let rules = self.join(coded, plain).ok_or_else(refused)?;
        plain.extend_from_slice(rules);
        Ok(())
    }

    fn apply(&self, plain: &[u8], coded: &mut Vec<u8>) -> Walk {
        let length = block_length(plain).ok_or_else(refused)?;
        let (block, rules) = plain.split_at_checked(length).ok_or_else(refused)?;
        let mut escaped = Vec::with_capacity(block.len());
        for byte in block {
            match ESCAPED.iter().find(|(plain, _)| plain == byte) {
                Some((_, code)) => escaped.extend_from_slice(&[ESCAPE, *code]),
                None => escaped.push(*byte),
            }
        }
        let total = usize::from(self.total.max(1));
        let same = usize::from(self.size.max(1));
        let is_same = escaped.len().div_ceil(same) == total;
        let size = if is_same { same } else { escaped.len().div_ceil(total) };
        let chunks = escaped.chunks(size);
        // The number of rules is said in front of them.
        if chunks.len() != total || size > usize::from(u8::MAX) {
            return Err(refused());
        }
        for (number, chunk) in (1..=self.total).zip(chunks) {
            coded.extend_from_slice(&[number, self.total, 0]);
            coded.extend_from_slice(chunk);
            coded.push(0);
        }
        coded.extend_from_slice(rules);
        Ok(())
    }
}

/// What does not fit into the chunks.
fn refused() -> Fault {
    Fault { at: 0, layer: 0, want: Want::Coded, found: None }
}

/// The number of bytes of the block at the beginning of `bytes`, which has to be whole.
fn block_length(bytes: &[u8]) -> Option<usize> {
    let (&[version, _, low, high], mut left) = bytes.split_first_chunk()?;
    if version == ARMA3 {
        left = left.get(2..)?;
    } else if version != DAYZ {
        return None;
    }
    let dlcs = u16::from_le_bytes([low, high]).count_ones();
    left = left.get(4 * usize::try_from(dlcs).ok()?..)?;
    let (count, mods) = left.split_first()?;
    let (of_mods, whole) = ModList::whole(mods, *count);
    left = mods.get(of_mods..).filter(|_| whole == *count)?;
    let (count, signatures) = left.split_first()?;
    let form = signatures_form(*count);
    let is_whole = Records::new(signatures).count(form) == usize::from(*count);
    left = signatures.get(Records::len(signatures, form)..).filter(|_| is_whole)?;
    Some(bytes.len() - left.len())
}

fn signatures_form(count: u8) -> RecordForm {
    RecordForm { end: RecordsEnd::Count(count), ..SIGNATURE_FORM }
}

/// Mods, as many as the count in front of them says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModList<'a> {
    raw: &'a [u8],
}

/// The length of the id of the mod at the beginning of `left`, and its name; or what is missing.
fn mod_parts(left: &[u8]) -> Result<(usize, CountedText<'_>), Want> {
    let size = left.get(MOD_HEAD - 1).ok_or(Want::Bytes(MOD_HEAD))?;
    let id = usize::from(size & ID_LENGTH);
    if id > ID_MOST {
        return Err(Want::Boundary);
    }
    let name = left.get(MOD_HEAD + id..).ok_or(Want::Bytes(MOD_HEAD + id))?;
    Ok((id, Counting::Text.split_off(name)?))
}

impl ModList<'_> {
    /// The bytes of the whole mods at the beginning of `left`, `count` at most, and how many they are.
    fn whole(left: &[u8], count: u8) -> (usize, u8) {
        let (mut length, mut whole) = (0, 0);
        while whole < count {
            let Ok((id, name)) = mod_parts(left.get(length..).unwrap_or_default()) else {
                break;
            };
            (length, whole) = (length + MOD_HEAD + id + name.len(Counting::Text), whole + 1);
        }
        (length, whole)
    }
}

impl<'a> RawBytes<'a> for ModList<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for ModList<'a> {
    type Form = u8;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], count: u8) -> usize {
        Self::whole(all, count).0
    }

    fn broken(taken: usize, all: &'a [u8], count: u8) -> Option<(usize, Want)> {
        let is_missing = Self::whole(all, count).1 < count;
        let want = mod_parts(all.get(taken..)?).err().filter(|_| is_missing)?;
        Some((taken, want))
    }

    fn parts<S: Sink>(&self, _: u8, out: &mut Parts<'_, '_, S>) {
        while let Ok((id, name)) = mod_parts(self.raw.get(out.at()..).unwrap_or_default()) {
            out.open(&MOD, Group::Record);
            out.leaf(&HASH, Shape::Unsigned(Little), 4);
            out.leaf(&ID_SIZE, Shape::Unsigned(Little), 1);
            out.leaf(&ID, Shape::Unsigned(Little), id);
            name.parts(&NAME, Counting::Text, out);
            out.close();
        }
    }

    fn fields(_: u8, each: &mut dyn FnMut(&'static Field)) {
        [&HASH, &ID_SIZE, &ID, &NAME].into_iter().for_each(each);
    }
}

/// The block with the mods, and the other rules.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ModRules<'a> {
    pub version: u8,
    pub overflow: u8,
    pub dlc: u16,
    pub difficulty: u16,
    pub dlc_hashes: Records<'a>,
    pub mod_count: u8,
    pub mods: ModList<'a>,
    pub signature_count: u8,
    pub signatures: Records<'a>,
    pub rules: RuleList<'a>,
}

impl<'a> Body<'a> for ModRules<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&VERSION, Little, &mut self.version)?;
        p.int(&OVERFLOW, Little, &mut self.overflow)?;
        p.int(&DLC, Little, &mut self.dlc)?;
        p.when(self.version == ARMA3, "of Arma 3", |p| {
            p.int(&DIFFICULTY, Little, &mut self.difficulty)
        })?;
        let end = RecordsEnd::Count(self.dlc.count_ones() as u8);
        p.view(&DLC_HASHES, RecordForm { end, ..HASH_FORM }, &mut self.dlc_hashes)?;
        p.int(&MOD_COUNT, Little, &mut self.mod_count)?;
        p.view(&MODS, self.mod_count, &mut self.mods)?;
        p.int(&SIGNATURE_COUNT, Little, &mut self.signature_count)?;
        p.view(&SIGNATURES, signatures_form(self.signature_count), &mut self.signatures)?;
        p.view(&SETTINGS, &RULES, &mut self.rules)
    }
}
