//! Editing: replaces values in a message as it was sent, and keeps all other bytes.
//!
//! An edit is one more sink. Leaves tile a payload, so copying every leaf copies the message, and
//! writing some of them anew edits it: no infostring, list or record needs code of its own for
//! editing. Size fields are updated, and a coded range is coded again only if its content changed.
//! The result is verified: [`edit`] writes, [`confirm`] reads it again.

use std::fmt;
use std::net::SocketAddr;

use super::coded::{Coding, Scratch};
use super::compact_index::CompactIndex;
use super::fault::{Anomaly, Fault};
use super::field::{Field, Kind};
use super::reader::ReportFn;
use super::shape::{Endian, Halves, New, Shape, Value};
use super::span::{Group, Sink};

/// A value that may be replaced.
#[derive(Debug, Clone, Copy)]
pub struct Leaf<'a> {
    /// Its meaning.
    pub field: &'static Field,
    /// The shape of `bytes`.
    pub shape: Shape,
    /// Its bytes in the message.
    pub bytes: &'a [u8],
    /// Of a value with a key: the key.
    pub key: &'a [u8],
    /// Of the parts of a record with an address and a port: both.
    pub endpoint: Option<SocketAddr>,
    /// 0: in the payload; 1: inside a coded range.
    pub layer: u8,
}

/// Called for each leaf in order, including empty ones and separators, but not for sizes and coded
/// ranges, which are updated automatically; returns the new value, or `None` to keep it.
pub type ChangeFn<'c> = dyn FnMut(&Leaf<'_>) -> Option<New> + 'c;

/// The result of [`edit`], for [`confirm`] to compare.
#[derive(Debug, Default)]
pub struct Edit {
    trace: Trace,
    fault: Option<Fault>,
    changed: usize,
}

/// Why a message could not be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditError {
    /// The field's shape cannot hold the value: a port above 65535, an IPv6 address in four bytes.
    Refused(&'static str),
    /// What was changed inside of a coded range cannot be coded.
    Coding(Fault),
    /// Read again, the message has another value than requested: the new text contains the end of
    /// the value, or changes the meaning of what follows.
    ReadsOtherwise,
}

/// Writes `bytes`, which `report` reads, to `out`, with the values that `change` returns. A message
/// with a fault is written too; its unread rest is a leaf.
///
/// # Errors
/// If a field cannot hold its new value, or what was changed cannot be coded.
pub fn edit(
    report: ReportFn,
    bytes: &[u8],
    scratch: &mut Scratch,
    change: &mut ChangeFn<'_>,
    out: &mut Vec<u8>,
) -> Result<Edit, EditError> {
    out.clear();
    let mut splice = Splice::new(change, out);
    let fault = report(bytes, scratch, &mut splice);
    let Splice { edit, refused, .. } = splice;
    refused.map_or(Ok(Edit { fault, ..edit }), Err)
}

/// Reads the output of [`edit`]: the number of new leaves.
///
/// # Errors
/// If a leaf is not as requested, or reading stops at another place than before.
pub fn confirm(
    report: ReportFn,
    written: &[u8],
    scratch: &mut Scratch,
    edit: &Edit,
) -> Result<usize, EditError> {
    if edit.changed == 0 {
        return Ok(0);
    }
    let mut trace = Trace::default();
    let fault = report(written, scratch, &mut trace);
    let place = |fault: Option<Fault>| fault.map(|f| (f.layer, f.want));
    if trace == edit.trace && place(fault) == place(edit.fault) {
        return Ok(edit.changed);
    }
    Err(EditError::ReadsOtherwise)
}

