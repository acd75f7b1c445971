//! The answer of a model, cut into pieces that are judged one by one.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use chrono::NaiveDate;

use super::bare;
use super::blocks::{self, Piece, Shape};
use super::clause::{self, Sentence as Judged, TurnFacts};
use super::message::{self, Message, Opening, is_idle, language, language_beside, language_within};
use super::verdict::{Assertion, Form, Judgement, Sentence, Verdict};
use super::words::{self, FoundWords, Kind};
use super::{Talk, marks};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::temporal;

/// The most tokens of a sentence; a longer one is no answer to anybody.
const SENTENCE: usize = 160;

/// The most bytes of an answer.
const ANSWER: usize = 16_000;

/// An answer with what is known of the turn.
pub(super) struct Answer<'a> {
    text: Text<'a>,
    talk: Talk<'a>,
    language: Option<Lang>,
    /// The language of the message.
    heard: Option<Lang>,
    turn: TurnFacts,
    /// The words found, by language.
    found: [OnceCell<FoundWords>; Lang::ALL.len()],
}

impl<'a> Answer<'a> {
    pub(super) fn new(prose: &'a str, talk: Talk<'a>) -> Self {
        let text = Text::new(prose);
        let heard = Text::new(talk.message);
        let message = Message::new(&heard);
        let opening = opening(&message, talk);
        let about = titled(&heard, talk.titles).contains(&true);
        let worldly = !about && message.asks_about_the_world();
        let own = language_beside(&text, 0..text.tokens.len(), &heard);
        let titled = titled(&text, talk.titles);
        let scan = || temporal::scan(&text, NaiveDate::default(), own.unwrap_or_default());
        let asked = about || message.points();
        let (hours, dates) = {
            let scan = scan();
            (scan.times, scan.dates)
        };
        let days = hours.iter().map(|(tokens, _)| tokens.clone());
        let days = days.chain(dates.iter().map(|date| date.tokens.clone()));
        let days = days.collect();
        let dated = asked || titled.contains(&true);
        let turn = TurnFacts {
            open: opening != Opening::Other,
            asked: opening == Opening::Talk,
            antecedent: worldly || opening == Opening::Talk && !about && message.is_question(),
            lenient: message.asks_for_talk() || opening == Opening::Talk,
            idle: is_idle(talk.message),
            ranks: message.asks_about_tasks(),
            worldly,
            named: named(&text, talk.titles),
            said: said(&text, &heard),
            titled,
            heard: stems_in(&text, &contents(&heard)),
            hours: hours
                .into_iter()
                .filter(|_| asked)
                .map(|(tokens, _)| tokens)
                .collect(),
            dates: dates
                .into_iter()
                .filter(|_| dated)
                .map(|date| date.tokens)
                .collect(),
            days,
        };
        Self {
            turn,
            language: own,
            heard: language(&heard, 0..heard.tokens.len()),
            found: Default::default(),
            text,
            talk,
        }
    }

