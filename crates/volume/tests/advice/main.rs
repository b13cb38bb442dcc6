//! Plans that money is spent on: the cheapest answer is found, and what was wrong once stays right.

mod brute_force;
mod defects;
mod every_layout;
mod first_lines;
mod machines;
mod orders;
mod reach;
mod threads;
