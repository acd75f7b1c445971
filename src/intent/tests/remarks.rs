//! Remarks beside an order: why it is given, doubts, irony, fillers, and what goes on from it.

use super::{Lang, check, check_in};

#[track_caller]
fn all(rows: &[(&str, &str)]) {
    for (message, expect) in rows {
        check(message, expect);
    }
}

#[track_caller]
fn in_language(lang: Lang, rows: &[(&str, &str)]) {
    for (message, expect) in rows {
        check_in(lang, message, expect);
    }
}

#[test]
fn what_begins_with_a_doubt_is_asked_about() {
    all(&[
        ("maybe delete milk", "hint delete [milk]"),
        ("perhaps delete milk?", "hint delete [milk]"),
        ("perhaps complete milk", "hint complete [milk]"),
        ("maybe add eggs", "wish [eggs]"),
        ("yeah right, delete milk", "hint delete [milk]"),
        ("oh great, delete milk why don't you", "hint delete [milk]"),
        ("delete milk maybe", "hint delete [milk]"),
        (
            "rename essay to thesis, I think",
            "hint update [essay] to be [thesis]",
        ),
        ("delete everything, perhaps", "hint delete all"),
        ("maybe not delete milk", "not delete [milk]"),
        // Politeness is no doubt.
        ("maybe you could delete milk", "delete [milk]"),
        ("could you perhaps delete milk", "delete [milk]"),
        ("why don't you delete milk", "delete [milk]"),
    ]);
}

#[test]
fn an_order_with_a_question_mark_is_asked_about() {
    all(&[
        ("delete milk?", "hint delete [milk]"),
        ("add eggs?", "wish [eggs]"),
        ("delete milk? no, keep it", "No"),
        ("can you delete milk?", "delete [milk]"),
        ("are you able to delete milk?", "delete [milk]"),
        ("delete milk, ok?", "delete [milk]"),
        ("delete milk, would you mind?", "delete [milk]"),
        // Of no task in particular it asks what can be done.
        ("are you able to delete tasks?", "help General"),
    ]);
}

#[test]
fn a_reason_behind_an_order_names_nothing() {
    all(&[
        (
            "push dentist to friday, I'm busy tomorrow",
            "update [dentist] on 2026-02-13",
        ),
        (
            "push dentist to friday, it's raining tomorrow",
            "update [dentist] on 2026-02-13",
        ),
        (
            "move dentist to monday, friday doesn't work",
            "update [dentist] on 2026-02-09",
        ),
        (
            "move dentist to monday, I can't make friday",
            "update [dentist] on 2026-02-09",
        ),
        (
            "rename essay to thesis, it sounds better",
            "update [essay] to be [thesis]",
        ),
        ("make rent high, the landlord is mad", "update [rent] high"),
        ("mark milk as done, just bought it", "complete [milk]"),
        ("mark milk as done, took me ages", "complete [milk]"),
        ("tick off essay, handed it in", "complete [essay]"),
        (
            "mark essay as done even though it's short",
            "complete [essay]",
        ),
        ("delete milk (we have plenty)", "delete [milk]"),
        ("because mom is away, delete milk", "delete [milk]"),
        ("add bread, we ran out", "add [bread]"),
        ("add bread, I always forget it", "add [bread]"),
        (
            "add dentist tomorrow, my tooth hurts",
            "add [dentist] on 2026-02-09",
        ),
        // What is said of the thing itself may be a part of its title.
        ("add email Sam, he is new", "add [email Sam, he is new]"),
    ]);
}

#[test]
fn a_wish_behind_an_order_is_one_of_its_own() {
    all(&[
        ("delete milk, I want bread", "delete [milk] ; wish [bread]"),
        (
            "complete milk, we need bread",
            "complete [milk] ; wish [bread]",
        ),
        (
            "delete milk, I need to buy jam",
            "delete [milk] ; wish [buy jam]",
        ),
        ("undo it, I forgot to buy it", "undo"),
    ]);
}

#[test]
fn a_filler_is_no_item() {
    all(&[
        ("add bread, oh and butter", "add [bread] + [butter]"),
        ("add bread, um, and butter", "add [bread] + [butter]"),
        ("add bread, erm, eggs", "add [bread] + [eggs]"),
        ("add eggs, finally", "add [eggs]"),
        ("add bread, of course", "add [bread]"),
        ("add bread, mate", "add [bread]"),
        ("add bread, no rush", "add [bread]"),
        ("add bread please and thank you", "add [bread]"),
        (
            "add olive oil and bin bags, also jam",
            "add [olive oil] + [bin bags] + [jam]",
        ),
        (
            "add bread and also, if you can, eggs",
            "add [bread] + [eggs]",
        ),
        // A value is none.
        ("add bread, asap", "add [bread] high"),
    ]);
}

