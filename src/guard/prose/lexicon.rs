//! The words the grammar knows, by what they do in a sentence. Data only.
//!
//! A word stands in as many classes as it has roles. What is in no class is an
//! unknown word: it may fill a place that is open, and it opens none.

/// Defines one bit and one name per class, in the order of the list.
macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        classes!(@bits 0; $($(#[$doc])* $name,)+);
        /// Every class with the name patterns call it by.
        pub(super) const NAMES: &[(&str, u64)] = &[$((stringify!($name), $name)),+];
    };
    (@bits $n:expr; $(#[$doc:meta])* $name:ident, $($rest:tt)*) => {
        $(#[$doc])* pub(super) const $name: u64 = 1 << ($n);
        classes!(@bits $n + 1; $($rest)*);
    };
    (@bits $n:expr;) => {};
}

classes! {
    /// The speaker as subject.
    SELF,
    /// The speaker with a verb in one word: "i've".
    SELFC,
    /// The user as subject.
    YOU,
    /// Finite forms of "be".
    BE,
    /// Forms of "have".
    HAVE,
    /// Forms of "do".
    DO,
    /// Modal verbs.
    MODAL,
    /// Negations.
    NEG,
    /// Question words.
    WH,
    /// Articles and demonstratives.
    DET,
    /// Possessives.
    POSS,
    /// Prepositions.
    PREP,
    /// Words that join clauses.
    CONJ,
    /// Pronouns of the third person.
    PRON,
    /// "any", "else", "more".
    ANY,
    /// Base forms of what a server could do to data.
    EFFECT,
    /// Base forms of help and talk.
    HELP,
    /// Wanting.
    DESIRE,
    /// Past tenses and participles.
    PAST,
    /// Progressive forms.
    ING,
    /// Words of completion and success.
    DONE,
    /// Base forms that equal their past, or an adjective of completion: "set", "clear".
    SETLIKE,
    /// The user's data.
    TASK,
    /// Numbers above one.
    NUM,
    /// Kind adjectives.
    GOOD,
    /// What one can wish a good one of.
    WISH,
    /// "nothing", "empty".
    ABSENT,
    /// Conjunctions that presuppose their clause: "since".
    SUBORD,
    /// Words that place a statement in this conversation: "now", "already".
    DEICTIC,
    /// Verbs for what the user may say: "say", "type".
    SAY,
    /// Places, people, things with a name known to the world.
    NAME,
    /// Verbs of general statements.
    WORLDV,
    /// Participles of general statements: "located", "invented".
    STATIVE,
    /// Adjectives of general statements.
    WADJ,
    /// Nouns of general statements.
    WNOUN,
    /// Past tenses of tales and jokes.
    TALE,
    /// A word no list knows, with a capital.
    CAP,
    /// A word no list knows.
    UNKNOWN,
    /// Numbers in digits.
    DIGIT,
    /// Adverbs of degree and manner that change nothing.
    VERY,
    /// Words whose full stop ends no sentence.
    ABBR,
    /// Signs and words of arithmetic.
    MATH,
    /// Words that start a role line: "system".
    ROLE,
    /// Definite reference: "it", "that", "the".
    DEFINITE,
    /// After these a participle is wanted, not stated: "as", "be".
    ASBE,
    /// "after" and its like: what they govern is taken for done.
    AFTER,
    /// What a list is, and how tasks stand on it.
    LIST,
    /// Words for this very moment.
    NOW,
    /// Deeds as nouns: "the deletion".
    DEED,
    /// The top of a scale.
    SUPERLATIVE,
    /// Closes a tag question: "is that right".
    CHECK,
    /// Possessives of the two speakers.
    OURS,
    /// What can't be done in general: "send", "browse".
    ABROAD,
    /// What this product keeps: tasks, lists, their dates and priorities.
    OWN,
    /// Verbs for what this product does not do to a task: "share", "export".
    FAR,
    /// Words that open a question.
    ASKING,
    /// Comparatives that tell of a change.
    COMPARE,
    /// "or".
    OR,
    /// "how".
    HOW,
    /// Verbs of perceiving.
    SENSE,
    /// What other services book or sell, and this one never keeps: rides, tables, seats.
    BOUGHT,
    /// Verbs of a promise that nothing here could keep: "remind", "notify".
    UNKEPT,
    /// "to".
    TO,
    /// What kind of person, feeling or turn of life small talk is about.
    LIFE,
}

/// The words of each class.
pub(super) const WORDS: &[(u64, &str)] = &[
    (SELF, "i we"),
    (
        SELFC,
        "i've i'll i'm i'd we've we'll we're we'd ive ill im id weve i'ma imma lemme",
    ),
    (YOU, "you u"),
    (
        BE,
        "is are was were am isn't aren't wasn't weren't isnt arent wasnt ain't aint you're youre \
          they're theyre it's that's there's he's she's here's who's what's where's how's when's \
          everything's nothing's something's its' thats theres",
    ),
    (
        HAVE,
        "have has had haven't hasn't hadn't havent hasnt hadnt having you've they've youve 've",
    ),
    (DO, "do does did don't doesn't didn't dont doesnt didnt"),
    (
        MODAL,
        "can could would should may might shall will must can't cannot couldn't wouldn't \
             shouldn't won't cant couldnt wouldnt shouldnt wont you'll youll they'll it'll \
             that'll you'd youd gonna",
    ),
    (
        NEG,
        "not no never neither nor nobody can't cannot couldn't wouldn't shouldn't won't don't \
           doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't cant dont didnt \
           couldnt without unable",
    ),
    (
        WH,
        "what which who whom whose when where why how what's where's who's when's how's whats \
          wheres hows",
    ),
    (
        DET,
        "a an the this that these those each every either both all some any another",
    ),
    (POSS, "my your our their his her its ur"),
    (
        PREP,
        "to for from in on at of with by about into onto over under between during until till \
            after before near around through across via per within along against toward towards \
            as like up off out without regarding",
    ),
    (CONJ, "and but or so then because while whereas plus yet"),
    (
        PRON,
        "it this that these those they them he she there everything something everybody \
            someone they'd it's that's there's they're he's she's it'll that'll they've they'll thats theres",
    ),
    (
        ANY,
        "any anything anyone else more other others another further additional something some anywhere \
           anybody additionally",
    ),
    (
        EFFECT,
        "add delete remove complete finish mark update rename edit change create make undo \
              restore move reschedule postpone push clear set put tick check cross strike drop \
              close reopen list show display read sort save store keep schedule book reserve play \
              purchase buy transfer send share rent order cancel start begin stop get \
              pick pencil log record track archive wipe erase discard bin trash toss purge prune \
              insert append include tag assign reassign prioritize prioritise duplicate copy merge \
              split schedule plan arrange proceed perform run execute apply do secure \
              pre-purchase place jot note remember remind alert notify ping ring call \
              email text message export import tidy organize organise clean snooze repeat fix \
              bump shift swap lower raise refresh sync submit process handle settle resolve",
    ),
    (
        HELP,
        "help assist answer explain suggest recommend support guide chat talk discuss advise \
            clarify elaborate offer serve brainstorm",
    ),
    (
        DESIRE,
        "want need like wish prefer wanna require love mean intend plan desire",
    ),
    (
        PAST,
        "gone done sent made bought took taken got gotten went left kept held sold paid gave given \
            found lost won wrote written began begun ran became saw seen said told heard brought \
            caught chose chosen drew drawn drove driven fell fallen flew flown forgot forgotten \
            froze frozen hid hidden laid led lent meant rode ridden rose risen shook shone shot \
            shown showed slept spent spoke spoken stole stood struck stuck swept taught threw thrown \
            understood woke worn undone redone did had was were been rewritten overwritten undid \
            shut dealt swung slid sank sunk spun tore torn tossed rid kicked nuked",
    ),
    (
        DONE,
        "done completed successful successfully success succesful succesfully \
            successfull sucessful sucessfully succeeded ready finished cleared gone sorted handled \
            settled confirmed updated deleted removed added accomplished achieved fulfilled \
            toast kaput goner dusted wrapped nada zilch zip \
            outta poof voila presto tada",
    ),
    (
        SETLIKE,
        "set put cut read hit quit complete clear empty reset split shut sort bid rid cast \
               spread",
    ),
    (
        TASK,
        "task tasks todo todos to-do to-dos list lists item items reminder reminders alarm alarms \
            entry entries deadline deadlines due overdue pending schedule schedules calendar \
            calendars reservation reservations booking bookings appointment appointments ticket \
            tickets event events payment payments transfer transfers transaction notification \
            notifications note notes agenda inbox account accounts errand errands chore chores \
            checklist backlog priority priorities plate queue database db receipt receipts \
            request requests order orders record records incomplete unfinished \
            remaining leftover archive bin trash folder board dashboard assignment assignments",
    ),
    (
        NUM,
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
           sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty \
           ninety hundred thousand million billion trillion dozen couple several zero multiple \
           few many",
    ),
    (
        GOOD,
        "good great nice lovely wonderful awesome amazing fantastic pleasant fine enjoyable safe \
            happy beautiful excellent splendid brilliant terrific relaxing restful productive \
            peaceful quiet fun cool sweet bright joyful blessed perfect super merry warm cosy \
            fabulous marvelous delightful superb interesting fascinating smooth calm tasty \
            delicious magical memorable exciting cheerful gentle refreshing sunny incredible solid \
            thoughtful kind neat clever funny hilarious tough hard stressful rough busy tiring \
            impressive inspiring healthy wise fair useful helpful \
            frustrating confusing annoying exhausting overwhelming scary difficult tricky \
            challenging lonely sad upsetting painful unfortunate unpleasant disappointing rewarding \
            awful terrible horrible bad unfair rude huge",
    ),
    (
        WISH,
        "day days night evening morning afternoon weekend week month year time times one trip \
            trips journey flight ride drive walk run stay visit vacation holiday holidays break \
            lunch dinner breakfast brunch meal coffee tea snack show movie film game match concert \
            event party rest birthday christmas easter sleep swim hike workout read book start \
            monday tuesday wednesday thursday friday saturday sunday moment sunshine weather \
            celebration wedding anniversary travels cake food journey summer winter spring autumn \
            fall eve diwali eid ramadan hanukkah thanksgiving",
    ),
    (
        ABSENT,
        "nothing none empty nowhere anymore longer zero nil nobody missing nothing's blank \
              vacant nonexistent void",
    ),
    (
        SUBORD,
        "since because given although though seeing considering assuming whereas cuz cause \
              despite besides thanks",
    ),
    (
        DEICTIC,
        "now just already still yet currently recently today tonight tomorrow yesterday here \
               soon shortly immediately away finally officially anymore ago again",
    ),
    (
        SAY,
        "say type write tell ask try enter use send saying typing writing telling asking trying \
         entering using",
    ),
    (
        STATIVE,
        "born called known located founded invented discovered composed spoken based \
               considered written painted built named used made divided surrounded related found \
               measured caused produced grown eaten bordered powered released published directed \
               designed formed covered ruled defined believed thought said grown",
    ),
    (
        TALE,
        "was were felt saw heard wanted needed couldn't thought knew ran met kept fell tasted \
            smelled loved hated worked went had looked lost got they'd tried won stood",
    ),
    (
        VERY,
        "very really so quite truly just absolutely extremely too simply definitely always \
            also pretty most quickly happily gladly certainly surely ever such rather totally \
            utterly super even",
    ),
    (
        ABBR,
        "mr mrs ms dr st vs jr sr eg ie etc prof approx ave blvd mt ft",
    ),
    (
        MATH,
        "plus minus times divided equals equal squared cubed + = x / % - root square sum",
    ),
    (ROLE, "system assistant user tool developer human function"),
    (DEFINITE, "it this that these those them the"),
    (ASBE, "as be"),
    (
        LIST,
        "list lists tasks todos plate agenda inbox board due overdue pending remaining backlog checklist",
    ),
    (NOW, "now already just currently immediately"),
    (
        DEED,
        "deletion deletions removal removals completion addition additions cancellation renaming \
         back deed change changes update updates",
    ),
    (
        SUPERLATIVE,
        "largest biggest longest highest tallest smallest deepest oldest fastest hottest coldest \
         heaviest brightest closest nearest first last second third national official most",
    ),
    (AFTER, "after following besides beyond upon once"),
    (CHECK, "right correct correctly ok okay fine good"),
    (OURS, "my your our ur mine yours ours me us myself yourself"),
    (
        ABROAD,
        "set send call ring phone browse access search book order pay buy drive cook play open \
              feel eat sleep dream predict provide give offer make create schedule alert \
              notify ping remind wake email text message forward connect sync share translate \
              write draw generate run execute control turn track repeat attach assign work \
              speak remember learn process perform handle store export check tell guarantee \
              diagnose keep",
    ),
    (
        OWN,
        "task tasks todo todos to-do to-dos list lists item items entry entries deadline deadlines \
         due overdue priority priorities checklist checklists backlog agenda",
    ),
    (
        FAR,
        "send email text message forward share assign reassign export import sync print attach \
         notify alert ring remind translate repeat snooze tag merge split duplicate connect",
    ),
    (
        ASKING,
        "is are was were am isn't aren't do does did don't doesn't didn't can could would should \
         may might shall will can't couldn't wouldn't shouldn't won't have has haven't hasn't \
         any anything anyone anybody need want wanna care fancy interested whether",
    ),
    (
        COMPARE,
        "shorter lighter better cleaner tidier emptier smaller fewer less neater clearer leaner \
         calmer nicer longer bigger fresher quieter simpler easier slimmer",
    ),
    (OR, "or"),
    (HOW, "how"),
    (SENSE, "notice see spot catch feel watch hear"),
    (
        BOUGHT,
        "ticket tickets seat seats ride rides rider riders cab cabs taxi taxis table tables room \
         rooms flight flights car cars passenger passengers person people guest guests adult adults \
         night nights bed beds bedroom bedrooms bath baths bathroom bathrooms traveler travelers \
         traveller travellers party reservation reservations booking bookings bag bags dollars \
         bucks hour hours day days",
    ),
    (
        UNKEPT,
        "remind notify alert ping ring nudge wake warn heads shout poke pester bug follow know forget posted sure reminding notifying alerting pinging ringing \
         nudging waking warning ensure ensuring monitor monitoring watch watching track tracking",
    ),
    (TO, "to"),
    (
        LIFE,
        "job promotion baby graduation wedding engagement anniversary house home apartment degree \
         exam exams test tests win victory marathon race birthday news car puppy kitten marriage \
         marriages interview presentation project move family team name question idea \
         attitude spirit energy enthusiasm joke story thought plan goal dream hobby habit choice \
         surprise adventure challenge pet dog cat garden school college university course studies \
         recovery health career business book trip work week weekend day month year life",
    ),
];

/// Words that only look like past tenses or progressive forms.
pub(super) const NOT_VERBAL: &str = "need speed feed seed bed red shed weed breed indeed reed deed \
    greed bleed hundred sacred naked wicked interested preferred required shared located needed \
    named specified related limited advanced excited worried tired stressed pleased delighted \
    concerned confused bored overwhelmed supposed detailed used based furnished relaxed organized \
    organised motivated focused unlimited rated honored honoured thrilled charged embed newlywed \
    ted fred alfred med kid united thing things something anything nothing everything morning \
    evening during king ring spring string wing sing bring ping wedding ceiling building clothing \
    beijing sibling darling interesting amazing exciting relaxing boring stunning fascinating headed \
    refreshing inspiring tiring charming outstanding sterling viking wellbeing nothing";
