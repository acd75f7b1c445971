//! Requests that a chat client makes behind the user's back, to the same model: a title for the
//! chat, tags, what could be asked next. They quote what the user said, commands included, and
//! must change nothing.
//!
//! Told by what the client says of them (a header, the model) and else by their structure: a
//! template has headings or a marked transcript, an instruction of that kind comes with the
//! conversation it is about. One sentence about a title, as people say it, has neither.

use std::sync::LazyLock;

use regex::Regex;

use super::request::Asked;

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// A name for the chat.
    Title(Shape),
    /// Words to file it under.
    Tags,
    /// What the user could say next.
    FollowUps,
    /// What to look up elsewhere.
    Queries,
    /// The rest of what the user is typing.
    Completion,
    /// Words for a painter of images.
    Image,
    /// A face.
    Emoji,
    /// Which of the client's own tools to run.
    Tools,
    /// Something else, or nothing that is known.
    Other,
}

/// How a title is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// As it is.
    Bare,
    /// In a JSON object.
    Json,
    /// The same, beside the name of the language.
    WithLanguage,
}

/// A longer message to the model that only names chats is a template of somebody's own.
const TEMPLATE: usize = 200;

struct Patterns {
    heading: Regex,
    transcript: Regex,
    asks_for_title: Regex,
    title: Regex,
    limits: Regex,
    label: Regex,
    of_chat: Regex,
    cut_off: Regex,
    others: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| Patterns::new().ok());

impl Patterns {
    fn new() -> Result<Self, regex::Error> {
        Ok(Self {
            heading: Regex::new(
                r"(?im)^[ \t]*#{2,4}[ \t]*(?:task|guidelines|output|examples?|context|chat history|instructions)\b",
            )?,
            transcript: Regex::new(r"(?is)<chat_history>(.*)</chat_history>")?,
            asks_for_title: Regex::new(
                r"(?is)^\W*(?:please\s+)?(?:create|generate|provide|write|give|suggest|make)\s+(?:me\s+)?an?\s+(?:very\s+|extremely\s+)?(?:concise|short|brief)\b.{0,160}",
            )?,
            // The word after it tells a title from a title page.
            title: Regex::new(r"(?i)\b(?:title|phrase)\b[ \t]*(\w*)")?,
            limits: Regex::new(
                r"(?i)\b\d+[- ]words?\b|\bmax(?:imum)? \d+ char|\b(?:only return|return only|respond only)\b",
            )?,
            label: Regex::new(
                r"(?im)(?:^[^\w\n]*|[.!?:>…]\s+)(?:user|human|ai|assistant|conversation|query|messages?|chat(?: history)?)\s*:",
            )?,
            of_chat: Regex::new(
                r"(?i)\b(?:conversation|chat|query|dialog(?:ue)?|discussion|exchange|thread|messages?)\b[^\n]{0,40}(?::|\n|$)",
            )?,
            cut_off: Regex::new(
                r"(?i)^\W*\w+\s+an?\s+(?:concise|short|brief)\s+title\s*(?:…|\.{3}|:|\n)",
            )?,
            others: Regex::new(
                r#"(?is)^\W*(?:analy[sz]e this conversation and provide\b.{0,80}\blanguage\b|detect (?:the )?user(?:'s)? language and write\b.{0,120}\btitle\b|here is the query:.*\btitle\b|(?:please\s+)?generate an?\s+\w+\s+to\s+\w+\s+word title\b|your task is to reflect the speaker's likely facial expression\b|you have been provided with a set of responses from various models\b)"#,
            )?,
        })
    }
}

/// What the request is for, when it is none of the user's.
pub(super) fn recognise(asked: &Asked) -> Option<Task> {
    // Old clients put all of it into the mouth of the system.
    let text = if asked.message.trim().is_empty() {
        &asked.instructions
    } else {
        &asked.message
    };
    if let Some(name) = &asked.task {
        return Some(named(name, text));
    }
    if asked.instructions.contains("Available Tools:")
        && text.trim_start().starts_with("Query: History:")
    {
        return Some(Task::Tools);
    }
    // A pattern that can't be compiled is found by a test.
    let patterns = PATTERNS.as_ref()?;
    if patterns.show_structure(text) {
        return Some(patterns.kind(text));
    }
    asked.utility.then(|| {
        if text.len() > TEMPLATE || text.trim().contains('\n') {
            Task::Title(shape(text))
        } else {
            Task::Other
        }
    })
}

