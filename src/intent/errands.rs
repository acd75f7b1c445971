//! Reads what words ask of agents. Only asked where there are agents: without them every message
//! reads as if this file were not there.
//!
//! A grammar of its own, over a lexicon of its own, looks at each sentence; what it reads is
//! taken out of the message, and the ordinary reader reads the rest.

use std::ops::Range;

use chrono::NaiveDate;

use super::errand::{About, Agents, Errand, Hand};
use super::grammar::{Class, ErrandKind, Grammar, Grammars, HeadKind, Match, Tier};
use super::message_words::MessageWords;
use super::reading::{Act, Clause, Reading, Target};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::language::matcher::Matcher;
use crate::language::slot::Slot;
use crate::language::words::{Gap, Words};
use crate::resolver::Reference;

/// At most so many words of a sentence are looked at; whoever says more does not delegate by it.
const WORDS: usize = 80;

/// A part of the message that speaks of agents.
struct FoundErrand {
    bytes: Range<usize>,
    errand: Errand,
}

/// Reads the grammar files now, so that the first message need not wait for it.
pub fn prepare_errands() {
    Grammars::errands().read_all().for_each(drop);
}

/// Reads one message where work can be given to `agents`.
///
/// ```
/// use candor::domain::Lang;
/// use candor::intent::{Act, Agents, Errand, read_with_agents};
/// use chrono::NaiveDate;
///
/// let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// let agents = Agents { names: vec!["researcher".into()], default: "researcher".into() };
/// let reading = read_with_agents("delegate Research hotels to the researcher", today, Lang::En, &agents);
/// let Act::Errand(Errand::Hand(hand)) = &reading.clauses[0].act else { panic!() };
/// assert_eq!(hand.agent, "researcher");
/// ```
pub fn read_with_agents(message: &str, today: NaiveDate, hint: Lang, agents: &Agents) -> Reading {
    let text = Text::new(message);
    let words = Words::new(&text, &Grammars::errands().lexicon);
    let mut found = Vec::new();
    let mut start = 0;
    while start < words.list.len() {
        let sentence = start..words.sentence(start);
        start = sentence.end;
        if sentence.len() <= WORDS {
            // "delega … a lace" is of three languages: the one that knows most of the words reads it.
            let strange = |lang: Lang| {
                let all = words.list.iter().skip(sentence.start).take(sentence.len());
                let of = |id| Grammars::errands().speakers(id).has(lang);
                all.filter(|word| !of(word.id)).count()
            };
            let mut grammars: Vec<&Grammar> = Grammars::errands().read_all().collect();
            grammars.sort_by_key(|grammar| {
                let (lang, english) = (grammar.lang, grammar.lang != Lang::En);
                (strange(lang), lang != hint, english)
            });
            found.extend(grammars.into_iter().find_map(|grammar| {
                let (text, words) = (&text, &words);
                let reader = ErrandReader {
                    words: MessageWords {
                        text,
                        words,
                        grammar,
                    },
                    agents,
                };
                let whole = reader.whole(sentence.clone());
                whole.or_else(|| reader.end(sentence.clone()))
            }));
        }
    }
    if found.is_empty() {
        return super::read(message, today, hint);
    }
    let rest = blanked(message, &found);
    let mut reading = if rest.chars().any(char::is_alphanumeric) {
        super::read(&rest, today, hint)
    } else {
        Reading {
            lang: hint,
            clauses: Vec::new(),
        }
    };
    let errands = found.into_iter().map(|found| Clause {
        bytes: found.bytes,
        act: Act::Errand(found.errand),
        notes: Vec::new(),
    });
    reading.clauses.extend(errands);
    reading.clauses.sort_by_key(|clause| clause.bytes.start);
    reading
}

