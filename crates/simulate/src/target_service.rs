//! The services of a target.

/// A service of a target, as the cases that test it know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetService {
    /// Its name, by which cases ask for it.
    pub name: &'static str,
    /// The documented port.
    pub port: u16,
    /// Whether it lists servers.
    pub is_list: bool,
}