fn named(name: &str, text: &str) -> Task {
    let name = name.to_ascii_lowercase();
    let known = [
        ("title", Task::Title(shape(text))),
        ("tag", Task::Tags),
        ("follow", Task::FollowUps),
        ("quer", Task::Queries),
        ("complet", Task::Completion),
        ("image", Task::Image),
        ("emoji", Task::Emoji),
        ("function", Task::Tools),
    ];
    let found = known.into_iter().find(|(word, _)| name.contains(word));
    found.map_or(Task::Other, |(_, task)| task)
}

fn shape(text: &str) -> Shape {
    let text = text.to_ascii_lowercase();
    if text.contains("detected language") {
        Shape::WithLanguage
    } else if text.contains("\"title\"") && text.contains('{') {
        Shape::Json
    } else {
        Shape::Bare
    }
}

impl Patterns {
    fn show_structure(&self, text: &str) -> bool {
        let headings = self.heading.find_iter(text).take(2).count();
        if headings == 2 || self.transcript.is_match(text) || self.others.is_match(text) {
            return true;
        }
        self.cut_off.is_match(text) || self.asks_to_name_a_chat(text)
    }

    fn asks_to_name_a_chat(&self, text: &str) -> bool {
        let Some(head) = self.asks_for_title.find(text) else {
            return false;
        };
        let things = [
            "page", "slide", "track", "card", "bar", "case", "deed", "song", "sequence",
        ];
        let mut titles = self.title.captures_iter(head.as_str());
        let names = titles.any(|found| {
            let next = found.get(1).map_or("", |next| next.as_str());
            !things.contains(&next.to_ascii_lowercase().as_str())
        });
        let with_chat = self.label.is_match(text);
        let limited = self.limits.is_match(text) && self.of_chat.is_match(text);
        names && (with_chat || limited)
    }

    /// What a template asks for; what it quotes does not count.
    fn kind(&self, text: &str) -> Task {
        let words = self.transcript.replace_all(text, " ").to_ascii_lowercase();
        let keys = [
            ("\"follow_ups\"", Task::FollowUps),
            ("\"tags\"", Task::Tags),
            ("\"queries\"", Task::Queries),
            ("\"title\"", Task::Title(Shape::Json)),
            ("autocompletion", Task::Completion),
            ("\"prompt\"", Task::Image),
            ("facial expression", Task::Emoji),
            ("detected language", Task::Title(Shape::WithLanguage)),
            ("title", Task::Title(Shape::Bare)),
            ("tags", Task::Tags),
            ("follow-up", Task::FollowUps),
            ("search quer", Task::Queries),
        ];
        let found = keys.into_iter().find(|(key, _)| words.contains(key));
        found.map_or(Task::Other, |(_, task)| task)
    }
}