#[test]
fn what_goes_on_from_an_order_is_of_its_kind() {
    all(&[
        ("mark milk as done, also eggs", "complete [milk] + [eggs]"),
        (
            "mark milk as done, and essay as well",
            "complete [milk] + [essay]",
        ),
        ("delete milk, then essay", "delete [milk] + [essay]"),
        (
            "milk's done, essay's done, and rent is paid",
            "[milk] is done: true ; [essay] is done: true ; [rent] is done: true",
        ),
    ]);
}

#[test]
fn an_order_is_mended_in_the_same_breath() {
    all(&[
        ("add bread, scratch that, eggs", "add [eggs]"),
        ("add bread, or rather eggs", "add [eggs]"),
        ("add bread, sorry, I mean eggs", "add [eggs]"),
        ("delete milk, wait no, essay", "delete [essay]"),
        ("delete milk, actually mark it as done", "complete [milk]"),
    ]);
}

#[test]
fn a_day_that_it_is_not_due_on_stays_in_the_title() {
    all(&[
        ("add eggs by friday", "add [eggs] on 2026-02-13"),
        ("add eggs after friday", "add [eggs after friday]"),
        (
            "the dentist is on monday, not friday",
            "update [dentist] on 2026-02-09",
        ),
        (
            "actually dentist is monday",
            "update [dentist] on 2026-02-09",
        ),
    ]);
}

#[test]
fn what_may_well_be_done_is_asked_about() {
    all(&[
        ("I think I'm done with essay", "hint complete [essay]"),
        ("milk should be done", "hint complete [milk]"),
        ("essay can be ticked off", "hint complete [essay]"),
        ("essay is no longer urgent", "hint update [essay] low"),
    ]);
}

#[test]
fn signs_and_labels_stand_for_verbs() {
    all(&[
        ("+ eggs", "add [eggs]"),
        ("buy: eggs, bread", "wish [eggs, bread]"),
        ("gonna need batteries, can you add those", "add [batteries]"),
        (
            "delete milk and add bread instead",
            "delete [milk] ; add [bread]",
        ),
    ]);
}

#[test]
fn other_languages_doubt_and_explain_alike() {
    let doubt = "hint delete [milk]";
    let done = "delete [milk]";
    in_language(
        Lang::De,
        &[
            ("vielleicht milk löschen", doubt),
            ("lösch milk, glaub ich", doubt),
            ("lösch milk nicht", "not delete [milk]"),
            ("lösch milk, ich hab noch welche", done),
            ("lösch mal bitte milk, danke dir", done),
            ("lösch milk, ich will Brot", "delete [milk] ; wish [Brot]"),
            ("füg Brot hinzu, endlich", "add [Brot]"),
            (
                "verschieb dentist auf Freitag, ich hab morgen keine Zeit",
                "update [dentist] on 2026-02-13",
            ),
        ],
    );
    in_language(
        Lang::Es,
        &[
            ("quizás borra milk", doubt),
            ("borra milk, ya tengo", done),
            ("borra milk, quiero pan", "delete [milk] ; wish [pan]"),
            ("añade pan, ah y queso", "add [pan] + [queso]"),
            ("añade pan, por fin", "add [pan]"),
        ],
    );
    in_language(
        Lang::Fr,
        &[
            ("peut-être supprimer milk", doubt),
            ("supprime milk, j'en ai déjà", done),
            (
                "renomme essay en thesis, ça sonne mieux",
                "update [essay] to be [thesis]",
            ),
        ],
    );
    in_language(
        Lang::It,
        &[
            ("forse cancella milk", doubt),
            (
                "cancella milk, voglio il pane",
                "delete [milk] ; wish [il pane]",
            ),
            ("aggiungi pane, finalmente", "add [pane]"),
        ],
    );
    in_language(
        Lang::Pt,
        &[
            ("se calhar apaga milk", doubt),
            ("apaga milk, já tenho", done),
            ("apaga milk, quero pão", "delete [milk] ; wish [pão]"),
        ],
    );
    in_language(
        Lang::Ur,
        &[
            ("misal ke tor par, milk delete kar do", doubt),
            ("shayad milk delete kar do", doubt),
            ("farz karo milk delete kar do", doubt),
        ],
    );
}
