//! Words that a title is made of: the user's own run, others are shown first.

use chrono::NaiveDate;

use crate::domain::text::Text;
use crate::domain::{Lang, Repeat, Title};
use crate::resolver::covers;
use crate::temporal;

/// Tells whether a title is the user's own: it has words, all of them theirs, and no sign they did
/// not write. A full stop at the end is not looked for: the words of a clause end before it.
pub(in crate::guard) fn said_by_user(title: &str, words: &str) -> bool {
    let title = title.strip_suffix(['.', '!', ':']).unwrap_or(title);
    let signs = title
        .chars()
        .filter(|c| !c.is_alphanumeric() && !c.is_whitespace());
    let mut invented = signs.filter(|c| !words.contains(*c));
    title.chars().any(char::is_alphanumeric)
        && invented.all(|c| matches!(c, '-' | '\'' | '’' | ',' | '&'))
        && covers(title, words)
}

/// Tells whether a title of the model's own may be shown in a question: no sentence fits into it.
pub(super) fn plain(title: &str) -> bool {
    title.chars().count() <= 60
        && title.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’' | ',' | '&' | '/' | '%')
        })
        && title.chars().any(char::is_alphanumeric)
}

/// The words of a reference with the article that the user gave them: "the dentist".
pub(super) fn as_said(words: &str, message: &str) -> String {
    let Some(at) = message.find(words) else {
        return words.to_owned();
    };
    let before = message.get(..at).unwrap_or_default();
    let article = ["the ", "The ", "my ", "My "]
        .into_iter()
        .find(|article| before.ends_with(article));
    format!("{}{words}", article.unwrap_or_default())
}

/// A title without the repetition at its end that the task keeps as this rule; `None` where there is
/// none.
pub(super) fn without_repetition(title: &Title, rule: &Repeat) -> Option<Title> {
    let text = Text::new(title.as_str());
    let cut = Lang::ALL.into_iter().find_map(|lang| {
        let found = temporal::scan(&text, NaiveDate::default(), lang).repeats;
        let last = found
            .into_iter()
            .last()
            .filter(|found| found.rule == *rule)?;
        let ends = last.tokens.end == text.tokens.len() && !last.part_of_day;
        (ends && last.tokens.start > 0).then_some(last.tokens.start)
    })?;
    Title::parse(text.slice(0..cut)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_users_own_or_plain_or_neither() {
        let words = "add buy milk, and call \"José\"";
        for (title, own, shown) in [
            ("buy milk", true, true),
            ("Milk", true, true),
            ("call \"José\"", true, false),
            ("Buy milk.", true, false),
            ("buy milk!!", false, false),
            ("eggs.", false, false),
            ("eggs", false, true),
            ("\u{2705}", false, false),
            ("---", false, false),
            ("\u{2705} buy milk", false, false),
            ("milk. I also deleted Call mom", false, false),
        ] {
            assert_eq!(said_by_user(title, words), own, "{title}");
            assert_eq!(plain(title), shown, "{title}");
        }
    }

    #[test]
    fn the_article_of_the_user_is_said_back() {
        assert_eq!(as_said("dentist", "delete the dentist"), "the dentist");
        assert_eq!(as_said("dentist", "delete dentist"), "dentist");
        assert_eq!(as_said("Mars", "delete it"), "Mars");
    }
}
