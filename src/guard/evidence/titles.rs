//! Titles and notes of a proposal against the words, and against what the conversation showed.

use chrono::NaiveDate;

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins, find};
use super::target::Mention;
use super::values::Found;
use super::words::{Word, content, is_hiragana, words};
use crate::domain::text::{Text, fold};
use crate::domain::{Task, TaskId};
use crate::guard::talk::is_function_word;
use crate::resolver::{may_be_added, opens};
use crate::temporal;

/// Looks for the words of `title` among those that were `said`, in their order.
pub(super) fn stands(title: &str, said: &[Word]) -> Found {
    let own = content(title);
    if own.is_empty() {
        return Found::Missing;
    }
    // "la" is an article that the title may add, "LA" is none.
    let text = Text::new(title);
    let article = |word: &&Word| {
        let written = text.slice(word.token..word.token + 1);
        opens(&word.said) && written.chars().all(char::is_lowercase)
    };
    let things = own.iter().filter(|word| !article(word)).cloned();
    let things: Vec<Word> = things.collect();
    let own = if things.is_empty() { own } else { things };
    let places: Vec<Vec<usize>> = own
        .iter()
        .map(|own| {
            let hits = said
                .iter()
                .filter(|word| word.names(own) || own.names(word));
            hits.map(|word| word.token).collect()
        })
        .collect();
    if places.iter().any(Vec::is_empty) {
        return Found::Missing;
    }
    // From every place of the first word: the run that takes the least room.
    let firsts = places.first().cloned().unwrap_or_default();
    let mut best: Option<Vec<usize>> = None;
    for first in firsts {
        let mut run = vec![first];
        let mut at = first;
        let mut whole = true;
        for places in places.iter().skip(1) {
            // "7am" is one token and two words.
            match places
                .iter()
                .find(|place| **place > at)
                .or_else(|| places.iter().find(|place| **place == at))
            {
                Some(next) => {
                    at = *next;
                    run.push(at);
                }
                None => whole = false,
            }
        }
        let span = |run: &[usize]| run.last().zip(run.first()).map_or(0, |(l, f)| l - f);
        if whole && best.as_ref().is_none_or(|other| span(&run) < span(other)) {
            best = Some(run);
        }
    }
    match best.or_else(|| verbal_noun(&own, said)) {
        Some(run) => Found::InOrder(run),
        None => Found::Scattered(places.iter().filter_map(|p| p.first().copied()).collect()),
    }
}

/// The place of a title whose verb stands behind what it is done to, as a noun: "laptop shopping" for
/// *Shop for a laptop*.
fn verbal_noun(title: &[Word], said: &[Word]) -> Option<Vec<usize>> {
    let (verb, things) = title
        .split_first()
        .filter(|(_, things)| !things.is_empty())?;
    let ends = |word: &Word| word.said.ends_with("ing") && word.is_form_of(verb);
    let at = said.iter().position(ends)?;
    let run = said.get(at.checked_sub(things.len())?..=at)?;
    let same = run.iter().zip(things).all(|(word, own)| word.names(own));
    same.then(|| run.iter().map(|word| word.token).collect())
}

