//! Questions before a deletion, in each way that clients can answer, and the check that an answer
//! is one to our own question.
//!
//! A client of the stateless revision gets the question with a sealed state, and sends both back;
//! one with a session is asked and answers. One that can't show a question can't delete, unless
//! the operator lets its model confirm: then it gets a sealed confirmation to pass on. What is
//! sealed names the question and what it was about, holds for ten
//! minutes and for its user; the seal's key is the database's, so that any process can open it. That
//! each is used once is the store's affair.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    BooleanSchema, ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, PrimitiveSchemaDefinition, RequestStateCodec, RequestStateError, SealOptions,
};
use tokio::sync::OnceCell;

use crate::chat::direct::{ConsentAnswer, ConsentBinding, ConsentChoice};
use crate::domain::{ErrorType, IdSource, Tool, ToolError, UserId};
use crate::store::{SECRET, Store};

/// Confirmation of a deletion where a client can't show a question (`CANDOR_MCP_CONFIRM`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeletionConfirmation {
    /// A person confirms, elsewhere; the client is refused.
    #[default]
    Person,
    /// The client's model may say that it asked.
    Model,
}

/// Time for which a question waits for its answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);

/// The secret's name in the store.
const SECRET_NAME: &str = "mcp-consent";

/// Name of the one question and of its one field.
const QUESTION: &str = "confirm";

/// Bytes of a question's name.
const NONCE: usize = 8;

/// Purpose of something sealed: one kind is not taken for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SealKind {
    /// State that comes back beside an answer.
    State,
    /// Token that comes back instead of one.
    Token,
}

/// Seals questions and opens what comes back.
#[derive(Debug, Clone)]
pub(super) struct QuestionSeal {
    store: Store,
    ids: IdSource,
    codec: Arc<OnceCell<Arc<RequestStateCodec>>>,
}

impl QuestionSeal {
    pub(super) fn new(store: Store, ids: IdSource) -> Self {
        Self {
            store,
            ids,
            codec: Arc::default(),
        }
    }

    async fn codec(&self) -> Result<Arc<RequestStateCodec>, ToolError> {
        let made = self.codec.get_or_try_init(|| async {
            let mut entropy = [0; SECRET];
            for part in entropy.chunks_mut(4) {
                // Only the last bytes of an id are chance alone.
                let id = self.ids.next().into_bytes();
                part.iter_mut()
                    .zip(id.into_iter().rev())
                    .for_each(|(to, from)| *to = from);
            }
            let key = self.store.secret(SECRET_NAME, &entropy).await;
            let key = key.map_err(|error| error.to_string())?;
            let codec = RequestStateCodec::try_new(key.to_vec());
            codec.map(Arc::new).map_err(|error| error.to_string())
        });
        made.await.cloned().map_err(|cause| {
            tracing::error!(%cause, "no key to seal questions with");
            let text = "The user can't be asked just now, so nothing was done. Try again shortly.";
            ToolError::new(ErrorType::Unavailable, text)
        })
    }

    /// A new name for a question.
    pub(super) fn nonce(&self) -> [u8; NONCE] {
        let id = self.ids.next().into_bytes();
        let mut nonce = [0; NONCE];
        // The end of an id is chance, its beginning the time.
        nonce
            .iter_mut()
            .zip(id.into_iter().rev())
            .for_each(|(to, from)| *to = from);
        nonce
    }

    /// Seals a question of `user` about `bound`.
    pub(super) async fn close(
        &self,
        kind: SealKind,
        user: &UserId,
        tool: Tool,
        bound: ConsentBinding,
    ) -> Result<String, ToolError> {
        let codec = self.codec().await?;
        let payload = [&self.nonce()[..], &bound.0].concat();
        let about = about(kind, user, tool);
        let options = SealOptions::new()
            .associated_data(about.as_bytes())
            .ttl(PATIENCE);
        Ok(codec.seal_with(&payload, &options))
    }

    /// Opens what came back, and returns the name of its question and what that was about.
    pub(super) async fn open(
        &self,
        kind: SealKind,
        user: &UserId,
        tool: Tool,
        sealed: &str,
    ) -> Result<(String, ConsentBinding), ToolError> {
        let codec = self.codec().await?;
        let about = about(kind, user, tool);
        let payload = codec
            .open_with(sealed, about.as_bytes())
            .map_err(|why| refused(&why))?;
        let parts = payload.split_at_checked(NONCE).and_then(|(nonce, bound)| {
            let bound = ConsentBinding(bound.try_into().ok()?);
            Some((crate::audit::hex(nonce), bound))
        });
        parts.ok_or_else(|| refused(&RequestStateError::MalformedFormat))
    }
}

fn about(kind: SealKind, user: &UserId, tool: Tool) -> String {
    let kind = match kind {
        SealKind::State => "state",
        SealKind::Token => "token",
    };
    format!("candor {kind} {tool} {user}")
}

fn refused(why: &RequestStateError) -> ToolError {
    match why {
        RequestStateError::Expired => {
            let text = "This confirmation has expired: it holds for ten minutes. Nothing was done; \
                        call again to be asked anew.";
            ToolError::new(ErrorType::Timeout, text)
        }
        _ => {
            let text = "This is no confirmation that was given for this call, so nothing was done. \
                        Call again without it to be asked.";
            ToolError::new(ErrorType::Permission, text)
        }
    }
}

