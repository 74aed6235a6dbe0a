//! Macros for declarations that several protocols repeat.

/// Declares messages that have the same slots and the same walk, and differ in a value, mostly their
/// command, and in their declaration.
macro_rules! messages {
    (
        $slots:tt |$this:ident, $p:ident, $value:ident: $type:ty| $walk:block
        $($(#[$doc:meta])+ $name:ident = $own:expr, $spec:expr;)+
    ) => {$(
        $crate::declare::messages! { @one [$(#[$doc])+ $name] $slots $spec, |$this, $p| {
            let $value: $type = $own;
            $walk
        } }
    )+};
    (
        @one [$(#[$doc:meta])+ $name:ident] { $($slot:ident: $type:ty),+ $(,)? }
        $spec:expr, |$this:ident, $p:ident| $walk:block
    ) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> { $(pub $slot: $type,)+ }

        impl<'a> protocol::Message<'a> for $name<'a> {
            const SPEC: protocol::Spec = $spec;

            fn walk<P: codec::Pass<'a>>(&mut $this, $p: &mut P) -> codec::Walk {
                $walk
            }
        }
    };
}
pub(super) use messages;

/// Declares messages of one word, with the bytes that may follow it.
macro_rules! words {
    ($($(#[$doc:meta])+ $name:ident = $word:literal, $ends:expr, $spec:expr;)+) => {
        $crate::declare::messages! {
            { command: codec::CommandWord<'a>, newline: u8 }
            |self, p, value: (&'static [u8], &'static [codec::Spelling])| {
                $crate::oob(p, value.0, &mut self.command)?;
                p.one_of(&$crate::NEWLINE, value.1, &mut self.newline)
            }
            $($(#[$doc])+ $name = ($word, $ends), $spec;)+
        }
    };
}
pub(super) use words;

/// Declares choices between two forms: the second applies if a condition on the next bytes holds.
macro_rules! choices {
    ($(
        $(#[$doc:meta])+ $name:ident { $first:ident $when_first:literal, $second:ident $when_second:literal }
        |$rest:ident| $is_second:expr;
    )+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub enum $name {
            #[doc = $when_first]
            #[default]
            $first,
            #[doc = $when_second]
            $second,
        }

        impl codec::Choice for $name {
            const ALL: &'static [(Self, &'static str)] =
                &[(Self::$first, $when_first), (Self::$second, $when_second)];

            fn peek($rest: &[u8]) -> Self {
                if $is_second { Self::$second } else { Self::$first }
            }
        }
    )+};
}
pub(super) use choices;
