//! The closed list of faults at the edge: one table from code to status and title.

/// Kind of a problem. Clients switch on it; the words beside it may change, it may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The request can't be understood at all.
    BadRequest,
    /// The body is not JSON.
    BadJson,
    /// A query parameter can't be used.
    BadQuery,
    /// An id in the path is not a UUID.
    BadId,
    /// The user id in the path can't be one.
    BadUserId,
    /// A header can't be used.
    BadHeader,
    /// There is no credential, or one that does not hold.
    Unauthorized,
    /// The path is another user's.
    OtherUser,
    /// The credential may not do that.
    MissingScope,
    /// The request was meant for another host.
    ForeignHost,
    /// The request comes from a page of another origin.
    ForeignOrigin,
    /// There is no such address.
    NotFound,
    /// There is no such model.
    UnknownModel,
    /// The user has no such task.
    UnknownTask,
    /// The user has no such conversation.
    UnknownConversation,
    /// No such question waits for an answer.
    UnknownQuestion,
    /// The user has no such receipt.
    UnknownReceipt,
    /// No answer to the message is stored.
    UnknownAnswer,
    /// The user has no such turn.
    UnknownTurn,
    /// The user has no such run or agent.
    UnknownDelegation,
    /// The request lies outside what the operator allows.
    NotPermitted,
    /// The address exists, the method does not.
    MethodNotAllowed,
    /// The body did not arrive in time.
    BodyTimeout,
    /// Somebody changed it meanwhile.
    Conflict,
    /// The same idempotency key is being worked on.
    StillRunning,
    /// The body is too large.
    TooLarge,
    /// The body is sent as what is not read here.
    WrongMediaType,
    /// The body is JSON and does not fit.
    InvalidBody,
    /// The message can't be used.
    InvalidMessage,
    /// The time zone is not known.
    InvalidTimezone,
    /// A task's value breaks a rule.
    InvalidTask,
    /// A delegation breaks a rule.
    InvalidDelegation,
    /// The idempotency key was used for another request.
    KeyReused,
    /// There were too many turns.
    QuotaExceeded,
    /// Our own fault.
    Internal,
    /// Credentials can't be checked.
    LoginUnavailable,
    /// The model's server can't be reached or refuses.
    ModelUnavailable,
    /// The provider that is needed can't take it.
    ProviderUnavailable,
    /// The database can't be reached or refuses.
    StorageUnavailable,
    /// The change may or may not have been saved.
    Unconfirmed,
    /// The program is shutting down.
    ShuttingDown,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 41] = [
        Self::BadRequest,
        Self::BadJson,
        Self::BadQuery,
        Self::BadId,
        Self::BadUserId,
        Self::BadHeader,
        Self::Unauthorized,
        Self::OtherUser,
        Self::MissingScope,
        Self::ForeignHost,
        Self::ForeignOrigin,
        Self::NotFound,
        Self::UnknownModel,
        Self::UnknownTask,
        Self::UnknownConversation,
        Self::UnknownQuestion,
        Self::UnknownReceipt,
        Self::UnknownAnswer,
        Self::UnknownTurn,
        Self::UnknownDelegation,
        Self::NotPermitted,
        Self::MethodNotAllowed,
        Self::BodyTimeout,
        Self::Conflict,
        Self::StillRunning,
        Self::TooLarge,
        Self::WrongMediaType,
        Self::InvalidBody,
        Self::InvalidMessage,
        Self::InvalidTimezone,
        Self::InvalidTask,
        Self::InvalidDelegation,
        Self::KeyReused,
        Self::QuotaExceeded,
        Self::Internal,
        Self::LoginUnavailable,
        Self::ModelUnavailable,
        Self::ProviderUnavailable,
        Self::StorageUnavailable,
        Self::Unconfirmed,
        Self::ShuttingDown,
    ];

    /// HTTP status, the word on the wire, and the title of the problem type.
    const fn row(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::BadRequest => (400, "bad_request", "The request can't be understood"),
            Self::BadJson => (400, "bad_json", "The body is not JSON"),
            Self::BadQuery => (400, "bad_query", "A query parameter can't be used"),
            Self::BadId => (400, "bad_id", "An id in the path is not a UUID"),
            Self::BadUserId => (400, "bad_user_id", "The user id can't be one"),
            Self::BadHeader => (400, "bad_header", "A header can't be used"),
            Self::Unauthorized => (401, "unauthorized", "No credential that holds"),
            Self::OtherUser => (403, "other_user", "Other user's path"),
            Self::MissingScope => (403, "missing_scope", "The credential may not do that"),
            Self::ForeignHost => (403, "foreign_host", "The request names another host"),
            Self::ForeignOrigin => (403, "foreign_origin", "The request comes from another site"),
            Self::NotFound => (404, "not_found", "There is no such address"),
            Self::UnknownModel => (404, "model_not_found", "No such model"),
            Self::UnknownTask => (404, "unknown_task", "No such task"),
            Self::UnknownConversation => (404, "unknown_conversation", "No such conversation"),
            Self::UnknownQuestion => (404, "unknown_question", "No such question"),
            Self::UnknownReceipt => (404, "unknown_receipt", "No such receipt"),
            Self::UnknownAnswer => (404, "unknown_answer", "No answer is stored"),
            Self::UnknownTurn => (404, "unknown_turn", "No such turn"),
            Self::UnknownDelegation => (404, "unknown_delegation", "No such run or agent"),
            Self::NotPermitted => (403, "not_permitted", "It lies outside what is allowed"),
            Self::MethodNotAllowed => (405, "method_not_allowed", "The address has no such method"),
            Self::BodyTimeout => (408, "body_timeout", "The body did not arrive in time"),
            Self::Conflict => (409, "conflict", "It was changed meanwhile"),
            Self::StillRunning => (409, "still_running", "The same request is still running"),
            Self::TooLarge => (413, "too_large", "The body is too large"),
            Self::WrongMediaType => (415, "wrong_media_type", "The body is of another media type"),
            Self::InvalidBody => (422, "invalid_body", "The body does not fit"),
            Self::InvalidMessage => (422, "invalid_message", "The message can't be used"),
            Self::InvalidTimezone => (422, "invalid_timezone", "The time zone is not known"),
            Self::InvalidTask => (422, "invalid_task", "A value breaks a rule for tasks"),
            Self::InvalidDelegation => {
                (422, "invalid_delegation", "It can't be delegated like this")
            }
            Self::KeyReused => (422, "key_reused", "The idempotency key is taken"),
            Self::QuotaExceeded => (429, "quota_exceeded", "Too many turns"),
            Self::Internal => (500, "internal", "Our own fault"),
            Self::LoginUnavailable => (503, "login_unavailable", "Credentials can't be checked"),
            Self::ModelUnavailable => (503, "model_unavailable", "The model can't answer"),
            Self::ProviderUnavailable => {
                (503, "provider_unavailable", "The provider can't take it")
            }
            Self::StorageUnavailable => (503, "storage_unavailable", "The database can't answer"),
            Self::Unconfirmed => (503, "unconfirmed", "It is not known whether it was saved"),
            Self::ShuttingDown => (503, "shutting_down", "The server is shutting down"),
        }
    }

    /// The HTTP status.
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        self.row().1
    }

    /// The title of the problem type: the same for every occurrence.
    pub const fn title(self) -> &'static str {
        self.row().2
    }

    /// The code that fits a bare status, for errors made by the web framework itself.
    pub const fn of_status(status: u16) -> Self {
        match status {
            401 => Self::Unauthorized,
            404 => Self::NotFound,
            405 => Self::MethodNotAllowed,
            408 => Self::BodyTimeout,
            413 => Self::TooLarge,
            415 => Self::WrongMediaType,
            400..=499 => Self::BadRequest,
            _ => Self::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_word_and_an_error_status() {
        let mut words: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
        for code in Code::ALL {
            assert!((400..600).contains(&code.status()), "{code:?}");
            assert!(!code.title().ends_with('.'), "{code:?}");
        }
    }
}