/// Copies leaves, or writes their new values.
struct Splice<'e, 'c> {
    change: &'e mut ChangeFn<'c>,
    out: &'e mut Vec<u8>,
    edit: Edit,
    refused: Option<EditError>,
    /// The open sizes and coded ranges.
    marks: Vec<WritePosition>,
    /// Number of bytes of the original that have been read.
    read: usize,
    /// The parts of a record, which wait until the record is complete.
    record: Option<Vec<(&'static Field, Shape, Vec<u8>)>>,
    /// The latest key, for the value after it.
    key: Vec<u8>,
    layer: u8,
}

/// The start position of an open range.
struct WritePosition {
    /// In `out`.
    written: usize,
    read: usize,
    changed: usize,
    /// How the size before it is written.
    shape: Shape,
    /// How many bytes the size before it has.
    width: usize,
}

impl<'e, 'c> Splice<'e, 'c> {
    fn new(change: &'e mut ChangeFn<'c>, out: &'e mut Vec<u8>) -> Self {
        let (edit, refused, marks, read) = (Edit::default(), None, Vec::new(), 0);
        let (record, key, layer) = (None, Vec::new(), 0);
        Self { change, out, edit, refused, marks, read, record, key, layer }
    }

    fn mark(&mut self, shape: Shape, width: usize) {
        let (written, read, changed) = (self.out.len(), self.read, self.edit.changed);
        self.marks.push(WritePosition { written, read, changed, shape, width });
    }

    fn write_leaf(
        &mut self,
        field: &'static Field,
        shape: Shape,
        bytes: &[u8],
        endpoint: Option<SocketAddr>,
    ) {
        let is_value = !matches!(field.kind, Kind::Key | Kind::Separator);
        let key = if is_value { self.key.as_slice() } else { b"" };
        let layer = self.layer;
        let new = (self.change)(&Leaf { field, shape, bytes, key, endpoint, layer });
        let begin = self.out.len();
        match new {
            None => self.out.extend_from_slice(bytes),
            Some(new) => {
                if shape.write(&new, bytes, self.out).is_none() {
                    self.refused.get_or_insert(EditError::Refused(field.name));
                }
            }
        }
        let written = self.out.get(begin..).unwrap_or_default();
        self.edit.changed += usize::from(written != bytes);
        self.edit.trace.push(field, written);
        match field.kind {
            // The original key, even if it was replaced.
            Kind::Key => bytes.clone_into(&mut self.key),
            Kind::Separator => {}
            _ => self.key.clear(),
        }
    }
}

impl Sink for Splice<'_, '_> {
    fn leaf(&mut self, field: &'static Field, shape: Shape, _: usize, bytes: &[u8]) {
        self.read += bytes.len();
        match &mut self.record {
            Some(parts) => parts.push((field, shape, bytes.to_vec())),
            None => self.write_leaf(field, shape, bytes, None),
        }
    }

    fn open(&mut self, _: &'static Field, group: Group, _: usize) {
        if group == Group::Endpoint {
            self.record = Some(Vec::new());
        }
    }

    fn close(&mut self, _: usize) {
        let Some(parts) = self.record.take() else {
            return;
        };
        let mut halves = Halves::default();
        for (_, shape, bytes) in &parts {
            halves.add_leaf(*shape, bytes);
        }
        let endpoint = halves.whole();
        for (field, shape, bytes) in parts {
            self.write_leaf(field, shape, &bytes, endpoint);
        }
    }

    fn note(&mut self, _: Anomaly, _: usize, _: usize) {}

    fn size(&mut self, field: &'static Field, shape: Shape, _: usize, bytes: &[u8]) {
        self.read += bytes.len();
        self.edit.trace.push(field, b"");
        self.out.extend_from_slice(bytes);
        self.mark(shape, bytes.len());
    }

