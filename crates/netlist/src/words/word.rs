//! Words of any width.

/// A word: its bits, the lowest first.
///
/// ```
/// use quotient_netlist::words::Word;
/// let word = Word::from_number(10, 4);
/// assert_eq!(word.to_string(), "1010");
/// assert_eq!(word.number(), Some(10));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(pub Vec<bool>);

impl Word {
    /// All bits off.
    pub fn zero(width: u32) -> Word {
        Word(vec![false; width as usize])
    }

    /// The lowest bits of a number.
    pub fn from_number(number: u128, width: u32) -> Word {
        let bit = |at: u32| at < 128 && number >> at & 1 == 1;
        Word((0..width).map(bit).collect())
    }

    /// A number by its digits, as BTOR2 writes constants; nothing if it does not fit. Decimal
    /// numbers may be negative, down to the least that a signed word can be.
    ///
    /// ```
    /// use quotient_netlist::words::Word;
    /// assert_eq!(Word::from_digits("-128", 10, 8), Word::from_digits("80", 16, 8));
    /// assert_eq!(Word::from_digits("-129", 10, 8), None);
    /// ```
    pub fn from_digits(digits: &str, base: u32, width: u32) -> Option<Word> {
        let (negative, digits) = match digits.strip_prefix('-').filter(|_| base == 10) {
            Some(digits) => (true, digits),
            None => (false, digits),
        };
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
            return None;
        }
        let mut bits = match base {
            2 => of_digits(digits, base, 1),
            16 => of_digits(digits, base, 4),
            _ => of_decimal(digits, width as usize)?,
        };
        let width = width as usize;
        if bits.iter().skip(width).any(|&bit| bit) {
            return None;
        }
        bits.resize(width, false);
        let word = Word(bits);
        if !negative {
            return Some(word);
        }
        let below = &word.0[..width.saturating_sub(1)];
        let fits = !word.is_negative() || below.iter().all(|&bit| !bit);
        fits.then(|| word.negative())
    }

    /// One bit.
    pub fn bit(value: bool) -> Word {
        Word(vec![value])
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.0.len() as u32
    }

    /// The number that it is, if that is below 2¹²⁸.
    pub fn number(&self) -> Option<u128> {
        if self.0.iter().skip(128).any(|&bit| bit) {
            return None;
        }
        let bits = self.0.iter().take(128).enumerate();
        Some(bits.map(|(at, &bit)| u128::from(bit) << at).sum())
    }

    /// Whether it is the word of one bit that is on.
    pub fn is_on(&self) -> bool {
        self.0 == [true]
    }

    /// Whether the highest bit is on.
    pub fn is_negative(&self) -> bool {
        self.0.last() == Some(&true)
    }

    /// The number with all bits flipped, if asked.
    #[must_use]
    pub fn flip_if(mut self, negate: bool) -> Word {
        if negate {
            self.0.iter_mut().for_each(|bit| *bit = !*bit);
        }
        self
    }

    /// The sum, and whether it leaves the width.
    pub fn plus(&self, other: &Word, mut carry: bool) -> (Word, bool) {
        let mut sum = Vec::with_capacity(self.0.len());
        for (&a, &b) in self.0.iter().zip(&other.0) {
            sum.push(a ^ b ^ carry);
            carry = (a && b) || (carry && (a || b));
        }
        (Word(sum), carry)
    }

    /// The difference, and whether the second is the larger one.
    pub fn minus(&self, other: &Word) -> (Word, bool) {
        let (difference, carry) = self.plus(&other.clone().flip_if(true), true);
        (difference, !carry)
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negative(&self) -> Word {
        Word::zero(self.width()).minus(self).0
    }

    /// The number without its sign.
    #[must_use]
    pub fn magnitude(&self) -> Word {
        match self.is_negative() {
            true => self.negative(),
            false => self.clone(),
        }
    }

    /// Whether the number is below another.
    pub fn is_below(&self, other: &Word) -> bool {
        self.0.iter().rev().lt(other.0.iter().rev())
    }

    /// Whether the signed number is below another.
    pub fn is_signed_below(&self, other: &Word) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.is_below(other),
        }
    }

    /// The lowest bits of the product.
    #[must_use]
    pub fn times(&self, other: &Word) -> Word {
        let width = self.0.len();
        let mut sum = Word::zero(self.width());
        for (at, _) in other.0.iter().enumerate().filter(|&(_, &bit)| bit) {
            let mut shifted = vec![false; at.min(width)];
            shifted.extend(&self.0[..width - at.min(width)]);
            sum = sum.plus(&Word(shifted), false).0;
        }
        sum
    }

    /// Quotient and remainder; by zero, as BTOR2 has it: all bits on, and the number itself.
    pub fn divided(&self, by: &Word) -> (Word, Word) {
        // One bit more, so that the remainder can be doubled.
        let wide = by.clone().extended(1, false);
        let mut rest = Word::zero(wide.width());
        let mut quotient = Word::zero(self.width());
        for at in (0..self.0.len()).rev() {
            rest.0.insert(0, self.0[at]);
            rest.0.pop();
            if !rest.is_below(&wide) {
                rest = rest.minus(&wide).0;
                quotient.0[at] = true;
            }
        }
        rest.0.truncate(self.0.len());
        if by.0.iter().all(|&bit| !bit) {
            return (Word(vec![true; self.0.len()]), self.clone());
        }
        (quotient, rest)
    }

    /// With so many bits more, zeros or copies of the sign.
    #[must_use]
    pub fn extended(mut self, by: u32, signed: bool) -> Word {
        let fill = signed && self.is_negative();
        self.0.extend(std::iter::repeat_n(fill, by as usize));
        self
    }
}

/// The bits of digits that are so many bits each, the lowest first.
fn of_digits(digits: &str, base: u32, each: u32) -> Vec<bool> {
    let mut bits = Vec::with_capacity(digits.len() * each as usize);
    for digit in digits.chars().rev().filter_map(|one| one.to_digit(base)) {
        bits.extend((0..each).map(|at| digit >> at & 1 == 1));
    }
    bits
}

/// The bits of a decimal number, eighteen digits at a time; nothing if it is much too large.
fn of_decimal(digits: &str, width: usize) -> Option<Vec<bool>> {
    let mut parts: Vec<u64> = Vec::new();
    for chunk in digits.as_bytes().chunks(18) {
        let number = chunk.iter().map(|&digit| u64::from(digit - b'0'));
        let mut carry = u128::from(number.fold(0, |all, digit| 10 * all + digit));
        let power = u128::from(10u64.pow(chunk.len() as u32));
        for part in &mut parts {
            carry += u128::from(*part) * power;
            *part = carry as u64;
            carry >>= 64;
        }
        if carry > 0 {
            parts.push(carry as u64);
        }
        if parts.len() > width / 64 + 1 {
            return None;
        }
    }
    let bits = parts
        .iter()
        .flat_map(|&part| (0..64).map(move |at| part >> at & 1 == 1));
    Some(bits.collect())
}

impl std::fmt::Display for Word {
    /// The highest bit first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digit = |&bit: &bool| if bit { '1' } else { '0' };
        f.write_str(&self.0.iter().rev().map(digit).collect::<String>())
    }
}
