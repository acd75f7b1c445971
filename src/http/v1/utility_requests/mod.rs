//! Requests that a chat client makes behind the user's back, to the same model: a title for the
//! chat, tags, a summary, a message rewritten to stand alone. They quote what the user said,
//! commands included, and must change nothing.
//!
//! Told by what the client says of them (a header, the model) and else by all of their messages,
//! the system message first: `clients.txt` lists the shapes of clients' prompts. Holds no store
//! and no model: an answer is made of the conversation's own words.

mod answer;
mod conversation;
mod form;
mod shapes;

pub(super) use self::answer::answer;

use self::conversation::{TRANSCRIPT, outside_transcripts};
use self::shapes::{SHAPES, Text};
use super::request::ParsedRequest;

/// Purpose of such a request, as `clients.txt` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UtilityPurpose {
    Title,
    LanguageTitle,
    Tags,
    FollowUps,
    Queries,
    Completion,
    Image,
    Emoji,
    Tools,
    Summary,
    Rewrite,
    Class,
    Facts,
    /// Known to be none of the user's, and nothing else.
    Other,
}

/// Purposes with their words in `clients.txt`, and what stands in the name by which a client's
/// header tells one; nothing where no header does.
const PURPOSES: [(UtilityPurpose, &str, &str); 13] = [
    (UtilityPurpose::Title, "title", "title"),
    (UtilityPurpose::LanguageTitle, "language-title", ""),
    (UtilityPurpose::Tags, "tags", "tag"),
    (UtilityPurpose::FollowUps, "follow-ups", "follow"),
    (UtilityPurpose::Queries, "queries", "quer"),
    (UtilityPurpose::Completion, "completion", "complet"),
    (UtilityPurpose::Image, "image", "image"),
    (UtilityPurpose::Emoji, "emoji", "emoji"),
    (UtilityPurpose::Tools, "tools", "function"),
    (UtilityPurpose::Summary, "summary", "summar"),
    (UtilityPurpose::Rewrite, "rewrite", ""),
    (UtilityPurpose::Class, "class", ""),
    (UtilityPurpose::Facts, "facts", ""),
];

impl UtilityPurpose {
    fn parse(word: &str) -> Option<Self> {
        let found = PURPOSES.iter().find(|(_, own, _)| *own == word);
        found.map(|(wanted, ..)| *wanted)
    }

    /// Purpose as a header of the client's names it.
    fn named(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let mut told = PURPOSES.iter().filter(|(.., part)| !part.is_empty());
        let found = told.find(|(.., part)| name.contains(part));
        found.map_or(Self::Other, |(wanted, ..)| *wanted)
    }
}

/// Part of a request in which a shape stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PromptPart {
    System,
    Message,
    Transcript,
}

/// Request of a client's own, recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UtilityRequest {
    pub(super) wanted: UtilityPurpose,
    /// The text that asks for it.
    prompt: String,
    /// Stands in a system message, so that the user's messages are the conversation.
    by_system: bool,
}

/// A longer message to the model that only names chats is a template of somebody's own.
const TEMPLATE: usize = 200;

/// Beginnings of a text that tells a model who it is, and how long they are, in characters.
const ROLES: [&str; 4] = ["you are a", "you will ", "your task ", "your job "];
const OPENING: usize = 10;

/// The request behind the user's back that this is, if it is one.
pub(super) fn recognise(asked: &ParsedRequest) -> Option<UtilityRequest> {
    let latest = asked.latest();
    let whole = || latest.last().copied().unwrap_or_default().to_owned();
    if let Some(name) = &asked.names.task {
        return Some(UtilityRequest {
            wanted: UtilityPurpose::named(name),
            prompt: whole(),
            by_system: false,
        });
    }
    let by_system = asked.lines.instructions.iter().find_map(|prompt| {
        let wanted = find(prompt, &[PromptPart::System])?;
        Some(request(wanted, prompt, true))
    });
    by_system
        .or_else(|| {
            let alone = asked
                .lines
                .instructions
                .iter()
                .filter(|_| latest.is_empty());
            let said = alone.map(String::as_str).chain(latest.iter().copied());
            said.into_iter()
                .find_map(|prompt| Some(request(by_message(prompt)?, prompt, false)))
        })
        .or_else(|| {
            asked
                .utility
                .then(|| request(unknown(&whole()), &whole(), false))
        })
}

