//! What holds for the turn machine whatever happens, and its rules by table.

mod asked;
mod frame;
mod ledger;
mod machine;
