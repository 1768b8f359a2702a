//! A connection that notices when the other side goes away without a word.
//!
//! The engine breaks down when a connection ends early. Here the loss is noted, so that the
//! workers can end in order and say who was lost.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::Ordering::SeqCst;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::{Lost, NOBODY};

/// The bytes before each message, and where in them its length is.
const HEADER: usize = 48;
const LENGTH: std::ops::Range<usize> = 32..40;

pub(super) struct Watched {
    inner: TcpStream,
    process: usize,
    lost: Lost,
    /// The header of the message that is being read, and how much of it is there.
    header: [u8; HEADER],
    filled: usize,
    /// How many bytes of a message are still to come.
    rest: u64,
    /// The other side has said that it is done.
    is_done: bool,
}

impl Watched {
    pub(super) fn new(inner: TcpStream, process: usize, lost: Lost) -> Watched {
        Watched {
            inner,
            process,
            lost,
            header: [0; HEADER],
            filled: 0,
            rest: 0,
            is_done: false,
        }
    }

    fn note(&self) {
        let _ = self
            .lost
            .compare_exchange(NOBODY, self.process, SeqCst, SeqCst);
    }

    /// Follows what is read from message to message.
    fn follow(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.rest > 0 {
                let passed = self.rest.min(bytes.len() as u64);
                self.rest -= passed;
                bytes = &bytes[passed as usize..];
                continue;
            }
            let taken = (HEADER - self.filled).min(bytes.len());
            self.header[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
            self.filled += taken;
            bytes = &bytes[taken..];
            if self.filled == HEADER {
                self.filled = 0;
                let mut length = [0; 8];
                length.copy_from_slice(&self.header[LENGTH]);
                self.rest = u64::from_be_bytes(length);
                self.is_done |= self.rest == 0;
            }
        }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.inner.read(buffer) {
                Ok(0) if self.is_done => return Ok(0),
                Ok(read) if read > 0 => {
                    self.follow(&buffer[..read]);
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => {
                    self.note();
                    // Nothing will come any more; whoever reads must not go on.
                    loop {
                        std::thread::park();
                    }
                }
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.inner.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(written) if written > 0 => Ok(written),
            _ => {
                self.note();
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.inner.flush().is_err() {
            self.note();
        }
        Ok(())
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Watched> {
        let inner = self.inner.try_clone()?;
        Ok(Watched::new(inner, self.process, self.lost.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.inner.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Who is gone need not be told that we are.
        let _ = self.inner.shutdown(how);
        Ok(())
    }
}