/// The message with blanks where agents are spoken of, and with every byte in its place.
fn blanked(message: &str, found: &[FoundErrand]) -> String {
    let mut bytes = message.as_bytes().to_vec();
    for found in found {
        // The mark that ends its sentence goes with it.
        let after = message.get(found.bytes.end..).unwrap_or_default();
        let marks = after.find(|c: char| !matches!(c, '?' | '!' | '.' | ' '));
        let end = found.bytes.end + marks.unwrap_or(after.len());
        if let Some(slice) = bytes.get_mut(found.bytes.start..end) {
            slice.fill(b' ');
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

struct ErrandReader<'a> {
    words: MessageWords<'a>,
    agents: &'a Agents,
}

impl ErrandReader<'_> {
    /// All of the sentence.
    fn whole(&self, range: Range<usize>) -> Option<FoundErrand> {
        let mut inner = range.clone();
        loop {
            let line = self.words.line(&range);
            let rules = &self.words.grammar.clauses;
            let fit = Grammar::find(rules, &mut Matcher::new(), &line, inner.clone(), Tier::All);
            if let Some(errand) = fit.and_then(|fit| self.errand(&fit, &inner)) {
                return Some(FoundErrand {
                    bytes: self.words.bytes(range),
                    errand,
                });
            }
            // Politeness at the front is left out, one phrase at a time.
            let next = self.words.starts(Class::Request, inner.clone());
            match next.filter(|next| *next > inner.start && *next < inner.end) {
                Some(next) => inner.start = next,
                None => return None,
            }
        }
    }

    /// Its last part, after a joint: "add milk, and delegate Research hotels to the researcher".
    fn end(&self, range: Range<usize>) -> Option<FoundErrand> {
        for at in range.start + 1..range.end {
            let comma = self.words.words.gap(at).has(Gap::COMMA.with(Gap::COLON));
            let joint = self.words.is(Class::And, at);
            if !(comma || joint) {
                continue;
            }
            let from = if joint { at + 1 } else { at };
            let Some(found) = self.whole(from..range.end) else {
                continue;
            };
            // What joins a title may be part of one: the words after it must name who is meant.
            let firm = match &found.errand {
                Errand::Hand(hand) => hand.named,
                Errand::TakeBack(_) => false,
                Errand::Ask(about) => !about.by_task,
                _ => true,
            };
            if firm {
                let bytes = self.words.bytes(at..range.end);
                return Some(FoundErrand { bytes, ..found });
            }
        }
        None
    }

    fn errand(&self, fit: &Match, range: &Range<usize>) -> Option<Errand> {
        let HeadKind::Errand(kind) = fit.head.kind else {
            return None;
        };
        let captured = fit.captures.first(Slot::Target);
        let note = fit.captures.first(Slot::Note);
        let target = captured.clone().map(|words| self.target(words));
        let agent = self.agent(range, captured.as_ref());
        let about = || About {
            agent: agent.clone(),
            what: target.clone(),
            by_task: kind == ErrandKind::AskOfTask,
        };
        Some(match kind {
            ErrandKind::Hand => {
                let outside = captured.clone()?;
                let words = self.without_background(captured?);
                let whole = self.target(words.clone());
                Errand::Hand(Hand {
                    parts: self.parts(words, &whole),
                    whole,
                    named: agent.is_some(),
                    firm: agent.is_some() || self.is_firm(range, &outside),
                    agent: agent.unwrap_or_else(|| self.agents.default.clone()),
                    background: self.is_background(range),
                })
            }
            ErrandKind::Ask | ErrandKind::AskOfTask => Errand::Ask(about()),
            ErrandKind::Stop => Errand::Stop(about()),
            ErrandKind::Resume => Errand::Resume {
                about: about(),
                more: note.map(|words| self.words.written(words).to_owned()),
            },
            ErrandKind::TakeBack => Errand::TakeBack(target?),
            ErrandKind::Overview => Errand::Overview,
            ErrandKind::Who => Errand::Who,
        })
    }

    /// The persona that the words of `range` outside of `captured` name.
    fn agent(&self, range: &Range<usize>, captured: Option<&Range<usize>>) -> Option<String> {
        let outside = range
            .clone()
            .filter(|at| captured.is_none_or(|inside| !inside.contains(at)));
        let words: Vec<&str> = outside.map(|at| self.words.folded(at)).collect();
        let named = self.agents.named_in(&words.join(" "));
        named.map(str::to_owned)
    }

    /// The words of `range` outside of `captured` say that work is handed over, and not a thing:
    /// anything but "give … to the agent".
    fn is_firm(&self, range: &Range<usize>, captured: &Range<usize>) -> bool {
        let outside = || range.clone().filter(|at| !captured.contains(at));
        let says = |class| outside().any(|at| self.words.is(class, at));
        !says(Class::Giving) || says(Class::Anyone) || says(Class::Firm)
    }

    fn is_background(&self, range: &Range<usize>) -> bool {
        let says = |at| {
            self.words
                .starts(Class::Background, at..range.end)
                .is_some()
        };
        range.clone().any(says)
    }

    /// "research hotels in the background" leaves the last words out.
    fn without_background(&self, range: Range<usize>) -> Range<usize> {
        let ends =
            |at: &usize| self.words.starts(Class::Background, *at..range.end) == Some(range.end);
        let end = (range.start + 1..range.end).find(ends);
        range.start..end.unwrap_or(range.end)
    }

    fn target(&self, mut words: Range<usize>) -> Target {
        if self.words.starts(Class::Both, words.clone()) == Some(words.end) {
            return Target::They { count: Some(2) };
        }
        match Reference::parse(self.words.written(words.clone())) {
            Reference::It => return Target::It,
            Reference::They => return Target::They { count: None },
            Reference::Position(position) => return Target::Position(position),
            _ => {}
        }
        // "the task Research hotels": the noun is left out only behind an article.
        let article = self.words.is(Class::Article, words.start);
        while article && words.len() > 1 && self.words.is(Class::Filler, words.start) {
            words.start += 1;
        }
        Target::Named(self.words.written(words).to_owned())
    }

    /// The titles that commas and "and" may join.
    fn parts(&self, words: Range<usize>, whole: &Target) -> Vec<Target> {
        if !matches!(whole, Target::Named(_)) {
            return vec![whole.clone()];
        }
        let mut parts = Vec::new();
        let mut start = words.start;
        for at in words.clone() {
            let and = self.words.is(Class::PlainAnd, at) && at > start;
            let comma = at > start && self.words.words.gap(at).has(Gap::COMMA);
            if (and || comma) && at + usize::from(and) < words.end {
                parts.push(start..at);
                start = at + usize::from(and);
            }
        }
        parts.push(start..words.end);
        parts.into_iter().map(|part| self.target(part)).collect()
    }
}
