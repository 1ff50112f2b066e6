import type { ReviewText } from '../review-text.ts'

export const gameReviews: ReviewText[] = [
  {
    slug: 'the-legend-of-zelda-breath-of-the-wild',
    rating: 5,
    voice: 'earnest',
    text:
      'I set out for the first tower and got there four hours later with a horse, eleven mushrooms and no idea what ' +
      "I'd been doing. My brother and I played through it on the same evenings in two different cities, and we " +
      'never once had the same story to tell on the phone.',
  },
  {
    slug: 'the-legend-of-zelda-breath-of-the-wild',
    rating: 5,
    voice: 'terse',
    text: 'Saw a hill. Climbed it. Saw another hill. 130 hours.',
  },
  {
    slug: 'the-legend-of-zelda-breath-of-the-wild',
    rating: 2,
    voice: 'wry',
    text:
      'A beautiful field in which swords break. By the end I was saving all the good ones for a worse fight that ' +
      'never came, like my grandmother with the nice towels.',
    comments: [
      'They break so that you use them!',
      'That is what my mother said about the towels.',
      'Two stars for your own hoarding. Respect.',
    ],
  },
  {
    slug: 'the-legend-of-zelda-breath-of-the-wild',
    rating: 4,
    voice: 'careful',
    text:
      'The physics are the real achievement here. Because fire, wind, metal and water follow a few rules that hold ' +
      'everywhere, you can reason about a problem instead of guessing what the designer wanted, and the game hardly ' +
      'ever says no.\n\n' +
      'Where it thins out is the reward. A cave behind a waterfall deserves better than the hundred and tenth ' +
      'shrine with the same grey walls and the same elevator. I would have traded forty of them for two more towns.',
  },
  {
    slug: 'the-legend-of-zelda-breath-of-the-wild',
    rating: 3,
    voice: 'fan',
    text:
      "I've loved this series since I was eight, so believe me that I wanted to give it more. I miss dungeons. " +
      'Proper ones, with a map and a compass and a fire room and a water room. Four robot animals with five ' +
      "switches each don't do it for me. Kass can stay though. Kass is perfect.",
    comments: [
      'Everybody in this comment section would die for Kass.',
      'Eight here too, and I felt the opposite: this was the first one since the NES that let me get lost.',
    ],
  },
  {
    slug: 'elden-ring',
    rating: 5,
    voice: 'terse',
    text: 'Died 214 times. Regret one of them.',
    comments: ['The elevator?', 'The elevator.'],
  },
  {
    slug: 'elden-ring',
    rating: 5,
    voice: 'fan',
    text:
      "Sixty hours in I took a lift I'd never noticed, it went down, and down, and then there was a night sky where " +
      'a cave roof should be. I put the controller on the table and just said "what". I\'ve played all of these ' +
      "since Demon's Souls and nothing has made me feel that small since the first dragon on the bridge. LET ME PET " +
      'TORRENT you cowards.',
  },
  {
    slug: 'elden-ring',
    rating: 3,
    voice: 'careful',
    text:
      'The first half may be the best open world anybody has built. You see something, you go there, and it is ' +
      'worth having gone.\n\n' +
      'After the capital it gets thinner with every area. Bosses come back as pairs, then as ordinary enemies, and ' +
      'the late ones wait so long with the arm in the air that a fight becomes a rhythm quiz about delayed swings. ' +
      'I finished it tired, and I doubt that tired was the idea.',
    comments: [
      'The delayed swings are there because people roll on instinct. Watch the shoulder.',
      'I watched the shoulder. The shoulder lied.',
    ],
  },
  {
    slug: 'elden-ring',
    rating: 1,
    voice: 'wry',
    text:
      'I have a job and two small children. A knight on a horse, placed right outside the front door, killed me ' +
      'nine times in the one free hour I had this week. Good luck to all of you, I mean it.',
    comments: [
      "You're meant to walk round him.",
      "So I've been told, by nine people, after the fact.",
      'One star for not walking round a horse.',
    ],
  },
  {
    slug: 'elden-ring',
    rating: 4,
    voice: 'wry',
    text:
      'Great game about reading messages on the ground that say there is a secret wall, hitting the wall, and ' +
      'finding that the community loves you in its own way.',
  },
  {
    slug: 'the-last-of-us',
    rating: 5,
    voice: 'earnest',
    text:
      "My dad watched me play most of this from the sofa, and he doesn't care for games at all. He asked every " +
      "evening whether we'd go on. In the chapter with the giraffes neither of us said anything for a while and " +
      'then he went to make tea for rather a long time.',
    comments: ["Well, now I'm making tea too."],
  },
  {
    slug: 'the-last-of-us',
    rating: 4,
    voice: 'careful',
    text:
      'The writing gets the praise and has earned it, but what I admire is how clumsy violence is in it. You miss, ' +
      'you run out, you grab a brick. Every bullet is a small decision. It makes the people you fight seem ' +
      'frightened as well, which few shooters bother with.\n\n' +
      'The crafting bench and the endless ladders are padding, and you can always tell a fight is coming from the ' +
      'waist-high furniture.',
  },
  {
    slug: 'the-last-of-us',
    rating: 3,
    voice: 'terse',
    text: 'Moving story. Too many planks to carry.',
  },
  {
    slug: 'the-last-of-us',
    rating: 4,
    voice: 'fan',
    text:
      "That guitar. Three notes and I'm done for. Factions was also the best multiplayer nobody I know ever tried, " +
      "slow and nasty and quiet, and I'll keep saying so until somebody plays it with me.",
  },
  {
    slug: 'baldurs-gate-3',
    rating: 5,
    voice: 'fan',
    text:
      'Four of us, every Thursday for eight months, in three time zones. Our barbarian once threw a goblin at ' +
      'another goblin during what was supposed to be a peace talk, and the game just nodded and carried on. I have ' +
      "a spreadsheet of everyone's romances. It has tabs.",
    comments: ['Please share the spreadsheet.', 'It would end at least one of the friendships.'],
  },
  {
    slug: 'baldurs-gate-3',
    rating: 4,
    voice: 'careful',
    text:
      'Act one is close to perfect: dense, and open to whatever you try. By the third act it juggles so many ' +
      'threads that a few hit the floor, the city is crowded with errands, and my old computer begged for mercy.\n\n' +
      "Still, the reactivity is real. I talked my way out of a fight because of a book I'd read twenty hours " +
      'before, and no marker had told me to read it.',
  },
  {
    slug: 'baldurs-gate-3',
    rating: 5,
    voice: 'wry',
    text: 'I spent forty minutes making a noble elf ranger and two hundred hours asking squirrels for gossip.',
  },
  {
    slug: 'baldurs-gate-3',
    rating: 3,
    voice: 'terse',
    text: 'Combat is turn-based. I did try.',
  },
  {
    slug: 'stardew-valley',
    rating: 5,
    voice: 'earnest',
    text:
      'I started this the winter I was off work and not sleeping. It asked very little: water the beans, go and say ' +
      'hello to somebody, be in bed by two. After some weeks I noticed I was doing about the same in my own life. ' +
      "I'm well now and I still have the farm.",
  },
  {
    slug: 'stardew-valley',
    rating: 4,
    voice: 'wry',
    text:
      'Left the corporate grind for a simpler life. Now run forty kegs on a fixed schedule, sleep five hours and ' +
      'give my wife a stone on her birthday because I panicked.',
    comments: ['Not the stone.', 'In fairness she is fond of some minerals. You could have got lucky.'],
  },
  {
    slug: 'stardew-valley',
    rating: 3,
    voice: 'careful',
    text:
      'Lovely to look at, generous, and for one in-game year very absorbing. Then I had seen most of what the ' +
      "villagers had to say, while the days kept filling with chores I'd set myself. The clock made me hurry " +
      'through a game about not hurrying. I see why others treasure it. I kept checking how late it was.',
  },
  {
    slug: 'stardew-valley',
    rating: 5,
    voice: 'terse',
    text: 'Got my sister into games.',
    comments: ["Same with my mum, and now she's at 600 hours and won't visit my farm."],
  },
  {
    slug: 'red-dead-redemption-2',
    rating: 5,
    voice: 'careful',
    text:
      "People complain that it's slow and they're right, only I think it's slow the way a long novel is. You get to " +
      'know a camp of twenty people by walking past them at breakfast. Somebody mentions a brother on a Tuesday and ' +
      'by Friday you understand why he drinks.\n\n' +
      "The missions themselves are oddly strict. Step two yards off the path and you've failed. It's as if two " +
      'studios shared an office, one of them making a world and the other guarding it from you.',
  },
  {
    slug: 'red-dead-redemption-2',
    rating: 2,
    voice: 'wry',
    text:
      'Opened a drawer. Watched a man open a drawer. Took a can of peaches. Watched a man take a can of peaches. ' +
      'There was a second drawer, so I sold the game.',
    comments: [
      "You missed the third drawer, there's a hat in it.",
      "I'd have paid extra for a longer drawer.",
    ],
  },
  {
    slug: 'red-dead-redemption-2',
    rating: 3,
    voice: 'terse',
    text: 'Gorgeous. I mostly wanted it to hurry up.',
  },
  {
    slug: 'red-dead-redemption-2',
    rating: 5,
    voice: 'earnest',
    text:
      "I named my horse after the pony I had as a girl, and from then on I couldn't ride her through a swamp " +
      "without apologising out loud. I've never looked after something made of pixels so carefully. No quick " +
      'travel, a carrot every morning, brushed down each night at the fire.',
  },
  {
    slug: 'tetris',
    rating: 5,
    voice: 'earnest',
    text:
      'My grandmother kept a Game Boy in the drawer with her knitting and told everyone it was for the ' +
      "grandchildren. When she died we found the score she'd written on the back of an envelope. Nobody in the " +
      'family has come near it.',
    comments: ['What was it??', "412,000 and something. She used to say she wasn't really trying."],
  },
  {
    slug: 'the-secret-of-monkey-island',
    rating: 5,
    voice: 'wry',
    text:
      'I learned most of my English from this game, and so at my first job abroad I told a rude customer that he ' +
      'fought like a cow. It went better than it should have.',
  },
  {
    slug: 'sonic-the-hedgehog',
    rating: 3,
    voice: 'terse',
    text: 'One great zone, then a lot of waiting underwater.',
  },
  {
    slug: 'sid-meiers-civilization',
    rating: 5,
    voice: 'wry',
    text: 'Bought it for my fourteenth birthday and turned fifteen.',
  },
  {
    slug: 'myst',
    rating: 3,
    voice: 'careful',
    text:
      'I came to it thirty years late with every convenience, and the mood still works: the wind, the pages, the ' +
      'feeling that somebody has just left the room. What works less well is walking back and forth across the ' +
      'island a picture at a time because of one wrong lever, and the sound puzzle in the underground cart defeated ' +
      "me and everyone I asked. I'm glad I saw it and would not go back alone.",
  },
  {
    slug: 'doom',
    rating: 5,
    voice: 'fan',
    text:
      "No other shooter has a shotgun like it and I'll hear no arguments. I still boot up the first episode every " +
      'December, it takes me under half an hour, and my neighbours know the music by now. Kids, learn where the ' +
      'secret is in the zigzag room.',
  },
  {
    slug: 'chrono-trigger',
    rating: 5,
    voice: 'earnest',
    text:
      'Played it on a borrowed cartridge over one summer holiday with the boy next door, taking turns by fights. ' +
      "Years later I played it alone and kept leaving room beside me on the carpet. It isn't long and nothing in it " +
      'wastes your time.',
  },
  {
    slug: 'pokemon-red',
    rating: 4,
    voice: 'wry',
    text: 'I was nine and chose the lizard, so the first two gyms were my introduction to consequences.',
  },
  {
    slug: 'final-fantasy-vii',
    rating: 4,
    voice: 'fan',
    text:
      "Look, the translation wobbles, everyone has mittens for hands, and I've had the battle music in my head " +
      'since 1997. I bred a gold chocobo before I could do long division. Four stars only because of the snowboard ' +
      'bit, and my wife says because of the mittens as well.',
  },
  {
    slug: 'the-legend-of-zelda-ocarina-of-time',
    rating: 4,
    voice: 'careful',
    text:
      'Hard to judge now that everything in it has been copied. Seen fresh, the camera fights you, the field is ' +
      'rather empty and a certain owl could talk less. But the dungeons are still thought through to the last ' +
      'torch, and the six-hole flute is a lovely idea for an interface: you learn the tunes with your hands, and ' +
      'twenty years on the hands still know them.',
  },
  {
    slug: 'the-legend-of-zelda-ocarina-of-time',
    rating: 5,
    voice: 'terse',
    text: 'Water Temple included.',
    comments: ['Absolutely not.', 'Bold. Wrong, but bold.'],
  },
  {
    slug: 'silent-hill-2',
    rating: 5,
    voice: 'careful',
    text:
      "I don't scare easily and this didn't scare me so much as sit on my chest. It takes its time. The combat is " +
      'poor and the camera worse, and both help, because James is no soldier and cannot see round corners ' +
      'either.\n\n' +
      "What stays is how sad everyone is. Play it with headphones, in autumn, and don't look anything up first.",
  },
  {
    slug: 'half-life-2',
    rating: 4,
    voice: 'terse',
    text: 'Gravity gun: five. Boat: three.',
    comments: ['The boat is the best part, I will not be taking questions.'],
  },
  {
    slug: 'world-of-warcraft',
    rating: 3,
    voice: 'wry',
    text:
      'I was a good healer for six years. I have forgotten the names of two people I shared an office with in that ' +
      'time but could still draw you the route through Stratholme.',
    comments: ['Living side or the other?', "Please don't. I've been clean for a decade."],
  },
  {
    slug: 'wii-sports',
    rating: 4,
    voice: 'earnest',
    text:
      "Four generations of us on one sofa on New Year's Eve and my great-aunt, 81, bowled a turkey in her good " +
      'shoes. No other game has ever had everybody in that house on the same side of the room.',
  },
  {
    slug: 'minecraft',
    rating: 5,
    voice: 'earnest',
    text:
      'My daughter built me a house next to hers "for when you\'re old". There\'s a bed, a dog and a chest with one ' +
      "hundred and four cooked potatoes. I check on it when she's at school.",
    comments: ["I'd like it on record that 104 potatoes is a very good pension."],
  },
  {
    slug: 'minecraft',
    rating: 4,
    voice: 'fan',
    text:
      "Fifteen years on and I still won't dig at night without two torches and a bucket. I've built three castles, " +
      'a working calculator (it adds, slowly) and an island shaped like my cat. Lost a full diamond set to lava in ' +
      '2012 and think about it weekly.',
  },
  {
    slug: 'portal-2',
    rating: 5,
    voice: 'wry',
    text: 'Came for the puzzles, stayed to be insulted by a potato.',
    comments: ['No context needed. None available.'],
  },
  {
    slug: 'portal-2',
    rating: 4,
    voice: 'careful',
    text:
      'Funnier than the first and kinder to the player, perhaps a little too kind. The white patches of wall that ' +
      'take a portal are so few in the middle chapters that many rooms come down to looking for the only place you ' +
      'can shoot. The co-op has the better puzzles by far, and a partner to blame.',
  },
  {
    slug: 'dark-souls',
    rating: 4,
    voice: 'fan',
    text:
      'Whoever built the archers on that cathedral ledge owes me a weekend. Then you take the lift down to the old ' +
      'church, the music comes back, and you forgive everyone. Last third is unfinished and every fan knows it (we ' +
      'do not speak of the lava area). Praise the sun anyway.',
  },
  {
    slug: 'the-elder-scrolls-v-skyrim',
    rating: 4,
    voice: 'wry',
    text:
      "I've begun it five times on four machines and could not tell you how the main story ends. Something with a " +
      'dragon, I assume. My house is full of cheese.',
  },
  {
    slug: 'duke-nukem-forever',
    rating: 2,
    voice: 'wry',
    text:
      "I waited from secondary school to my second mortgage for this. There's a room where you can use the " +
      'microwave to make popcorn, and it may be the best bit.',
  },
  {
    slug: 'et-the-extra-terrestrial',
    rating: 1,
    voice: 'terse',
    text: 'Fell in a hole. Stayed there.',
    comments: [
      "To be fair, it comes with the manual for a reason. Read that and it's a perfectly playable two stars.",
    ],
  },
  {
    slug: 'the-witcher-3-wild-hunt',
    rating: 5,
    voice: 'earnest',
    text:
      "I'd stopped playing games in my thirties and a colleague lent me this one. The story of the baron and his " +
      'family had me sitting up until three on a weeknight, cross with myself about a choice and quite sure it had ' +
      "been the decent thing to do. It treated me as a grown-up. I hadn't known games did that now.",
  },
  {
    slug: 'undertale',
    rating: 4,
    voice: 'fan',
    text:
      "I've owned the soundtrack longer than my current sofa. Go in blind, be nice, pet everything. Four and not " +
      'five because the puzzles really are just a joke about puzzles and the snow town goes on a touch too long. ' +
      "Papyrus, if you're reading this: the spaghetti was fine.",
  },
  {
    slug: 'grand-theft-auto-v',
    rating: 3,
    voice: 'careful',
    text:
      "Technically I don't know how they did it. The way the hills look from the freeway at six in the evening is " +
      'worth the price. But the satire punches at whatever is nearest, nobody in it is allowed to mean anything, ' +
      "and after thirty hours I'd had enough of three men shouting. I drove up the coast instead, and that was the " +
      'better game.',
    comments: [
      'Hiking up the mountain at dawn with no mission on is a five star game hidden inside a three.',
    ],
  },
  {
    slug: 'no-mans-sky',
    rating: 3,
    voice: 'terse',
    text: 'Came back in 2023. Much fixed. Still lonely.',
  },
  {
    slug: 'outer-wilds',
    rating: 5,
    voice: 'earnest',
    text:
      "I can't tell you about it, and I've been trying to tell people about it for years. Take a notebook. If you " +
      "get stuck, go and sit by somebody's campfire and listen. I cried at a piece of banjo music and I'm a retired " +
      'accountant.',
    comments: [
      "Everyone who's finished it writes this same review and every one of them is right.",
      'I bounced off it twice. Does it get going at some point?',
      'Go back to the twins and watch the sand. Say no more.',
    ],
  },
  {
    slug: 'disco-elysium',
    rating: 4,
    voice: 'wry',
    text:
      "Failed to catch my own tie, died of it in the first two minutes, laughed, and was in. It's a lot of reading. " +
      "I've had flatmates who talked less than my character's reptile brain.",
  },
  {
    slug: 'death-stranding',
    rating: 4,
    voice: 'earnest',
    text:
      "I was ready to dislike it. Then somebody I'll never meet had put a rope exactly where I needed one, in the " +
      'snow, at the end of a rotten week, and I pressed the like button until my thumb hurt.',
    comments: ['Five minutes of this for every forty of people explaining their surnames.'],
  },
  {
    slug: 'untitled-goose-game',
    rating: 4,
    voice: 'terse',
    text: 'I am a problem now.',
  },
  {
    slug: 'celeste',
    rating: 5,
    voice: 'careful',
    text:
      'What impresses me most is how quickly it gives you back to yourself after a mistake: you are on your feet ' +
      'before annoyance has had time to form. It is difficult in small pieces, each about the size of a breath. The ' +
      'assist menu comes without any scolding, so I could pass it to my mother for the last climb, and she got ' +
      'there.',
  },
  {
    slug: 'cyberpunk-2077',
    rating: 3,
    voice: 'fan',
    text:
      'I pre-ordered, I defended it, I refunded it, I came back for the 2.0 patch with my tail between my legs. The ' +
      "city's incredible and Judy deserved a whole game. But I can't un-see my car falling through the road into " +
      'the blue nothing, twice, on launch night.',
    comments: [
      "It's a different game now, five from me. Nobody should be reviewing the launch any more.",
      'I paid for the launch.',
    ],
  },
  {
    slug: 'balatro',
    rating: 5,
    voice: 'wry',
    text:
      "My phone tells me I've spent eleven days of my life on this. I'd like those days back so I can try a flush " +
      'build.',
  },
]