    pub(super) fn judge(&self) -> Judgement {
        let pieces = blocks::cut(self.text.raw);
        let restated = self.restated(&pieces);
        let tasks = self.lists_tasks(&pieces);
        let mut ideas: Option<bool> = None;
        let mut sentences = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            let before = sentences
                .last()
                .is_some_and(|before: &Sentence| before.verdict == Verdict::Passes(Form::Fact));
            let within = piece.bytes.start < restated.end || restated.start <= piece.bytes.start;
            let verdict = match tasks.contains(&piece.line) {
                true => Verdict::Stopped(Assertion::Other),
                false => self.verdict(piece, (within, before), &mut ideas),
            };
            let bytes = piece.bytes.clone();
            sentences.push(Sentence { bytes, verdict });
        }
        hold_back_assent(&mut sentences);
        Judgement { sentences }
    }

    fn found(&self, language: Lang) -> Option<&FoundWords> {
        let cell = self.found.get(language as usize)?;
        Some(cell.get_or_init(|| FoundWords::new(&self.text, language)))
    }

    /// Tells whether the words found of some language are so.
    fn in_any_language(&self, is: impl Fn(&FoundWords) -> bool) -> bool {
        let mut languages = Lang::ALL.into_iter();
        languages.any(|language| self.found(language).is_some_and(&is))
    }

    fn verdict(
        &self,
        piece: &Piece,
        (restated, before): (bool, bool),
        ideas: &mut Option<bool>,
    ) -> Verdict {
        let range = self.tokens(&piece.inner);
        let raw = self.text.raw.get(piece.bytes.clone()).unwrap_or_default();
        let long = range.len() > SENTENCE || self.text.raw.len() > ANSWER;
        let mut titles = self.talk.titles.iter();
        if long
            || piece.shape == Shape::Code
            || marks::are_suspicious(raw, self.talk.said)
            || titles.any(|title| is_sentence(title) && raw.contains(*title))
        {
            return Verdict::Stopped(Assertion::Other);
        }
        if self.is_pleasant(&range) || marks::is_face(raw) {
            return Verdict::Passes(Form::Pleasantry);
        }
        if piece.shape == Shape::Sentence && self.is_bare(&range) {
            return Verdict::Passes(Form::Fact);
        }
        let listed = matches!(piece.shape, Shape::Item | Shape::Row);
        let own = language_within(&self.text, range.clone(), self.language).or(self.language);
        let own = own.or(self
            .heard
            .filter(|heard| listed || self.is_known(&range, *heard)));
        let plain = own.filter(|own| !words::is_mixed(&self.text, range.clone(), *own));
        let Some((language, found)) = plain.and_then(|own| Some((own, self.found(own)?))) else {
            return Verdict::Stopped(Assertion::Other);
        };
        // "Ojalá se recupere": what is wished for is no deed of another language.
        let wishes = [Kind::Hopes, Kind::Seems].map(|kind| found.end(kind, range.start));
        let told = match wishes.into_iter().flatten().max() {
            Some(wished) => (wished..range.end).find(|at| !self.is_word(*at)),
            None => Some(range.start),
        };
        let told = told.unwrap_or(range.end)..range.end;
        if words::tells_in_another(&self.text, told, language) {
            return Verdict::Stopped(Assertion::Effect);
        }
        let leads = matches!(piece.shape, Shape::LeadIn | Shape::Heading);
        let lenient = self.turn.lenient;
        let idea =
            listed && (*ideas).unwrap_or(lenient) || lenient && piece.shape == Shape::Heading;
        if listed && !idea {
            return Verdict::Stopped(Assertion::Other);
        }
        let any = |kind| range.clone().any(|at| found.is(kind, at));
        let announces = leads && any(Kind::Ideas);
        if listed && !range.clone().any(|at| self.is_word(at)) {
            return Verdict::Passes(Form::Fact);
        }
        let sentence = Judged {
            text: &self.text,
            found,
            range: range.clone(),
            lenient: lenient || idea || announces,
            asks: self.asks(raw, &range, found),
            idea,
            quoted_ok: self.mentions(&range, found),
            restates: self.repeats(&range, found),
            antecedent: before || self.turn.antecedent,
            turn: &self.turn,
        };
        let verdict = match sentence.judge() {
            Ok(Form::Question) if any(Kind::Offer) && any(Kind::Change) => {
                Verdict::Passes(Form::Offer)
            }
            Ok(form) => Verdict::Passes(form),
            Err(_) if restated && sentence.only_restates() => Verdict::Offer,
            Err(assertion) => Verdict::Stopped(assertion),
        };
        if leads {
            let passes = !matches!(verdict, Verdict::Stopped(_));
            *ideas = Some(passes && (lenient || any(Kind::Ideas)));
        }
        verdict
    }

    /// The lines of a list that nothing announces and that holds a task by its whole title.
    fn lists_tasks(&self, pieces: &[Piece]) -> Range<usize> {
        let listed = |piece: &&Piece| matches!(piece.shape, Shape::Item | Shape::Row);
        let task = |piece: &Piece| {
            let mut words = self.tokens(&piece.inner).filter(|at| self.is_word(*at));
            words.all(|at| has(&self.turn.named, at))
        };
        let announced = pieces
            .iter()
            .any(|piece| matches!(piece.shape, Shape::LeadIn | Shape::Heading));
        let mut list = pieces.iter().filter(listed);
        if announced || !list.clone().any(task) {
            return 0..0;
        }
        let first = list.next().map_or(0, |piece| piece.line);
        first..list.next_back().map_or(first, |piece| piece.line) + 1
    }

    fn is_word(&self, at: usize) -> bool {
        message::says(&self.text, at)
    }

    fn tokens(&self, bytes: &Range<usize>) -> Range<usize> {
        let tokens = &self.text.tokens;
        let before = |end: usize| tokens.partition_point(|token| token.span.start < end);
        before(bytes.start)..before(bytes.end)
    }

    /// Tells whether a sentence without a word that one language alone has bids in this one: "Sleep
    /// first, though."
    fn is_known(&self, range: &Range<usize>, language: Lang) -> bool {
        let mut words = range.clone().filter(|at| self.is_word(*at));
        let found = self.found(language);
        let plain =
            words.clone().count() > 2 && !words.clone().any(|at| has(&self.turn.titled, at));
        let first = words.next().filter(|_| plain && self.turn.asked);
        first.is_some_and(|at| found.is_some_and(|found| found.is(Kind::Verb, at)))
    }

    /// A pleasantry, with the name of whom it is said to: "Congratulations, Doctor!"
    fn is_pleasant(&self, range: &Range<usize>) -> bool {
        let pleasant = |range: Range<usize>| {
            self.in_any_language(|found| {
                clause::all(&self.text, found, Kind::Pleasant, range.clone())
            })
        };
        let last = range.clone().rev().find(|at| self.is_word(*at));
        let named = last.filter(|at| {
            let name = self.text.slice(*at..at + 1);
            let comma = *at > range.start && self.text.word(at - 1) == ",";
            comma && name.starts_with(char::is_uppercase) && !has(&self.turn.titled, *at)
        });
        pleasant(range.clone()) || named.is_some_and(|at| pleasant(range.start..at - 1))
    }

    /// A bare answer, for who asked about the world, or an enumeration, for who asked for talk.
    fn is_bare(&self, range: &Range<usize>) -> bool {
        let any = |marked: &[bool]| range.clone().any(|at| has(marked, at));
        let told =
            |kinds: &[Kind], at: usize| self.in_any_language(|found| found.is_any(kinds, at));
        let (text, turn) = (&self.text, &self.turn);
        turn.worldly && !any(&turn.named) && bare::answers(text, range, &turn.said, told)
            || turn.asked && !any(&turn.titled) && bare::enumerates(text, range, told)
    }

    fn asks(&self, raw: &str, range: &Range<usize>, found: &FoundWords) -> bool {
        let mut first = range.clone().take(6);
        let wanted = found.is(Kind::Wanted, range.start);
        raw.trim_end_matches(['*', '_', ' ', ')', '"'])
            .ends_with('?')
            || wanted && first.any(|at| self.text.word(at) == "you")
    }

    /// Tells whether the quoted words of a range are mentioned only: something announces them, and
    /// no deed is told in them.
    fn mentions(&self, range: &Range<usize>, found: &FoundWords) -> bool {
        let quoted = |at: usize| self.text.is_quoted(at);
        let says = |at: usize| !quoted(at) && found.is(Kind::Says, at);
        let tells = |kind| range.clone().any(|at| quoted(at) && found.is(kind, at));
        let announced = self.turn.lenient || range.clone().any(says);
        announced && !range.clone().all(quoted) && !(tells(Kind::Effect) && tells(Kind::Be))
    }

    /// Tells whether all of a range was said by the user: "So the party is on Saturday".
    fn repeats(&self, range: &Range<usize>, found: &FoundWords) -> bool {
        const FREE: [Kind; 5] = [
            Kind::Small,
            Kind::Lead,
            Kind::Frame,
            Kind::Joint,
            Kind::Wants,
        ];
        let said = |at: usize| has(&self.turn.said, at);
        let word = |at: &usize| self.is_word(*at);
        let known = |at: usize| said(at) || found.is_any(&FREE, at);
        let echoed = range
            .clone()
            .filter(|at| said(*at) && self.text.word(*at).len() > 3);
        echoed.count() > 1 && range.clone().filter(word).all(known)
    }

    /// The part of an answer that is left out because it restates what the user wants: up to the
    /// end of the range, where confirmation is asked for, and from its start on.
    fn restated(&self, pieces: &[Piece]) -> Range<usize> {
        let Some(found) = self.found(self.language.unwrap_or_default()) else {
            return Range {
                start: usize::MAX,
                end: 0,
            };
        };
        let asks = |piece: &&Piece| {
            let mut range = self.tokens(&piece.inner);
            let raw = self.text.raw.get(piece.bytes.clone()).unwrap_or_default();
            let bids = range.clone().any(|at| found.is(Kind::Bids, at));
            bids || raw.ends_with('?') && range.any(|at| found.is(Kind::Confirms, at))
        };
        let restates = |piece: &&Piece| {
            let range = self.tokens(&piece.inner);
            let behind = self.behind_leads(&range, found);
            (range.start..=behind).any(|at| found.is(Kind::Restates, at))
        };
        let end = pieces
            .iter()
            .rev()
            .find(asks)
            .map_or(0, |piece| piece.bytes.end);
        let start = pieces.iter().find(restates);
        start.map_or(usize::MAX, |piece| piece.bytes.start)..end
    }

    fn behind_leads(&self, range: &Range<usize>, found: &FoundWords) -> usize {
        let mut at = range.start;
        while let Some(next) = found.end(Kind::Lead, at).filter(|next| *next < range.end) {
            at = next;
            while at < range.end && self.text.word(at) == "," {
                at += 1;
            }
        }
        at
    }
}

