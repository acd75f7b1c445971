//! Words with a known part in references: what carries no meaning, what proves little,
//! and what is surely meant as it stands.
//!
//! Written by hand. The last list is what keeps "milk" from being read as a slip for
//! "silk": a word that people really have on their lists is not a typo of another one.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Contribution of a word to a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Article, possessive, demonstrative or politeness: never counts.
    Article,
    /// Preposition, conjunction or list word: only tells otherwise equal titles apart.
    Link,
    /// A verb so common on lists that sharing it proves little.
    Verb,
    /// Met often enough to be meant literally.
    Common,
    /// A person: another spelling is another person.
    Name,
}

static PARTS: LazyLock<HashMap<&'static str, Part>> = LazyLock::new(|| {
    let lists = [
        (COMMON, Part::Common),
        (NAMES, Part::Name),
        (VERBS, Part::Verb),
        (LINKS, Part::Link),
        (ARTICLES, Part::Article),
    ];
    let words =
        |(list, part): (&'static str, Part)| list.split_whitespace().map(move |w| (w, part));
    lists.into_iter().flat_map(words).collect()
});

/// The part a folded word plays; `None` for a plain content word.
pub(crate) fn part(word: &str) -> Option<Part> {
    PARTS.get(word).copied()
}

/// Tells whether a word names nothing by itself.
pub(crate) fn is_soft(word: &str) -> bool {
    matches!(part(word), Some(Part::Article | Part::Link))
}

/// Tells whether a word is an article if it opens a reference: "la leche", but not "flight to LA".
pub(crate) fn opens(word: &str) -> bool {
    LEADING.split_whitespace().any(|article| article == word)
}

/// Verbs that a title may add to the user's words: "milk" → "Buy milk".
pub(crate) fn may_be_added(word: &str) -> bool {
    ADDED.split_whitespace().any(|verb| verb == word)
}

const ADDED: &str = "buy get call kaufen besorgen anrufen comprar llamar acheter appeler comprare \
    chiamare ligar lena lana kharidna khareedna karna prendre faire aller holen machen fare \
    prendere fazer pegar hacer coger go do pick";

/// Only what is an article in its language and no content word in another: an ignored "son"
/// or "Mia" would turn "call my son" into any call.
const ARTICLES: &str = "a an the my our your its this that these those some any teh hte please pls \
    der das dem ein eine einen einem einer eines meine meinen meinem meiner dieser dieses bitte \
    el los las unos unas mis tus sus les une cet cette gli meu minha meus minhas \
    mera meri mere apna apni apne yeh woh";

const LINKS: &str = "to for of on at in by with from about and or called named titled regarding re \
    task tasks item items thing things stuff todo todos entry entries one ones reminder \
    fur von vom zum zur und oder aufgabe aufgaben eintrag \
    de del para tarea tareas du dans avec tache taches di dal della dello nel nella attivita tarefa tarefas \
    ka ki ke ko wala wali wale waala waali aur";

/// Articles that are words of their own elsewhere: left out only at the beginning of a reference.
const LEADING: &str = "la le lo il un una uno um uma o os die quello quella";

const VERBS: &str = "karna karne krna krne buy get call go make do take pick check change clean pay send meet bring give have \
    need want find put set fix book read write finish start try see visit order ask tell \
    kaufen holen machen gehen rufen anrufen putzen zahlen \
    comprar hacer ir llamar pagar acheter faire aller appeler payer \
    comprare fare andare chiamare pagare fazer ligar \
    karna karo lena dena jana";

const NAMES: &str = "mom mum mama mommy mummy dad papa daddy grandma grandpa granny nana \
    adam alan alex ali alice amy ana andy ann anna anne anu arif asif ben beth bob brad carl cathy \
    chris cleo dan dana dave deb don ed ella ellen emma eric erik eva eve fay fred gary gina \
    greg hana hans harry helen ian ivan jake james jan jane janet jay jeff jen jenny jill jim \
    joan joe john jon jose josh juan judy julia julie karen kate kathy ken kim kurt lara larry laura \
    leah lee len leo lisa liz luis luke lynn marc marco maria marie mary matt meg mia mick mike \
    mina mira moe nadia nick nina noah nora omar pam paul peter phil rick ron rosa roy ruth \
    ryan sally sam sana sara sarah sean shaun tara ted tim tina tom tony uma vera wendy zara zoe";

