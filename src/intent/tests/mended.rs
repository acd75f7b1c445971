//! Slips that are mended: what is meant takes the place of what was said, and nothing is done to both.

use super::{Lang, check, check_in};

#[test]
fn what_is_meant_takes_the_place_of_what_was_said() {
    for message in [
        "delete bread, sorry, butter",
        "delete bread, sorry butter",
        "delete bread, oh sorry, butter",
        "delete bread, no sorry, butter",
        "delete bread, oops, I mean the butter",
        "delete bread (I mean butter)",
        "delete bread, I mean butter",
        "delete bread, pardon, butter",
        "delete bread, correction, butter",
        "delete bread, typo, butter",
        "delete bread, excuse me, butter",
        "delete bread, actually butter",
        "delete bread, or rather butter",
        "delete bread, no not bread, butter",
        "delete bread, no the butter",
        "delete bread, actually delete butter",
        "delete bread, sorry, please delete butter",
    ] {
        let reading = super::read(message, super::today(), Lang::En);
        let short = super::short(&reading);
        let short = short.strip_prefix("No ; ").unwrap_or(&short);
        let short = short.replace("the ", "");
        assert_eq!(short, "delete [butter]", "{message:?}");
    }
    check("finish bread, sorry, butter", "complete [butter]");
    check("bought bread, sorry, butter", "[butter] is done: true");
    check("add bread, sorry, butter", "add [butter]");
    check("delete the second, sorry, the third", "delete #3");
}

#[test]
fn a_mended_day_keeps_its_task() {
    check(
        "move bread to monday, sorry, tuesday",
        "update [bread] on 2026-02-10",
    );
    check(
        "move bread to monday, sorry, butter",
        "update [butter] on 2026-02-09",
    );
    check(
        "move the bread, I mean the butter, to monday",
        "update [butter] on 2026-02-09",
    );
    check("mark bread, sorry, butter as done", "complete [butter]");
}

#[test]
fn a_sorry_that_mends_nothing_leaves_the_order() {
    for message in [
        "delete bread, sorry",
        "delete bread, sorry for the trouble",
        "delete bread, sorry to bother you",
    ] {
        check(message, "delete [bread]");
    }
    check(
        "delete bread, actually delete butter too",
        "delete [bread] ; delete [butter]",
    );
    check("add bread, sorry, and butter", "add [bread] + [butter]");
    check("add \"bread, sorry, butter\"", "add [bread, sorry, butter]");
}

#[test]
fn who_falters_is_asked() {
    check("delete bread, er, butter", "hint delete [bread] + [butter]");
    check(
        "finish bread, well, butter",
        "hint complete [bread] + [butter]",
    );
    check("delete bread, oh and butter", "delete [bread] + [butter]");
}

#[test]
fn a_slip_is_mended_in_every_language() {
    for (lang, message) in [
        (Lang::De, "lösche brot, entschuldigung, butter"),
        (Lang::De, "lösche brot, ich meine butter"),
        (Lang::De, "lösche brot, nein butter"),
        (Lang::De, "lösche brot, lieber butter"),
        (Lang::Es, "borra pan, perdón, mantequilla"),
        (Lang::Es, "borra pan, quiero decir mantequilla"),
        (Lang::Es, "borra pan, digo, mantequilla"),
        (Lang::Es, "borra pan, mejor mantequilla"),
        (Lang::Fr, "supprime pain, pardon, beurre"),
        (Lang::Fr, "supprime pain, je veux dire beurre"),
        (Lang::Fr, "supprime pain, plutôt beurre"),
        (Lang::It, "elimina pane, scusa, burro"),
        (Lang::It, "elimina pane, cioè burro"),
        (Lang::It, "elimina pane, anzi burro"),
        (Lang::Pt, "apaga pão, desculpa, manteiga"),
        (Lang::Pt, "apaga pão, quer dizer manteiga"),
        (Lang::Pt, "apaga pão, aliás manteiga"),
        (Lang::Ur, "roti delete karo, sorry, makhan"),
        (Lang::Ur, "roti delete karo, mera matlab makhan"),
    ] {
        let meant = message.rsplit(' ').next().unwrap();
        check_in(lang, message, &format!("delete [{meant}]"));
    }
}
