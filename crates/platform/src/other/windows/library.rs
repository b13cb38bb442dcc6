//! Libraries of Windows that not every edition has whole, such as Nano Server. They are loaded when
//! they are asked, since a program that names them in its header does not start without them.

use std::ffi::CStr;
use std::io::{Error, ErrorKind, Result};
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::HMODULE;
use windows_sys::Win32::System::LibraryLoader::{
    GetProcAddress, LOAD_LIBRARY_SEARCH_SYSTEM32, LoadLibraryExA,
};

/// One that stays loaded.
#[derive(Clone, Copy)]
pub(super) struct Library {
    handle: HMODULE,
    name: &'static CStr,
}

impl Library {
    /// Loads one of those that come with the system.
    pub(super) fn of_system(name: &'static CStr) -> Result<Self> {
        // SAFETY: the call reads the name, which ends with a zero. Only libraries of the system
        // are looked for, and any program may load them.
        let handle = unsafe {
            let name = name.as_ptr().cast();
            LoadLibraryExA(name, null_mut(), LOAD_LIBRARY_SEARCH_SYSTEM32)
        };
        let library = Self { handle, name };
        if handle.is_null() {
            return Err(library.lacks(&Error::last_os_error().to_string()));
        }
        Ok(library)
    }

    /// A function of it.
    ///
    /// # Safety
    ///
    /// `F` is the type of a pointer to the function.
    pub(super) unsafe fn function<F: Copy>(self, name: &CStr) -> Result<F> {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        // SAFETY: the library stays loaded; the call reads the name, which ends with a zero.
        let found = unsafe { GetProcAddress(self.handle, name.as_ptr().cast()) };
        let missing = || self.lacks(&format!("it has no {}", name.to_string_lossy()));
        let found = found.ok_or_else(missing)?;
        // SAFETY: both are pointers to a function, of this type by the contract.
        Ok(unsafe { std::mem::transmute_copy(&found) })
    }

    fn lacks(self, why: &str) -> Error {
        let message = format!("{}: {why}", self.name.to_string_lossy());
        Error::new(ErrorKind::NotFound, message)
    }
}

/// Functions of a library, each by its name there, with the types of its arguments.
macro_rules! functions {
    ($(#[$doc:meta])* $all:ident in $library:literal:
        $($name:ident = $export:literal($($argument:ty),*);)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        struct $all {
            $($name: unsafe extern "system" fn($($argument),*) -> u32,)+
        }

        impl $all {
            fn load() -> std::io::Result<Self> {
                let library = super::library::Library::of_system($library)?;
                Ok(Self {
                    // SAFETY: the documentation of the function has these arguments, and an
                    // unsigned number as its answer.
                    $($name: unsafe { library.function($export) }?,)+
                })
            }
        }
    };
}
pub(super) use functions;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_system_lacks_is_named() {
        let missing = Library::of_system(c"no-such-library.dll").map(drop);
        let error = missing.expect_err("there is none").to_string();
        assert!(error.starts_with("no-such-library.dll: "), "{error}");
        let library = Library::of_system(c"kernel32.dll").expect("it is there");
        // SAFETY: there is no such function.
        let found = unsafe { library.function::<usize>(c"NoSuchFunction") };
        let error = found.expect_err("there is none").to_string();
        assert_eq!(error, "kernel32.dll: it has no NoSuchFunction");
    }
}
