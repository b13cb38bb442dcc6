#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fathom_fuzz::run("vdbench", text));
