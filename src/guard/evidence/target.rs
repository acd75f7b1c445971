//! Tasks that the words of a message name.

use std::ops::Range;

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Hit, begins};
use super::words::{Word, content, spoken, words};
use crate::domain::text::{Kind, Text};
use crate::domain::{Task, TaskId};
use crate::guard::talk::{is_function_word, is_indefinite};
use crate::resolver::{Among, TaskList, bases, opens};

/// So many tasks are looked at that share a word with the message.
const LOOKED_AT: usize = 400;

/// A task that some words name.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    pub task: TaskId,
    pub pending: bool,
    /// The tokens that name it.
    pub tokens: Vec<usize>,
    /// Every word of its title stands there.
    pub whole: bool,
    /// Its title stands there as it is written.
    pub exact: bool,
}

/// The tokens of titles that stand in a message as they are written, longest first.
pub(super) fn exact_titles(text: &Text<'_>, tasks: &TaskList) -> Vec<(TaskId, Range<usize>)> {
    let mut found = Vec::new();
    for task in tasks.standing_in(text.raw) {
        let title = Text::new(task.title.as_str());
        let own: Vec<&str> = (0..title.tokens.len()).map(|at| title.word(at)).collect();
        if own.is_empty() {
            continue;
        }
        for start in 0..text.tokens.len() {
            let same = own
                .iter()
                .enumerate()
                .all(|(offset, word)| text.word(start + offset) == *word);
            if same && start + own.len() <= text.tokens.len() {
                found.push((task.id, start..start + own.len()));
            }
        }
    }
    found.sort_by_key(|(_, range)| std::cmp::Reverse(range.len()));
    found
}

/// Every task that words of the message name, sentence by sentence. `spoken` are tokens that say
/// when or what is to be done, and so name nothing; `things` are those behind a definite article,
/// which are no verbs.
pub(super) fn mentions(
    text: &Text<'_>,
    said: &[Word],
    sentence: Range<usize>,
    (spoken, things): (&[usize], &[usize]),
    tasks: &TaskList,
    also: &[TaskId],
) -> Vec<Mention> {
    let exact = exact_titles(text, tasks);
    let mut near: Vec<&Task> = if tasks.len() <= LOOKED_AT {
        tasks.iter().collect()
    } else {
        tasks.touched_by(text.raw, LOOKED_AT)
    };
    near.extend(also.iter().filter_map(|id| tasks.get(*id)));
    let mut found: Vec<Mention> = Vec::new();
    for task in near {
        if found.iter().any(|known| known.task == task.id) {
            continue;
        }
        // Of those that were just talked about, "the call" names one.
        let own = if also.len() > 1 && also.contains(&task.id) {
            words(&Text::new(task.title.as_str()))
        } else {
            content(task.title.as_str())
        };
        let written = exact.iter().find(|(id, range)| {
            *id == task.id && sentence.start <= range.start && range.end <= sentence.end
        });
        if let Some((_, range)) = written {
            found.push(Mention {
                task: task.id,
                pending: !task.status.is_completed(),
                tokens: range.clone().collect(),
                whole: true,
                exact: true,
            });
            continue;
        }
        let words = said
            .iter()
            .filter(|word| sentence.contains(&word.token) && !spoken.contains(&word.token));
        // A quotation names what all of its words name, and nothing that shares one with it.
        let names = |word: &&Word| own.iter().any(|own| word.names(own));
        let words: Vec<&Word> = words
            .filter(|word| {
                let span = quotation(text, word.token);
                if span.is_empty() {
                    return true;
                }
                let mut inside = said.iter().filter(|other| span.contains(&other.token));
                inside.all(|other| names(&other))
            })
            .collect();
        let mut tokens = Vec::new();
        let mut count = 0;
        let mut telling = false;
        let mut literal = true;
        let title = &own;
        for (at, own) in title.iter().enumerate() {
            let joined = joinings(title, at);
            let tokens_where = |fits: &dyn Fn(&Word) -> bool| -> Vec<usize> {
                let fitting = words.iter().filter(|word| fits(word));
                fitting.map(|word| word.token).collect()
            };
            let mut hits = tokens_where(&|word| {
                word.names(own) || word.is_past_of(own) || joined.contains(&word.said)
            });
            if hits.is_empty() {
                hits = tokens_where(&|word| word.means(own));
                literal &= hits.is_empty();
            }
            if !hits.is_empty() {
                count += 1;
                let small = |own: &Word| {
                    own.is_number()
                        && own.said.len() < 3
                        && !hits.iter().any(|at| counts(text, *at))
                };
                let verb = own.is_bare_verb() || opens(&own.said);
                let thing = hits.iter().any(|at| things.contains(at));
                telling |= !(verb && !thing || small(own));
                tokens.extend(hits);
            }
        }
        if let Some(at) = words
            .iter()
            .find(|word| are_initials(text, word.token, &own))
        {
            tokens.push(at.token);
            count = own.len();
            telling = true;
        }
        tokens.sort_unstable();
        tokens.dedup();
        // A title with the very word that was said is meant before one with another word for it.
        let complete = count == own.len();
        let whole = complete && literal;
        if count > 0 && (telling || complete || also.len() > 1 && also.contains(&task.id)) {
            found.push(Mention {
                task: task.id,
                pending: !task.status.is_completed(),
                tokens,
                whole,
                exact: false,
            });
        }
    }
    take_apart(&mut found);
    found
}

