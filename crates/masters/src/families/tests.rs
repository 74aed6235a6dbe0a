//! The reference master without sockets: messages in, messages out, and a simulated clock.

mod boundary_probes;
mod defects;
mod games;
mod gamespy_replies;
mod half_life_probes;
mod limits;
mod names;
mod probes;
mod qr2_probes;
mod shared_probes;
mod unreal;
mod world;