/// Food, things, places, people and deeds of everyday lists, short ones above all: the
/// longer a word, the rarer another word one slip away.
const COMMON: &str = "milk silk bread beard butter better beer bear beans beads bacon beef beet brie bun buns cake \
    coke cakes candy candle carrot cereal chair chain cheese cherry chips chicken kitchen chili cider cocoa \
    coffee toffee coffin cookie corn cream crepe curry dates dough eggs legs fish dish figs flour floor \
    flower flowers food foot fruit garlic ginger grapes gravy grill ham honey money ice jam juice kale kiwi lamb \
    lamp leek lemon melon lettuce letter letters lime limes mango meal meat mint mints mushrooms mustard \
    noodles nuts oats oil olives onion orange oranges paper pasta paste peach pears pear peas pepper pickle \
    pie pies pita pizza plums pork potato rice roll rolls rum rye salad salt salsa sauce soap sodas soda soup \
    soups spice spices spinach steak stew stock sugar sushi syrup taco tea tofu toast tomato tuna turkey \
    vanilla vinegar wine water waffles wheat whisky yeast yogurt \
    apron bag bags bait ball balls band bank barn base basket bat bath bats battery bed beds bell bells belt \
    belts bench bike bikes bill bills bin bins blanket blinds board boat boats bolt bolts bones book books \
    boot boots bottle bowl bowls box boxes bra brake brakes brick brush bucket bulb bulbs bus cable cables \
    cage cam camera can cans cap caps car cars card cards cargo carpet cart case cases cash cat cats cave \
    chalk charger chart chess clock cloth clothes coat coats coin coins comb cord cork cot couch cover crib \
    cup cups curtain cushion dart deck desk dice dish dishes disk doll dolls door doors drain drape drawer \
    dress drill drum drums dryer dust fan fans faucet fence fender file files filter fire flag flags flash \
    folder fork forks frame fridge fuel furnace fuse fuses game games garage gas gate gates gear gift gifts \
    glass glove gloves glue gown grass gum gun guitar gutter hair hall hammer handle hat hats heater heels \
    helmet hook hooks hose house ink iron jack jacket jar jars jeans jet joint jug kettle key keys kit kite \
    knee knife knob lace ladder lake lamps land laptop latch laundry lawn lease leash lens lid lids light \
    lights lock locks lotion mail mall map maps mask masks mat mats match meter metro mirror mop motor mouse \
    mower mug mugs nail nails nap necklace needle nest net news notes nozzle oven pad pads paint pan pans \
    pants park parks part parts party patch patio pen pencil pens phone photo photos piano pill pills pillow \
    pin pins pipe pipes pit plan plane planes plans plant plants plate plates plug plugs pocket pond pool \
    port post pot pots press printer prize pump purse quilt rack rag rags rail rake ramp razor receipt rent \
    ring rings road robe rock rocks roof room rooms root roots rope router rug rugs ruler sack saddle sail \
    sand sandal sauna saw scale scarf screen screw screws seat seats seed seeds shade shed sheet sheets shelf \
    shell shelter ship ships shirt shirts shoe shoes shop shops shorts shower sign sink sinks skirt sled \
    sleeve slipper snack snacks snow sock socks sofa spade sponge spoon stairs stamp stamps stand stapler \
    staples steps stone stones stool store storm stove straw street string suit suits sun sweater swim switch \
    table tablet tack tank tap tape tapes tarp tax taxes taxi tent tents test tests ticket tickets tie ties \
    tile tiles timer tin tins tire tires tissue toilet tool tools tooth torch towel towels tower town toy \
    toys track train trash tray tree trees truck trunk tub tube tubes tv vase vest wall walls wallet wardrobe \
    watch wax web wheel whisk wig window wire wires wood wool yard yarn zip zipper \
    agent aunt baby band barber bishop boss boys boy bride brother builder butcher chef child client coach \
    cook cousin dentist doctor driver editor family farmer father friend friends girl girls group guard guest \
    guests guide host judge kid kids lady landlord lawyer layer leader lender maid manager mayor mother \
    neighbor niece nephew nurse owner painter parent parents partner pastor pilot plumber priest sister son \
    student teacher team tenant tenants trainer tutor twins uncle vendor vet wife \
    bake bath beat bend bite blow boil bowl break breathe build burn call carry cast catch chase check chop \
    clear climb close cook copy count cover cross cut cuts dance deal dine dive draft drag draw dream drive \
    drop dry eat edit feed feel fill film fire fit flip fly fold get grab grow hang hear heat hide hike hire \
    hold hug hunt jog join jump keep kick kill kiss knit lay lead learn leave lend lift link list listen load \
    look lose love mail mark mend mix move mow nap open pack paint park pass paste peel plan plant play poke \
    polish post pour pray press print pull pump push quit race rake reach rehearse remind renew rent repair \
    reply report resort rest return ride ring rinse roast run sail save scan seal sell serve sew shave ship \
    shoot shop shred shut sign sing sit ski skip sleep slice smoke sort speak spend spray stack start steam \
    stir stop store study submit sweep swim swing talk taste teach tear test text thank throw tidy toss trace \
    trade train trim turn type update upload vacuum vote wait wake walk warm wash waste watch wear weed weigh \
    whip win wipe work wrap wrestle yell \
    address album alarm airport answer april article august award badge ballet batch beach birth birthday \
    blog blood board bonus bridge brief budget bug bugs cabin camp cancer case chapter chest choir church \
    city class clinic club code college color company concert contact contacts contract contracts copy couple \
    course court credit data date day days dear debit debt deck deed degree demo deposit desert dessert diet \
    dinner diner diary draft dream email essay estate event exam exams eye eyes fair fall farm fast fee fees \
    fever field final fine flight floor flu form forms forum fund funds goal goals golf grade grant green \
    group gym habit head health heart hill hiking holiday home hotel hour hours idea insurance interview \
    invoice island issue january job jobs journal july june label lab lake lecture lesson level license life \
    line lines link links loan loans log logs logo lunch march market math meeting memo menu mess milestone \
    minutes model month mood movie museum music night novel number offer office opera package page pages \
    pancake passport password patent path patrol peace pet pets phase pitch place play poem policy poll \
    portal poster prayer price project proof proposal puzzle query quiz quote race radio rain rate ratio \
    recipe record refund release report reports request resume review rice river role route row rows rule \
    rules salary sale sales sample school score script season server service session shift show site sites \
    skill slide slides song songs source space spec speech sport staff stage state station statement story \
    strategy style summary summer supper survey talk target task tea term terms theater theatre theme theory \
    thesis time tip tips title topic tour trail travel trial trip trips tune tutorial value venue version \
    video view visa vision visit voice wage walk warranty week weekend weight wedding welding winter words \
    year yoga zone zoo \
    monday tuesday wednesday thursday friday saturday sunday morning evening noon today tomorrow tonight \
    red blue black green white brown grey gray pink gold silver big small large tall short long old new cold \
    hot warm wet dry soft hard left right good bad best next last first early late clean dirty full empty";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expect: Option<Part>) {
        assert_eq!(part(word), expect, "{word}");
    }

    #[test]
    fn each_word_plays_its_weakest_part() {
        check("the", Some(Part::Article));
        check("wala", Some(Part::Link));
        check("buy", Some(Part::Verb));
        check("silk", Some(Part::Common));
        check("tom", Some(Part::Name));
        check("passprot", None);
    }

    #[test]
    fn only_the_verbs_of_errands_may_be_added() {
        assert!(may_be_added("buy") && may_be_added("call"));
        assert!(!may_be_added("sell") && !may_be_added("bu"));
    }
}
