//! The reference master without sockets: messages in, messages out, and a simulated clock.

mod adding;
mod cases;
mod defects;
mod games;
mod gamespy_replies;
mod half_life_probes;
mod limits;
mod made_up;
mod names;
mod probes;
mod qr2_probes;
mod servers;
mod shared_probes;
mod unreal;
mod world;
