//! The positions of a walk's fields: the [`Sink`] to which readers report, and [`Spans`].

use super::coded::Coding;
use super::fault::Anomaly;
use super::field::{Field, FieldRole, Kind};
use super::shape::Shape;

/// One annotated range. Flat, `Copy`, no owned text: the value is `shape.read(bytes)`.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// Its meaning.
    pub field: &'static Field,
    /// Offsets in the payload, or in the decoded text where `layer` is 1.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// The encoding of its bytes.
    pub shape: Shape,
    /// Whether it is a leaf, or the structure of a group.
    pub node: Node,
    /// The number of groups around it.
    pub depth: u8,
    /// 0: the payload; 1: the inside of a coded range.
    pub layer: u8,
    /// Whether it is only shown on request; set after the walk, when the message is known
    /// (`protocol::Reading::read_message`).
    pub secret: bool,
}

/// Leaves tile the payload; groups contain the deeper leaves and groups that follow them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// A value, a key or a separator.
    Leaf,
    /// Several leaves.
    Group(Group),
}

/// The structure of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// A key leaf before each value leaf.
    Pairs,
    /// Parts of one kind, in order.
    List,
    /// Parts of different names.
    Record,
    /// An address and a port.
    Endpoint,
}

/// An anomaly, and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    /// The anomaly.
    pub odd: Anomaly,
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// 0: in the payload; 1: inside a coded range.
    pub layer: u8,
}

