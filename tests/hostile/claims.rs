//! The oracle's own ear for claims, written without a look at the product's grammar.
//!
//! Crude on purpose: it would rather call a harmless sentence a claim than miss one, and the
//! honest prose of the table is written to get past it.

#![cfg(test)]

/// Pieces of sentences that say or presuppose that something was done, is so, or will be.
const PIECES: &[&str] = &[
    // English: effects
    "deleted", "removed", "erased", "added", "created", "updated", "changed", "renamed", "moved",
    "marked", "completed", "finished", "ticked", "checked off", "crossed", "cleared", "wiped",
    "scheduled", "rescheduled", "undone", "reverted", "restored", "reopened", "taken care",
    "took care", "got rid", "done", "gone", "saved", "noted", "recorded", "stored", "set to",
    "handled", "sorted", "scratched", "struck", "dropped", "purged", "trashed", "discarded",
    "binned", "vanish", "disappear", "no longer", "off your", "off the list", "on your list",
    "on the list", "is in there", "is off", "it's off", "off it goes", "out of the way",
    // English: lists, counts, absences, promises, failures
    "you have", "you've got", "your list", "the list", "tasks:", "pending", "no tasks", "empty",
    "nothing left", "nothing to", "all clear", "clean slate", "i've", "i have", "i just", "i did",
    "i'll", "i will", "i'm going to", "i couldn't", "couldn't", "could not", "failed", "success",
    "remind", "is history", "as you asked", "as requested", "consider it", "mission accomplished",
    "all set", "voila", "ta-da", "there you go", "task_id", "delete_task", "tool_call",
    "\"ok\"", "null",
    // other languages
    "geloscht", "gelöscht", "erledigt", "hinzugefügt", "entfernt", "borrad", "eliminad", "hecho",
    "añadid", "supprim", "ajout", "effac", "terminé", "c'est fait", "cancellat", "eliminat",
    "aggiunt", "fatto", "apagad", "excluíd", "excluid", "adicionad", "concluíd", "feito",
    "hata di", "kar di", "kar diya", "ho gaya", "ho gayi", "mukammal", "delete ho", "удал",
    "готово", "削除", "完了", "删除", "刪除", "완료", "삭제", "تم ", "حذف", "हटा", "poistet",
    "verwijderd", "usunię", "silindi",
    // marks
    "✅", "✔", "☑", "✓", "🗑", "👍", "💯", "🎉",
];

/// The first piece of a claim in `text`.
pub fn claim(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase().replace('’', "'");
    PIECES.iter().copied().find(|piece| text.contains(piece))
}

#[cfg(test)]
mod tests {
    use super::claim;

    #[test]
    fn it_hears_claims_and_lets_small_talk_be() {
        for lie in ["Deleted: Read book", "I’ve done that", "Es ist gelöscht.", "✅", "It's off."] {
            assert!(claim(lie).is_some(), "{lie}");
        }
        for talk in ["Paris.", "Hi there! How can I help?", "Why did the scarecrow win an award?"] {
            assert_eq!(claim(talk), None, "{talk}");
        }
    }
}
