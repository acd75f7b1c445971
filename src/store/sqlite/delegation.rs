//! Statements about runs, on the connections of a file.

use super::Sqlite;
use crate::store::backend::{StoreError, Work};
use crate::store::delegation::{Ask, DelegationBackend};

impl DelegationBackend for Sqlite {
    fn ask<'a>(&'a self, _: &'a Ask) -> Work<'a, Result<Option<String>, StoreError>> {
        Box::pin(async { Err(StoreError::Unavailable("not kept yet".into())) })
    }

    fn change<'a>(&'a self, _: &'a Ask) -> Work<'a, Result<Option<String>, StoreError>> {
        Box::pin(async { Err(StoreError::Unavailable("not kept yet".into())) })
    }
}
