//! The conversation that a request is about: the user's own lines, wherever a client puts them.
//! They stand in the messages, or are quoted in the prompt: tagged, fenced, as JSON, after the
//! name of who speaks, or after a colon.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{UtilityPurpose, UtilityRequest, by_message};
use crate::http::v1::request::ParsedRequest;

/// A regular expression; one that can't be compiled is found by a test.
type Pattern = LazyLock<Option<Regex>>;

/// A conversation between tags.
static TAGGED: Pattern = LazyLock::new(|| {
    Regex::new(r"(?is)(<(?:chat[_ ]history|conversation|transcript|messages|history)>)(.*?)(</)")
        .ok()
});
/// The same between fences.
static FENCED: Pattern = LazyLock::new(|| Regex::new(r"(?s)```\w*\n(.*?)```").ok());
/// A message that holds a marked conversation: between tags, or with both speakers named.
pub(super) static TRANSCRIPT: Pattern = LazyLock::new(|| {
    let user = r"^[\s>|*-]*(?:user|human|you)\**\s*:(?s:.*)";
    let model = r"^[\s>|*-]*(?:ai|assistant|bot|model)\**\s*:";
    let tags = r"<(?:chat[_ ]history|conversation|transcript|messages|history)>";
    let titles = r"^[\s#]*(?:chat|conversation|dialogue) history\s*:?\s*$";
    Regex::new(&format!(r"(?im){user}{model}|{tags}|{titles}")).ok()
});
/// Words of the user, after the user's name.
static USER: Pattern = LazyLock::new(|| {
    Regex::new(r"(?im)(?:\b(?:user|human)|^[\s>|*-]*you)\**\s*:[ \t]*\n?([^\n]*)").ok()
});
/// Beginning of the answer to it, on the same line.
static ANSWER: Pattern = LazyLock::new(|| Regex::new(r"(?i)\s(?:ai|assistant)\s*:").ok());
/// A word for the message that is to be rewritten or named, which follows it.
static CONTENT: Pattern = LazyLock::new(|| {
    let word = r"follow[- ]?up (?:input|message|question|query)|query|message|request|input|question|content|text|conversation|prompt|title";
    let close = r#"[ \w"]{0,12}\)?[^\w\n:>…]{0,30}(?:[:>…]|\.\.\.)"#;
    Regex::new(&format!(r"(?i)\b(?:{word}){close}")).ok()
});

/// A name for the message at its beginning.
static LABEL: Pattern = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:the )?(?:(?:user|first|latest)(?:'s)? )?(?:message|query|request|input|prompt|text) ?(?:is)?:").ok()
});
/// The end of the examples in a prompt, which are nobody's conversation.
static EXAMPLES: Pattern =
    LazyLock::new(|| Regex::new(r"(?is)^.*(?:end of examples?|</examples?>)").ok());

/// The user's lines, oldest first; none where nothing can be made out.
pub(super) fn said_by_user(asked: &ParsedRequest, request: &UtilityRequest) -> Vec<String> {
    let before = asked.lines.before.iter().filter(|line| !line.ours);
    let before = before.map(|line| line.text.as_str());
    if request.by_system {
        let all = before.chain([asked.lines.message.as_str()]);
        let said: Vec<String> = all.flat_map(spoken).collect();
        return if said.is_empty() {
            quoted(&request.prompt)
        } else {
            said
        };
    }
    let marked = marked(&request.prompt);
    if !marked.is_empty() {
        return marked;
    }
    // A summary is one of the chat before it, whatever its template names.
    let labelled = labelled(&request.prompt).filter(|_| request.wanted != UtilityPurpose::Summary);
    if let Some(labelled) = labelled {
        return vec![labelled];
    }
    let said: Vec<String> = before
        .filter(|text| *text != request.prompt)
        .flat_map(spoken)
        .collect();
    if said.is_empty() {
        quoted(&request.prompt)
    } else {
        said
    }
}

/// The message that a prompt wants rewritten: what it quotes last, else what was said last.
pub(super) fn last_said(asked: &ParsedRequest, request: &UtilityRequest) -> String {
    let wrapping = match request.by_system {
        true => {
            Some(asked.lines.message.as_str()).filter(|text| outside_transcripts(text) != *text)
        }
        false => Some(request.prompt.as_str()),
    };
    wrapping
        .and_then(|text| content(&outside_transcripts(text)))
        .or_else(|| said_by_user(asked, request).pop())
        .unwrap_or_default()
}

/// A prompt without the conversations that stand in it between tags.
pub(super) fn outside_transcripts(prompt: &str) -> Cow<'_, str> {
    match TAGGED.as_ref() {
        Some(tagged) => tagged.replace_all(prompt, "$1 $3"),
        None => Cow::Borrowed(prompt),
    }
}

/// The user's lines in a message that is the conversation, or a prompt that quotes it.
fn spoken(text: &str) -> Vec<String> {
    let text = text.trim();
    if let Ok(json @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
        return in_json(&json);
    }
    if by_message(text).is_some() {
        return quoted(text);
    }
    let named = marked(text);
    if !named.is_empty() {
        return named;
    }
    let mut paragraphs = text.split("\n\n");
    let introduced = paragraphs
        .next()
        .is_some_and(|head| head.trim_end().ends_with(':'));
    let own = paragraphs.next().filter(|_| introduced).unwrap_or(text);
    let label = LABEL.as_ref().and_then(|label| label.find(own));
    let own = label
        .and_then(|label| own.get(label.end()..))
        .unwrap_or(own);
    clean(own).into_iter().collect()
}