/// Receives a walk's fields in order; `()` drops them, [`Spans`] keeps them.
pub trait Sink {
    /// Whether fields inside of views are reported: else readers skip the work for them.
    fn is_on(&self) -> bool {
        true
    }
    /// The bytes at offset `at` are `field`.
    fn leaf(&mut self, field: &'static Field, shape: Shape, at: usize, bytes: &[u8]);
    /// A group begins at offset `at`.
    fn open(&mut self, field: &'static Field, group: Group, at: usize);
    /// The open group ends.
    fn close(&mut self, end: usize);
    /// Whether separators are kept.
    fn separates(&self) -> bool {
        true
    }
    /// Whether a field of this name is taken, in any case of its letters: where it is not, a view may
    /// leave out its pair, or a line that has no other.
    fn wants(&self, _name: &[u8]) -> bool {
        true
    }
    /// Whether the open group is kept as one span, without its parts: they can be read from its
    /// bytes with `shape`.
    fn whole(&mut self, _: Shape) -> bool {
        false
    }
    /// An anomaly in a range.
    fn note(&mut self, odd: Anomaly, start: usize, end: usize);
    /// A leaf that counts the bytes of what follows until `sized`.
    fn size(&mut self, field: &'static Field, shape: Shape, at: usize, bytes: &[u8]) {
        self.leaf(field, shape, at, bytes);
    }
    /// The part whose bytes are counted ends.
    fn sized(&mut self) {}
    /// A coded leaf; what follows until `leave` is its decoded text.
    fn enter(&mut self, field: &'static Field, at: usize, coded: &[u8]);
    /// The decoded text of `coded` ends.
    fn leave(&mut self, coding: &dyn Coding, coded: &[u8]);
}

impl Sink for () {
    fn is_on(&self) -> bool {
        false
    }
    #[inline]
    fn leaf(&mut self, _: &'static Field, _: Shape, _: usize, _: &[u8]) {}
    #[inline]
    fn open(&mut self, _: &'static Field, _: Group, _: usize) {}
    #[inline]
    fn close(&mut self, _: usize) {}
    #[inline]
    fn note(&mut self, _: Anomaly, _: usize, _: usize) {}
    fn enter(&mut self, _: &'static Field, _: usize, _: &[u8]) {}
    fn leave(&mut self, _: &dyn Coding, _: &[u8]) {}
}

/// Any sink, where it may be slow: messages are compiled once for all of them.
impl Sink for &mut dyn Sink {
    fn is_on(&self) -> bool {
        (**self).is_on()
    }
    #[inline]
    fn leaf(&mut self, field: &'static Field, shape: Shape, at: usize, bytes: &[u8]) {
        (**self).leaf(field, shape, at, bytes);
    }
    #[inline]
    fn open(&mut self, field: &'static Field, group: Group, at: usize) {
        (**self).open(field, group, at);
    }
    #[inline]
    fn close(&mut self, end: usize) {
        (**self).close(end);
    }
    fn separates(&self) -> bool {
        (**self).separates()
    }
    #[inline]
    fn wants(&self, name: &[u8]) -> bool {
        (**self).wants(name)
    }
    fn whole(&mut self, shape: Shape) -> bool {
        (**self).whole(shape)
    }
    #[inline]
    fn note(&mut self, odd: Anomaly, start: usize, end: usize) {
        (**self).note(odd, start, end);
    }
    fn size(&mut self, field: &'static Field, shape: Shape, at: usize, bytes: &[u8]) {
        (**self).size(field, shape, at, bytes);
    }
    fn sized(&mut self) {
        (**self).sized();
    }
    fn enter(&mut self, field: &'static Field, at: usize, coded: &[u8]) {
        (**self).enter(field, at, coded);
    }
    fn leave(&mut self, coding: &dyn Coding, coded: &[u8]) {
        (**self).leave(coding, coded);
    }
}

/// Every span and notice of one message; reusable for the next.
#[derive(Debug, Default)]
pub struct Spans {
    /// Every span, groups before their parts.
    pub all: Vec<Span>,
    /// Every anomaly.
    pub notes: Vec<Notice>,
    open: Vec<usize>,
    layer: u8,
    values: bool,
}

impl Spans {
    /// For values only: separators other than end marks are left out, and a list of several
    /// endpoints with records of one length is one span, whose shape describes the records
    /// ([`Shape::Endpoints`]).
    pub fn of_values() -> Self {
        Self { values: true, ..Self::default() }
    }

    /// Removes all, for the next message.
    pub fn clear(&mut self) {
        self.all.clear();
        self.notes.clear();
        self.open.clear();
        self.layer = 0;
    }

    /// Marks unparsed bytes at the `end` of a payload as cut, if the capture does not have the
    /// rest.
    pub fn cut_off(&mut self, end: usize) {
        let last = self.all.iter_mut().rev().find(|s| s.node == Node::Leaf && s.layer == 0);
        if let Some(last) = last.filter(|s| s.field.kind == Kind::Unparsed && s.end as usize == end)
        {
            last.field = &CUT;
        }
    }

    /// The leaves of one layer, in order.
    pub fn leaves(&self, layer: u8) -> impl Iterator<Item = &Span> {
        self.all.iter().filter(move |s| s.node == Node::Leaf && s.layer == layer)
    }

    #[inline]
    fn push(&mut self, field: &'static Field, shape: Shape, at: [usize; 2], node: Node) {
        let [start, end] = at;
        let (start, end) = (start as u32, end as u32);
        let depth = self.open.len() as u8;
        let (layer, secret) = (self.layer, false);
        self.all.push(Span { field, start, end, shape, node, depth, layer, secret });
    }
}

impl Sink for Spans {
    #[inline]
    fn leaf(&mut self, field: &'static Field, shape: Shape, at: usize, bytes: &[u8]) {
        if self.values && field.kind == Kind::Separator && field.role != FieldRole::End {
            return;
        }
        // Empty keys and values are kept, because `\key\\` has a meaning; empty separators are not.
        if !bytes.is_empty() || field.is_data() || field.kind == Kind::Key {
            self.push(field, shape, [at, at + bytes.len()], Node::Leaf);
        }
    }

    #[inline]
    fn open(&mut self, field: &'static Field, group: Group, at: usize) {
        self.push(field, Shape::Raw, [at, at], Node::Group(group));
        self.open.push(self.all.len() - 1);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        if let Some(span) = self.open.pop().and_then(|i| self.all.get_mut(i)) {
            span.end = end as u32;
        }
    }

    fn separates(&self) -> bool {
        !self.values
    }

    fn whole(&mut self, shape: Shape) -> bool {
        if let (true, Some(group)) =
            (self.values, self.open.last().and_then(|i| self.all.get_mut(*i)))
        {
            group.shape = shape;
        }
        self.values
    }

    #[inline]
    fn note(&mut self, odd: Anomaly, start: usize, end: usize) {
        self.notes.push(Notice { odd, start: start as u32, end: end as u32, layer: self.layer });
    }

    fn enter(&mut self, field: &'static Field, at: usize, coded: &[u8]) {
        self.leaf(field, Shape::Raw, at, coded);
        self.layer += 1;
    }

    fn leave(&mut self, _: &dyn Coding, _: &[u8]) {
        self.layer -= 1;
    }
}

/// The bytes of a view, consumed by length from the left; the rest is reported as unparsed.
pub struct Parts<'a, 's, S: Sink> {
    raw: &'a [u8],
    base: usize,
    at: usize,
    sink: &'s mut S,
}

static UNPARSED: Field = Field::new("unparsed", Kind::Unparsed, "bytes that no field claims");
static CUT: Field =
    Field::new("cut", Kind::Unparsed, "the first bytes of a value that the capture has not whole");

impl<'a, 's, S: Sink> Parts<'a, 's, S> {
    /// Reports the parts of `view` in `raw`, which begins at `base` of the payload.
    pub(super) fn in_view(
        raw: &'a [u8],
        base: usize,
        sink: &'s mut S,
        view: impl FnOnce(&mut Self),
    ) {
        let mut parts = Self { raw, base, at: 0, sink };
        view(&mut parts);
        let left = raw.len() - parts.at;
        parts.leaf(&UNPARSED, Shape::Raw, left);
    }

    /// Number of bytes consumed.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next `len` bytes are `field`.
    #[inline]
    pub fn leaf(&mut self, field: &'static Field, shape: Shape, len: usize) {
        let end = (self.at + len).min(self.raw.len());
        let bytes = self.raw.get(self.at..end).unwrap_or_default();
        self.sink.leaf(field, shape, self.base + self.at, bytes);
        self.at = end;
    }

    /// The next `len` bytes are `field`, which is a separator.
    pub fn gap(&mut self, field: &'static Field, shape: Shape, len: usize) {
        if self.sink.separates() {
            self.leaf(field, shape, len);
        } else {
            self.at = (self.at + len).min(self.raw.len());
        }
    }

    /// Whether a field of this name is taken.
    #[inline]
    pub fn wants(&self, name: &[u8]) -> bool {
        self.sink.wants(name)
    }

    /// Whether none of these fields is taken: then all remaining bytes are left out.
    pub fn leaves_out<'f>(&mut self, fields: impl IntoIterator<Item = &'f Field>) -> bool {
        let wants_none = !fields.into_iter().any(|field| self.sink.wants(field.name.as_bytes()));
        if wants_none {
            self.at = self.raw.len();
        }
        wants_none
    }

    /// Leaves out the bytes before this offset in the view.
    #[inline]
    pub fn skip_to(&mut self, at: usize) {
        self.at = at.min(self.raw.len());
    }

    /// The next `len` bytes count those of what follows until `sized`.
    pub fn size(&mut self, field: &'static Field, shape: Shape, len: usize) {
        let end = (self.at + len).min(self.raw.len());
        let bytes = self.raw.get(self.at..end).unwrap_or_default();
        if self.sink.separates() {
            self.sink.size(field, shape, self.base + self.at, bytes);
        }
        self.at = end;
    }

    /// The part whose bytes are counted ends.
    pub fn sized(&mut self) {
        if self.sink.separates() {
            self.sink.sized();
        }
    }

    /// The next parts belong to a group.
    #[inline]
    pub fn open(&mut self, field: &'static Field, group: Group) {
        self.sink.open(field, group, self.base + self.at);
    }

    /// The open group ends.
    #[inline]
    pub fn close(&mut self) {
        self.sink.close(self.base + self.at);
    }

    /// Whether all remaining bytes are reported as one span, with parts described by `shape`.
    pub fn whole(&mut self, shape: Shape) -> bool {
        let taken = self.sink.whole(shape);
        if taken {
            self.at = self.raw.len();
        }
        taken
    }

    /// The last `len` bytes have an anomaly.
    #[inline]
    pub fn note(&mut self, odd: Anomaly, len: usize) {
        let end = self.base + self.at;
        self.sink.note(odd, end.saturating_sub(len), end);
    }
}

pub(super) fn unparsed() -> &'static Field {
    &UNPARSED
}
