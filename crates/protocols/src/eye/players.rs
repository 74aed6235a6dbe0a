//! The players of a reply: a byte says which fields each has.

use codec::{
    CountedText, Counting::Itself, Field, FieldRole, Group, Kind, Parts, RawBytes, Shape, Sink,
    View, ViewLayout, Want,
};

static PLAYER: Field = Field::group("player", "one player");
static FLAGS: Field = Field::new("fields", Kind::Separator, "which fields follow");
static FIELDS: [(u8, Field); 6] = [
    (0x01, Field::text("name", "the player's name").role(FieldRole::Person)),
    (0x02, Field::text("team", "the player's side").role(FieldRole::Name)),
    (0x04, Field::text("skin", "how the player looks").role(FieldRole::Name)),
    (0x08, Field::text("score", "points")),
    (0x10, Field::text("ping", "in milliseconds")),
    (0x20, Field::text("time", "how long the player has been there")),
];

/// Players to the end of a payload.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EyePlayers<'a> {
    raw: &'a [u8],
}

/// The fields that a byte announces.
fn announced(flags: u8) -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(move |(bit, _)| flags & bit != 0).map(|(_, field)| field)
}

/// The length of the player at the beginning, and its texts; what is missing where one is cut.
fn next(left: &[u8]) -> Result<usize, Want> {
    let (flags, _) = left.split_first().ok_or(Want::Bytes(1))?;
    let mut at = 1;
    for _ in announced(*flags) {
        let text = Itself.split_off(left.get(at..).unwrap_or_default())?;
        at += text.len(Itself);
    }
    Ok(at)
}

impl<'a> RawBytes<'a> for EyePlayers<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for EyePlayers<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        let mut at = 0;
        while let Ok(len) = next(all.get(at..).unwrap_or_default()) {
            at += len;
        }
        at
    }

    fn broken(taken: usize, all: &'a [u8], (): ()) -> Option<(usize, Want)> {
        let left = all.get(taken..).filter(|left| !left.is_empty())?;
        Some((taken, next(left).err()?))
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        while let Some((flags, _)) = self.raw.get(out.at()..).and_then(<[u8]>::split_first) {
            out.open(&PLAYER, Group::Record);
            out.gap(&FLAGS, Shape::Raw, 1);
            for field in announced(*flags) {
                let left = self.raw.get(out.at()..).unwrap_or_default();
                let text: CountedText<'_> = Itself.split_off(left).unwrap_or_default();
                text.parts(field, Itself, out);
            }
            out.close();
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::FlaggedTexts { record: &PLAYER, fields: &FIELDS, counting: Itself }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        for (_, field) in &FIELDS {
            each(field);
        }
    }
}
