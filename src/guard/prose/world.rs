//! The world the grammar may make small talk about. Data only.
//!
//! Names stand here so that "Paris." can be an answer while "Erledigt." and "Gone."
//! stay unknown words. Holds nothing that people put on lists: no groceries, no errands.

use super::lexicon::{NAME, WADJ, WNOUN, WORLDV};

/// Names, nouns, verbs and adjectives of general statements.
pub(super) const WORLD: &[(u64, &str)] = &[
    (
        NAME,
        "paris london berlin madrid rome lisbon vienna bern brussels amsterdam copenhagen oslo \
         stockholm helsinki warsaw prague budapest athens dublin moscow kyiv kiev bucharest sofia \
         belgrade zagreb ljubljana bratislava tallinn riga vilnius reykjavik luxembourg ankara \
         istanbul cairo nairobi lagos abuja accra pretoria johannesburg tunis algiers rabat \
         casablanca addis ababa khartoum kampala tokyo kyoto osaka beijing shanghai seoul delhi \
         mumbai islamabad karachi lahore dhaka colombo kathmandu kabul tehran baghdad riyadh dubai \
         doha jerusalem amman beirut damascus bangkok hanoi jakarta manila singapore kuala lumpur \
         canberra sydney melbourne wellington auckland ottawa toronto montreal vancouver washington \
         york chicago boston seattle houston mexico havana bogota lima quito santiago buenos aires \
         brasilia montevideo caracas munich hamburg cologne milan venice florence naples barcelona \
         seville lyon marseille geneva zurich \
         france germany spain italy portugal austria switzerland belgium netherlands holland denmark \
         norway sweden finland poland czechia hungary greece ireland russia ukraine romania bulgaria \
         serbia croatia slovenia slovakia estonia latvia lithuania iceland turkey egypt kenya nigeria \
         ghana africa morocco tunisia algeria ethiopia sudan uganda tanzania japan china korea india \
         pakistan bangladesh nepal afghanistan iran iraq arabia qatar israel jordan lebanon syria \
         thailand vietnam indonesia philippines malaysia australia zealand canada usa america states \
         kingdom britain england scotland wales cuba colombia peru ecuador chile argentina brazil \
         uruguay venezuela europe asia antarctica oceania atlantic pacific arctic nile amazon danube \
         rhine thames seine mississippi everest kilimanjaro alps himalayas andes sahara vatican uk us \
         mercury venus earth mars jupiter saturn uranus neptune pluto moon sun \
         shakespeare einstein newton darwin mozart beethoven bach picasso leonardo vinci da galileo \
         curie tesla edison lincoln napoleon caesar cleopatra aristotle plato socrates homer dickens \
         austen orwell tolstoy goethe dante cervantes hemingway tolkien armstrong gandhi mandela \
         churchill columbus michelangelo gogh monet turing hawking lovelace \
         english french german spanish italian portuguese urdu hindi arabic chinese japanese latin",
    ),
    (
        WNOUN,
        "capital city country continent ocean sea river mountain planet star galaxy universe sky \
         sunlight light sound speed water air oxygen hydrogen carbon gold silver iron heart brain \
         skin blood bone bones body human humans people animal animals mammal mammals bird birds \
         fish cat cats dog dogs elephant elephants whale whales giraffe giraffes octopus octopuses \
         bee bees honey ant ants spider spiders penguin penguins dolphin dolphins shark sharks tree \
         trees plant plants flower flowers banana bananas berry berries language languages population \
         president king queen war century year years day days week weeks month months hour hours \
         minute minutes second seconds hexagon triangle square circle \
         distance temperature island islands desert lake volcano atom molecule \
         gravity photosynthesis dinosaur dinosaurs science physics chemistry biology history music \
         novel play painting inventor author writer composer scientist word colour color rainbow \
         snow rain ice thunder lightning winter summer spring autumn equator world leap group",
    ),
    (
        WORLDV,
        "boils freezes melts spoils lives live orbits orbit flows flow rises revolves rotates \
         contains contain consists covers lies borders speaks speak eats eat sleeps sleep flies fly \
         swims swim grows grow weighs weigh lasts last equals means produces produce converts \
         convert absorbs travels travel measures borders attracts belongs refers describes \
         wrote painted composed invented discovered directed has have evaporates spans reaches hibernate hibernates migrate \
         migrates lay lays breathe breathes",
    ),
    (
        WADJ,
        "blue red green yellow white black big small large tall long short old young hot cold warm \
         fast slow deep high heavy light round flat hard soft bright dark famous known common rare \
         poisonous venomous edible nocturnal warm-blooded cold-blooded visible invisible expensive \
         cheap taller larger bigger smaller longer older hotter colder faster heavier deeper higher \
         brighter closer farther west east north south northwest northeast southeast southwest \
         similar different important essential native",
    ),
];
