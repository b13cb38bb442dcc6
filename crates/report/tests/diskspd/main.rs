//! DISKSPD's two forms of made-up results: whole, and as scripts of others would read them.

mod imported;
mod made;
mod schema;
mod snapshots;
mod table_reader;
mod xml_reader;
