#include "link/identity_words.h"

#include <array>
#include <string_view>

namespace wccl::link {
namespace {

constexpr std::size_t kWords = 256;

constexpr std::array<std::string_view, kWords> kFirst{
    "able",    "acid",   "aged",   "agile",   "airy",    "alert",  "alpine",  "amber",  "ample",
    "ancient", "arctic", "arid",   "ashen",   "autumn",  "avid",   "azure",   "balmy",  "basic",
    "beige",   "big",    "black",  "bland",   "blithe",  "bloom",  "blue",    "bold",   "bonny",
    "brave",   "brief",  "bright", "brisk",   "bronze",  "brown",  "bubbly",  "busy",   "calm",
    "candid",  "caring", "casual", "cheery",  "chief",   "chilly", "choice",  "civic",  "classy",
    "clean",   "clear",  "clever", "close",   "cloudy",  "coarse", "cobalt",  "cold",   "cool",
    "copper",  "coral",  "cosmic", "covert",  "cozy",    "creamy", "crimson", "crisp",  "cubic",
    "curious", "curly",  "cyan",   "daily",   "damp",    "dapper", "daring",  "dark",   "dawn",
    "deep",    "deft",   "dense",  "dewy",    "dim",     "direct", "dizzy",   "double", "dreamy",
    "dry",     "dual",   "dusky",  "dusty",   "eager",   "early",  "east",    "easy",   "ebony",
    "elder",   "epic",   "equal",  "even",    "exact",   "extra",  "fabled",  "faint",  "fair",
    "famous",  "fancy",  "fast",   "fertile", "fine",    "firm",   "fit",     "fleet",  "flint",
    "floral",  "fluent", "fluffy", "fond",    "frank",   "free",   "fresh",   "frosty", "full",
    "funny",   "furry",  "fuzzy",  "gallant", "gentle",  "giant",  "gifted",  "gilded", "giddy",
    "glad",    "glass",  "glossy", "gold",    "golden",  "good",   "grand",   "grassy", "gray",
    "great",   "green",  "handy",  "happy",   "hardy",   "hazel",  "hazy",    "hearty", "heavy",
    "hidden",  "high",   "hollow", "honest",  "humble",  "icy",    "ideal",   "indigo", "inner",
    "iron",    "ivory",  "jade",   "jaunty",  "jolly",   "joyful", "jumbo",   "just",   "keen",
    "kind",    "large",  "late",   "lavish",  "lazy",    "leafy",  "lemon",   "level",  "light",
    "lilac",   "lime",   "little", "lively",  "lone",    "long",   "loud",    "low",    "loyal",
    "lucid",   "lucky",  "lunar",  "magic",   "major",   "maroon", "marsh",   "mellow", "merry",
    "mighty",  "mild",   "mint",   "minor",   "misty",   "modern", "modest",  "mossy",  "muddy",
    "narrow",  "native", "neat",   "new",     "nimble",  "noble",  "north",   "odd",    "olive",
    "open",    "orange", "oval",   "pale",    "patient", "peachy", "pearly",  "pink",   "plain",
    "plucky",  "plum",   "polar",  "polite",  "prime",   "proud",  "pure",    "purple", "quaint",
    "quick",   "quiet",  "rapid",  "rare",    "ready",   "red",    "regal",   "rich",   "ripe",
    "rosy",    "round",  "royal",  "ruby",    "rural",   "russet", "rustic",  "sage",   "sandy",
    "scarlet", "serene", "sharp",  "shiny",   "short",   "silent", "silky",   "silver", "simple",
    "sleek",   "slim",   "slow",   "small",
};

constexpr std::array<std::string_view, kWords> kSecond{
    "acorn",   "alder",   "alpaca", "anchor", "ant",    "apple",   "apron",   "arch",   "arrow",
    "aspen",   "atlas",   "badger", "bagel",  "bamboo", "banjo",   "barn",    "basil",  "basket",
    "bat",     "bay",     "beach",  "beacon", "bean",   "bear",    "beaver",  "bee",    "beetle",
    "bell",    "bench",   "berry",  "birch",  "bison",  "boat",    "bonnet",  "book",   "boot",
    "bottle",  "bow",     "bowl",   "brick",  "bridge", "broom",   "brush",   "bucket", "bugle",
    "button",  "cabin",   "cactus", "cake",   "camel",  "candle",  "canoe",   "canyon", "cape",
    "carrot",  "castle",  "cat",    "cave",   "cedar",  "cello",   "chair",   "cheese", "cherry",
    "chess",   "cliff",   "clock",  "cloud",  "clover", "cocoa",   "comet",   "condor", "cookie",
    "cork",    "cotton",  "cove",   "crab",   "crane",  "creek",   "cricket", "crow",   "crown",
    "cup",     "curlew",  "daisy",  "deer",   "delta",  "desk",    "dingo",   "dog",    "dolphin",
    "donkey",  "door",    "dove",   "dragon", "drum",   "duck",    "eagle",   "easel",  "elk",
    "elm",     "ember",   "emu",    "falcon", "fern",   "ferry",   "fiddle",  "field",  "fig",
    "finch",   "fir",     "fish",   "flag",   "flame",  "flute",   "fog",     "forest", "fort",
    "fox",     "frog",    "garden", "garlic", "gate",   "gecko",   "gibbon",  "ginger", "glove",
    "goat",    "goose",   "gorge",  "grape",  "hammer", "hare",    "harp",    "hat",    "hawk",
    "hedge",   "hen",     "heron",  "hill",   "hippo",  "hive",    "holly",   "horn",   "horse",
    "house",   "iguana",  "island", "ivy",    "jackal", "jaguar",  "jay",     "jelly",  "juniper",
    "kayak",   "kettle",  "kite",   "kiwi",   "koala",  "ladder",  "lagoon",  "lake",   "lamb",
    "lamp",    "lantern", "larch",  "lark",   "lemur",  "lily",    "lion",    "lizard", "llama",
    "lobster", "locust",  "lotus",  "lynx",   "magpie", "mango",   "mantis",  "maple",  "marble",
    "marten",  "meadow",  "melon",  "mill",   "mirror", "mole",    "monkey",  "moon",   "moose",
    "moth",    "mouse",   "mule",   "nest",   "newt",   "nut",     "oak",     "oasis",  "ocean",
    "onion",   "orchid",  "oryx",   "osprey", "otter",  "owl",     "ox",      "oyster", "panda",
    "panther", "parrot",  "peach",  "pear",   "pebble", "pelican", "pen",     "perch",  "piano",
    "pigeon",  "pillow",  "pine",   "plover", "pond",   "pony",    "poplar",  "poppy",  "puffin",
    "puma",    "python",  "quail",  "quartz", "rabbit", "raccoon", "radish",  "raven",  "rhino",
    "river",   "robin",   "rocket", "rook",   "rose",   "salmon",  "seal",    "shark",  "sheep",
    "shrew",   "skunk",   "snail",  "sofa",   "spoon",  "squid",   "stork",   "sun",    "swan",
    "tiger",   "toad",    "trout",  "tulip",
};

}  // namespace

std::string words_of(std::uint16_t identity) {
  std::string words(kFirst[identity >> 8U]);
  words += ' ';
  words += kSecond[identity & 0xFFU];
  return words;
}

}  // namespace wccl::link
