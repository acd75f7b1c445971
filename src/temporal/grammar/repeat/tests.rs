//! Repetitions of every language, and what is none.

use super::super::super::Unkept;
use super::super::super::checks::{SUNDAY, days, read};
use crate::domain::Lang;
use crate::domain::text::Text;

/// The words of the repetition, and its rule.
#[track_caller]
fn check(text: &str, lang: Lang, words: &str, rule: &str) {
    let scan = read(text, SUNDAY, lang);
    let [found] = scan.repeats.as_slice() else {
        panic!("{text:?}: {scan:?}")
    };
    let said = Text::new(text).slice(found.tokens.clone()).to_owned();
    assert_eq!(
        (&*said, &*found.rule.to_string()),
        (words, rule),
        "{text:?}"
    );
    assert_eq!((scan.dates, scan.unkept), (vec![], vec![]), "{text:?}");
}

#[test]
fn english() {
    for (words, rule) in [
        ("every monday", "FREQ=WEEKLY;BYDAY=MO"),
        ("each tue", "FREQ=WEEKLY;BYDAY=TU"),
        (
            "every monday, wednesday and friday",
            "FREQ=WEEKLY;BYDAY=MO,WE,FR",
        ),
        ("on tuesdays", "FREQ=WEEKLY;BYDAY=TU"),
        ("on mondays and thursdays", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("every monday and every thursday", "FREQ=WEEKLY;BYDAY=MO,TH"),
        (
            "every 2 weeks on monday and on thursday",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH",
        ),
        ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("daily", "FREQ=DAILY"),
        ("every single day", "FREQ=DAILY"),
        ("every other day", "FREQ=DAILY;INTERVAL=2"),
        ("every third day", "FREQ=DAILY;INTERVAL=3"),
        ("each week", "FREQ=WEEKLY"),
        ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
        ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
        ("every fortnight", "FREQ=WEEKLY;INTERVAL=2"),
        ("weekly on monday", "FREQ=WEEKLY;BYDAY=MO"),
        ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every weekend", "FREQ=WEEKLY;BYDAY=SA"),
        ("once per month", "FREQ=MONTHLY"),
        ("every month", "FREQ=MONTHLY"),
        ("monthly on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("on the 1st of each month", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=15"),
        (
            "on the last day of every month",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
        ),
        ("every first monday of the month", "FREQ=MONTHLY;BYDAY=1MO"),
        (
            "every second tuesday of the month",
            "FREQ=MONTHLY;BYDAY=2TU",
        ),
        ("the last friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
        ("every year", "FREQ=YEARLY"),
        ("every march 3", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3"),
        ("every 3rd of march", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3"),
        ("every year on june 9", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=9"),
        ("every christmas", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25"),
        (
            "every monday until march 2",
            "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260302",
        ),
        ("every monday for six weeks", "FREQ=WEEKLY;BYDAY=MO;COUNT=6"),
        ("every day for two weeks", "FREQ=DAILY;COUNT=14"),
        ("every monday six times", "FREQ=WEEKLY;BYDAY=MO;COUNT=6"),
        (
            "every monday for two months",
            "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260408",
        ),
        ("weekdays only", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ] {
        check(&format!("gym {words}"), Lang::En, words, rule);
    }
    for words in [
        "har jumma 6 baar",
        "har jumma 6 dafa",
        "har jumma chay martaba",
    ] {
        check(
            &format!("gym {words}"),
            Lang::Ur,
            words,
            "FREQ=WEEKLY;BYDAY=FR;COUNT=6",
        );
    }
    // How often within a day is no end.
    for words in [
        "pill every day 3 times a day",
        "pill every monday 3 times a day",
        "pill daily 3 times",
    ] {
        let rules = read(words, SUNDAY, Lang::En).repeats;
        assert!(
            rules
                .iter()
                .all(|found| !found.rule.to_string().contains("COUNT")),
            "{words}"
        );
    }
    for (words, lang) in [
        ("tous les jours 3 fois par jour", Lang::Fr),
        ("todos los días 3 veces al día", Lang::Es),
        ("dawai har roz teen dafa", Lang::Ur),
    ] {
        let rules = read(words, SUNDAY, lang).repeats;
        assert!(
            rules
                .iter()
                .all(|found| !found.rule.to_string().contains("COUNT")),
            "{words}"
        );
    }
    // A time of day may stand between a rule and its end, which then is said in two places.
    let scan = read("gym daily at 8am until the end of march", SUNDAY, Lang::En);
    let rules = scan.repeats.iter().map(|found| found.rule.to_string());
    assert_eq!(rules.collect::<Vec<_>>(), ["FREQ=DAILY;UNTIL=20260331"; 2]);
    assert!(scan.dates.is_empty() && scan.times.len() == 1);
    let morning = read("gym every morning", SUNDAY, Lang::En).repeats;
    assert!(morning[0].part_of_day && morning[0].rule.to_string() == "FREQ=DAILY");
    let scan = read("gym every monday starting march 2", SUNDAY, Lang::En);
    assert_eq!(scan.repeats.len(), 1);
    assert_eq!(scan.dates[0].day.to_string(), "2026-03-02");
}

#[test]
fn other_languages() {
    let weekly = |days: &str| format!("FREQ=WEEKLY;BYDAY={days}");
    let first = "FREQ=MONTHLY;BYMONTHDAY=1";
    let march = "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3";
    for (lang, words, rule) in [
        (Lang::De, "jeden Montag", &*weekly("MO")),
        (Lang::De, "montags", &weekly("MO")),
        (Lang::De, "täglich", "FREQ=DAILY"),
        (Lang::De, "alle zwei Wochen", "FREQ=WEEKLY;INTERVAL=2"),
        (Lang::De, "jeden zweiten Tag", "FREQ=DAILY;INTERVAL=2"),
        (Lang::De, "jeden Werktag", &weekly("MO,TU,WE,TH,FR")),
        (Lang::De, "am 1. jedes Monats", first),
        (Lang::De, "jeden Monat am 1.", first),
        (Lang::De, "jeden 1. des Monats", first),
        (Lang::De, "jeden 1. im Monat", first),
        (
            Lang::De,
            "jeden ersten Montag im Monat",
            "FREQ=MONTHLY;BYDAY=1MO",
        ),
        (Lang::De, "jedes Jahr am 3. März", march),
        (Lang::Ur, "har somvar", &weekly("MO")),
        (Lang::Ur, "rozana", "FREQ=DAILY"),
        (Lang::Ur, "har hafte", "FREQ=WEEKLY"),
        (Lang::Ur, "har do hafte", "FREQ=WEEKLY;INTERVAL=2"),
        (Lang::Ur, "har mahine ki 1 tareekh", first),
        (Lang::Es, "cada lunes", &weekly("MO")),
        (Lang::Es, "todos los lunes y jueves", &weekly("MO,TH")),
        (Lang::Es, "todos los días", "FREQ=DAILY"),
        (Lang::Es, "cada lunes y el jueves", &weekly("MO,TH")),
        (Lang::Es, "un día sí y otro no", "FREQ=DAILY;INTERVAL=2"),
        (Lang::Es, "cada dos semanas", "FREQ=WEEKLY;INTERVAL=2"),
        (Lang::Es, "el 1 de cada mes", first),
        (
            Lang::Es,
            "el último viernes de cada mes",
            "FREQ=MONTHLY;BYDAY=-1FR",
        ),
        (Lang::Es, "cada 3 de marzo", march),
        (Lang::Fr, "tous les lundis", &weekly("MO")),
        (Lang::Fr, "chaque lundi", &weekly("MO")),
        (Lang::Fr, "chaque lundi et chaque jeudi", &weekly("MO,TH")),
        (Lang::Fr, "une semaine sur deux", "FREQ=WEEKLY;INTERVAL=2"),
        (Lang::Fr, "tous les deux jours", "FREQ=DAILY;INTERVAL=2"),
        (Lang::Fr, "le 1er de chaque mois", first),
        (Lang::Fr, "chaque année", "FREQ=YEARLY"),
        (Lang::It, "ogni lunedì", &weekly("MO")),
        (Lang::It, "tutti i giorni", "FREQ=DAILY"),
        (Lang::It, "ogni due settimane", "FREQ=WEEKLY;INTERVAL=2"),
        (Lang::It, "il primo di ogni mese", first),
        (
            Lang::It,
            "ogni primo lunedì del mese",
            "FREQ=MONTHLY;BYDAY=1MO",
        ),
        (Lang::Pt, "toda segunda", &weekly("MO")),
        (Lang::Pt, "todos os dias", "FREQ=DAILY"),
        (Lang::Pt, "a cada duas semanas", "FREQ=WEEKLY;INTERVAL=2"),
        (Lang::Pt, "todo mês no dia 1", first),
    ] {
        check(&format!("Sport {words}"), lang, words, rule);
    }
}

#[test]
fn what_has_no_rule() {
    for text in [
        "gym twice a week",
        "gym 3 times a week",
        "gym every 2 hours",
        "gym hourly",
        "gym every second tuesday",
        "gym every 400 days",
        "gym every march",
    ] {
        let scan = read(text, SUNDAY, Lang::En);
        assert!(
            scan.dates.is_empty() && scan.repeats.is_empty(),
            "{text}: {scan:?}"
        );
        assert!(
            matches!(scan.unkept.as_slice(), [(_, Unkept::Recurrence)]),
            "{text}: {:?}",
            scan.unkept
        );
    }
    assert!(days("gym twice a week", SUNDAY, Lang::En).is_empty());
}

#[test]
fn what_repeats_nothing() {
    for text in [
        "delete every task",
        "write the weekly report",
        "daily standup",
        "each of them",
        "three times",
    ] {
        let scan = read(text, SUNDAY, Lang::En);
        assert!(scan.unkept.is_empty() && scan.repeats.is_empty(), "{text}");
    }
}

#[test]
fn every_other_weekday_of_each_language() {
    for (text, lang, rule) in [
        (
            "jeden zweiten Sonntag",
            Lang::De,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "alle zwei Wochen sonntags",
            Lang::De,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "un dimanche sur deux",
            Lang::Fr,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "un domingo sí y otro no",
            Lang::Es,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "cada dos lunes",
            Lang::Es,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
        ),
        (
            "una domenica sì e una no",
            Lang::It,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "ogni due domeniche",
            Lang::It,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "domingo sim, domingo não",
            Lang::Pt,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        ("mês sim, mês não", Lang::Pt, "FREQ=MONTHLY;INTERVAL=2"),
        ("settimane alterne", Lang::It, "FREQ=WEEKLY;INTERVAL=2"),
        (
            "nei giorni feriali",
            Lang::It,
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        ),
        (
            "nos dias úteis",
            Lang::Pt,
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        ),
        (
            "har doosre itwar",
            Lang::Ur,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
        ),
        (
            "every day except sunday",
            Lang::En,
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA",
        ),
        (
            "jeden Tag außer am Sonntag",
            Lang::De,
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA",
        ),
    ] {
        check(text, lang, text, rule);
    }
    for (text, lang) in [
        ("sexta não, sábado", Lang::Pt),
        ("domingo no", Lang::Es),
        ("un dimanche", Lang::Fr),
    ] {
        assert!(read(text, SUNDAY, lang).repeats.is_empty(), "{text}");
    }
}
