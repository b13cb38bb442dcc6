//! What `std` has of Unix alone, under the same names.

pub mod ffi {
    use std::ffi::{OsStr, OsString};

    pub trait OsStrExt {
        fn as_bytes(&self) -> &[u8];
        fn from_bytes(bytes: &[u8]) -> &Self;
    }

    impl OsStrExt for OsStr {
        fn as_bytes(&self) -> &[u8] {
            self.as_encoded_bytes()
        }

        /// What is no text is no name here.
        fn from_bytes(bytes: &[u8]) -> &Self {
            Self::new(std::str::from_utf8(bytes).unwrap_or_default())
        }
    }

    pub trait OsStringExt {
        fn from_vec(bytes: Vec<u8>) -> Self;
    }

    impl OsStringExt for OsString {
        fn from_vec(bytes: Vec<u8>) -> Self {
            String::from_utf8_lossy(&bytes).into_owned().into()
        }
    }
}

pub mod fs {
    use std::fs::{DirBuilder, File, FileType, Metadata, OpenOptions, Permissions};
    use std::io::{Error, ErrorKind, Result};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Which file it is. That is not known here, so no two answers are the same: a file may always
    /// be another one than before.
    #[derive(Clone, Copy, Debug)]
    pub struct Identity {
        pub device: u64,
        pub inode: u64,
    }

    impl Identity {
        pub(crate) fn of(_: &Metadata) -> Self {
            static ANSWERS: AtomicU64 = AtomicU64::new(1);
            Self {
                device: 0,
                inode: ANSWERS.fetch_add(1, Ordering::Relaxed),
            }
        }
    }

    pub trait MetadataExt {
        fn dev(&self) -> u64;
        fn ino(&self) -> u64;
        fn mode(&self) -> u32;
        fn size(&self) -> u64;

        fn mtime(&self) -> i64;
        fn mtime_nsec(&self) -> i64;

        fn rdev(&self) -> u64 {
            0
        }

        fn uid(&self) -> u32 {
            u32::MAX
        }

        fn gid(&self) -> u32 {
            u32::MAX
        }

        fn nlink(&self) -> u64 {
            1
        }

        /// As many as its length needs.
        fn blocks(&self) -> u64 {
            self.size().div_ceil(512)
        }
    }

    impl MetadataExt for Metadata {
        fn dev(&self) -> u64 {
            Identity::of(self).device
        }

        fn ino(&self) -> u64 {
            Identity::of(self).inode
        }

        fn mode(&self) -> u32 {
            crate::fs::mode_of(self)
        }

        fn size(&self) -> u64 {
            self.len()
        }

        fn mtime(&self) -> i64 {
            modified(self).as_secs() as i64
        }

        fn mtime_nsec(&self) -> i64 {
            modified(self).subsec_nanos().into()
        }
    }

    /// When it was changed last, since 1970.
    fn modified(meta: &Metadata) -> std::time::Duration {
        let at = meta.modified().ok();
        let since = at.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        since.unwrap_or_default()
    }

    pub trait FileTypeExt {
        fn is_block_device(&self) -> bool {
            false
        }

        fn is_char_device(&self) -> bool {
            false
        }

        fn is_fifo(&self) -> bool {
            false
        }

        fn is_socket(&self) -> bool {
            false
        }
    }

    impl FileTypeExt for FileType {}

    pub trait PermissionsExt {
        fn mode(&self) -> u32;
        fn set_mode(&mut self, mode: u32);
    }

    impl PermissionsExt for Permissions {
        fn mode(&self) -> u32 {
            if self.readonly() { 0o400 } else { 0o600 }
        }

        fn set_mode(&mut self, _: u32) {}
    }

    pub trait OpenOptionsExt: Sized {
        fn mode(&mut self, _: u32) -> &mut Self {
            self
        }

        fn custom_flags(&mut self, _: i32) -> &mut Self {
            self
        }
    }

    impl OpenOptionsExt for OpenOptions {}

    pub trait DirBuilderExt: Sized {
        fn mode(&mut self, _: u32) -> &mut Self {
            self
        }
    }

    impl DirBuilderExt for DirBuilder {}

    /// Reads and writes at an offset.
    pub trait FileExt {
        fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<usize>;
        fn write_at(&self, bytes: &[u8], offset: u64) -> Result<usize>;

        fn read_exact_at(&self, mut bytes: &mut [u8], mut offset: u64) -> Result<()> {
            while !bytes.is_empty() {
                let moved = self.read_at(bytes, offset)?;
                if moved == 0 {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                bytes = &mut bytes[moved..];
                offset += moved as u64;
            }
            Ok(())
        }

        fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> Result<()> {
            while !bytes.is_empty() {
                let moved = self.write_at(bytes, offset)?;
                if moved == 0 {
                    return Err(ErrorKind::WriteZero.into());
                }
                bytes = &bytes[moved..];
                offset += moved as u64;
            }
            Ok(())
        }
    }

    /// # Errors
    ///
    /// Always.
    pub fn fchown(_: &File, _: Option<u32>, _: Option<u32>) -> Result<()> {
        Err(Error::from(ErrorKind::Unsupported))
    }
}