    /// A size that was wrong stays wrong by the same difference.
    fn sized(&mut self) {
        let Some(WritePosition { written, read, changed, shape, width }) = self.marks.pop() else {
            return;
        };
        let grown = (self.out.len() - written).wrapping_sub(self.read - read) as u32;
        if self.edit.changed == changed || grown == 0 {
            return;
        }
        let Some(head) = self.out.get_mut(..written) else {
            return;
        };
        match (head.last_chunk_mut::<4>(), shape) {
            (_, Shape::CompactIndex) => {
                let begin = written.saturating_sub(width);
                let size = head.get(begin..).unwrap_or_default();
                if let Ok((index, _)) = CompactIndex::split_off(size) {
                    let unit = if index.is_negative { 2 } else { 1 };
                    let value =
                        index.value.wrapping_add_signed(grown.cast_signed() as isize / unit);
                    let size = CompactIndex { value, ..index }.bytes();
                    self.out.splice(begin..written, size);
                }
            }
            _ if width == 1 => {
                if let (Some(size), Ok(grown)) =
                    (head.last_mut(), i8::try_from(grown.cast_signed()))
                {
                    *size = size.wrapping_add_signed(grown);
                }
            }
            (Some(size), Shape::Unsigned(Endian::Big)) => {
                *size = u32::from_be_bytes(*size).wrapping_add(grown).to_be_bytes();
            }
            (Some(size), _) => {
                *size = u32::from_le_bytes(*size).wrapping_add(grown).to_le_bytes();
            }
            (None, _) => {}
        }
    }

    fn enter(&mut self, field: &'static Field, _: usize, _: &[u8]) {
        self.edit.trace.push(field, b"");
        self.mark(Shape::Raw, 0);
        self.layer += 1;
    }

    fn leave(&mut self, coding: &dyn Coding, coded: &[u8]) {
        self.layer -= 1;
        let Some(WritePosition { written, read, changed, .. }) = self.marks.pop() else {
            return;
        };
        self.read = read + coded.len();
        let plain = self.out.split_off(written);
        if self.edit.changed == changed {
            self.out.extend_from_slice(coded);
        } else if let Err(fault) = coding.apply(&plain, self.out) {
            self.refused.get_or_insert(EditError::Coding(fault));
        }
    }
}

/// Every leaf with its bytes, except sizes and coded ranges, which depend on others.
#[derive(Debug, Default)]
struct Trace {
    leaves: Vec<(&'static Field, usize)>,
    bytes: Vec<u8>,
}

impl Trace {
    fn push(&mut self, field: &'static Field, bytes: &[u8]) {
        self.leaves.push((field, bytes.len()));
        self.bytes.extend_from_slice(bytes);
    }
}

impl PartialEq for Trace {
    fn eq(&self, other: &Self) -> bool {
        let same =
            |((a, m), (b, n)): (&(&Field, usize), &(&Field, usize))| std::ptr::eq(*a, *b) && m == n;
        self.bytes == other.bytes
            && self.leaves.len() == other.leaves.len()
            && self.leaves.iter().zip(&other.leaves).all(same)
    }
}

impl Sink for Trace {
    fn leaf(&mut self, field: &'static Field, _: Shape, _: usize, bytes: &[u8]) {
        self.push(field, bytes);
    }
    fn open(&mut self, _: &'static Field, _: Group, _: usize) {}
    fn close(&mut self, _: usize) {}
    fn note(&mut self, _: Anomaly, _: usize, _: usize) {}
    fn size(&mut self, field: &'static Field, _: Shape, _: usize, _: &[u8]) {
        self.push(field, b"");
    }
    fn enter(&mut self, field: &'static Field, _: usize, _: &[u8]) {
        self.push(field, b"");
    }
    fn leave(&mut self, _: &dyn Coding, _: &[u8]) {}
}

impl<'a> Leaf<'a> {
    /// The value of its bytes.
    pub fn value(&self) -> Value<'a> {
        self.shape.value_of(self.bytes)
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(field) => write!(f, "{field} cannot hold the value"),
            Self::Coding(_) => f.write_str("what was changed cannot be coded"),
            Self::ReadsOtherwise => f.write_str("with the value the message would say otherwise"),
        }
    }
}

impl std::error::Error for EditError {}
