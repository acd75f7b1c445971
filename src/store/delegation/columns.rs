//! Forms in which the columns of runs and sessions keep what is no text or number by itself.
//!
//! Each is read from a row (columns in the order of the struct) and written by the column's name.

use chrono::{DateTime, Utc};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::domain::{Priority, RunHandle};

/// Words of a time as every column has them.
pub(super) fn stamped<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&crate::store::rows::stamp(*at))
}

/// Flags: 0 or 1.
pub(super) mod flag {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(is: &bool, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(u8::from(*is))
    }

    pub(in super::super) use crate::store::rows::flag as deserialize;
}

/// Handles of runs, kept as their numbers.
pub(super) mod number {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(
        run: &RunHandle,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_u32(run.number())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<RunHandle, D::Error> {
        u32::deserialize(from).map(RunHandle::new)
    }

    pub(in super::super) fn optional<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<RunHandle>, D::Error> {
        Ok(Option::deserialize(from)?.map(RunHandle::new))
    }
}

/// Priorities, kept as their places in the queue: what comes first is least.
pub(super) mod rank {
    use super::*;

    const PLACES: [Priority; 3] = [Priority::High, Priority::Medium, Priority::Low];

    pub(in super::super) fn serialize<S: Serializer>(
        priority: &Priority,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        PLACES.iter().position(|it| it == priority).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Priority, D::Error> {
        let rank = usize::deserialize(from)?;
        let priority = PLACES.get(rank).copied();
        priority.ok_or_else(|| D::Error::custom(format!("rank {rank}")))
    }
}

/// Data that is kept as a text of JSON.
pub(super) mod text {
    use super::*;

    pub(in super::super) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
    }

    pub(in super::super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        let text = String::deserialize(from)?;
        serde_json::from_str(&text).map_err(D::Error::custom)
    }
}

/// The same where there may be none.
pub(super) mod optional_text {
    use super::*;

    pub(in super::super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => text::serialize(value, to),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        let read = text.map(|text| serde_json::from_str(&text));
        read.transpose().map_err(D::Error::custom)
    }
}
