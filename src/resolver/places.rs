//! The words for places in a list and for what was just spoken of, in seven languages.
//!
//! Folded, as `domain::text` folds. A word that means something else in another language
//! ("due", "do", "das") counts only beside a marker such as "number" or "task".

use std::collections::HashMap;
use std::sync::LazyLock;

/// Role of a word in a phrase that names a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Says nothing: "i want", "choose", "on my list".
    Filler,
    /// "the": before a bare number it counts ("the two"), it doesn't point.
    Article,
    /// "number", "task", "no.".
    Marker,
    /// "one": a place of its own, or a prop behind another.
    One,
    /// "two", "2".
    Cardinal(u32),
    /// A number only behind a marker.
    Marked(u32),
    /// "second", "2nd".
    Ordinal(u32),
    /// "last".
    Last,
    /// "penultimate": counted from the end.
    FromEnd(u32),
    /// "from the end", "hinten".
    End,
    /// "next (to last)".
    Next,
    /// "(last) but (one)".
    But,
    /// "(the one) before (the last)".
    Before,
}

/// Thing that a pronoun points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pointer {
    /// A prop: "one", "task", "please".
    Prop,
    /// "it", "that".
    It,
    /// "them", "both".
    They,
    /// "the other".
    Other,
}

/// The place a folded word names.
pub(crate) fn place(word: &str) -> Option<Place> {
    PLACES.get(word).copied().or_else(|| digits(word))
}

/// Finds what a folded word points at.
pub(crate) fn pointer(word: &str) -> Option<Pointer> {
    POINTERS.get(word).copied()
}

/// "2", "2nd", "2e", "1er".
fn digits(word: &str) -> Option<Place> {
    let end = word
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(word.len());
    let (number, suffix) = word.split_at_checked(end)?;
    let number = number.parse().ok()?;
    match suffix {
        "" => Some(Place::Cardinal(number)),
        "st" | "nd" | "rd" | "th" | "er" | "re" | "ere" | "e" | "eme" | "ieme" | "te" | "ter"
        | "tes" | "ten" | "ro" | "do" | "da" | "ra" | "wa" | "wan" => Some(Place::Ordinal(number)),
        _ => None,
    }
}

const FILLERS: &str = "i i'd want like choose chose select pick opt take go with for what how about please pls \
    option choice point position line of on in my list to from would id \
    ich nehme will mochte bitte wahle auf in liste option punkt position von vom meiner \
    quiero elijo elige escojo escoge por favor opcion de del lista mi desde \
    je veux prends choisis choix sur dans ma liste partir \
    voglio scelgo scegli opzione della dal sulla mia \
    quero escolho escolha opcao da na minha \
    mujhe chahiye se wala wali wale waala waali ko ka ki ones entry entries";

const ARTICLES: &str = "the der die das den dem el la los las le les il lo o a as os l";

const MARKERS: &str = "number no nr num n task item nummer aufgabe eintrag numero tarea elemento tache \
    element numero compito attivita elemento voce tarefa item nambar kaam";

const CARDINALS: [&str; 10] = [
    "",
    "two zwei zwo dos deux dois duas",
    "three drei tres trois tre teen",
    "four vier cuatro quatre quattro quatro",
    "five funf fuenf cinco cinq cinque paanch panch",
    "six sechs seis chhe",
    "seven sieben siete sept sette sete saat",
    "eight ocho huit otto oito aath",
    "nine neun nueve neuf nove nau",
    "ten zehn diez dix dieci dez",
];

const MARKED: [&str; 10] = [
    "un une uno una um uma ein eins eine ek aik",
    "do due",
    "",
    "char chaar",
    "",
    "sei chay",
    "",
    "acht",
    "",
    "dus",
];