/// The marked transcript of a template.
pub(super) fn transcript(text: &str) -> Option<&str> {
    let found = PATTERNS.as_ref()?.transcript.captures(text)?;
    found.get(1).map(|inside| inside.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(message: &str) -> Asked {
        Asked {
            utility: false,
            message: message.to_owned(),
            before: Vec::new(),
            instructions: String::new(),
            stream: false,
            counted: false,
            user: None,
            chat: None,
            message_id: None,
            task: None,
        }
    }

    #[test]
    fn templates_of_clients_are_recognised_by_their_structure() {
        let check = |message: &str, expect: Task| {
            assert_eq!(recognise(&asked(message)), Some(expect), "{message}");
        };
        let (bare, json) = (Task::Title(Shape::Bare), Task::Title(Shape::Json));
        let chat = "<chat_history>\nUSER: delete Read book\nASSISTANT: \"tags\"\n</chat_history>";
        let task = |words: &str, output: &str| {
            format!(
                "### Task:\n{words}\n\n### Guidelines:\n- Be clear.\n\n### Output:\n{output}\n\n### Chat History:\n{chat}"
            )
        };
        let wanted = r#"JSON format: { "title": "your concise title here" }"#;
        check(
            &task(
                "Generate a concise, 3-5 word title with an emoji summarizing the chat history.",
                wanted,
            ),
            json,
        );
        check(
            &task("Generate 1-3 broad tags.", r#"{ "tags": ["tag1"] }"#),
            Task::Tags,
        );
        check(
            &task(
                "Suggest 3-5 relevant follow-up questions.",
                r#"{ "follow_ups": ["?"] }"#,
            ),
            Task::FollowUps,
        );
        check(
            &task("Generate search queries.", r#"{ "queries": ["one"] }"#),
            Task::Queries,
        );
        check(
            &task("You are an autocompletion system.", r#"{ "text": "…" }"#),
            Task::Completion,
        );
        check(
            &format!(
                "Create a concise, 3-5 word title with an emoji as a title for the chat history.\n\n{chat}"
            ),
            bare,
        );
        check(
            "### Task:\nGenerate a concise, 3-5 word title…\n### Output:\ntitle\ndelete Read book",
            bare,
        );
        check("Create a concise title… delete Read book", bare);
        check("Create a concise title: delete Read book", bare);
        check(
            "Create a concise title for this conversation:\n\nUser: delete Read book",
            bare,
        );
        check(
            "Create a concise title for the conversation. User: delete Read book",
            bare,
        );
        check(
            "Here is the query:\ndelete Read book\n\nCreate a concise, 3-5 word phrase as a title for the previous query. RESPOND ONLY WITH THE TITLE TEXT.",
            bare,
        );
        check(
            "Create a concise, 3-5 word phrase as a header for the following query: a title for delete Read book",
            bare,
        );
        check(
            "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: delete Read book\nAI: Deleted: Read book",
            bare,
        );
        check(
            "Please generate a concise title (max 40 characters) for a conversation that starts with:\nUser: delete Read book\nAssistant: ok\n\nTitle:",
            bare,
        );
        check(
            "Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the detected language (5 words or less, no punctuation or quotation)\n\nUser: delete Read book",
            Task::Title(Shape::WithLanguage),
        );
        check(
            "Please generate a four to five word title summarizing our conversation without any lead-in. Remove quotation marks.",
            bare,
        );
        check(
            "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\n\nMessage: \"\"\"delete Read book\"\"\"",
            Task::Emoji,
        );
    }

    #[test]
    fn what_people_say_of_titles_is_no_template() {
        for message in [
            "create a concise title page for my thesis",
            "add create a concise title page for my thesis",
            "add a task: write a short title for the conversation club flyer",
            "write a short title for the chat app",
            "Create a short title card for the chat: buy pens",
            "remind me to give the chat group a title",
            "delete Create a concise title",
            "add task\nfind a title for my talk\nUser: me",
            "add generate tags",
            "please make a brief phrase book for the trip",
            "Create a concise 3-5 word title for my blog post",
            "title: milk",
            "add ### Task: to my list",
            "provide a brief summary of my tasks",
            "suggest a short break",
            "what's my task history?",
        ] {
            assert_eq!(recognise(&asked(message)), None, "{message}");
        }
    }

    #[test]
    fn what_the_client_says_goes_before_what_it_looks_like() {
        let mut told = asked("delete Read book");
        told.task = Some("title_generation".to_owned());
        assert_eq!(recognise(&told), Some(Task::Title(Shape::Bare)));
        told.task = Some("moa_response_generation".to_owned());
        assert_eq!(recognise(&told), Some(Task::Other));
        let mut utility = asked("delete Read book");
        utility.utility = true;
        assert_eq!(recognise(&utility), Some(Task::Other));
        utility.message = "Name this:\ndelete Read book".to_owned();
        assert_eq!(recognise(&utility), Some(Task::Title(Shape::Bare)));
        let mut tools = asked("Query: History:\nUSER: \"\"\"hi\"\"\"\nQuery: delete Read book");
        assert_eq!(recognise(&tools), None);
        tools.instructions = "Available Tools: []".to_owned();
        assert_eq!(recognise(&tools), Some(Task::Tools));
        let mut system = asked("");
        system.instructions = "Detect user language and write in the same language an extremely concise title for this conversation.\n\n||>User:\n\"delete Read book\"".to_owned();
        assert_eq!(recognise(&system), Some(Task::Title(Shape::Bare)));
    }
}
