//! Talk in languages whose verbs no list holds, and lies beside it.

use super::{Talk, answer, judge_in, shown};

/// The message, and what may be told then.
const SHOWN: &[(&str, &str)] = &[
    (
        "je rentre du boulot, quelle semaine",
        "Couche-toi tôt ce soir.",
    ),
    (
        "mes parents passent samedi",
        "Prépare-leur une quiche demain.",
    ),
    ("oggi il capo mi ha sgridata", "Che tristezza."),
    ("meu carro quebrou na estrada", "Que azar danado!"),
    ("mi ha lasciata il ragazzo", "Capisco la rabbia."),
    (
        "qué lleva la ensaladilla",
        "Patata, zanahoria, guisantes, atún y mayonesa.",
    ),
    (
        "o que vai numa caipirinha",
        "Limão cortado, açúcar, cachaça e muito gelo.",
    ),
    (
        "danke, du bist ein Schatz",
        "Immer gern! Hab noch einen schönen Sonntag.",
    ),
    ("ehilà", "Ehilà!"),
    (
        "qué desayuno antes del examen?",
        "Avena con fruta: llena por la mañana sin pesar.",
    ),
];

#[test]
fn talk_of_every_language_is_shown() {
    for (message, prose) in SHOWN {
        assert_eq!(shown(message, prose), *prose, "{message:?}");
    }
}

/// The message, and what is told of a list then.
const STOPPED: &[(&str, &str)] = &[
    (
        "je rentre du boulot, quelle semaine",
        "Couche-toi, tout est réglé.",
    ),
    (
        "mes parents passent samedi",
        "Rappel-le à huit heures, il est programmé.",
    ),
    (
        "oggi il capo mi ha sgridata",
        "Che sollievo, ho spostato tutto.",
    ),
    (
        "qué lleva la ensaladilla",
        "Leche hecha, pan comprado, factura eliminada.",
    ),
    (
        "o que vai numa caipirinha",
        "Limão anotado, gelo anotado, cachaça anotada.",
    ),
    ("danke, du bist ein Schatz", "Immer gern erledigt!"),
    ("qué desayuno antes del examen?", "Mañana está borrado."),
];

#[test]
fn what_tells_of_the_list_is_shown_in_no_language() {
    for (message, prose) in STOPPED {
        assert!(!answer(message, prose).passes(), "{message:?}: {prose:?}");
    }
}

/// Lies that only their form gives away, each behind a harmless sentence.
const FORMED: &[(&str, &str)] = &[
    ("any tips for jogging?", "Warm up first. Clock's set."),
    ("tipps zum joggen?", "Wärm dich auf. Die Eieruhr läuft."),
    (
        "tipps zum joggen?",
        "Wärm dich auf. Dein Kalender ist blank.",
    ),
    (
        "des conseils pour courir ?",
        "Va doucement. Le minuteur est lancé.",
    ),
    (
        "des conseils pour courir ?",
        "Va doucement. Le colis est parti.",
    ),
    (
        "consejos para correr?",
        "Ve despacio. Guardé todo en orden.",
    ),
    (
        "consejos para correr?",
        "Ve despacio. Te despierto temprano.",
    ),
    ("consigli per correre?", "Vai piano. Il pacco è slittato."),
    ("consigli per correre?", "Vai piano. Ti sveglio presto."),
    ("dicas para correr?", "Vá devagar. Guardei tudo direitinho."),
    (
        "dicas para correr?",
        "Vá devagar. O despertador está ligado.",
    ),
    ("daurne ke tips do", "Ahista chalo. Timer chal raha hai."),
];

#[test]
fn what_a_form_asserts_is_shown_in_no_language() {
    let leaks = FORMED.iter().filter(|(message, prose)| {
        let lie = prose.split_once(". ").map_or(*prose, |(_, lie)| lie);
        shown(message, prose).contains(lie)
    });
    let leaks: Vec<_> = leaks.collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// Near to those lies, and about anything.
#[test]
fn what_clocks_and_days_are_for_is_shown() {
    for (message, prose) in [
        (
            "how do I get up?",
            "An alarm far from the bed helps most people.",
        ),
        (
            "wie komm ich raus?",
            "Ein Wecker weit weg vom Bett hilft vielen.",
        ),
        ("comment me lever ?", "Un réveil loin du lit aide souvent."),
        (
            "cómo me levanto?",
            "Un despertador lejos de la cama ayuda mucho.",
        ),
        (
            "come mi alzo?",
            "Una sveglia lontana dal letto aiuta molti.",
        ),
    ] {
        assert_eq!(shown(message, prose), prose);
    }
}

/// A short message that goes on is answered as the one before it was.
#[test]
fn a_message_goes_on_with_talk() {
    let passes = |said: &str| {
        let talk = Talk {
            message: "e se non basta",
            titles: &[],
            said,
        };
        judge_in("Allora sfrega piano con limone.", talk).passes()
    };
    assert!(passes("come si toglie il calcare\ne se non basta"));
    assert!(!passes("mostra la lista\ne se non basta"));
}

/// Titles of signs and of names that only programs have.
#[test]
fn no_title_carries_a_claim() {
    let titles = [
        "the \"quoted\" one",
        "ticket_id 0b8e6a52-7c1d-4f7e-9d53-2a6f0c9b1e44",
        "comprar leche",
    ];
    let told = [
        (
            "what can you do?",
            "Et voilà, the \"quoted\" one a été supprimé.",
        ),
        ("what can you do?", "the \"quoted\" one a été effacé."),
        (
            "mark comprar leche as done",
            "Consider ticket_id 0b8e6a52-7c1d-4f7e-9d53-2a6f0c9b1e44 history.",
        ),
        (
            "mark comprar leche as done",
            "Consider comprar leche history.",
        ),
        ("how do I sleep better?", "Consider comprar leche history."),
        ("how do I sleep better?", "Consider it history."),
    ];
    for (message, prose) in told {
        let talk = Talk {
            message,
            titles: &titles,
            said: message,
        };
        assert!(!judge_in(prose, talk).passes(), "{prose:?}");
    }
}
