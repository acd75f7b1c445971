//! Ids of answers: the conversation, and the line of it that was said.

use uuid::Uuid;

use crate::domain::{ConversationId, MessageId};

/// Hexadecimal digits of a UUID.
const DIGITS: usize = 32;

/// Place of an answer: a line of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http::v1) struct AnswerId {
    pub(in crate::http::v1) conversation: ConversationId,
    pub(in crate::http::v1) line: MessageId,
}

impl AnswerId {
    /// Reads the id of a response (`resp_…`) or of its message (`msg_…`); any other is none.
    pub(in crate::http::v1) fn parse(text: &str) -> Option<Self> {
        let digits = text
            .strip_prefix("resp_")
            .or_else(|| text.strip_prefix("msg_"))?;
        let (conversation, line) = digits.split_at_checked(DIGITS)?;
        let uuid = |digits: &str| {
            let whole = digits.len() == DIGITS;
            Uuid::try_parse(digits).ok().filter(|_| whole)
        };
        Some(Self {
            conversation: ConversationId::new(uuid(conversation)?),
            line: MessageId::new(uuid(line)?),
        })
    }

    /// The part of the ids that says which answer it is.
    pub(in crate::http::v1) fn digits(self) -> String {
        let (conversation, line) = (self.conversation.uuid(), self.line.uuid());
        format!("{}{}", conversation.simple(), line.simple())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_its_answer_and_nothing_else_is_one() {
        let answer = AnswerId {
            conversation: ConversationId::new(Uuid::from_u128(7)),
            line: MessageId::new(Uuid::from_u128(8)),
        };
        let digits = answer.digits();
        for prefix in ["resp_", "msg_"] {
            assert_eq!(AnswerId::parse(&format!("{prefix}{digits}")), Some(answer));
        }
        for text in [
            "",
            "resp_",
            "resp_7",
            "msg_é",
            &digits,
            &format!("rs_{digits}"),
        ] {
            assert_eq!(AnswerId::parse(text), None, "{text}");
        }
        assert_eq!(AnswerId::parse(&format!("resp_{digits}0")), None);
        let braced = format!("resp_{}{{{}}}", &digits[..32], &digits[..30]);
        assert_eq!(AnswerId::parse(&braced), None);
    }
}
