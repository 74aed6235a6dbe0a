//! Enums whose values have names in tables, filters and on the screen.

/// Declares such an enum: `ALL` has its values in their order, `name` and `Display` give the name.
///
/// ```text
/// named! {
///     /// How bad it is.
///     pub enum Severity {
///         /// Unusual, but widely done.
///         Note = "note",
///     }
/// }
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$doc])* #[doc = concat!("`", $text, "`")] $value,)+ }

        impl $name {
            /// Every value, in order.
            #[allow(dead_code, reason = "some lists are never read as a whole")]
            $vis const ALL: [Self; [$(stringify!($value)),+].len()] = [$(Self::$value),+];

            /// Its name in tables, filters and on the screen.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
