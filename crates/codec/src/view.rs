//! Values that are views of their bytes.

/// Declares a type of values that keep their bytes as they were sent.
macro_rules! view {
    ($(#[$doc:meta])+ $name:ident) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct $name<'a> {
            raw: &'a [u8],
        }

        impl<'a> $name<'a> {
            /// The value with these bytes; which of them belong to it is not checked.
            pub fn new(raw: &'a [u8]) -> Self {
                Self { raw }
            }

            /// Its bytes.
            pub fn raw(self) -> &'a [u8] {
                self.raw
            }
        }

        impl<'a> $crate::RawBytes<'a> for $name<'a> {
            fn from_raw(raw: &'a [u8]) -> Self {
                Self { raw }
            }

            fn raw(&self) -> &'a [u8] {
                self.raw
            }
        }
    };
}
pub(super) use view;
