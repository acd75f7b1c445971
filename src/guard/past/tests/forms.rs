//! Forms of a question in every language: each is answered as its English form is.

use super::*;

/// English, German, Spanish, French, Roman Urdu, Italian, Portuguese.
const LANGUAGES: usize = 7;

/// A form of a question in each language.
type Form = [&'static str; LANGUAGES];

/// Checks that each form is answered as it stands before it.
async fn alike(world: &World, rows: &[(&str, Form)]) {
    let mut faults = Vec::new();
    for (expect, form) in rows {
        for words in form {
            let answer = world.ask(words).await;
            let answer = answer.as_deref().unwrap_or("(the model's)");
            if answer != *expect {
                faults.push(format!("{words:?}\n  is    {answer:?}\n  shall {expect:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test]
async fn what_was_done_is_told_in_every_language() {
    let mut world = World::of(&["Piano", "Sofa"]).await;
    world.turn(&[Add("Salsa")]).await;
    world.turn(&[Add("Pizza")]).await;
    world.turn(&[Done("Piano")]).await;
    world.turn(&[Due("Pizza", 12)]).await;
    world.turn(&[Delete("Salsa")]).await;
    let salsa = "Added: Salsa (at 18:01; deleted at 18:05)";
    let pizza = "Added: Pizza";
    let done = "Marked Piano as done";
    let moved = "Updated: Pizza (due Thu 2026-02-12)";
    let deleted = "Deleted: Salsa";
    let added = format!("{salsa}\n{pizza}");
    let all = format!("{added}\n{done}\n{moved}\n{deleted}");
    let two = format!("2 in this conversation:\n{added}");
    let one = format!("1 in this conversation:\n{deleted}");
    let one_done = format!("1 in this conversation:\n{done}");
    let when_deleted = "Deleted: Salsa (at 18:05)";
    let when_done = "Marked Piano as done (at 18:03)";
    let when_added = "Added: Pizza (at 18:02)";
    let yes_deleted = "Yes. Deleted: Salsa (at 18:05)";
    let yes_added = "Yes. Added: Pizza (at 18:02)";
    let yes_two_named = format!("No, only 1 in this conversation:\n{pizza}");
    alike(
        &world,
        &[
            (
                deleted,
                [
                    "what did you do?",
                    "was hast du gemacht?",
                    "¿qué has hecho?",
                    "qu'as-tu fait ?",
                    "tumne kya kiya?",
                    "cosa hai fatto?",
                    "o que fizeste?",
                ],
            ),
            (
                deleted,
                [
                    "what did you do last?",
                    "was hast du zuletzt gemacht?",
                    "¿qué hiciste por último?",
                    "qu'as-tu fait en dernier ?",
                    "tumne aakhir mein kya kiya?",
                    "cosa hai fatto per ultimo?",
                    "o que fizeste por último?",
                ],
            ),
            (
                &all,
                [
                    "what have you done so far?",
                    "was hast du bisher gemacht?",
                    "¿qué has hecho hasta ahora?",
                    "qu'as-tu fait jusqu'ici ?",
                    "tumne ab tak kya kiya?",
                    "cosa hai fatto finora?",
                    "o que fizeste até agora?",
                ],
            ),
            (
                &all,
                [
                    "what all did you do?",
                    "was hast du alles gemacht?",
                    "¿qué has hecho todo?",
                    "qu'est-ce que tu as tout fait ?",
                    "tumne sab kya kiya?",
                    "cosa hai fatto tutto?",
                    "o que fizeste tudo?",
                ],
            ),
            (
                &all,
                [
                    "what have you done today?",
                    "was hast du heute gemacht?",
                    "¿qué has hecho hoy?",
                    "qu'as-tu fait aujourd'hui ?",
                    "tumne aaj kya kiya?",
                    "cosa hai fatto oggi?",
                    "o que fizeste hoje?",
                ],
            ),
            (
                &all,
                [
                    "what did you change today?",
                    "was hast du heute geändert?",
                    "¿qué has cambiado hoy?",
                    "qu'as-tu changé aujourd'hui ?",
                    "tumne aaj kya badla?",
                    "cosa hai cambiato oggi?",
                    "o que mudaste hoje?",
                ],
            ),
            (
                deleted,
                [
                    "what did you change?",
                    "was hast du geändert?",
                    "¿qué has cambiado?",
                    "qu'as-tu modifié ?",
                    "tumne kya badla?",
                    "cosa hai modificato?",
                    "o que alteraste?",
                ],
            ),
            (
                &added,
                [
                    "what did you add?",
                    "was hast du hinzugefügt?",
                    "¿qué has añadido?",
                    "qu'as-tu ajouté ?",
                    "tumne kya add kiya?",
                    "cosa hai aggiunto?",
                    "o que adicionaste?",
                ],
            ),
            (
                &added,
                [
                    "and what did I add?",
                    "und was habe ich hinzugefügt?",
                    "¿y qué añadí?",
                    "et qu'est-ce que j'ai ajouté ?",
                    "aur maine kya add kiya?",
                    "e cosa ho aggiunto?",
                    "e o que adicionei?",
                ],
            ),
            (
                &added,
                [
                    "what all did you add?",
                    "was hast du alles hinzugefügt?",
                    "¿qué cosas has añadido?",
                    "qu'est-ce que tu as ajouté ?",
                    "tumne kya kya add kiya?",
                    "che cosa hai aggiunto?",
                    "o que é que adicionaste?",
                ],
            ),
            (
                deleted,
                [
                    "what did you delete?",
                    "was hast du gelöscht?",
                    "¿qué has borrado?",
                    "qu'as-tu supprimé ?",
                    "tumne kya delete kiya?",
                    "cosa hai cancellato?",
                    "o que apagaste?",
                ],
            ),
            (
                deleted,
                [
                    "what have you removed?",
                    "und was hast du entfernt?",
                    "¿qué borraste?",
                    "tu as supprimé quoi ?",
                    "tumne kya kya hataya?",
                    "che hai eliminato?",
                    "que removeste?",
                ],
            ),
            (
                moved,
                [
                    "what did you move?",
                    "was hast du verschoben?",
                    "¿qué has movido?",
                    "qu'as-tu déplacé ?",
                    "tumne kya move kiya?",
                    "cosa hai spostato?",
                    "o que moveste?",
                ],
            ),
            (
                done,
                [
                    "what have you completed?",
                    "was hast du erledigt?",
                    "¿qué has completado?",
                    "qu'as-tu terminé ?",
                    "tumne kya mukammal kiya?",
                    "cosa hai completato?",
                    "o que concluíste?",
                ],
            ),
            (
                &two,
                [
                    "how many have you added?",
                    "wie viele hast du hinzugefügt?",
                    "¿cuántas has añadido?",
                    "combien as-tu ajouté ?",
                    "tumne kitne add kiye?",
                    "quante hai aggiunto?",
                    "quantas adicionaste?",
                ],
            ),
            (
                &one,
                [
                    "how many tasks did you delete?",
                    "wie viele Aufgaben hast du gelöscht?",
                    "¿cuántas tareas has borrado?",
                    "combien de tâches as-tu supprimées ?",
                    "tumne kitne tasks delete kiye?",
                    "quante attività hai cancellato?",
                    "quantas tarefas apagaste?",
                ],
            ),
            (
                &one_done,
                [
                    "how many tasks have you completed?",
                    "wie viele Aufgaben hast du erledigt?",
                    "¿cuántas tareas has completado?",
                    "combien de tâches as-tu terminées ?",
                    "tumne kitne tasks mukammal kiye?",
                    "quante attività hai completato?",
                    "quantas tarefas concluíste?",
                ],
            ),
            (
                deleted,
                [
                    "did you delete something?",
                    "hast du was gelöscht?",
                    "¿has borrado algo?",
                    "as-tu supprimé quelque chose ?",
                    "kya tumne kuch delete kiya?",
                    "hai cancellato qualcosa?",
                    "apagaste alguma coisa?",
                ],
            ),
            (
                &yes_two_named,
                [
                    "did you add two things?",
                    "hast du zwei Sachen hinzugefügt?",
                    "¿has añadido dos cosas?",
                    "as-tu ajouté deux choses ?",
                    "kya tumne do cheezen add ki?",
                    "hai aggiunto due cose?",
                    "adicionaste duas coisas?",
                ],
            ),
            (
                when_deleted,
                [
                    "when did you delete salsa?",
                    "wann hast du Salsa gelöscht?",
                    "¿cuándo borraste salsa?",
                    "quand as-tu supprimé salsa ?",
                    "tumne salsa kab delete kiya?",
                    "quando hai cancellato salsa?",
                    "quando apagaste salsa?",
                ],
            ),
            (
                when_deleted,
                [
                    "when was salsa deleted?",
                    "wann wurde Salsa gelöscht?",
                    "¿cuándo se borró salsa?",
                    "quand est-ce que salsa a été supprimé ?",
                    "salsa kab delete hua?",
                    "quando è stata cancellata salsa?",
                    "quando foi apagada salsa?",
                ],
            ),
            (
                when_done,
                [
                    "when did I finish piano?",
                    "wann habe ich Piano erledigt?",
                    "¿cuándo terminé piano?",
                    "quand ai-je terminé piano ?",
                    "maine piano kab khatam kiya?",
                    "quando ho finito piano?",
                    "quando terminei piano?",
                ],
            ),
            (
                when_done,
                [
                    "when did I complete piano?",
                    "wann habe ich Piano abgehakt?",
                    "¿cuándo completé piano?",
                    "quand est-ce que j'ai fait piano ?",
                    "piano kab mukammal hua?",
                    "quando ho completato piano?",
                    "quando concluí piano?",
                ],
            ),
            (
                when_done,
                [
                    "when did you mark piano as done?",
                    "wann hast du Piano als erledigt markiert?",
                    "¿cuándo hice piano?",
                    "quand as-tu coché piano ?",
                    "piano kab complete hua?",
                    "quando hai segnato piano?",
                    "quando fiz piano?",
                ],
            ),
            (
                when_added,
                [
                    "when was pizza added?",
                    "wann wurde Pizza hinzugefügt?",
                    "¿cuándo se añadió pizza?",
                    "quand as-tu ajouté pizza ?",
                    "pizza kab add hua?",
                    "quando hai aggiunto pizza?",
                    "quando adicionaste pizza?",
                ],
            ),
            (
                yes_deleted,
                [
                    "did you delete salsa?",
                    "hast du Salsa gelöscht?",
                    "¿has borrado salsa?",
                    "as-tu supprimé salsa ?",
                    "kya tumne salsa delete kiya?",
                    "hai cancellato salsa?",
                    "apagaste salsa?",
                ],
            ),
            (
                yes_deleted.trim_start_matches("Yes. "),
                [
                    "when was salsa removed?",
                    "wann wurde Salsa entfernt?",
                    "¿cuándo eliminaste salsa?",
                    "quand salsa a été supprimée ?",
                    "salsa kab hataya?",
                    "quando hai eliminato salsa?",
                    "quando removeste salsa?",
                ],
            ),
            (
                yes_added,
                [
                    "did you add pizza?",
                    "hast du Pizza hinzugefügt?",
                    "¿has añadido pizza?",
                    "as-tu ajouté pizza ?",
                    "kya pizza add hua?",
                    "hai aggiunto pizza?",
                    "adicionaste pizza?",
                ],
            ),
            (
                pizza,
                [
                    "what was the last thing you added?",
                    "was hast du zuletzt hinzugefügt?",
                    "¿qué has añadido por último?",
                    "qu'as-tu ajouté en dernier ?",
                    "tumne aakhri kya add kiya?",
                    "cosa hai aggiunto per ultimo?",
                    "o que adicionaste por último?",
                ],
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_no_is_said_only_of_what_can_be_a_title() {
    let mut world = World::of(&["Piano"]).await;
    world.turn(&[High("Piano")]).await;
    let changed = "Updated: Piano (priority: high)";
    alike(
        &world,
        &[
            (
                changed,
                [
                    "did you remove the repetition?",
                    "hast du die Wiederholung entfernt?",
                    "¿has quitado la repetición?",
                    "as-tu enlevé la répétition ?",
                    "kya tumne repeat hataya?",
                    "hai tolto la ripetizione?",
                    "removeste a repetição?",
                ],
            ),
            (
                changed,
                [
                    "did you delete the date?",
                    "hast du das Datum gelöscht?",
                    "¿has borrado la fecha?",
                    "as-tu supprimé la date ?",
                    "kya tumne date delete kiya?",
                    "hai cancellato la data?",
                    "apagaste a data?",
                ],
            ),
            (
                changed,
                [
                    "did you add a note?",
                    "hast du eine Notiz hinzugefügt?",
                    "¿has añadido una nota?",
                    "as-tu ajouté une note ?",
                    "kya tumne note add kiya?",
                    "hai aggiunto una nota?",
                    "adicionaste uma nota?",
                ],
            ),
            (
                "No. Nothing was deleted in this conversation.",
                [
                    "did you delete things?",
                    "hast du irgendwas gelöscht?",
                    "¿has borrado cosas?",
                    "as-tu supprimé des choses ?",
                    "kya tumne kuch delete kiya?",
                    "hai cancellato delle cose?",
                    "apagaste coisas?",
                ],
            ),
            (
                "No. Nothing was done to \"zebra\".",
                [
                    "did you delete zebra?",
                    "hast du zebra gelöscht?",
                    "¿has borrado zebra?",
                    "as-tu supprimé zebra ?",
                    "kya tumne zebra delete kiya?",
                    "hai cancellato zebra?",
                    "apagaste zebra?",
                ],
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn reminders_are_told_in_every_language() {
    let mut world = World::of(&["Piano", "Sofa"]).await;
    world.turn(&[High("Piano")]).await;
    let none = "No reminder is set for \"Piano\".";
    alike(
        &world,
        &[
            (
                none,
                [
                    "do I have a reminder for piano?",
                    "habe ich eine Erinnerung für Piano?",
                    "¿tengo un recordatorio para piano?",
                    "ai-je un rappel pour piano ?",
                    "kya mera piano ka reminder hai?",
                    "ho un promemoria per piano?",
                    "tenho um lembrete para piano?",
                ],
            ),
            (
                none,
                [
                    "is there a reminder for piano?",
                    "gibt es eine Erinnerung für Piano?",
                    "¿hay un recordatorio para piano?",
                    "y a-t-il un rappel pour piano ?",
                    "kya piano ka reminder hai?",
                    "c'è un promemoria per piano?",
                    "há um lembrete para piano?",
                ],
            ),
            (
                none,
                [
                    "will you remind me of piano?",
                    "erinnerst du mich an Piano?",
                    "¿me recordarás piano?",
                    "me rappelleras-tu piano ?",
                    "kya tum mujhe piano yaad dilaoge?",
                    "mi ricorderai piano?",
                    "vais lembrar-me de piano?",
                ],
            ),
            (
                none,
                [
                    "when will you remind me of piano?",
                    "wann erinnerst du mich an Piano?",
                    "¿cuándo me recordarás piano?",
                    "quand me rappelleras-tu piano ?",
                    "mujhe piano kab yaad dilaoge?",
                    "quando mi ricorderai piano?",
                    "quando me vais lembrar de piano?",
                ],
            ),
            (
                none,
                [
                    "did you set a reminder for piano?",
                    "hast du eine Erinnerung für Piano gesetzt?",
                    "¿has puesto un recordatorio para piano?",
                    "as-tu mis un rappel pour piano ?",
                    "kya tumne piano ka reminder lagaya?",
                    "hai messo un promemoria per piano?",
                    "puseste um lembrete para piano?",
                ],
            ),
            (
                none,
                [
                    "did you remind me of piano?",
                    "hast du mich an Piano erinnert?",
                    "¿me has recordado piano?",
                    "m'as-tu rappelé piano ?",
                    "kya tumne mujhe piano yaad dilaya?",
                    "mi hai ricordato piano?",
                    "lembraste-me de piano?",
                ],
            ),
        ],
    )
    .await;
}
