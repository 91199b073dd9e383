//! Encryption of files with a passphrase.
//!
//! A file begins with a header: a magic line, the cost parameters and the salt of Argon2id, which derives the key from
//! the passphrase. The content follows in chunks, each encrypted with AES-256-GCM. The nonce of a chunk is its number
//! and whether it is the last one, so chunks cannot be reordered, repeated or cut off (the STREAM construction, as in
//! the file format of age). Every chunk authenticates the header. Memory use does not depend on the size of the file.

use std::io::{self, BufRead, Read, Write};

use argon2::{Algorithm, Argon2, Params, Version};
use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    rand,
};

use crate::secret::Secret;

/// The first bytes of an encrypted file.
pub const MAGIC: &[u8; 21] = b"planroom encrypted 1\n";

/// The error of a first chunk that cannot be decrypted.
pub const WRONG_PASSPHRASE: &str = "the passphrase is wrong, or the file is damaged";

const SALT_BYTES: usize = 16;
const HEADER_BYTES: usize = MAGIC.len() + 3 * 4 + SALT_BYTES;
/// Plain bytes in a chunk; the last one can have fewer.
const CHUNK_BYTES: usize = 64 << 10;
const TAG_BYTES: usize = 16;

/// Memory in KiB, passes and lanes of Argon2id: the second recommended option of RFC 9106 with a single lane, because
/// lanes are computed one after the other here.
const COST: [u32; 3] = [64 << 10, 3, 1];
/// Maximum cost that is accepted in a file, so that a forged header cannot exhaust memory or time.
const MAX_COST: [u32; 3] = [1 << 20, 16, 16];

/// The key and the position in a file.
struct Chunks {
    key: LessSafeKey,
    header: [u8; HEADER_BYTES],
    number: u64,
}

impl Chunks {
    fn new(passphrase: &Secret, header: [u8; HEADER_BYTES]) -> io::Result<Self> {
        let number = |at: usize| {
            let at = MAGIC.len() + at * 4;
            header[at..at + 4].iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
        };
        let cost = [number(0), number(1), number(2)];
        if cost.iter().zip(MAX_COST).any(|(cost, max)| *cost > max) {
            return Err(damaged("its header is invalid"));
        }
        let params = Params::new(cost[0], cost[1], cost[2], Some(32)).map_err(|_| damaged("its header is invalid"))?;
        let mut key = [0; 32];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase.reveal().as_bytes(), &header[HEADER_BYTES - SALT_BYTES..], &mut key)
            .map_err(|error| io::Error::other(format!("cannot derive the key from the passphrase: {error}")))?;
        let key = UnboundKey::new(&AES_256_GCM, &key).map_err(|_| io::Error::other("cannot use the derived key"))?;
        Ok(Self { key: LessSafeKey::new(key), header, number: 0 })
    }

    /// The nonce of the next chunk. It is unique for the key because the salt, and therefore the key, is random.
    fn nonce(&mut self, is_last: bool) -> Nonce {
        let mut nonce = [0; 12];
        nonce[3..11].copy_from_slice(&self.number.to_be_bytes());
        nonce[11] = u8::from(is_last);
        self.number += 1;
        Nonce::assume_unique_for_key(nonce)
    }
}

/// Encrypts what is written to it. Without [`EncryptWriter::finish`], the file is incomplete and cannot be decrypted.
pub struct EncryptWriter<W> {
    inner: W,
    chunks: Chunks,
    buffer: Vec<u8>,
}

impl<W: Write> EncryptWriter<W> {
    /// Writes the header. Takes about 100 ms and 64 MiB to derive the key.
    pub fn new(mut inner: W, passphrase: &Secret) -> io::Result<Self> {
        let mut header = [0; HEADER_BYTES];
        header[..MAGIC.len()].copy_from_slice(MAGIC);
        for (index, cost) in COST.iter().enumerate() {
            let at = MAGIC.len() + index * 4;
            header[at..at + 4].copy_from_slice(&cost.to_le_bytes());
        }
        rand::fill(&mut header[HEADER_BYTES - SALT_BYTES..])
            .map_err(|_| io::Error::other("the operating system has no random numbers"))?;
        let chunks = Chunks::new(passphrase, header)?;
        inner.write_all(&header)?;
        Ok(Self { inner, chunks, buffer: Vec::with_capacity(CHUNK_BYTES + TAG_BYTES) })
    }

