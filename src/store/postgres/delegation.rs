//! Statements about runs, on the connections to a server.

use super::Postgres;
use crate::store::backend::{StoreError, Work};
use crate::store::delegation::{Ask, DelegationBackend};

impl DelegationBackend for Postgres {
    fn ask<'a>(&'a self, _: &'a Ask) -> Work<'a, Result<Option<String>, StoreError>> {
        Box::pin(async { Err(StoreError::Unavailable("not kept yet".into())) })
    }

    fn change<'a>(&'a self, _: &'a Ask) -> Work<'a, Result<Option<String>, StoreError>> {
        Box::pin(async { Err(StoreError::Unavailable("not kept yet".into())) })
    }
}
