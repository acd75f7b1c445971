//! Whole lists: as files of every format, by command and by API. Pure text first, then the real
//! program.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod server;
}

#[path = "formats/broken.rs"]
mod broken;
#[path = "formats/calendars.rs"]
mod calendars;
#[path = "formats/commands.rs"]
mod commands;
#[path = "formats/encodings.rs"]
mod encodings;
#[path = "formats/lists.rs"]
mod lists;
#[path = "formats/others.rs"]
mod others;
#[path = "formats/over_http.rs"]
mod over_http;
#[path = "formats/pure.rs"]
mod pure;
