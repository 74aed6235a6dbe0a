//! What a client asks a server.

use std::marker::PhantomData;

use super::super::C2S;
use super::{TYPE, VERSION, is_of_type};
use codec::{Endian::Little, Pass, Walk};
use protocol::{Message, Spec};

/// A client asks for one kind of information, or for all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Query<'a> {
    pub version: u32,
    pub kind: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Query<'a> {
    const SPEC: Spec = Spec::new("query", &["010 qstat.h"], C2S, b"\x79\0\0\0\0")
        .weak()
        .whole()
        .content_match(b"wxyz{|}~\x7f\x80", |bytes| is_of_type(bytes, |kind| kind <= 3));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&VERSION, Little, &mut self.version)?;
        p.int(&TYPE, Little, &mut self.kind)
    }
}
