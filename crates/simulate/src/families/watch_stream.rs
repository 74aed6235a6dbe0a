//! What a program that watches a master does on a TCP connection to it.

/// How far a connection to a master is.
#[derive(Debug, Clone, Copy)]
pub struct StreamTurn<'a> {
    /// How many messages were sent on it.
    pub sent: usize,
    /// What the master has sent since the last of them, or since the beginning.
    pub received: &'a [u8],
    /// Whether the master has ended the connection: nothing more will come.
    pub is_over: bool,
}

/// What comes next on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamStep<T> {
    /// What came is not whole yet, or is not what was expected.
    Wait,
    /// The same, and what came is the beginning of a list.
    Begun,
    /// These bytes are sent; what came so far is read.
    Send(Vec<u8>),
    /// The master says that it refuses.
    Refused,
    /// It is done.
    Done(T),
}
