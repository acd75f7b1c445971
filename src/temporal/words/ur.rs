//! Roman Urdu: Urdu in Latin letters, spelled as people spell it.

use super::{DAY, Language, Lex, MONTH, Unit, WEEK, YEAR, each, maybe_on, month, on};

/// Urdu: day before month, postpositions after the day.
pub(in crate::temporal) static UR: Language = Language {
    day_first: true,
    trailing: false,
    elides: false,
    words: &[
        (on(0), &["somwar", "somvaar", "somwaar", "somvar"]),
        (maybe_on(0), &["peer", "pir"]),
        (on(1), &["mangal", "mangalwar", "mangalvar"]),
        (on(2), &["budh", "budhwar", "budhvar"]),
        (
            on(3),
            &[
                "jumerat", "jumeraat", "jumeyrat", "jumarat", "jumaraat", "guruvar", "guruwar",
            ],
        ),
        (
            on(4),
            &[
                "jumma",
                "jummah",
                "juma",
                "jumme",
                "jummay",
                "jume",
                "jummey",
                "shukravar",
                "shukrawar",
                "shukrvar",
            ],
        ),
        (
            on(5),
            &[
                "sanichar",
                "shanivar",
                "shaniwar",
                "hafte ke din",
                "hafta ke din",
                "hafte ko",
                "haftay ko",
                "hafta ko",
            ],
        ),
        (
            on(6),
            &["itwar", "itvar", "itwaar", "itvaar", "ravivar", "raviwar"],
        ),
        (Lex::Hafta, &["hafta", "haftah"]),
        (month(1), &["janwari", "janvari", "januari"]),
        (month(2), &["farwari", "farvari", "febuari"]),
        (month(5), &["mai"]),
        (month(7), &["julai"]),
        (month(8), &["agast"]),
        (month(9), &["sitambar", "sitamber"]),
        (month(10), &["aktobar", "aktoobar"]),
        (month(11), &["novambar", "navambar"]),
        (month(12), &["disambar", "dismber"]),
        (DAY, &["din", "dinon", "roz"]),
        (WEEK, &["hafte", "haftay", "hafton"]),
        (
            MONTH,
            &[
                "mahina", "mahine", "maheena", "maheene", "mahinay", "mahinon",
            ],
        ),
        (YEAR, &["saal", "sal", "saalon", "baras"]),
        (
            Lex::ClockUnit(3600),
            &["ghanta", "ghante", "ghantay", "ghanton"],
        ),
        (
            Lex::ClockUnit(1800),
            &["aadha ghanta", "aadhe ghante", "adha ghanta", "adhe ghante"],
        ),
        (
            Lex::Day(0),
            &[
                "aaj",
                "aj",
                "aaj raat",
                "aaj shaam",
                "aaj sham",
                "aaj subah",
                "aaj dopahar",
            ],
        ),
        (Lex::Day(1), &["kal"]),
        (Lex::Day(2), &["parson", "parsoon", "parsun"]),
        (Lex::Day(3), &["tarson", "narson"]),
        (Lex::Now, &["abhi"]),
        (Lex::Next, &["agla", "agle", "agli", "aglay"]),
        (Lex::This, &["is", "iss", "yeh", "ye"]),
        (
            Lex::Coming,
            &[
                "aane wale",
                "aane wali",
                "aane wala",
                "anay wale",
                "anay walay",
            ],
        ),
        (Lex::Last, &["pichla", "pichle", "pichli", "guzishta"]),
        (Lex::Of, &["ka", "ke", "ki", "kay"]),
        (
            Lex::InBehind,
            &[
                "baad", "bad", "mein", "me", "main", "ke baad", "ke andar", "kay baad",
            ],
        ),
        (Lex::Ago, &["pehle", "pehlay", "pahle"]),
        (Lex::End, &["akhir", "aakhir", "aakhri", "akhri"]),
        (Lex::Start, &["shuru"]),
        (
            Lex::Post,
            &[
                "ko", "tak", "se", "wala", "wali", "wale", "ke liye", "ke din", "tk",
            ],
        ),
        (Lex::DateWord, &["tareekh", "tarikh", "tareek"]),
        (
            Lex::Part,
            &[
                "subah", "dopahar", "dopeher", "shaam", "sham", "raat", "rat",
            ],
        ),
        (Lex::Hour, &["baje", "bajay", "bje"]),
        (Lex::Every, &["har"]),
        (each(Unit::Day, 1), &["rozana", "roz", "har roz"]),
        (each(Unit::Month, 1), &["mahana"]),
        (each(Unit::Week, 1), &["haftawar"]),
        (Lex::Spelled(1), &["ek", "aik"]),
        (Lex::Spelled(2), &["do"]),
        (Lex::Spelled(3), &["teen", "tin"]),
        (Lex::Spelled(4), &["char", "chaar"]),
        (Lex::Spelled(5), &["panch", "paanch"]),
        (Lex::Spelled(6), &["chay", "chhe", "chhay", "che"]),
        (Lex::Spelled(7), &["saat", "sat"]),
        (Lex::Spelled(8), &["aath", "ath"]),
        (Lex::Spelled(9), &["nau", "no"]),
        (Lex::Spelled(10), &["das", "dus"]),
        (Lex::SpelledOrd(1), &["pehla", "pehli"]),
        (
            Lex::Join,
            &[
                "aur", "ya", "lekin", "phir", "hai", "karo", "kar", "kardo", "mera", "meri",
            ],
        ),
    ],
};
