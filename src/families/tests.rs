//! The reference master without sockets: messages in, messages out, and a simulated clock.

mod adding;
mod cases;
mod defects;
mod families;
mod games;
mod gamespy;
mod limits;
mod made_up;
mod names;
mod probes;
mod servers;
mod world;
