//! Makes a model smaller while something about it stays as it is: delta debugging (Zeller and
//! Hildebrandt 2002) on lines, then on tokens.

use crate::mutate::cut;
use crate::sample::Sample;

/// The smallest model that was found for which the test still says yes. The test is asked at most
/// `most` times.
///
/// ```
/// use quotient_soak::{Sample, minimise};
/// let sample = Sample::of("toy", "a.toy", "one\ntwo three\nfour\n");
/// let small = minimise(&sample, 1000, &mut |sample| sample.text().contains("three"));
/// assert_eq!(small.text(), "three");
/// ```
pub fn minimise(sample: &Sample, most: usize, still: &mut dyn FnMut(&Sample) -> bool) -> Sample {
    let mut search = Search {
        best: sample.clone(),
        left: most,
        still,
    };
    loop {
        let before = search.best.len();
        for file in 0..search.best.files.len() {
            search.pieces(file, |text| {
                text.split_inclusive('\n').map(str::to_owned).collect()
            });
            search.pieces(file, |text| {
                cut(text).into_iter().map(str::to_owned).collect()
            });
        }
        search.files();
        if search.best.len() == before || search.left == 0 {
            return search.best;
        }
    }
}

struct Search<'a> {
    best: Sample,
    left: usize,
    still: &'a mut dyn FnMut(&Sample) -> bool,
}

impl Search<'_> {
    fn try_one(&mut self, sample: Sample) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let good = (self.still)(&sample);
        if good {
            self.best = sample;
        }
        good
    }

    /// Leaves out runs of pieces of a file, long ones first.
    fn pieces(&mut self, file: usize, cut: fn(&str) -> Vec<String>) {
        let mut pieces = cut(&self.best.files[file].1);
        let mut length = pieces.len().div_ceil(2);
        while length > 0 && self.left > 0 {
            let mut start = 0;
            while start < pieces.len() && self.left > 0 {
                let end = (start + length).min(pieces.len());
                let mut fewer = pieces.clone();
                fewer.drain(start..end);
                let mut sample = self.best.clone();
                sample.files[file].1 = fewer.concat();
                match self.try_one(sample) {
                    true => pieces = fewer,
                    false => start = end,
                }
            }
            length = match length {
                1 => 0,
                more => more.div_ceil(2),
            };
        }
    }

    /// Leaves out whole files that only stand beside.
    fn files(&mut self) {
        let mut file = 1;
        while file < self.best.files.len() {
            let mut sample = self.best.clone();
            sample.files.remove(file);
            if !self.try_one(sample) {
                file += 1;
            }
        }
    }
}
