//! `/v1/responses`: the same chat in the shapes of OpenAI's Responses API, the default of newer
//! client libraries.
//!
//! An answer's id names the conversation and the line in it that the answer is, so that what is
//! said after it (`previous_response_id`, or a reference to its message) is found without
//! remembering any response.

mod answer;
mod id;
mod request;

pub(super) use self::answer::{events, failed, whole};
pub(super) use self::id::AnswerId;
pub(super) use self::request::{RequestEcho, ResponseRequest};
