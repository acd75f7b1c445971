//! The closed list of faults at the edge: one table from code to status and title.

/// Declares the codes, each with its HTTP status, its word on the wire, and the title of its
/// problem type.
macro_rules! codes {
    ($($code:ident $status:literal $word:literal $title:literal;)+) => {
        /// Kind of a problem. Clients switch on it; the words beside it may change, it may not.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $title] $code,)+
        }

        impl Code {
            /// Every code.
            pub const ALL: [Self; [$($status),+].len()] = [$(Self::$code),+];

            const fn row(self) -> (u16, &'static str, &'static str) {
                match self {
                    $(Self::$code => ($status, $word, $title),)+
                }
            }
        }
    };
}

codes! {
    BadRequest 400 "bad_request" "The request can't be understood";
    BadJson 400 "bad_json" "The body is not JSON";
    BadQuery 400 "bad_query" "A query parameter can't be used";
    BadId 400 "bad_id" "An id in the path is not a UUID";
    BadUserId 400 "bad_user_id" "The user id can't be one";
    BadHeader 400 "bad_header" "A header can't be used";
    Unauthorized 401 "unauthorized" "No credential that holds";
    OtherUser 403 "other_user" "Other user's path";
    MissingScope 403 "missing_scope" "The credential may not do that";
    ForeignHost 403 "foreign_host" "The request names another host";
    ForeignOrigin 403 "foreign_origin" "The request comes from another site";
    NotFound 404 "not_found" "There is no such address";
    UnknownModel 404 "model_not_found" "No such model";
    UnknownTask 404 "unknown_task" "No such task";
    UnknownConversation 404 "unknown_conversation" "No such conversation";
    UnknownQuestion 404 "unknown_question" "No such question";
    UnknownReceipt 404 "unknown_receipt" "No such receipt";
    UnknownAnswer 404 "unknown_answer" "No answer is stored";
    UnknownTurn 404 "unknown_turn" "No such turn";
    UnknownDelegation 404 "unknown_delegation" "No such run or agent";
    NotPermitted 403 "not_permitted" "It lies outside what is allowed";
    MethodNotAllowed 405 "method_not_allowed" "The address has no such method";
    BodyTimeout 408 "body_timeout" "The body did not arrive in time";
    Conflict 409 "conflict" "It was changed meanwhile";
    StillRunning 409 "still_running" "The same request is still running";
    TooLarge 413 "too_large" "The body is too large";
    WrongMediaType 415 "wrong_media_type" "The body is of another media type";
    InvalidBody 422 "invalid_body" "The body does not fit";
    InvalidMessage 422 "invalid_message" "The message can't be used";
    InvalidTimezone 422 "invalid_timezone" "The time zone is not known";
    InvalidTask 422 "invalid_task" "A value breaks a rule for tasks";
    InvalidDelegation 422 "invalid_delegation" "It can't be delegated like this";
    KeyReused 422 "key_reused" "The idempotency key is taken";
    QuotaExceeded 429 "quota_exceeded" "Too many turns";
    Internal 500 "internal" "Our own fault";
    LoginUnavailable 503 "login_unavailable" "Credentials can't be checked";
    ModelUnavailable 503 "model_unavailable" "The model can't answer";
    ProviderUnavailable 503 "provider_unavailable" "The provider can't take it";
    StorageUnavailable 503 "storage_unavailable" "The database can't answer";
    Unconfirmed 503 "unconfirmed" "It is not known whether it was saved";
    ShuttingDown 503 "shutting_down" "The server is shutting down";
}

impl Code {
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
