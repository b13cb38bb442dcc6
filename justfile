# Short names for plain cargo commands. `just` lists them.

_default:
    @just --list --unsorted

# everything that must hold before a change goes in
ci:
    .ci/run

# all tests, as in the README
test:
    cargo test --locked --workspace

# rewrite to the one format
fmt:
    cargo fmt --all

# house rules, then clippy with warnings denied
lint:
    cargo xtask tidy
    cargo clippy --workspace --all-targets -- -D warnings

# the API documentation, private items included
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

# speed beside fio, and user instructions per I/O
bench:
    cargo run --profile dist --package fathom-benches
    cargo xtask instr

# a minute of each fuzz target, or as said: `just fuzz 600 dd`
fuzz *ARGS:
    fuzz/run {{ ARGS }}

# check licences and sources with cargo-deny, then make everything that is shipped
release: ci
    cargo deny check
    cargo xtask dist