/// The tasks that the user's own words name, and those that only somebody else's text does.
pub(super) fn all_mentions(
    text: &Text<'_>,
    words: &[Word],
    clauses: &[Clause],
    days: &[Range<usize>],
    tasks: &TaskList,
    focus: &[TaskId],
) -> (Vec<Mention>, Vec<TaskId>) {
    let mut spoken: Vec<usize> = days.iter().cloned().flatten().collect();
    for hit in clauses.iter().flat_map(|clause| &clause.hits) {
        let members = matches!(
            hit.cue,
            Cue::All | Cue::Completed | Cue::Open | Cue::Overdue | Cue::Rest | Cue::Copula
        );
        if (members || matches!(hit.cue, Cue::Order(_))) && !hit.open {
            spoken.extend(hit.at..hit.end);
        } else if matches!(hit.cue, Cue::Order(_)) {
            spoken.extend([hit.at, hit.end - 1]);
            // "mark … as done", "set … to done"
            let link = hit.end.saturating_sub(2);
            if matches!(text.word(link), "as" | "to") {
                spoken.push(link);
            }
        } else if hit.cue == Cue::Request && !hit.open {
            spoken.extend(hit.at..hit.end);
        } else if hit.cue == Cue::Item && (hit.end..hit.end + 2).any(|at| text.is_quoted(at)) {
            // `the task "X"` is X.
            spoken.extend(hit.at..hit.end);
        } else if hit.cue == Cue::Item {
            // "from my list" names no task that has a list in its title.
            let from = |other: &&Hit| other.cue == Cue::From && other.end < hit.at + 1;
            let mut before = clauses.iter().flat_map(|clause| &clause.hits).filter(from);
            if before.any(|other| hit.at - other.end < 2) {
                spoken.extend(hit.at..hit.end);
            }
        }
    }
    let hits = clauses.iter().flat_map(|clause| &clause.hits);
    let definite = hits.filter(|hit| is_definite(text, hit));
    let things: Vec<usize> = definite.map(|hit| hit.end).collect();
    let mut found: Vec<Mention> = Vec::new();
    let mut quoted = Vec::new();
    let last = clauses.last().map_or(0, |clause| clause.sentence);
    for sentence in 0..=last {
        let mut of = clauses
            .iter()
            .filter(|c| c.sentence == sentence && !c.is_foreign());
        let Some(first) = of.next() else { continue };
        let end = of.next_back().map_or(first.tokens.end, |c| c.tokens.end);
        let range = first.tokens.start..end;
        found.extend(mentions(
            text,
            words,
            range,
            (&spoken, &things),
            tasks,
            focus,
        ));
    }
    for clause in clauses.iter().filter(|clause| clause.is_foreign()) {
        let range = clause.tokens.clone();
        let named = mentions(text, words, range, (&[], &[]), tasks, &[]);
        quoted.extend(named.into_iter().map(|mention| mention.task));
    }
    quoted.retain(|id| !found.iter().any(|mention| mention.task == *id));
    if found.is_empty() {
        found.extend(named_by_kind(text, words, clauses, &spoken, tasks));
    }
    (found, quoted)
}

/// The tasks that a text of the user's names.
pub(super) fn named_in(said: &str, tasks: &TaskList) -> Vec<TaskId> {
    let text = Text::new(said);
    let range = 0..text.tokens.len();
    let named = mentions(&text, &spoken(&text, false), range, (&[], &[]), tasks, &[]);
    named.into_iter().map(|mention| mention.task).collect()
}

/// Tells whether a word for tasks is the plural of another one.
fn is_plural(text: &Text<'_>, item: &Hit) -> bool {
    let mut plural = false;
    bases(text.word(item.end - 1), &mut |base| {
        plural |= begins(Cue::Item, &Text::new(base), 0);
    });
    plural
}

