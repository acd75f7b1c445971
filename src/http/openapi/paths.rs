//! Every operation there is. A route without one, or one without a route, fails a test.

use utoipa::openapi::Object;
use utoipa::openapi::path::{HttpMethod, Paths};

use super::Served;
use super::limits::{anything, cursor, number, uuid};
use super::operation::{Errors, Good, Operation, Reach, paths};
use crate::chat::schema::words;
use crate::formats::{DayOrder, LAYOUTS};
use crate::http::code::Code;
use crate::http::health::EXPOSITION;

/// The operations, described, and the errors that they answer. The files of the two pages are for
/// browsers and no part of the API.
pub(super) fn all(served: Served) -> (Paths, Errors) {
    let mut all = server();
    all.extend(chat());
    all.extend(tasks());
    all.extend(lists());
    all.extend(audit());
    all.extend(super::streams::all());
    all.extend(super::delegation::all());
    all.extend(super::v1::all());
    all.extend(super::responses::all());
    if served.todo_backend {
        all.extend(todo_backend());
    }
    paths(all, served.closed)
}

/// An operation without parameters of its own.
pub(super) fn operation(
    (method, path): (HttpMethod, &'static str),
    (id, summary): (&'static str, &'static str),
    reach: Reach,
    good: Good,
    codes: &'static [Code],
) -> Operation {
    Operation {
        method,
        path,
        id,
        summary,
        reach,
        query: Vec::new(),
        file: &[],
        body_optional: false,
        good,
        codes,
    }
}

pub(super) fn with(
    mut one: Operation,
    query: Vec<(&'static str, bool, Object, &'static str)>,
) -> Operation {
    one.query = query;
    one
}

pub(super) fn get(path: &'static str) -> (HttpMethod, &'static str) {
    (HttpMethod::Get, path)
}

pub(super) fn post(path: &'static str) -> (HttpMethod, &'static str) {
    (HttpMethod::Post, path)
}

fn server() -> Vec<Operation> {
    let open = |path, words, good, codes| operation(get(path), words, Reach::Open, good, codes);
    let html = Good::Media(200, "text/html; charset=utf-8");
    let plain = Good::Media(200, "text/plain; charset=utf-8");
    vec![
        open("/", ("page", "A web page to talk on."), html, &[]),
        open(
            "/about",
            (
                "about",
                "Which version this is, whether callers need a credential, whether there are \
                 agents, the day that is pinned, and whose credential was sent, if one was.",
            ),
            Good::Json(200, "About"),
            &[],
        ),
        open(
            "/problems/{code}",
            ("problem", "What a kind of error is."),
            plain,
            &[Code::NotFound],
        ),
        open(
            "/healthz",
            ("healthz", "The process answers."),
            Good::Json(200, "State"),
            &[],
        ),
        open(
            "/readyz",
            (
                "readyz",
                "The database answers, its migrations are current, and no shutdown has begun.",
            ),
            Good::Json(200, "State"),
            &[Code::StorageUnavailable, Code::ShuttingDown, Code::Internal],
        ),
        open(
            "/metrics",
            (
                "metrics",
                "Figures of this process for Prometheus; none of them tells of a user.",
            ),
            Good::Media(200, EXPOSITION),
            &[],
        ),
        open(
            "/openapi.json",
            ("openapi", "This description."),
            Good::Media(200, "application/json"),
            &[],
        ),
    ]
}

fn chat() -> Vec<Operation> {
    vec![
        operation(
            post("/api/{user_id}/chat"),
            (
                "chat",
                "One turn: says something, and answers with what was committed.",
            ),
            Reach::Turn(Some("ChatRequest")),
            Good::Json(200, "ChatReply"),
            &[
                Code::UnknownConversation,
                Code::UnknownQuestion,
                Code::InvalidMessage,
                Code::InvalidTimezone,
            ],
        ),
        with(
            operation(
                get("/api/{user_id}/chat/messages"),
                ("messages", "Lines of a conversation, the oldest first."),
                Reach::Read,
                Good::Json(200, "Messages"),
                &[Code::BadQuery, Code::UnknownConversation],
            ),
            vec![
                ("conversation_id", true, uuid(), "Which conversation."),
                (
                    "before",
                    false,
                    uuid(),
                    "Only what was said before this line.",
                ),
                (
                    "limit",
                    false,
                    number(1, Some(200)),
                    "At most so many; 50 when nothing is said.",
                ),
            ],
        ),
        operation(
            get("/api/{user_id}/chat/conversations"),
            ("conversations", "All conversations, the last active first."),
            Reach::Read,
            Good::Json(200, "Conversations"),
            &[],
        ),
        operation(
            post("/api/{user_id}/receipts/{receipt_id}/undo"),
            ("undo", "Takes back the turn of a receipt, whole."),
            Reach::Turn(None),
            Good::Json(200, "Undone"),
            &[Code::BadId, Code::UnknownReceipt],
        ),
    ]
}

fn tasks() -> Vec<Operation> {
    const ONE: &str = "/api/{user_id}/tasks/{task_id}";
    let status = crate::chat::schema::status();
    vec![
        with(
            operation(
                get("/api/{user_id}/tasks"),
                (
                    "list_tasks",
                    "Tasks, newest first: all, or with limit a page.",
                ),
                Reach::Read,
                Good::ArrayOr(200, "TaskView", "TaskPage"),
                &[Code::BadQuery],
            ),
            vec![
                ("status", false, status, "Only these."),
                (
                    "q",
                    false,
                    anything(),
                    "Only those whose title or note holds these words.",
                ),
                ("limit", false, number(1, Some(500)), "How long a page is."),
                (
                    "cursor",
                    false,
                    cursor(),
                    "The next_cursor of a page; goes with limit.",
                ),
            ],
        ),
        operation(
            post("/api/{user_id}/tasks"),
            ("add_task", "Adds a task."),
            Reach::Write(Some("NewTaskBody")),
            Good::Json(201, "TaskView"),
            &[Code::InvalidTask, Code::InvalidTimezone],
        ),
        operation(
            get(ONE),
            ("task", "One task."),
            Reach::Read,
            Good::Json(200, "TaskView"),
            &[Code::BadId, Code::UnknownTask],
        ),
        operation(
            (HttpMethod::Patch, ONE),
            (
                "update_task",
                "Changes a task: what is left out stays, null clears.",
            ),
            Reach::Write(Some("PatchBody")),
            Good::Json(200, "TaskView"),
            &[
                Code::BadId,
                Code::UnknownTask,
                Code::InvalidTask,
                Code::InvalidTimezone,
            ],
        ),
        operation(
            (HttpMethod::Delete, ONE),
            (
                "delete_task",
                "Deletes a task; it can be brought back for 30 days.",
            ),
            Reach::Write(None),
            Good::Empty(204),
            &[Code::BadId, Code::UnknownTask],
        ),
    ]
}

/// Media types of whole lists.
const FILES: &[&str] = &[
    "application/json",
    "text/calendar",
    "text/csv",
    "text/plain",
];

fn lists() -> Vec<Operation> {
    let layouts = LAYOUTS.map(|layout| layout.name);
    let mut sent = with(
        operation(
            post("/api/{user_id}/import"),
            (
                "import",
                "Adds the tasks of a file; what is on the list already stays as it is.",
            ),
            Reach::Write(None),
            Good::Json(200, "ImportReport"),
            &[Code::BadQuery, Code::WrongMediaType, Code::InvalidBody],
        ),
        vec![
            (
                "dry_run",
                false,
                words("Whether nothing shall be written.", ["true", "false"]),
                "Whether to say only what would happen.",
            ),
            (
                "format",
                false,
                words("The layout of the file.", layouts),
                "How to read it, when its text shall not say which layout of its media type it has.",
            ),
            (
                "dates",
                false,
                words("The order of a date of numbers.", DayOrder::WORDS),
                "What comes first in 10/02/2026, when the file's other dates don't show it.",
            ),
        ],
    );
    sent.file = FILES;
    let formats = crate::formats::Format::ALL.map(crate::formats::Format::as_str);
    vec![
        with(
            operation(
                get("/api/{user_id}/export"),
                ("export", "All tasks as a file, the oldest first."),
                Reach::Read,
                Good::Tasks(200, FILES),
                &[Code::BadQuery],
            ),
            vec![(
                "format",
                false,
                words("The format of the file.", formats),
                "How to write it; json when nothing is said.",
            )],
        ),
        sent,
    ]
}

fn audit() -> Vec<Operation> {
    let read = |path, words, good, codes| operation(get(path), words, Reach::Read, good, codes);
    vec![
        with(
            read(
                "/api/{user_id}/audit",
                ("audit", "Events of the audit log, the oldest first."),
                Good::Json(200, "Events"),
                &[Code::BadQuery],
            ),
            vec![
                ("turn_id", false, uuid(), "Only those of a turn."),
                (
                    "conversation_id",
                    false,
                    uuid(),
                    "Only those of a conversation.",
                ),
                ("kind", false, super::kind(), "Only these."),
                (
                    "after",
                    false,
                    number(0, Some(i64::MAX)),
                    "Only those after this seq.",
                ),
                (
                    "limit",
                    false,
                    number(1, Some(1_000)),
                    "At most so many; 100 when nothing is said.",
                ),
            ],
        ),
        read(
            "/api/{user_id}/audit/turns/{turn_id}",
            (
                "audit_turn",
                "A turn computed again from its receipts: what each sentence is worth.",
            ),
            Good::Json(200, "TurnAccount"),
            &[Code::BadId, Code::UnknownTurn],
        ),
        read(
            "/api/{user_id}/audit/turns/{turn_id}/absence",
            (
                "audit_absence",
                "That a turn did what its receipts say and nothing else.",
            ),
            Good::Json(200, "AbsenceProof"),
            &[Code::BadId, Code::UnknownTurn],
        ),
        with(
            read(
                "/api/{user_id}/audit/consistency",
                (
                    "audit_consistency",
                    "That the tree of one checkpoint begins with that of another.",
                ),
                Good::Json(200, "ConsistencyProof"),
                &[Code::BadQuery],
            ),
            vec![
                (
                    "from",
                    true,
                    number(1, Some(i64::MAX)),
                    "Events in the earlier tree.",
                ),
                (
                    "to",
                    false,
                    number(1, Some(i64::MAX)),
                    "Events in the later tree; all when nothing is said.",
                ),
            ],
        ),
        read(
            "/api/{user_id}/audit/receipts/{receipt_id}/proof",
            ("audit_receipt", "That the log holds a receipt."),
            Good::Json(200, "ReceiptProof"),
            &[Code::BadId, Code::UnknownReceipt],
        ),
    ]
}

fn todo_backend() -> Vec<Operation> {
    const LIST: &str = "/todo-backend/{user_id}";
    const ONE: &str = "/todo-backend/{user_id}/{task_id}";
    const MISSING: &[Code] = &[Code::BadId, Code::UnknownTask];
    vec![
        operation(
            get(LIST),
            ("todos", "All todos, the oldest first."),
            Reach::Read,
            Good::Json(200, "Todos"),
            &[],
        ),
        operation(
            post(LIST),
            ("add_todo", "Adds a todo."),
            Reach::Change(Some("NewTodo")),
            Good::Json(201, "Todo"),
            &[Code::InvalidTask],
        ),
        operation(
            (HttpMethod::Delete, LIST),
            (
                "clear_todos",
                "Deletes all todos; each can be brought back for 30 days.",
            ),
            Reach::Change(None),
            Good::Empty(204),
            &[],
        ),
        operation(
            get(ONE),
            ("todo", "One todo."),
            Reach::Read,
            Good::Json(200, "Todo"),
            MISSING,
        ),
        operation(
            (HttpMethod::Patch, ONE),
            ("change_todo", "Changes a todo: what is left out stays."),
            Reach::Change(Some("TodoChange")),
            Good::Json(200, "Todo"),
            &[Code::BadId, Code::UnknownTask, Code::InvalidTask],
        ),
        operation(
            (HttpMethod::Delete, ONE),
            ("delete_todo", "Deletes a todo."),
            Reach::Change(None),
            Good::Empty(204),
            MISSING,
        ),
    ]
}