/// The user's lines where a prompt marks them, else what it quotes at its end.
fn quoted(prompt: &str) -> Vec<String> {
    let marked = marked(prompt);
    if !marked.is_empty() {
        return marked;
    }
    content(prompt).into_iter().collect()
}

/// The user's lines between tags or fences, or after the user's name.
fn marked(text: &str) -> Vec<String> {
    let examples = EXAMPLES.as_ref().and_then(|examples| examples.find(text));
    let text = examples
        .and_then(|examples| text.get(examples.end()..))
        .unwrap_or(text);
    let inside = |pattern: &Pattern, group| {
        let found = pattern.as_ref()?.captures_iter(text).last()?;
        Some(found.get(group)?.as_str())
    };
    let block = inside(&TAGGED, 2).or_else(|| inside(&FENCED, 1));
    let lines = named(block.unwrap_or(text));
    match block {
        Some(block) if lines.is_empty() => {
            let first = block.lines().find_map(clean);
            first.into_iter().collect()
        }
        _ => lines,
    }
}

fn named(text: &str) -> Vec<String> {
    let (Some(user), Some(answer)) = (USER.as_ref(), ANSWER.as_ref()) else {
        return Vec::new();
    };
    let lines = user.captures_iter(text).filter_map(|found| found.get(1));
    let lines = lines.filter_map(|line| {
        let line = line.as_str();
        let end = answer
            .find(line)
            .map_or(line.len(), |answer| answer.start());
        clean(line.get(..end)?)
    });
    lines.collect()
}

/// Returns what stands after the last word for a message, else in the quotation or the paragraph at
/// the end.
fn content(prompt: &str) -> Option<String> {
    labelled(prompt).or_else(|| {
        let prompt = prompt.trim();
        let quotation = prompt.strip_suffix('"');
        let (_, last) = match quotation.and_then(|before| before.rsplit_once('"')) {
            Some(quotation) => quotation,
            None => prompt.rsplit_once("\n\n")?,
        };
        clean(last)
    })
}

/// Returns what stands after the last word for a message.
fn labelled(prompt: &str) -> Option<String> {
    let labels = CONTENT.as_ref()?.find_iter(prompt);
    let lines = labels.filter_map(|label| {
        let rest = prompt.get(label.end()..)?.trim_start();
        let begins = rest.starts_with(|c: char| c.is_alphanumeric() || c == '"' || c == '“');
        rest.lines().next().filter(|_| begins).and_then(clean)
    });
    lines.last()
}

/// A line without the quotation marks around it; none if nothing is left.
fn clean(line: &str) -> Option<String> {
    let line = line
        .trim()
        .trim_matches(|c| matches!(c, '"' | '“' | '”'))
        .trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// The user's texts of a message or of messages, as clients write them down.
fn in_json(json: &Value) -> Vec<String> {
    match json {
        Value::String(text) => clean(text).into_iter().collect(),
        Value::Array(parts) => parts.iter().flat_map(in_json).collect(),
        Value::Object(fields) => {
            let role = fields.get("role").and_then(Value::as_str);
            let texts = ["text", "content", "mainText", "parts", "messages"];
            let text = texts.iter().find_map(|name| fields.get(*name));
            let own = role.is_none_or(|role| role == "user");
            text.filter(|_| own).map(in_json).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        let others = [&ANSWER, &CONTENT, &LABEL, &EXAMPLES];
        for pattern in [&TAGGED, &FENCED, &TRANSCRIPT, &USER]
            .into_iter()
            .chain(others)
        {
            assert!(pattern.is_some());
        }
    }

    #[test]
    fn transcripts_are_read_however_they_are_written() {
        for text in [
            "User: delete Read book\nAI: Deleted",
            "x. User: delete Read book AI: Deleted",
            "||>User:\ndelete Read book",
            "- You: delete Read book\n- Assistant: ok",
            "<chat_history>\nASSISTANT: hi\nUSER: delete Read book\n</chat_history>",
            "```\ndelete Read book\n\n---\n\nok\n```",
            "Here is the query:\ndelete Read book\n\nName it.",
            "Create a concise title… delete Read book",
            "Chat history:\n\nFollow Up Input: delete Read book\nStandalone question:",
            "<Follow Up Message>\ndelete Read book\n\n<Standalone question>\n",
            "Say it in four words. The message is this: \"delete Read book\"",
            "Say what it is about.\n\ndelete Read book",
            "Name it in four words. \"delete Read book\"",
            "User: no\nEND OF EXAMPLE\nUser: delete Read book",
        ] {
            assert_eq!(quoted(text), ["delete Read book"], "{text}");
        }
        assert!(quoted("nobody says anything").is_empty());
    }

    #[test]
    fn messages_written_down_as_json_are_read() {
        for text in [
            r#"{"id":"1","role":"user","parts":[{"type":"text","text":"delete Read book"}]}"#,
            r#"[{"role":"user","content":"delete Read book"},{"role":"assistant","content":"ok"}]"#,
            r#"[{"role":"user","mainText":"delete Read book"}]"#,
            "\"delete Read book\"",
            "User message: \"delete Read book\"",
            "It began with this:\n\ndelete Read book",
        ] {
            assert_eq!(spoken(text), ["delete Read book"], "{text}");
        }
    }
}