/// The opening of a turn; a message that goes on with talk opens it as the one before did.
fn opening(message: &Message<'_>, talk: Talk<'_>) -> Opening {
    let before = talk.said.strip_suffix(talk.message).unwrap_or_default();
    let before = Text::new(before.lines().next_back().unwrap_or_default());
    let asked = || Message::new(&before).opening() == Opening::Talk;
    if message.goes_on_with_talk() && asked() {
        return Opening::Talk;
    }
    message.opening()
}

/// Holds back "Sure!" and "Yes.", a promise and an assertion where nothing says what was agreed to.
fn hold_back_assent(judged: &mut [Sentence]) {
    let says = |sentence: &Sentence| match &sentence.verdict {
        Verdict::Passes(form) => !matches!(form, Form::Assent | Form::Answer | Form::Pleasantry),
        Verdict::Offer => true,
        Verdict::Stopped(_) => false,
    };
    if judged.iter().any(says) {
        return;
    }
    let warm = |sentence: &Sentence| sentence.verdict == Verdict::Passes(Form::Pleasantry);
    let warm = judged.iter().any(warm);
    for sentence in judged {
        let assents = sentence.verdict == Verdict::Passes(Form::Assent) && !warm;
        if assents || sentence.verdict == Verdict::Passes(Form::Answer) {
            sentence.verdict = Verdict::Stopped(Assertion::Other);
        }
    }
}

