//! Numbers that are dense in their table, each kind a type of its own.

/// Declares a type for numbers of one kind, so that a number of another kind is not taken for one.
///
/// What it costs is nothing: it is a `u32`. A number that does not fit is refused where it is made.
///
/// ```
/// quotient_bits::id! {
///     /// A lamp, by its place in the row.
///     pub LampId, "a row has fewer than 2^32 lamps"
/// }
/// let lamp = LampId::from_index(7);
/// assert_eq!((lamp, lamp.index(), lamp.number()), (LampId::new(7), 7, 7));
/// assert_eq!(LampId::all(2).collect::<Vec<_>>(), [LampId::new(0), LampId::new(1)]);
/// ```
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $visible:vis $name:ident, $too_many:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        $visible struct $name(u32);

        impl $name {
            /// The one with this number.
            #[inline]
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// The one with this place in a table.
            ///
            /// # Panics
            /// If the place does not fit in 32 bits.
            #[inline]
            pub fn from_index(index: usize) -> $name {
                match u32::try_from(index) {
                    Ok(number) => $name(number),
                    Err(_) => panic!($too_many),
                }
            }

            /// The first so many of them, in order.
            ///
            /// # Panics
            /// If there are more than fit in 32 bits.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = $name> + Clone {
                let Ok(count) = u32::try_from(count) else {
                    panic!($too_many)
                };
                (0..count).map($name)
            }

            /// The number, to index a table with.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The number.
            #[inline]
            pub const fn number(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
