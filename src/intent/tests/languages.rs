//! One table per language: the same dozen of wishes.

use super::{Lang, check_in};

#[test]
fn german() {
    for (message, expect) in [
        (
            "füge Hafermilch zur Einkaufsliste hinzu",
            "add [Hafermilch]",
        ),
        (
            "erinnere mich morgen daran, Mama anzurufen",
            "add [Mama anzurufen] on 2026-02-09 !Alarm",
        ),
        ("schreib Eier auf die Liste", "add [Eier]"),
        ("zeig mir meine Aufgaben", "list"),
        (
            "was muss ich heute noch erledigen?",
            "list open on 2026-02-08",
        ),
        ("wie viele Aufgaben habe ich noch?", "count open"),
        ("lösche Buch lesen", "delete [Buch lesen]"),
        ("lösche alle erledigten Aufgaben", "delete all done"),
        ("markiere Buch lesen als erledigt", "complete [Buch lesen]"),
        (
            "verschiebe Zahnarzt auf Freitag",
            "update [Zahnarzt] on 2026-02-13",
        ),
        (
            "setze die Priorität von Zahnarzt auf hoch",
            "update [Zahnarzt] high",
        ),
        ("mach das rückgängig", "undo"),
        ("hast du es gelöscht?", "did Some(Change(Delete)) it"),
        ("lösche Milch nicht", "not delete [Milch]"),
        (
            "ich muss noch den Müll rausbringen",
            "wish [den Müll rausbringen]",
        ),
        ("ja bitte", "Yes"),
        ("nein danke", "No"),
        ("wie lösche ich eine Aufgabe?", "help Delete"),
        ("spiel Musik", "Other"),
    ] {
        check_in(Lang::De, message, expect);
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn spanish() {
    for (message, expect) in [
        ("añade leche a la lista de la compra", "add [leche]"),
        (
            "recuérdame llamar a mamá mañana",
            "add [llamar a mamá] on 2026-02-09 !Alarm",
        ),
        ("muéstrame mis tareas", "list"),
        ("¿qué tengo que hacer hoy?", "list on 2026-02-08"),
        ("borra leer libro", "delete [leer libro]"),
        ("borra todas las tareas completadas", "delete all done"),
        ("marca leer libro como hecho", "complete [leer libro]"),
        (
            "mueve dentista al viernes",
            "update [dentista] on 2026-02-13",
        ),
        ("deshacer", "undo"),
        ("no borres leer libro", "not delete [leer libro]"),
        ("sí, claro", "Yes"),
        ("enciende la luz", "Other"),
    ] {
        check_in(Lang::Es, message, expect);
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn french() {
    for (message, expect) in [
        ("ajoute du lait à ma liste de courses", "add [lait]"),
        ("ajoute de l'eau", "add [eau]"),
        (
            "ajoute du sel, de l’huile et de la farine",
            "add [sel] + [huile] + [farine]",
        ),
        ("ajoute de grandes tasses", "add [de grandes tasses]"),
        (
            "rappelle-moi d'appeler maman demain",
            "add [appeler maman] on 2026-02-09 !Alarm",
        ),
        ("montre-moi mes tâches", "list"),
        (
            "qu'est-ce que je dois faire aujourd'hui ?",
            "list on 2026-02-08",
        ),
        ("supprime lire le livre", "delete [lire le livre]"),
        ("supprime toutes les tâches terminées", "delete all done"),
        (
            "marque lire le livre comme fait",
            "complete [lire le livre]",
        ),
        (
            "déplace dentiste à vendredi",
            "update [dentiste] on 2026-02-13",
        ),
        ("annuler", "undo"),
        (
            "ne supprime pas lire le livre",
            "not delete [lire le livre]",
        ),
        ("oui, bien sûr", "Yes"),
        ("allume la lumière", "Other"),
    ] {
        check_in(Lang::Fr, message, expect);
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn italian() {
    for (message, expect) in [
        ("aggiungi pane alla lista della spesa", "add [pane]"),
        ("aggiungi dell'olio", "add [olio]"),
        (
            "ricordami di chiamare mamma domani",
            "add [chiamare mamma] on 2026-02-09 !Alarm",
        ),
        ("mostra le mie attività", "list"),
        ("cosa devo fare oggi?", "list on 2026-02-08"),
        ("elimina leggere libro", "delete [leggere libro]"),
        ("elimina tutte le attività completate", "delete all done"),
        ("segna leggere libro come fatto", "complete [leggere libro]"),
        (
            "sposta dentista a venerdì",
            "update [dentista] on 2026-02-13",
        ),
        ("annullare", "undo"),
        ("non eliminare leggere libro", "not delete [leggere libro]"),
        ("va bene", "Yes"),
        ("accendi la luce", "Other"),
    ] {
        check_in(Lang::It, message, expect);
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn portuguese() {
    for (message, expect) in [
        ("adiciona leite à lista de compras", "add [leite]"),
        (
            "lembra-me de ligar à mãe amanhã",
            "add [ligar à mãe] on 2026-02-09 !Alarm",
        ),
        ("mostra as minhas tarefas", "list"),
        ("o que tenho de fazer hoje?", "list on 2026-02-08"),
        ("apaga ler livro", "delete [ler livro]"),
        ("apaga todas as tarefas concluídas", "delete all done"),
        ("marca ler livro como feito", "complete [ler livro]"),
        (
            "muda dentista para sexta-feira",
            "update [dentista] on 2026-02-13",
        ),
        ("desfazer", "undo"),
        ("não apagues ler livro", "not delete [ler livro]"),
        ("sim, claro", "Yes"),
        ("liga a luz", "Other"),
    ] {
        check_in(Lang::Pt, message, expect);
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn roman_urdu() {
    for (message, expect) in [
        ("meri list mein doodh add kar do", "add [doodh]"),
        (
            "kal ammi ko call karna yaad dila do",
            "add [ammi ko call karna] on 2026-02-09 !Alarm",
        ),
        ("mere tasks dikhao", "list"),
        ("aaj kya karna hai", "list on 2026-02-08"),
        ("Read book delete kar do", "delete [Read book]"),
        ("sab mukammal tasks delete kar do", "delete all done"),
        ("Read book ko complete mark karo", "complete [Read book]"),
        (
            "Read book ki priority high kar do",
            "update [Read book] high",
        ),
        ("wapas karo", "undo"),
        ("Read book mat hatao", "not delete [Read book]"),
        ("haan", "Yes"),
        ("nahi rehne do", "No"),
        ("mujhe doodh lena hai", "wish [doodh lena]"),
        ("gaana bajao", "Other"),
    ] {
        check_in(Lang::Ur, message, expect);
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn the_title_is_of_another_language_than_the_sentence() {
    for (message, expect) in [
        ("elimina Polish the piano", "delete [Polish the piano]"),
        ("apaga Call grandma", "delete [Call grandma]"),
        ("elimina Visit Zoe por favor", "delete [Visit Zoe]"),
        (
            "elimina comprare il latte por favor",
            "delete [comprare il latte]",
        ),
        ("apaga lavar o carro", "delete [lavar o carro]"),
        ("mark doodh lana as pending", "reopen [doodh lana]"),
        ("mark lavar o carro as pending", "reopen [lavar o carro]"),
        ("please add doodh lana to my list", "add [doodh lana]"),
        ("add a task to doodh lana", "add [doodh lana]"),
        ("remove ligar à Inês, please", "delete [ligar à Inês]"),
        (
            "move ligar à Inês to friday",
            "update [ligar à Inês] on 2026-02-13",
        ),
        ("ligar à Inês is done", "[ligar à Inês] is done: true"),
    ] {
        check_in(Lang::En, message, expect);
    }
}

#[test]
fn who_is_called_is_no_list() {
    for (message, expect) in [
        ("añade llamar a Lucía", "add [llamar a Lucía]"),
        ("aggiungi telefonare a Maria", "add [telefonare a Maria]"),
        ("aggiungi ligar à Inês", "add [ligar à Inês]"),
        (
            "añade leche a la lista Mercadona",
            "add [leche] !ListName(\"Mercadona\")",
        ),
        // An attribute where a list's name may stand.
        ("añade leche a la lista, prioridad alta", "add [leche] high"),
        (
            "ajoute du lait à la liste, priorité haute",
            "add [lait] high",
        ),
        (
            "aggiungi il latte alla lista, priorità bassa",
            "add [il latte] low",
        ),
        (
            "adicione leite à lista, prioridade alta",
            "add [leite] high",
        ),
        (
            "setze Milch auf die Liste, hohe Priorität",
            "add [Milch] high",
        ),
    ] {
        check_in(Lang::En, message, expect);
    }
}