/// Tells whether a client can show a question with a field.
pub(super) fn can_ask(capabilities: Option<&ClientCapabilities>) -> bool {
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation.as_ref());
    // Neither named means the form, as it was before there was another.
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// The question as a form: yes is a box that has to be ticked, so that no client says it by itself.
pub(super) fn form(text: &str) -> ElicitRequestParams {
    let field = BooleanSchema::new()
        .title("Yes, delete it")
        .description("It can be taken back with undo, for thirty days.");
    let fields = [(
        QUESTION.to_owned(),
        PrimitiveSchemaDefinition::Boolean(field),
    )];
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: text.to_owned(),
        requested_schema: ElicitationSchema::new(fields.into())
            .with_required(vec![QUESTION.to_owned()]),
    }
}

/// The question for a client of the stateless revision.
pub(super) fn input_required(text: &str, state: String) -> InputRequiredResult {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(text)));
    let requests: InputRequests = [(QUESTION.to_owned(), request)].into();
    InputRequiredResult::new(Some(requests), Some(state))
}

/// Reads what a client of the stateless revision sent back: no answer to our question is no yes.
pub(super) fn said_in(responses: Option<&InputResponses>) -> ConsentChoice {
    let answer = responses.and_then(|responses| responses.get(QUESTION));
    let answer = answer.and_then(|answer| serde_json::from_value(answer.clone()).ok());
    answer.as_ref().map_or(ConsentChoice::Cancel, said)
}

/// Reads what an answer says. Accepting the form without its box is a no.
pub(super) fn said(answer: &ElicitResult) -> ConsentChoice {
    match answer.action {
        ElicitationAction::Accept => {
            let ticked = answer
                .content
                .as_ref()
                .and_then(|content| content.get(QUESTION));
            match ticked.and_then(serde_json::Value::as_bool) {
                Some(true) => ConsentChoice::Accept,
                _ => ConsentChoice::Decline,
            }
        }
        ElicitationAction::Decline => ConsentChoice::Decline,
        _ => ConsentChoice::Cancel,
    }
}

/// Consent to a question.
pub(super) fn consent(
    (nonce, bound): (String, ConsentBinding),
    said: ConsentChoice,
) -> ConsentAnswer {
    ConsentAnswer { nonce, bound, said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    async fn seal() -> QuestionSeal {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        QuestionSeal::new(store, IdSource::random())
    }

    #[tokio::test]
    async fn what_was_sealed_is_opened_by_its_user_for_its_purpose_alone() {
        let seal = seal().await;
        let (ann, bob) = ("ann", "bob");
        let user = |name: &str| UserId::parse(name).unwrap();
        let bound = ConsentBinding([7; 16]);
        let delete = Tool::DeleteTask;
        let sealed = seal
            .close(SealKind::State, &user(ann), delete, bound)
            .await
            .unwrap();
        let (nonce, opened) = seal
            .open(SealKind::State, &user(ann), delete, &sealed)
            .await
            .unwrap();
        assert_eq!((nonce.len(), opened), (16, bound));
        // Another process over the same database has the same key.
        let other = QuestionSeal::new(seal.store.clone(), IdSource::random());
        assert!(
            other
                .open(SealKind::State, &user(ann), delete, &sealed)
                .await
                .is_ok()
        );
        let mut bent = sealed.clone().into_bytes();
        let at = bent.len() / 2;
        bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
        let bent = String::from_utf8(bent).unwrap();
        let wrong = [
            (SealKind::Token, ann, delete, sealed.as_str()),
            (SealKind::State, bob, delete, &sealed),
            (SealKind::State, ann, Tool::CompleteTask, &sealed),
            (SealKind::State, ann, delete, &bent),
            (SealKind::State, ann, delete, ""),
            (SealKind::State, ann, delete, "rs1.AAAA.AAAA"),
            (SealKind::State, ann, delete, "yes"),
        ];
        for (kind, name, tool, text) in wrong {
            let error = seal.open(kind, &user(name), tool, text).await.unwrap_err();
            assert_eq!(
                error.error_type,
                ErrorType::Permission,
                "{kind:?} {name} {text}"
            );
        }
    }

    #[test]
    fn only_a_ticked_box_is_a_yes() {
        let check = |answer: serde_json::Value, expect: ConsentChoice| {
            let responses: InputResponses = [(QUESTION.to_owned(), answer.clone())].into();
            assert_eq!(said_in(Some(&responses)), expect, "{answer}");
        };
        let ticked = json!({"action": "accept", "content": {"confirm": true}});
        check(ticked, ConsentChoice::Accept);
        for declined in [
            json!({"action": "accept", "content": {"confirm": false}}),
            json!({"action": "accept", "content": {"confirm": "true"}}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept"}),
            json!({"action": "decline", "content": {"confirm": true}}),
        ] {
            check(declined, ConsentChoice::Decline);
        }
        check(json!({"action": "cancel"}), ConsentChoice::Cancel);
        check(json!({"action": "whatever"}), ConsentChoice::Cancel);
        check(json!(true), ConsentChoice::Cancel);
        assert_eq!(said_in(None), ConsentChoice::Cancel);
        let other: InputResponses = [("other".to_owned(), json!({"action": "accept"}))].into();
        assert_eq!(said_in(Some(&other)), ConsentChoice::Cancel);
    }
}