impl Evidence<'_> {
    /// Tells how a new title stands to the message; `old` is the title that it replaces.
    pub fn title(&self, title: &str, old: Option<&str>) -> Found {
        match self.title_as_said(title, old) {
            Found::Missing if old.is_none() => self.of_a_lack(title).unwrap_or(Found::Missing),
            found => found,
        }
    }

    fn title_as_said(&self, title: &str, old: Option<&str>) -> Found {
        if !self.is_spelt_alike(title, old.unwrap_or_default()) {
            return Found::Missing;
        }
        if content(title).is_empty() {
            return self.stands_to_the_letter(title);
        }
        // Words that only name the task are none of its new title.
        let named = old.map(|old| self.naming(old)).unwrap_or_default();
        let others = self
            .words
            .iter()
            .filter(|word| !named.contains(&word.token));
        let mut plain = stands(title, &others.cloned().collect::<Vec<_>>());
        if plain == Found::Missing && self.was_offered(title) {
            plain = Found::InOrder(Vec::new());
        }
        // "delete everything" behind "reopen the sink" adds nothing of that.
        let answers = self.carried.answers || !self.clauses.iter().any(Clause::orders);
        if plain == Found::Missing && answers {
            let answered = self.of_answered(|answered| stands(title, &answered.words));
            if matches!(answered, Some(Found::InOrder(_))) {
                plain = Found::InOrder(Vec::new());
            }
        }
        if plain == Found::Missing && self.was_in_the_offer(title) {
            plain = Found::InOrder(Vec::new());
        }
        let renames = old.is_some();
        let Some(old) = old.filter(|_| plain == Found::Missing) else {
            return match plain {
                Found::InOrder(run) if !renames && self.replaces_a_verb(title, &run) => {
                    Found::Scattered(run)
                }
                Found::Scattered(run) => {
                    let needed = self.of_a_need(title);
                    needed.map_or(Found::Scattered(run), Found::InOrder)
                }
                plain => plain,
            };
        };
        // What the old title had may stay.
        let kept = words(&Text::new(old));
        let fresh: Vec<Word> = content(title)
            .into_iter()
            .filter(|word| !kept.iter().any(|old| old.is_form_of(word)))
            .collect();
        let named = fresh.iter().all(|own| {
            self.words
                .iter()
                .any(|word| word.names(own) || own.names(word))
        });
        if self.takes_out(title, old) {
            Found::InOrder(Vec::new())
        } else if !named || fresh.is_empty() {
            Found::Missing
        } else if self.leaves_out_a_word(&fresh, &kept) {
            Found::Scattered(Vec::new())
        } else {
            Found::InOrder(Vec::new())
        }
    }

    /// Looks for a title that has no word of its own, as it is written: `add "one"`.
    fn stands_to_the_letter(&self, title: &str) -> Found {
        let words = |text: &Text<'_>| -> Vec<String> {
            let tokens = 0..text.tokens.len();
            tokens.map(|at| text.word(at).to_owned()).collect()
        };
        let (own, said) = (words(&Text::new(title)), words(self.text));
        let lettered = title.chars().any(char::is_alphanumeric);
        let mut runs = said.windows(own.len().max(1));
        match runs.position(|run| lettered && run == own) {
            Some(first) => Found::InOrder((first..first + own.len()).collect()),
            None => Found::Missing,
        }
    }

    /// Tells whether a title stands in a line of the offer that the message takes up.
    fn was_in_the_offer(&self, title: &str) -> bool {
        let lines = self.carried.accepted.into_iter().flat_map(str::lines);
        let mut found = lines.map(|line| stands(title, &words(&Text::new(line))));
        found.any(|found| matches!(found, Found::InOrder(_)))
    }

    /// Tells whether the message takes up an offer to add this, in words that the user said before:
    /// "yep" to `Shall I add "choir"?`.
    pub fn accepts_addition(&self, title: &str) -> bool {
        let adds = |offer: &Text<'_>| {
            let hits = find(offer, &[]);
            hits.iter().any(|hit| hit.cue == Cue::Order(Deed::Add))
        };
        let said = self.of_answered(|answered| stands(title, &answered.words));
        matches!(said, Some(Found::InOrder(_)))
            && self.was_in_the_offer(title)
            && self.offer().is_some_and(|offer| adds(&offer))
    }

    /// Tells whether a title opens with a verb that the user did not say, and leaves out theirs:
    /// "Call the landlord" for "iron the landlord".
    fn replaces_a_verb(&self, title: &str, run: &[usize]) -> bool {
        let opening = words(&Text::new(title)).into_iter().next();
        let added = opening.is_some_and(|verb| {
            may_be_added(&verb.said) && !self.words.iter().any(|word| word.names(&verb))
        });
        let Some(first) = run.first().filter(|_| added) else {
            return false;
        };
        let before = self.words.iter().rfind(|word| word.token < *first);
        before.is_some_and(|word| {
            let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
            let opens = |hit: &Hit| matches!(hit.cue, Cue::Order(Deed::Add) | Cue::Infinitive);
            let order = |hit: &Hit| opens(hit) && hit.end == word.token;
            (word.is_bare_verb() || hits.any(order))
                && self.clause_at(word.token) == self.clause_at(*first)
                && !self.is_cued_at(word.token)
        })
    }

    /// The tokens at which a title stands as it is written.
    pub(super) fn exact_mention(&self, title: &str) -> Option<&[usize]> {
        let mut mentions = self.mentions.iter().filter(|mention| mention.exact);
        let titled = |mention: &&Mention| {
            let task = self.tasks.get(mention.task);
            task.is_some_and(|task| task.title.as_str() == title)
        };
        mentions
            .find(titled)
            .map(|mention| mention.tokens.as_slice())
    }

    /// Tells whether the words of a new title stand right behind one that is left out: "Paint the
    /// curtains" for "Repair the curtains".
    fn leaves_out_a_word(&self, fresh: &[Word], old: &[Word]) -> bool {
        let is_fresh = |word: &Word| fresh.iter().any(|own| word.names(own) || own.names(word));
        let Some(at) = self.words.iter().position(is_fresh) else {
            return false;
        };
        let (Some(first), Some(before)) = (
            self.words.get(at),
            at.checked_sub(1).and_then(|before| self.words.get(before)),
        ) else {
            return false;
        };
        let linked = (before.token + 1..first.token).any(|token| self.is_cued_at(token));
        self.clause_at(before.token) == self.clause_at(first.token)
            && !linked
            && !self.is_cued_at(before.token)
            && !is_function_word(&before.said)
            && !old.iter().any(|own| own.is_form_of(before))
    }

    /// The clauses that point at what was shown or spoken of ("add those", "make that a task for
    /// tomorrow"), where the title is made of that; and whether each of its words was shown or said.
    pub fn shown_title(&self, title: &str) -> Option<(Vec<usize>, bool)> {
        if let Some(at) = self.counted_among_shown(title) {
            return Some((vec![at], true));
        }
        let points = |clause: &Clause| {
            let back = [Cue::It, Cue::Them, Cue::All, Cue::Described];
            let order = |hit: &Hit| match hit.cue {
                Cue::Order(Deed::Add) => true,
                // "make that a task": what is made of what was shown is no change of a task.
                Cue::Order(Deed::Update) => {
                    let mut hits = clause.hits.iter();
                    hits.any(|it| {
                        let beside = hit.at <= it.at && it.at <= hit.end;
                        matches!(it.cue, Cue::It | Cue::Them) && beside
                    })
                }
                _ => false,
            };
            // "new goal for sunday, same thing under 30"
            let again = clause.has(Cue::Carry) && clause.has(Cue::It);
            !clause.is_foreign()
                && (clause.hits.iter().any(order) && back.iter().any(|cue| clause.has(*cue))
                    || again && self.clauses.iter().any(|c| c.has(Cue::Told(Deed::Add))))
        };
        let clauses = self.clauses.iter().enumerate();
        let at: Vec<usize> = clauses
            .filter(|(_, clause)| points(clause))
            .map(|(at, _)| at)
            .collect();
        if at.is_empty() || !self.is_spelt_alike(title, &self.carried.shown.join("\n")) {
            return None;
        }
        let own = content(title);
        let names = |source: &[Word], own: &Word| {
            source.iter().any(|word| word.names(own) || own.names(word))
        };
        let titles = self.focus.iter().filter_map(|id| self.tasks.get(*id));
        for task in titles {
            let task = words(&Text::new(task.title.as_str()));
            let whole = |own: &Word| names(&task, own) || names(&self.words, own);
            if own.iter().all(whole)
                && own.iter().filter(|own| names(&task, own)).count() * 2 > own.len()
            {
                return Some((at, true));
            }
        }
        let shown: Vec<Word> = self
            .carried
            .shown
            .iter()
            .flat_map(|line| words(&Text::new(line)))
            .collect();
        let known = own
            .iter()
            .filter(|own| names(&shown, own) || names(&self.words, own))
            .count();
        // A verb that says nothing of its own may open what was shown as a thing.
        let opening = own.first().filter(|own| {
            begins(Cue::Light, &Text::new(&own.said), 0)
                && !names(&shown, own)
                && !names(&self.words, own)
        });
        let whole = known + usize::from(opening.is_some()) == own.len();
        let of_shown = own.iter().any(|own| names(&shown, own));
        (of_shown && known * 3 >= own.len() * 2).then_some((at, whole))
    }

    /// The clause that counts off lines that were shown ("add the first three"), where the title is one
    /// of them.
    fn counted_among_shown(&self, title: &str) -> Option<usize> {
        let reply = self.carried.shown.first()?;
        let lines: Vec<&str> = reply.lines().filter_map(item).collect();
        let counted = |(at, clause): (usize, &Clause)| {
            let orders = clause.has(Cue::Order(Deed::Add)) && !clause.is_foreign();
            let mut hits = clause.hits.iter().filter(|_| orders);
            let end = hits.find(|hit| matches!(hit.cue, Cue::First | Cue::Last))?;
            let count = self
                .number(end.end)
                .filter(|_| clause.tokens.contains(&end.end));
            let count = count
                .or_else(|| self.number(end.at.checked_sub(1)?))
                .unwrap_or(1);
            let rest = lines.len().checked_sub(count)?;
            let meant = match end.cue {
                Cue::First => lines.get(..count)?,
                _ => lines.get(rest..)?,
            };
            let is_it = |line: &&str| fold(line) == fold(title);
            meant.iter().any(is_it).then_some(at)
        };
        self.clauses.iter().enumerate().find_map(counted)
    }

    /// The clauses that order a task to be split, where the title of a part has a word of that task.
    pub fn splits(&self, title: &str) -> Option<Vec<usize>> {
        let clauses = self.clauses.iter().enumerate();
        let at: Vec<usize> = clauses
            .filter(|(_, clause)| clause.splits())
            .map(|(at, _)| at)
            .collect();
        let named = self.mentions.iter().map(|mention| mention.task);
        let meant = named.chain(
            self.focus
                .iter()
                .copied()
                .filter(|_| self.mentions.is_empty()),
        );
        let new = content(title);
        let shares = |task: &Task| {
            let own = content(task.title.as_str());
            own.iter()
                .any(|own| new.iter().any(|word| word.is_form_of(own)))
        };
        let mut tasks = meant.filter_map(|id| self.tasks.get(id));
        (!at.is_empty() && tasks.any(shares)).then_some(at)
    }

    /// Tells whether the words put a new title right: what it drops is denied, or a correction
    /// opens.
    pub fn puts_right(&self, title: &str, old: &str) -> bool {
        let (new, old) = (content(title), content(old));
        let said = |own: &Word| self.words.iter().find(|word| word.names(own));
        let lacks = |words: &[Word], one: &Word| !words.iter().any(|word| word.is_form_of(one));
        let fresh: Vec<&Word> = new.iter().filter(|word| lacks(&old, word)).collect();
        let dropped: Vec<&Word> = old.iter().filter(|word| lacks(&new, word)).collect();
        let denied = |own: &&Word| {
            let clause = said(own).and_then(|word| self.clause_at(word.token));
            let clause = clause.and_then(|at| self.clauses.get(at));
            clause.is_some_and(|clause| clause.has(Cue::Negation))
        };
        let corrects = self.clauses.iter().any(|clause| clause.has(Cue::Correct));
        let orders = |clause: &Clause| clause.orders() || clause.is_question();
        if self.clauses.iter().any(orders) {
            return false;
        }
        let told = if dropped.is_empty() {
            corrects
        } else {
            dropped.iter().all(denied)
                || corrects && self.focus.len() == 1 && dropped.len() <= fresh.len()
        };
        told && !fresh.is_empty() && fresh.iter().all(|own| said(own).is_some())
    }

    /// Tells whether its signs and its letters beyond ASCII are the user's too: what only looks
    /// alike is not theirs.
    pub fn is_spelt_alike(&self, title: &str, old: &str) -> bool {
        let lower = |text: &str| text.to_lowercase();
        let mut sources = vec![lower(self.text.raw), lower(old)];
        sources.extend(self.carried.offered.iter().map(|offered| lower(offered)));
        sources.extend(self.carried.accepted.map(lower));
        // An ending of Japanese is another one in a title; some look like letters of katakana.
        let inflects = self.text.raw.chars().any(is_hiragana);
        let known = |c: char| {
            c.is_ascii_alphanumeric()
                || c.is_whitespace()
                || "-'’‘“”–—…,&.()/:".contains(c)
                || matches!(c, 'à'..='ž') && fold(c.encode_utf8(&mut [0; 4])).is_ascii()
                || inflects && is_hiragana(c) && !"へりぺべ".contains(c)
                || sources.iter().any(|source| source.contains(c))
        };
        lower(title).chars().all(known)
    }

    /// Tells whether each of its words was shown in what is answered, or is said in the answer.
    pub fn was_offered(&self, title: &str) -> bool {
        let own = content(title);
        let mut offered = self.carried.offered.iter();
        offered.any(|offered| {
            let shown = words(&Text::new(offered));
            let mut both = shown.iter().chain(&self.words);
            let named = own
                .iter()
                .all(|own| both.clone().any(|word| word.names(own)));
            let kept = own
                .iter()
                .any(|own| shown.iter().any(|word| word.is_form_of(own)));
            let _ = both.next();
            named && kept
        })
    }

    /// Tells whether a negation that belongs to these words is left out of the title.
    pub fn drops_a_negation(&self, title: &str, run: &[usize]) -> bool {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            return false;
        };
        let own = Text::new(title);
        let kept: Vec<&str> = (0..own.tokens.len()).map(|at| own.word(at)).collect();
        let before = first.saturating_sub(2).max(self.clause_start(*first));
        (before..*last).any(|at| {
            let word = self.text.word(at);
            begins(Cue::Denial, self.text, at) && !kept.contains(&word) && !self.is_order_at(at)
        })
    }

    /// Tells whether the words of a new title begin with the command itself: "rename milk oat".
    pub fn takes_in_the_order(&self, run: &[usize]) -> bool {
        let Some(first) = run.first() else {
            return false;
        };
        let clause = self.clause_at(*first).and_then(|at| self.clauses.get(at));
        clause.is_some_and(|clause| {
            let mut hits = clause.hits.iter();
            let order = hits.find(|hit| matches!(hit.cue, Cue::Order(_)));
            order.is_some_and(|order| order.at == *first && clause.opens_at() == *first)
        })
    }

    /// Tells whether the words of a title go on into a clause that orders something else of a task.
    pub fn takes_in_another_order(&self, run: &[usize]) -> bool {
        let at = self.clauses_of(run);
        at.iter().skip(1).any(|at| {
            let clause = self.clauses.get(*at);
            self.names_any(*at)
                && clause.is_some_and(|clause| {
                    let opening = clause.opens_at();
                    let mut hits = clause.hits.iter();
                    hits.any(|hit| {
                        matches!(hit.cue, Cue::Order(deed) if deed != Deed::Add)
                            && hit.at == opening
                    })
                })
        })
    }

    /// Tells whether a title ends before the last of words that stand together: "oat" of "oat milk".
    pub fn is_cut_short(&self, run: &[usize], title: &str) -> bool {
        let Some(last) = run.last() else {
            return false;
        };
        let next = last + 1;
        let Some(clause) = self.clause_at(*last).and_then(|at| self.clauses.get(at)) else {
            return false;
        };
        let scan = &self.scan;
        // "benenne A in B um": the last word of an order that stands around it.
        let within = |hit: &Hit| (!hit.open && next < hit.end) || hit.end == next + 1;
        let cued = |hit: &Hit| hit.tells() && hit.at <= next && within(hit);
        let kept = words(&Text::new(title));
        clause.tokens.contains(&next)
            && !kept.iter().any(|own| own.said == self.text.word(next))
            && self.words.iter().any(|word| word.token == next)
            && !clause.hits.iter().any(cued)
            && !scan.dates.iter().any(|found| found.core.contains(&next))
    }

    /// Tells whether no more than stems of words name a task, which may be another word's.
    pub fn names_by_stem(&self, task: &Task) -> bool {
        let (at, own) = (self.named_at(task.id), content(task.title.as_str()));
        let named = |word: &&Word| at.contains(&word.token);
        let known = |word: &Word| {
            own.iter()
                .any(|own| word.is_known_as(own) || word.is_past_of(own))
        };
        let written = self.exact_mention(task.title.as_str()).is_some();
        self.is_unread()
            && !written
            && !at.is_empty()
            && !self.words.iter().filter(named).any(known)
    }

    /// The tokens that name a task.
    pub fn named_at(&self, task: TaskId) -> Vec<usize> {
        let own = self.mentions.iter().filter(|mention| mention.task == task);
        own.flat_map(|mention| mention.tokens.clone()).collect()
    }

    /// Tells whether a line of what was shown last names a day beside most words of a title:
    /// "Monday: reread the weak chapters".
    pub fn was_shown_with_day(&self, title: &str, day: NaiveDate) -> bool {
        let own = content(title);
        let mut lines = self.carried.shown.iter().flat_map(|text| text.lines());
        lines.any(|line| {
            let text = Text::new(line);
            let said = words(&text);
            let known = |own: &&Word| said.iter().any(|word| word.names(own));
            let stands = own.iter().filter(known).count() * 3 >= own.len() * 2;
            let scan = temporal::scan(&text, self.today, self.lang);
            stands && scan.dates.iter().any(|found| found.day == day)
        })
    }
}

/// The text of a line of a list: "- milk", "2. milk".
fn item(line: &str) -> Option<&str> {
    let line = line.trim();
    let marked = line.strip_prefix(['-', '*', '•', '–']);
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len()).then(|| rest.strip_prefix(['.', ')']))?
    };
    marked.or_else(numbered).map(str::trim)
}