    /// Writes the last chunk and returns the inner writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.inner)
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        let nonce = self.chunks.nonce(is_last);
        self.chunks
            .key
            .seal_in_place_append_tag(nonce, Aad::from(self.chunks.header), &mut self.buffer)
            .map_err(|_| io::Error::other("encryption failed"))?;
        self.inner.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl<W: Write> Write for EncryptWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full buffer is written only when more follows, because the last chunk is marked.
        if self.buffer.len() == CHUNK_BYTES && !bytes.is_empty() {
            self.seal(false)?;
        }
        let taken = bytes.len().min(CHUNK_BYTES - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Decrypts a file. Every returned byte has been authenticated; a file that was cut off ends with an error.
pub struct DecryptReader<R> {
    inner: R,
    chunks: Chunks,
    plain: Vec<u8>,
    read: usize,
    is_done: bool,
}

impl<R: BufRead> DecryptReader<R> {
    /// Reads the header.
    pub fn new(mut inner: R, passphrase: &Secret) -> io::Result<Self> {
        let mut header = [0; HEADER_BYTES];
        inner.read_exact(&mut header).map_err(|_| damaged("its header is incomplete"))?;
        if !header.starts_with(MAGIC) {
            return Err(damaged("it is not an encrypted file"));
        }
        let chunks = Chunks::new(passphrase, header)?;
        Ok(Self { inner, chunks, plain: Vec::new(), read: 0, is_done: false })
    }

    /// Decrypts the next chunk.
    fn open(&mut self) -> io::Result<()> {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES + TAG_BYTES);
        (&mut self.inner).take((CHUNK_BYTES + TAG_BYTES) as u64).read_to_end(&mut chunk)?;
        self.is_done = self.inner.fill_buf()?.is_empty();
        let is_first = self.chunks.number == 0;
        let nonce = self.chunks.nonce(self.is_done);
        let opened = self.chunks.key.open_in_place(nonce, Aad::from(self.chunks.header), &mut chunk);
        let length = opened.map(|plain| plain.len()).map_err(|_| {
            if is_first {
                io::Error::new(io::ErrorKind::InvalidData, WRONG_PASSPHRASE)
            } else {
                damaged("a part of it was changed or is missing")
            }
        })?;
        chunk.truncate(length);
        (self.plain, self.read) = (chunk, 0);
        Ok(())
    }
}

impl<R: BufRead> Read for DecryptReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.read == self.plain.len() && !self.is_done {
            self.open()?;
        }
        let taken = into.len().min(self.plain.len() - self.read);
        into[..taken].copy_from_slice(&self.plain[self.read..self.read + taken]);
        self.read += taken;
        Ok(taken)
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the file is damaged: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encrypted(plain: &[u8], passphrase: &str) -> Vec<u8> {
        let mut writer = EncryptWriter::new(Vec::new(), &Secret::new(passphrase)).unwrap();
        writer.write_all(plain).unwrap();
        writer.finish().unwrap()
    }

    fn decrypted(file: &[u8], passphrase: &str) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        DecryptReader::new(file, &Secret::new(passphrase))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn files_of_any_size_are_restored() {
        for size in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES] {
            let plain: Vec<u8> = (0..=250).cycle().take(size).collect();
            assert_eq!(decrypted(&encrypted(&plain, "long enough"), "long enough").unwrap(), plain, "{size}");
        }
    }

    #[test]
    fn changed_files_and_wrong_passphrases_are_rejected() {
        let file = encrypted(&vec![7; 2 * CHUNK_BYTES + 9], "long enough");
        assert_ne!(file, encrypted(&vec![7; 2 * CHUNK_BYTES + 9], "long enough"), "the salt is random");
        let text = |file: &[u8], passphrase: &str| decrypted(file, passphrase).unwrap_err().to_string();
        assert!(text(&file, "long enougH").starts_with("the passphrase is wrong"));
        let chunk = CHUNK_BYTES + TAG_BYTES;
        // Each byte of interest: magic, cost, salt, each chunk, and the last tag.
        for at in [0, MAGIC.len() + 2, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + chunk, file.len() - 1] {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(decrypted(&changed, "long enough").is_err(), "{at}");
        }
        let cut = |end: usize| text(&file[..end], "long enough");
        assert!(cut(HEADER_BYTES - 1).contains("header is incomplete"));
        assert!(cut(HEADER_BYTES + chunk).contains("the passphrase is wrong"), "the first chunk is not the last");
        assert!(cut(HEADER_BYTES + 2 * chunk).contains("missing"));
        assert!(cut(file.len() - 1).contains("missing"));
        let mut swapped = file.clone();
        swapped[HEADER_BYTES..HEADER_BYTES + 2 * chunk].rotate_left(chunk);
        assert!(decrypted(&swapped, "long enough").is_err());
        assert!(decrypted(&[&file[..], b"more"].concat(), "long enough").is_err());
    }

    #[test]
    fn a_forged_header_cannot_exhaust_memory() {
        let mut file = encrypted(b"x", "long enough");
        file[MAGIC.len() + 3] = 0x7f;
        assert!(decrypted(&file, "long enough").unwrap_err().to_string().contains("header is invalid"));
    }
}
