//! The lowest layer: how a message's bytes are walked, and the types of its fields.
//!
//! A message is declared once, as a function that walks its slots through a [`Pass`]. Reading,
//! annotating, writing and describing are passes over that one function, so they cannot disagree.
//! Nothing here knows a game, does IO, or reads a clock; reading does not allocate once its
//! [`Scratch`] has grown.
//!
//! *Invariant:* every byte of a payload lies in exactly one leaf on layer 0. Readers only advance
//! by consuming bytes, and [`Parts`] reports the rest of a view as unparsed, so no view can break
//! it.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addrs;
mod coded;
mod compact_index;
mod counted;
mod decimal;
mod edit;
mod endpoints;
mod fault;
mod field;
mod grammar;
mod headers;
mod huffman;
mod info;
mod keys;
mod lines;
mod outline;
mod packed_int;
mod pairs;
mod pass;
mod pinfo;
mod reader;
mod records;
mod secret;
mod seen;
mod shape;
mod span;
pub mod swar;
mod tokens;
mod view;
mod wide_info;
mod writer;

pub use addrs::{
    AddrForm, Addrs, Digits, PLAIN_BIG, PLAIN_BIG6, PLAIN_FINAL, PLAIN_LINKS, PLAIN_LITTLE, QUAKE3,
    QUAKE3_EXT, QUAKE3_HEX,
};
pub use coded::{Coded, Coding, Scratch};
pub use counted::{CountedPairs, CountedText, Counting};
pub use decimal::{CommandWord, Decimal};
pub use edit::{ChangeFn, Edit, EditError, Leaf, confirm, edit};
pub use endpoints::{EndpointForm, Endpoints, IP_PAIRS, LINES};
pub use fault::{Anomaly, Fault, Limit, Want};
pub use field::{BitMeanings, Field, FieldRole, Kind, NumberParts, PackedNumber, tag};
pub use grammar::{Grammar, GrammarBranch, GrammarStep, LineLayout, ViewLayout};
pub use headers::Headers;
pub use huffman::Huffman;
pub use info::{Info, InfoForm};
pub use keys::{Keys, key_fits};
pub use lines::{LineColumn, LineForm, Lines, TextLine};
pub use outline::{Outline, OutlineLine, OutlinePart, Prefix};
pub use packed_int::PackedInt;
pub use pairs::{KeyList, Pairs};
pub use pass::{Body, Choice, Int, Pass, RawBytes, Size, SizeForm, Spelling, View, Walk};
pub use pinfo::PaddedInfo;
pub use reader::{Decoded, Reader, ReportFn, decode, decode_with};
pub use records::{
    RecordForm, RecordPart, Records, RecordsEnd, Width, bytes, counted, counted_pairs, packed, text,
};
pub use secret::{
    SECRET_KEYS, SecretKey, WordPosition, YES_OR_NO, any_secret_word, is_secret_key, is_yes_or_no,
    may_name_secret, secret_field,
};
pub use shape::{Endian, Halves, New, Shape, Value};
pub use span::{Group, Node, Notice, Parts, Sink, Span, Spans};
pub use tokens::Tokens;
pub use wide_info::WideInfo;
pub use writer::{Writer, encode};