const MORE: [&str; 10] = [
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

const ORDINALS: [&str; 10] = [
    "first primero primera primer premier premiere primo prima primeiro primeira pehla pehli pehle pahla pahli",
    "second segundo segunda deuxieme seconde secondo seconda doosra doosri doosre dusra dusri dusre",
    "third tercero tercera tercer troisieme terzo terza terceiro terceira teesra teesri tisra tisri",
    "fourth cuarto cuarta quatrieme quarto quarta chautha chauthi",
    "fifth quinto quinta cinquieme paanchwa paanchwi panchwa paanchwan panchwan",
    "sixth sexto sexta sixieme sesto sesta chhata chhati chhatta",
    "seventh septimo septima septieme settimo settima setimo setima saatwa saatwan satwa",
    "eighth octavo octava huitieme ottavo ottava oitavo oitava aathwa aathwan",
    "ninth noveno novena neuvieme nono nona nauwa nauwan",
    "tenth decimo decima dixieme daswa daswan",
];

const GERMAN: [&str; 10] = [
    "erst", "zweit", "dritt", "viert", "funft", "sechst", "siebt", "acht", "neunt", "zehnt",
];

const LAST: &str = "last final ultimo ultima dernier derniere aakhri akhri aakhiri akhiri";
const PENULTIMATE: &str = "penultimate penultimo penultima";
const END: &str = "end bottom hinten ende final fin fondo fim";

static PLACES: LazyLock<HashMap<String, Place>> = LazyLock::new(|| {
    let mut places = HashMap::new();
    let mut put = |list: &str, place: Place| {
        for word in list.split_whitespace() {
            places.insert(word.to_owned(), place);
        }
    };
    put(FILLERS, Place::Filler);
    put(ARTICLES, Place::Article);
    put(MARKERS, Place::Marker);
    put(END, Place::End);
    put("one", Place::One);
    put("next", Place::Next);
    put("but", Place::But);
    put("before avant", Place::Before);
    put(LAST, Place::Last);
    put(PENULTIMATE, Place::FromEnd(2));
    put(
        "antepenultimate antepenultimo antepenultima terzultimo",
        Place::FromEnd(3),
    );
    for ending in ["e", "er", "en", "es", "em"] {
        put(&format!("letzt{ending}"), Place::Last);
        put(&format!("vorletzt{ending}"), Place::FromEnd(2));
        put(&format!("drittletzt{ending}"), Place::FromEnd(3));
    }
    let lists = MARKED
        .iter()
        .zip(CARDINALS)
        .zip(ORDINALS)
        .zip(GERMAN)
        .zip(MORE);
    for (n, ((((marked, cardinal), ordinal), german), more)) in (1..).zip(lists) {
        put(marked, Place::Marked(n));
        put(cardinal, Place::Cardinal(n));
        put(ordinal, Place::Ordinal(n));
        put(more, Place::Cardinal(n + 10));
        for ending in ["e", "er", "en", "es", "em"] {
            put(&format!("{german}{ending}"), Place::Ordinal(n));
        }
    }
    places
});

const PROPS: &str = "one ones task tasks item items thing things entry todo please the of all here there just \
    bitte da aufgabe aufgaben alle tarea tareas todos todas de tache taches tous toutes ci \
    compito tutti tutte e attivita tarefa tarefas \
    wala wali wale kaam ko ka ki";

const IT: &str = "it that this same es das dies diese diesen dieses dieser ihn sie eso esto esa ese este esta \
    ca cela ceci celui celle quello quella questo questa esso isso isto esse essa aquilo aquele aquela \
    ele ela usko isko use ise isse usse yeh ye woh wo lo la le";

const THEY: &str = "them those these they both beide beiden jene ambos ambas esos esas estos estas aquellos \
    ellos ellas los las ceux celles eux les entrambi entrambe quelli quelle questi queste loro \
    esses essas estes eles elas dono donon dounon unko inko unhe unhein inhe inhein";

const OTHER: &str = "other andere anderen anderes otro otra autre altro altra outro outra";

/// Articles that only some pointers need: "l'autre", "die beiden", "los dos".
const POINTING_ARTICLES: &str = "l der die den el il o a os as i le";

static POINTERS: LazyLock<HashMap<&'static str, Pointer>> = LazyLock::new(|| {
    let lists = [
        (POINTING_ARTICLES, Pointer::Prop),
        (PROPS, Pointer::Prop),
        (IT, Pointer::It),
        (THEY, Pointer::They),
        (OTHER, Pointer::Other),
    ];
    let words = |(list, pointer): (&'static str, Pointer)| {
        list.split_whitespace().map(move |w| (w, pointer))
    };
    lists.into_iter().flat_map(words).collect()
});
