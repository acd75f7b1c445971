//! Denials that are one only right beside a verb, "diya nai" is "not given" and "nai shirt" a new shirt, and
//! those that deny no value: "at six, not half past".

use super::Evidence;
use super::cue_text::CueText;
use super::cues::{Cue, Deed, Hit, PHRASES, begins};
use super::values::BESIDE;
use crate::domain::Lang;
use crate::domain::text::{Kind, Text};
use crate::guard::talk::is_function_word;

/// Tells whether a negation runs into a plea that has the denial in it: "must not forget to".
pub(super) fn pleads(text: &Text<'_>, hits: &[Hit], negation: &Hit) -> bool {
    let plea = |plea: &Hit| {
        let over = negation.at <= plea.at && plea.at < negation.end && negation.end <= plea.end;
        let own = plea.cue == Cue::Order(Deed::Add) && begins(Cue::Denial, text, plea.at);
        // "did not forget to" tells that it was thought of.
        let told =
            |other: &Hit| other.cue == Cue::Undone && other.at < plea.at && plea.at < other.end;
        over && own && !plea.open && !hits.iter().any(told)
    };
    negation.cue == Cue::Negation && hits.iter().any(plea)
}

/// Finds what denies a command or a report right beside its verb: "diya nai", "hatana na", "thori diya".
pub(super) fn denial(
    text: &Text<'_>,
    hits: &[Hit],
    verb: &Hit,
    strange: impl Fn(Lang) -> bool,
) -> Option<Hit> {
    let cue = match verb.cue {
        Cue::Told(Deed::Complete) => Cue::Undone,
        Cue::Order(_) => Cue::Negation,
        _ => return None,
    };
    let cues = CueText { text, titles: &[] };
    let end = |at: usize| {
        let phrases = PHRASES.of(text.spelt(at)).filter(|phrase| {
            let (cue, lang) = phrase.class;
            cue == Cue::Denies && !strange(lang)
        });
        let ends = phrases.filter_map(|phrase| phrase.end(&cues, at));
        ends.map(|(end, _)| end).max()
    };
    // "li nai shirt": what a thing follows is said of that.
    let closes = |end: &usize| {
        let next = text.tokens.get(*end);
        next.is_none_or(|next| next.kind != Kind::Word)
            || is_function_word(text.spelt(*end))
            || hits.iter().any(|hit| hit.at == *end)
    };
    // "lana na bhoolna" orders.
    let free = |at: usize| {
        let other = |hit: &Hit| hit != verb && matches!(hit.cue, Cue::Order(_)) && hit.covers(at);
        !hits.iter().any(other)
    };
    let last = verb.end.saturating_sub(1);
    let pleads = verb.cue == Cue::Order(Deed::Add);
    let behind = || {
        let within = (!pleads).then(|| end(last)).flatten();
        let end = end(verb.end).or(within.filter(|end| *end > verb.end))?;
        Some(verb.end..end).filter(|found| closes(&found.end))
    };
    let before = || {
        let starts = [verb.at.checked_sub(2), verb.at.checked_sub(1)];
        let mut starts = starts.into_iter().flatten();
        let at = starts.find(|at| end(*at) == Some(verb.at))?;
        Some(at..verb.at)
    };
    let found = behind().or_else(before).filter(|found| free(found.start))?;
    // "kab hatao" asks, which is told elsewhere.
    let asks = |hit: &Hit| hit.cue == Cue::Asks && hit.at == found.start;
    (cue == Cue::Undone || !hits.iter().any(asks)).then_some(Hit {
        cue,
        at: found.start,
        end: found.end,
        open: false,
    })
}

impl Evidence<'_> {
    /// Tells whether a negation is no denial of the value that its clause tells: "at six, not half past",
    /// "can't see him until friday".
    pub(super) fn contrasts(&self, negation: &Hit) -> bool {
        let Some(clause) = self
            .clause_at(negation.at)
            .and_then(|at| self.clauses.get(at))
        else {
            return false;
        };
        let dates = self.scan.dates.iter().map(|found| &found.core);
        let times = self.scan.times.iter().map(|(at, _)| at);
        let mut values = dates.clone().chain(times.clone());
        let denied = negation.end..clause.tokens.end.min(negation.end + BESIDE + 1);
        let valued = |at: &usize| {
            let mut values = dates.clone().chain(times.clone());
            let named = values.any(|value| value.contains(at)) || self.number(*at).is_some();
            named || begins(Cue::Some, self.text, *at) || begins(Cue::Over, self.text, *at)
        };
        let until = |hit: &Hit| hit.cue == Cue::Before && hit.at >= negation.end;
        let told =
            values.any(|value| clause.tokens.start <= value.start && value.end <= negation.at);
        // "won't know about it until friday"
        let about = |at: &usize| {
            let before = at
                .checked_sub(1)
                .is_some_and(|at| begins(Cue::Determiner, self.text, at));
            let before = at.checked_sub(1 + usize::from(before));
            before.is_some_and(|at| begins(Cue::About, self.text, at))
        };
        let mut named = self
            .mentions
            .iter()
            .filter_map(|mention| mention.tokens.first());
        told && denied.clone().any(|at| valued(&at)) && self.lang != Lang::Ur
            || clause.hits.iter().any(until) && self.has_value(clause) && !named.any(about)
    }
}