/// The tokens that the user said, in any form.
fn said(text: &Text<'_>, message: &Text<'_>) -> Vec<bool> {
    let stem = |word: &str| word.chars().take(4).collect::<String>();
    let words = (0..message.tokens.len()).map(|at| stem(message.word(at)));
    let said: HashSet<String> = words.collect();
    let tokens = 0..text.tokens.len();
    let day = |word: &str| {
        let cut = word.get(..3).filter(|_| word.ends_with("day"));
        cut.is_some_and(|cut| words::says(Kind::Time, cut) && said.contains(cut))
    };
    tokens
        .map(|at| said.contains(&stem(text.word(at))) || day(text.word(at)))
        .collect()
}

/// Tells whether a token is one of those that are marked.
pub(super) fn has(marked: &[bool], at: usize) -> bool {
    marked.get(at).copied().unwrap_or_default()
}

/// The tokens that are words of some title.
fn titled(text: &Text<'_>, titles: &[&str]) -> Vec<bool> {
    let words = titles.iter().flat_map(|title| contents(&Text::new(title)));
    stems_in(text, &words.collect())
}

/// The tokens whose beginning is one of some.
fn stems_in(text: &Text<'_>, stems: &HashSet<String>) -> Vec<bool> {
    let tokens = 0..text.tokens.len();
    tokens
        .map(|at| stems.contains(&stem(text.word(at))))
        .collect()
}

/// The beginnings of the words that hold content.
fn contents(text: &Text<'_>) -> HashSet<String> {
    let words = (0..text.tokens.len()).map(|at| text.word(at));
    let words = words.filter(|word| word.chars().count() > 2 && !words::is_of_grammar(word));
    words.map(stem).collect()
}

pub(super) fn stem(word: &str) -> String {
    let short = word.strip_suffix('s').filter(|short| short.len() > 2);
    short.unwrap_or(word).chars().take(5).collect()
}

/// Tells whether a title is a sentence of its own, which says wherever it stands what it says: "You
/// have 0 tasks."
pub(super) fn is_sentence(title: &str) -> bool {
    title.contains(' ') && title.ends_with(['.', '!', '?'])
}

/// The tokens that stand in a title, all of whose words stand there.
pub(super) fn named(text: &Text<'_>, titles: &[&str]) -> Vec<bool> {
    let mut named = vec![false; text.tokens.len()];
    for title in titles {
        let title = Text::new(title);
        let words = (0..title.tokens.len()).filter(|at| message::says(&title, *at));
        let words: Vec<&str> = words.map(|at| title.word(at)).collect();
        if words.is_empty() {
            continue;
        }
        for at in 0..text.tokens.len() {
            let here = |(place, word): (usize, &&str)| text.word(at + place) == *word;
            if words.iter().enumerate().all(here) {
                let tokens = named.iter_mut().skip(at).take(words.len());
                tokens.for_each(|named| *named = true);
            }
        }
    }
    named
}
