//! The table: a line for each program, and nothing else of it.

use fathom_tools::Program;

/// All programs that this build has.
pub static PROGRAMS: &[&Program] = &[
    #[cfg(feature = "fio")]
    &fathom_fio::PROGRAM,
    #[cfg(feature = "diskspd")]
    &fathom_diskspd::PROGRAM,
    #[cfg(feature = "iotest")]
    &fathom_iotest::PROGRAM,
    #[cfg(feature = "dd")]
    &fathom_dd::PROGRAM,
    #[cfg(feature = "iometer")]
    &fathom_iometer::PROGRAM,
    #[cfg(feature = "ior")]
    &fathom_ior::mdtest::PROGRAM,
    #[cfg(feature = "ior")]
    &fathom_ior::ior::PROGRAM,
    #[cfg(feature = "vdbench")]
    &fathom_vdbench::PROGRAM,
];
