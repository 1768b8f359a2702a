//! Variables by number: a type for integers and one for Booleans, so that one is not taken for the
//! other.

/// A type for variables of one kind, with what both have.
macro_rules! variable {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The variable with this number.
            ///
            /// # Panics
            /// If the number does not fit in 32 bits.
            #[inline]
            pub fn from_index(index: usize) -> $name {
                match u32::try_from(index) {
                    Ok(number) => $name(number),
                    Err(_) => panic!("there are fewer than 2^32 variables"),
                }
            }

            /// The number, to index a table with.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

variable! {
    /// An integer variable, by number.
    ///
    /// ```
    /// use quotient_arithmetic::{Integer, Linear};
    /// let x = Integer::from_index(0);
    /// assert_eq!(Linear::variable(x).value(&[7]), Some(7));
    /// ```
    Integer
}

variable! {
    /// A Boolean variable, by number.
    ///
    /// ```
    /// use quotient_arithmetic::{Boolean, Condition};
    /// let door = Condition::Boolean(Boolean::from_index(0));
    /// assert_eq!(door.holds(&[], &[true]), Some(true));
    /// ```
    Boolean
}