/// Tells whether a cue is a definite article, or a word that says whose a thing is.
fn is_definite(text: &Text<'_>, hit: &Hit) -> bool {
    hit.cue == Cue::Determiner && !is_indefinite(text.word(hit.at))
}

/// The one task whose title has the word by which the message speaks of a task: "the appointment".
fn named_by_kind(
    text: &Text<'_>,
    words: &[Word],
    clauses: &[Clause],
    spoken: &[usize],
    tasks: &TaskList,
) -> Option<Mention> {
    let own = clauses.iter().filter(|clause| !clause.is_foreign());
    let mut hits = own.flat_map(|clause| {
        // "remove X from my list", "the task X" name X.
        let more = words.iter().any(|word| {
            let cued = |hit: &Hit| hit.covers(word.token) && (hit.tells() || hit.cue == Cue::Item);
            clause.tokens.contains(&word.token)
                && !spoken.contains(&word.token)
                && !word.is_number()
                && !is_function_word(&word.said)
                && !clause.hits.iter().any(cued)
        });
        let determined = move |item: &&Hit| {
            let definite = |hit: &Hit| hit.end == item.at && is_definite(text, hit);
            // "all my tasks", "the tasks" are a set, whatever a title has.
            let set = |hit: &Hit| hit.cue == Cue::All && hit.covers(item.at);
            let many = clause.hits.iter().any(set) || is_plural(text, item);
            item.cue == Cue::Item && !more && !many && clause.hits.iter().any(definite)
        };
        clause.hits.iter().filter(determined)
    });
    hits.find_map(|item| {
        let words: Vec<&str> = (item.at..item.end).map(|at| text.word(at)).collect();
        let titled = |task: &&Task| {
            let title = Text::new(task.title.as_str());
            let mut starts = 0..title.tokens.len();
            starts.any(|start| {
                let mut said = words.iter().enumerate();
                said.all(|(offset, word)| title.word(start + offset) == *word)
            })
        };
        let mut named = tasks.iter().filter(titled);
        let task = named.next().filter(|_| named.next().is_none())?;
        Some(Mention {
            task: task.id,
            pending: !task.status.is_completed(),
            tokens: (item.at..item.end).collect(),
            whole: false,
            exact: false,
        })
    })
}

impl Evidence<'_> {
    /// The tokens that name a task of this title, where all of its words are said: each at its first place.
    pub(super) fn naming(&self, title: &str) -> Vec<usize> {
        if let Some(tokens) = self.exact_mention(title) {
            return tokens.to_vec();
        }
        let first = |own: &Word| self.words.iter().find(|word| word.is_form_of(own));
        let own = content(title);
        let named: Option<Vec<usize>> = own.iter().map(|own| Some(first(own)?.token)).collect();
        named.unwrap_or_default()
    }

    /// Tells whether a task is named only by some words of its title that tell of something new: "my mom
    /// has a meeting on friday".
    pub fn names_something_new(&self, task: TaskId) -> bool {
        let new = |mention: &&Mention| {
            let before = mention.tokens.first().and_then(|at| at.checked_sub(1));
            !mention.whole && before.is_some_and(|at| is_indefinite(self.text.word(at)))
        };
        let mut own = self
            .mentions
            .iter()
            .filter(|mention| mention.task == task)
            .peekable();
        own.peek().is_some() && own.all(|mention| new(&mention))
    }
}

/// Tells whether a number opens a clause and is no day of a month: "42 weren't in".
fn counts(text: &Text<'_>, at: usize) -> bool {
    let word = |at: usize| text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word);
    let apart = |before: usize| {
        let [end, start] = [text.tokens.get(before), text.tokens.get(at)];
        let gap = end
            .zip(start)
            .map(|(end, start)| end.span.end..start.span.start);
        let gap = gap.and_then(|gap| text.raw.get(gap)).unwrap_or_default();
        !word(before) && gap.contains(char::is_whitespace)
    };
    let opens = at.checked_sub(1).is_none_or(apart);
    opens && word(at + 1) && text.word(at).parse::<u32>().is_ok_and(|number| number > 31)
}

/// The words that a title's word makes with the one beside it, written as one: "waterbill".
fn joinings(title: &[Word], at: usize) -> Vec<String> {
    let pairs = title.windows(2).enumerate();
    let own = pairs.filter(|(first, _)| *first == at || *first + 1 == at);
    own.map(|(_, pair)| pair.iter().map(|word| word.said.as_str()).collect())
        .collect()
}

