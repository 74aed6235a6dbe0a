//! A master without sockets: messages in, messages out, and a clock that is made up.

mod defects;
mod games;
mod gamespy;
mod limits;
mod probes;
mod world;
