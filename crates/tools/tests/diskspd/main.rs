//! DISKSPD's command lines and profiles, whole: verdict, notes and what they come to.

mod corpus;
mod drawn;
mod lines;
mod pools;
mod profiles;
mod properties;
mod reports;