/// Tells whether a word in capitals is made of the first letters of a title's words: "HV" for *Health
/// visitor*.
fn are_initials(text: &Text<'_>, at: usize, title: &[Word]) -> bool {
    let raw = text.slice(at..at + 1);
    let capital = raw.chars().all(char::is_uppercase) && raw.chars().count() > 1;
    let shouted = !text.raw.chars().any(char::is_lowercase);
    let first = title.iter().filter_map(|word| word.said.chars().next());
    capital && !shouted && first.eq(text.word(at).chars())
}

/// The tokens of the quotation that a token stands in; none where it stands in none.
fn quotation(text: &Text<'_>, token: usize) -> Range<usize> {
    let quoted = |at: &usize| text.tokens.get(*at).is_some_and(|token| token.quoted);
    if !quoted(&token) {
        return 0..0;
    }
    let start = (0..token).rev().take_while(quoted).last();
    let end = (token..text.tokens.len()).take_while(quoted).last();
    start.unwrap_or(token)..end.unwrap_or(token) + 1
}

/// Takes the words of a title that is written there from tasks that share one with it: "ant" of
/// *ant du* names no *ant go*.
fn take_apart(found: &mut Vec<Mention>) {
    let exact: Vec<(TaskId, Vec<usize>)> = found
        .iter()
        .filter(|mention| mention.exact)
        .map(|mention| (mention.task, mention.tokens.clone()))
        .collect();
    for mention in found.iter_mut().filter(|mention| !mention.exact) {
        for (_, tokens) in &exact {
            if !tokens.iter().all(|token| mention.tokens.contains(token)) {
                mention.tokens.retain(|token| !tokens.contains(token));
            }
        }
    }
    found.retain(|mention| !mention.tokens.is_empty());
}

/// The mentions that no other one fits better, of the tasks that a deed looks among.
pub(super) fn best<'m>(
    mentions: impl IntoIterator<Item = &'m Mention>,
    among: Among,
) -> Vec<&'m Mention> {
    let eligible = |mention: &&Mention| match among {
        Among::Pending => mention.pending,
        Among::Completed => !mention.pending,
        Among::All => true,
    };
    let of: Vec<&Mention> = mentions.into_iter().filter(eligible).collect();
    let covers = |other: &Mention, one: &Mention| {
        one.tokens.iter().all(|token| other.tokens.contains(token))
    };
    let better = |other: &Mention, one: &Mention| {
        if other.task == one.task || !covers(other, one) {
            return false;
        }
        let longer = other.tokens.len() > one.tokens.len();
        longer && !(one.exact && !other.exact && !other.whole)
            || !longer && ((other.exact && !one.exact) || (other.whole && !one.whole && !one.exact))
    };
    let kept = of
        .iter()
        .filter(|one| !of.iter().any(|other| better(other, one)));
    kept.copied().collect()
}

/// Tells whether other words name exactly what these do.
pub(super) fn is_ambiguous(mention: &Mention, all: &[&Mention]) -> bool {
    let mut others = all.iter().filter(|other| other.task != mention.task);
    others.any(|other| {
        other.whole == mention.whole
            && other.exact == mention.exact
            && other
                .tokens
                .iter()
                .any(|token| mention.tokens.contains(token))
            && (other.tokens == mention.tokens)
    })
}

/// A task that some words name.
#[derive(Debug, Clone)]
pub(in crate::guard) struct Named {
    pub task: TaskId,
    /// The tokens that name it.
    pub tokens: Vec<usize>,
    /// Tokens of other forms of its words: "called" for *Call mom*.
    pub forms: Vec<usize>,
    /// Every word of its title stands there.
    pub whole: bool,
}

/// The tasks that the words of a question name, those alone that no other one fits better.
pub(in crate::guard) fn named(text: &Text<'_>, tasks: &TaskList) -> Vec<Named> {
    let said = words(text);
    let range = 0..text.tokens.len();
    let found = mentions(text, &said, range, (&[], &[]), tasks, &[]);
    let fits = best(&found, Among::All).into_iter();
    fits.map(|mention| {
        let title = tasks.get(mention.task).map(|task| task.title.as_str());
        let own = words(&Text::new(title.unwrap_or_default()));
        let form = |word: &&Word| own.iter().any(|own| own.is_form_of(word));
        let forms = said.iter().filter(form).map(|word| word.token);
        Named {
            task: mention.task,
            tokens: mention.tokens.clone(),
            forms: forms.collect(),
            whole: mention.whole,
        }
    })
    .collect()
}
