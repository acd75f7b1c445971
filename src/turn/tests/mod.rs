//! Laws of the turn machine that hold whatever happens, and its rules by table.

mod asked;
mod frame;
mod ledger;
mod machine;
