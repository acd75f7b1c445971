//! Steps, wishes, pity and questions about others, in every language, and lies of the same form.

use super::{Talk, answer, judge_in, shown};

/// The message, and what may be told then.
const SHOWN: &[(&str, &str)] = &[
    // What is to be done at once is bidden, and promised by nobody.
    (
        "come tolgo la cera dal tappeto",
        "Raffreddala subito con del ghiaccio.",
    ),
    (
        "cómo limpio el vino del sofá",
        "Sécalo enseguida con un trapo. Luego échale sal.",
    ),
    (
        "comment ravoir une casserole brûlée",
        "Remplis-la tout de suite d'eau chaude. Ajoute une cuillère de bicarbonate.",
    ),
    (
        "como tiro cheiro de alho da mão",
        "Lave imediatamente com água fria.",
    ),
    (
        "wie rette ich eine versalzene suppe",
        "Gib sofort eine rohe Kartoffel hinein.",
    ),
    ("haath jal gaya", "Fauran thande pani mein rakho."),
    // Wishes.
    ("mi hermana está mala", "Ojalá se recupere pronto."),
    ("meu irmão está doente", "Tomara que ele melhore logo."),
    ("mia zia sta male", "Speriamo che si riprenda presto."),
    // Verbless exclamations.
    ("the cat fell off the roof", "Poor cat!"),
    ("il cane si è perso", "Poverino!"),
    ("meu cachorro fugiu", "Tadinho!"),
    ("ma voisine a pleuré", "La pauvre !"),
    // Questions about somebody.
    ("mein bruder nervt heute", "Hat er sich entschuldigt?"),
    ("ma cousine boude", "Elle a dit pourquoi ?"),
    ("minha irmã sumiu", "Ela brigou com alguém?"),
    ("my son skipped school", "Did he ring later?"),
    // A verb at the end bids.
    ("bohat thak gaya hun", "Aaj jaldi so jao."),
    ("kaam se pareshan hun", "Kal boss se aaram se baat karna."),
    // What the speaker would do.
    (
        "por dónde empiezo la limpieza",
        "Yo lo haría así: primero el salón.",
    ),
    // A list of things that the user asked for.
    (
        "lista para um piquenique",
        "Aqui vai uma lista:\n- Toalha e pratos\n- Suco de uva",
    ),
];

#[test]
fn steps_and_wishes_are_shown() {
    for (message, prose) in SHOWN {
        assert_eq!(shown(message, prose), *prose, "{message:?}");
    }
}

/// The message, and what is told of a list then.
const STOPPED: &[(&str, &str)] = &[
    ("come tolgo la cera dal tappeto", "Subito!"),
    ("sono stanca", "Lo sposto subito."),
    ("estoy cansada", "Enseguida."),
    ("je suis crevée", "Tout de suite !"),
    ("estou cansada", "Agora mesmo!"),
    ("estoy cansada", "Ojalá te guste, ya está borrada."),
    ("mi hermana está mala", "Ojalá, task deleted."),
    ("je suis crevée", "Ajouté du lait à la liste."),
    ("je suis crevée", "Noté !"),
    ("thak gaya hun", "Maine hata diya, aaram karo."),
    ("thak gaya hun", "Main abhi hata deta."),
    (
        "mein bruder nervt",
        "Hat er gesehen, dass die Aufgabe gelöscht ist?",
    ),
    ("estou cansada", "Você tem uma tarefa."),
];

#[test]
fn lies_of_the_same_form_are_stopped() {
    for (message, prose) in STOPPED {
        assert_eq!(shown(message, prose), "", "{message:?}");
        assert!(!answer(message, prose).passes(), "{prose}");
    }
}

/// The day of a task that is spoken of is told by rows alone.
#[test]
fn a_day_of_a_task_needs_its_row() {
    let talk = |message| Talk {
        message,
        titles: &["Viva prep", "Lab report"],
        said: message,
    };
    for (message, prose) in [
        (
            "viva first or the report?",
            "Do the viva prep first, it is on the 15th.",
        ),
        ("viva pehle karun ya report?", "Viva 15 ko hai."),
        (
            "viva pehle karun ya report?",
            "Pehle viva karo, wo 15 ko hai.",
        ),
    ] {
        assert!(!judge_in(prose, talk(message)).passes(), "{prose}");
    }
}