fn request(wanted: UtilityPurpose, prompt: &str, by_system: bool) -> UtilityRequest {
    let prompt = prompt.to_owned();
    UtilityRequest {
        wanted,
        prompt,
        by_system,
    }
}

/// Purpose of a message that stands under the user's name.
fn by_message(prompt: &str) -> Option<UtilityPurpose> {
    let marked = TRANSCRIPT.as_ref()?.is_match(prompt);
    let transcript = marked.then_some(PromptPart::Transcript);
    let places: Vec<_> = [PromptPart::Message]
        .into_iter()
        .chain(transcript)
        .collect();
    let opening = prompt.trim_start_matches(|c: char| !c.is_alphabetic());
    let opening: String = opening.chars().take(OPENING).collect();
    let role = ROLES
        .iter()
        .any(|role| opening.to_lowercase().starts_with(role));
    let by_role = || find(prompt, &[PromptPart::System]).filter(|_| role);
    find(prompt, &places).or_else(by_role)
}

/// Purpose of what is said to the model that only names chats.
fn unknown(text: &str) -> UtilityPurpose {
    if text.len() > TEMPLATE || text.trim().contains('\n') {
        UtilityPurpose::Title
    } else {
        UtilityPurpose::Other
    }
}

/// Purpose by the first shape that stands in one of these places.
fn find(prompt: &str, places: &[PromptPart]) -> Option<UtilityPurpose> {
    let prompt = outside_transcripts(prompt);
    let text = Text::read(&prompt, places != [PromptPart::System]);
    let mut shapes = SHAPES.iter().filter(|shape| places.contains(&shape.place));
    shapes
        .find(|shape| shape.stands_in(&text))
        .map(|shape| shape.wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(message: &str) -> Option<UtilityPurpose> {
        recognise(&ParsedRequest::saying(message)).map(|request| request.wanted)
    }

    #[test]
    fn what_people_say_of_titles_is_no_prompt() {
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
            assert_eq!(wanted(message), None, "{message}");
        }
    }

    #[test]
    fn prompts_are_known_by_their_shapes() {
        let check = |message: &str, expect| assert_eq!(wanted(message), Some(expect), "{message}");
        let task = |words: &str| format!("### Task:\n{words}\n### Output:\nx");
        check(&task("A \"tags\" object."), UtilityPurpose::Tags);
        check(&task("A \"queries\" object."), UtilityPurpose::Queries);
        check(
            &task("You are an autocompletion system."),
            UtilityPurpose::Completion,
        );
        check("Create a concise title: delete milk", UtilityPurpose::Title);
        check(
            "Create a concise title for the conversation. User: delete milk",
            UtilityPurpose::Title,
        );
        check(
            "Create a concise, 3-5 word phrase as a header for the following query: delete milk",
            UtilityPurpose::Title,
        );
        check(
            "Your task is to reflect the speaker's likely facial expression: delete milk",
            UtilityPurpose::Emoji,
        );
        check(
            "Query: History:\nUSER: hi\nQuery: delete milk",
            UtilityPurpose::Tools,
        );
    }

    #[test]
    fn what_the_client_says_goes_before_what_it_looks_like() {
        let mut told = ParsedRequest::saying("delete milk");
        let mut check = |name: &str, expect| {
            told.names.task = Some(name.to_owned());
            assert_eq!(recognise(&told).map(|request| request.wanted), Some(expect));
        };
        check("title_generation", UtilityPurpose::Title);
        check("moa_response_generation", UtilityPurpose::Other);
        let mut utility = ParsedRequest::saying("delete milk");
        utility.utility = true;
        assert_eq!(
            recognise(&utility).map(|it| it.wanted),
            Some(UtilityPurpose::Other)
        );
        utility.lines.message = "Name this:\ndelete milk".to_owned();
        assert_eq!(
            recognise(&utility).map(|it| it.wanted),
            Some(UtilityPurpose::Title)
        );
    }
}
