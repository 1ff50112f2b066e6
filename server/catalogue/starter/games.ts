import type { StarterTitle } from './title.ts'

/** Video games of every decade from 1980 on; texts our own, dates the first release anywhere. */
export const games: StarterTitle[] = [
  {
    slug: 'pac-man',
    name: 'Pac-Man',
    tagline: 'Four ghosts, each with a plan.',
    overview:
      'A yellow disc eats dots in a blue maze while four ghosts close in, each with its own way of hunting. Swallow ' +
      'one of the big pellets and for a few seconds the chase turns round. Every later maze is the same maze, only ' +
      'faster, so the thing that has to improve is you.',
    releaseDate: '1980',
    genres: ['Arcade'],
    creators: ['Namco'],
    platforms: ['Arcade', 'Atari 2600', 'Nintendo Entertainment System', 'Game Boy'],
    fame: 92,
    acclaim: 3.9,
    art: { motif: 'maze', palette: ['#0a0a1f', '#2127de', '#ffd83d'] },
  },
  {
    slug: 'zork-i',
    name: 'Zork I: The Great Underground Empire',
    tagline: 'Bring a lamp.',
    overview:
      'Standing west of a white house, you type what you would like to do and the program tells you how that went. ' +
      'Under the floor lies an empire of gratings, thieves and dark rooms where a lamp matters more than a sword. ' +
      'Paper for drawing a map is part of the equipment.',
    releaseDate: '1980',
    genres: ['Adventure', 'Puzzle'],
    creators: ['Infocom'],
    platforms: ['Apple II', 'Commodore C64/128/MAX', 'DOS', 'Mac'],
    fame: 33,
    acclaim: 3.5,
    art: { motif: 'house', palette: ['#0d120d', '#1f3b24', '#7dff9b'] },
  },
  {
    slug: 'et-the-extra-terrestrial',
    name: 'E.T. the Extra-Terrestrial',
    tagline: 'Phone home, once you are out of the hole.',
    overview:
      'Written in about five weeks to reach the shops by Christmas, this adaptation sends the stranded alien round ' +
      'a handful of screens full of pits in search of pieces of a telephone. Scientists and agents give chase and ' +
      'energy runs down with every step, though the pits do most of the damage. Its failure became a legend of its ' +
      'own.',
    releaseDate: '1982',
    genres: ['Adventure'],
    creators: ['Atari'],
    platforms: ['Atari 2600'],
    fame: 36,
    acclaim: 2.6,
    art: { motif: 'moon', palette: ['#1d3a1f', '#4f8a3b', '#d9c27a'] },
  },
  {
    slug: 'elite',
    name: 'Elite',
    tagline: null,
    overview:
      'Eight galaxies of trade and piracy, squeezed into a home computer with less memory than a small photograph ' +
      'takes up today. You start with a modest ship and a hundred credits; whether you haul food or shoot the ' +
      'people who haul it is your own business. The slowly turning space station has ended more careers than the ' +
      'pirates ever did.',
    releaseDate: '1984-09-20',
    genres: ['Simulator', 'Shooter', 'Strategy'],
    creators: ['David Braben', 'Ian Bell'],
    platforms: ['BBC Microcomputer System', 'Commodore C64/128/MAX', 'ZX Spectrum', 'Amiga', 'DOS'],
    fame: 31,
    acclaim: 3.8,
    art: { motif: 'rocket', palette: ['#050505', '#2b2f36', '#f2f2f2'] },
  },
  {
    slug: 'super-mario-bros',
    name: 'Super Mario Bros.',
    tagline: 'The princess is in some castle.',
    overview:
      'Thirty-two short levels teach everything without a word: the first mushroom, the first pipe, the first block ' +
      "that turns out to be solid where there was only air. Mario's jump has weight and a little slide to it, and " +
      'learning to steer both is the whole pleasure. Somebody who has practised for years can beat it over a cup of ' +
      'tea.',
    releaseDate: '1985-09-13',
    genres: ['Platform'],
    creators: ['Nintendo R&D4'],
    platforms: ['Nintendo Entertainment System'],
    igdbId: 358,
    fame: 97,
    acclaim: 4.2,
    art: { motif: 'tower', palette: ['#5c94fc', '#c84c0c', '#fcd8a8'] },
  },
  {
    slug: 'outrun',
    name: 'OutRun',
    tagline: 'Left for the desert, right for the hills.',
    overview:
      'Before the lights go green you choose a song on the car radio, and that sets the mood better than any story ' +
      'could. A red open-top, the sea on one side, and a road that forks at the end of every stage into two ' +
      'different landscapes. Each checkpoint buys seconds. A rolled car costs more of them than you have.',
    releaseDate: '1986',
    genres: ['Racing', 'Arcade'],
    creators: ['Sega'],
    platforms: ['Arcade', 'Sega Master System/Mark III', 'Sega Mega Drive/Genesis', 'Commodore C64/128/MAX'],
    fame: 27,
    acclaim: 3.9,
    art: { motif: 'road', palette: ['#1ec8e8', '#f7a6c4', '#e8262a'] },
  },
  {
    slug: 'tetris',
    name: 'Tetris',
    tagline: 'The long piece is coming. Probably.',
    overview:
      "Seven shapes fall, you turn and pack them, and a full row disappears. On the Game Boy, Alexey Pajitnov's " +
      'idea found its proper home: a grey brick that fitted in a coat pocket, a folk tune that would not leave, and ' +
      "a cable for spoiling a friend's evening. Nobody wins at it for good. You merely last longer than last time.",
    releaseDate: '1989-06-14',
    genres: ['Puzzle'],
    creators: ['Nintendo R&D1'],
    platforms: ['Game Boy'],
    fame: 98,
    acclaim: 4.4,
    art: { motif: 'grid', palette: ['#8bac0f', '#306230', '#0f380f'] },
  },
  {
    slug: 'the-secret-of-monkey-island',
    name: 'The Secret of Monkey Island',
    tagline: 'He can hold his breath for ten minutes.',
    overview:
      'Guybrush Threepwood wants to be a pirate and has little to offer beyond enthusiasm. Three trials stand in ' +
      'his way, then a governor who can look after herself and a ghost with a crush. Sword fights are settled by ' +
      'insult, puzzles by thinking sideways, and the jokes have kept rather better than the sixteen colours they ' +
      'first came in.',
    releaseDate: '1990',
    genres: ['Point-and-click', 'Adventure', 'Puzzle'],
    creators: ['Lucasfilm Games'],
    platforms: ['DOS', 'Amiga', 'Atari ST/STE', 'Mac'],
    fame: 52,
    acclaim: 4.2,
    art: { motif: 'ship', palette: ['#0b1d4a', '#3a2d7a', '#f0b357'] },
  },
  {
    slug: 'sid-meiers-civilization',
    name: "Sid Meier's Civilization",
    tagline: 'One more turn, and then bed.',
    overview:
      'From one settler on a black map you raise a people across six thousand years, choosing between granaries and ' +
      "chariots while the neighbours watch. Wonders can be lost by a single turn, and a phalanx may, to everyone's " +
      'surprise, sink a battleship. The clock on the real wall keeps different time altogether.',
    releaseDate: '1991',
    genres: ['Turn-based strategy (TBS)', 'Strategy', 'Simulator'],
    creators: ['MicroProse'],
    platforms: ['DOS', 'Amiga', 'Atari ST/STE', 'Mac', 'Super Nintendo Entertainment System'],
    fame: 66,
    acclaim: 4.2,
    art: { motif: 'sun', palette: ['#3b2a1a', '#a8763e', '#e9d8a6'] },
  },
  {
    slug: 'street-fighter-ii',
    name: 'Street Fighter II: The World Warrior',
    tagline: null,
    overview:
      'Round the cabinet stands a crowd of strangers, each with a coin on the glass. Eight fighters to choose from, ' +
      'six buttons, and special moves that were secrets passed on by watching somebody better. Combos began as an ' +
      'accident the makers left in. Every character asks for a different temper, and most of us found ours by ' +
      'losing.',
    releaseDate: '1991',
    genres: ['Fighting', 'Arcade'],
    creators: ['Capcom'],
    platforms: ['Arcade', 'Super Nintendo Entertainment System', 'Amiga', 'DOS'],
    fame: 82,
    acclaim: 4.2,
    art: { motif: 'stripes', palette: ['#7a1020', '#e2571e', '#ffe08a'] },
  },
  {
    slug: 'sonic-the-hedgehog',
    name: 'Sonic the Hedgehog',
    tagline: null,
    overview:
      'Green hills, chequered earth and a blue hedgehog who taps his foot when you dawdle. The opening zone rewards ' +
      'speed with loops and springs; the later ones, full of water and spikes, ask you to slow down and mean it. ' +
      'Losing every ring at once remains one of the saddest sounds a console ever made.',
    releaseDate: '1991-06-23',
    genres: ['Platform'],
    creators: ['Sonic Team'],
    platforms: ['Sega Mega Drive/Genesis', 'iOS', 'Android'],
    fame: 84,
    acclaim: 3.6,
    art: { motif: 'spiral', palette: ['#1746d1', '#3ba648', '#f9d423'] },
  },
  {
    slug: 'myst',
    name: 'Myst',
    tagline: 'An empty island with a good deal to say.',
    overview:
      'Nobody greets you on the island. There is a library, a dock, a rocket where no rocket should be, and a pair ' +
      'of books from which two brothers plead through static. Machines answer to levers you do not yet understand. ' +
      'You get further by listening closely and drawing diagrams on the back of an envelope.',
    releaseDate: '1993-09-24',
    genres: ['Point-and-click', 'Adventure', 'Puzzle'],
    creators: ['Cyan'],
    platforms: ['Mac', 'PC (Microsoft Windows)', 'PlayStation', 'Sega Saturn'],
    fame: 58,
    acclaim: 3.4,
    art: { motif: 'key', palette: ['#1f3a45', '#6f8f86', '#d9cfb0'] },
  },
  {
    slug: 'doom',
    name: 'Doom',
    tagline: 'Something is loose on the moons of Mars.',
    overview:
      'Marines sent to Phobos stop answering, and you are the one left outside with a pistol. What follows is ' +
      'speed: a shotgun, a locked door, a growl from a cupboard that was wall a second ago. Players swapped its ' +
      'levels on floppies and built thousands of their own, and it has since been coaxed onto printers and tractors.',
    releaseDate: '1993-12-10',
    genres: ['Shooter'],
    creators: ['id Software'],
    platforms: ['DOS', 'Super Nintendo Entertainment System', 'PlayStation', 'Sega Saturn', 'Mac'],
    fame: 88,
    acclaim: 4.3,
    art: { motif: 'bones', palette: ['#2a0a08', '#8c1c13', '#f2a541'] },
  },
  {
    slug: 'super-metroid',
    name: 'Super Metroid',
    tagline: null,
    overview:
      'Samus lands on Zebes in the rain, and for some minutes nothing attacks. That quiet sets the tone: a planet ' +
      'to be read room by room, where a ledge you cannot reach today is a promise. Each new part for her suit ' +
      'redraws the map in your head. Once you are down there, hardly a line of text interrupts.',
    releaseDate: '1994-03-19',
    genres: ['Platform', 'Shooter', 'Adventure'],
    creators: ['Nintendo R&D1', 'Intelligent Systems'],
    platforms: ['Super Nintendo Entertainment System'],
    igdbId: 1103,
    fame: 62,
    acclaim: 4.5,
    art: { motif: 'planet', palette: ['#120a2e', '#5b2a86', '#ff6f3c'] },
  },
  {
    slug: 'chrono-trigger',
    name: 'Chrono Trigger',
    tagline: 'The fair was only meant to take a morning.',
    overview:
      'At a village fair an invention goes wrong and throws a girl four centuries back. Crono jumps after her, and ' +
      'the trip widens into prehistory, a ruined future and a kingdom above the clouds. Enemies stand about in the ' +
      'open, fights are quick, and a small kindness in one age may turn up as a landmark in the next.',
    releaseDate: '1995-03-11',
    genres: ['Role-playing (RPG)'],
    creators: ['Square'],
    platforms: [
      'Super Nintendo Entertainment System',
      'PlayStation',
      'Nintendo DS',
      'iOS',
      'Android',
      'PC (Microsoft Windows)',
    ],
    fame: 68,
    acclaim: 4.6,
    art: { motif: 'clock', palette: ['#0e2a3b', '#2f7f86', '#f4c95d'] },
  },
  {
    slug: 'pokemon-red',
    name: 'Pokémon Red Version',
    tagline: null,
    overview:
      'Professor Oak offers a choice of three, and playgrounds have argued about it since. Then come the tall ' +
      'grass, eight gyms, a rival with a talent for bad moments and some hundred and fifty creatures, a few of ' +
      'which appear only on the other cartridge. The link cable was the clever part: nobody finishes the list alone.',
    releaseDate: '1996-02-27',
    genres: ['Role-playing (RPG)'],
    creators: ['Game Freak'],
    platforms: ['Game Boy'],
    fame: 93,
    acclaim: 4.0,
    art: { motif: 'leaf', palette: ['#c22f2f', '#f3efe6', '#2b2b33'] },
  },
  {
    slug: 'super-mario-64',
    name: 'Super Mario 64',
    tagline: null,
    overview:
      'Outside the castle there are a moat, a few trees and no instructions, and many people spent their first hour ' +
      'there running in circles. Behind the paintings lie fifteen worlds built to be turned over like toys. The ' +
      'stick makes Mario tiptoe or sprint, his jumps chain into each other, and the camera does what it can.',
    releaseDate: '1996-06-23',
    genres: ['Platform', 'Adventure'],
    creators: ['Nintendo EAD'],
    platforms: ['Nintendo 64'],
    igdbId: 1074,
    fame: 85,
    acclaim: 4.3,
    art: { motif: 'crown', palette: ['#1b4db3', '#e63b2e', '#ffe35a'] },
  },
  {
    slug: 'final-fantasy-vii',
    name: 'Final Fantasy VII',
    tagline: 'A train pulls in. Somebody jumps off.',
    overview:
      'Midgar is a plate of steel with slums beneath it and reactors that drain the planet to keep the lights on. ' +
      'Cloud signs up with the people bombing them, mostly for the pay. Blocky figures on painted backgrounds carry ' +
      'a story about memory and grief, interrupted by snowboarding, chocobo breeding and a really very large sword.',
    releaseDate: '1997-01-31',
    genres: ['Role-playing (RPG)'],
    creators: ['Square'],
    platforms: [
      'PlayStation',
      'PC (Microsoft Windows)',
      'iOS',
      'Android',
      'PlayStation 4',
      'Nintendo Switch',
      'Xbox One',
    ],
    igdbId: 427,
    fame: 92,
    acclaim: 4.4,
    art: { motif: 'blade', palette: ['#06120f', '#1e6b57', '#7cf2b0'] },
  },
  {
    slug: 'starcraft',
    name: 'StarCraft',
    tagline: null,
    overview:
      'Three sides that share almost nothing: one can lift its buildings off the ground, one grows them from slime, ' +
      "one warps them in from elsewhere. The campaign keeps humans, Zerg and Protoss at each other's throats, and " +
      'online the balance between them held for years. In South Korea it filled arenas. At home it filled telephone ' +
      'bills.',
    releaseDate: '1998-03-31',
    genres: ['Real Time Strategy (RTS)', 'Strategy'],
    creators: ['Blizzard Entertainment'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Nintendo 64'],
    fame: 76,
    acclaim: 4.4,
    art: { motif: 'rocket', palette: ['#0a1420', '#2f5d7c', '#8fd14f'] },
  },
  {
    slug: 'the-legend-of-zelda-ocarina-of-time',
    name: 'The Legend of Zelda: Ocarina of Time',
    tagline: 'An old tune, a horse, a long way to ride.',
    overview:
      "Link is the only child in the forest without a fairy, until one morning he isn't. His errand leads over " +
      'Hyrule Field at dawn, into a tree, a volcano and the belly of a fish, with songs that bring on the rain or ' +
      'the night. Locking on to an enemy with one button sounds minor; nearly every 3D adventure since has borrowed ' +
      'it.',
    releaseDate: '1998-11-21',
    genres: ['Adventure', 'Puzzle'],
    creators: ['Nintendo EAD'],
    platforms: ['Nintendo 64'],
    igdbId: 1029,
    fame: 90,
    acclaim: 4.6,
    art: { motif: 'forest', palette: ['#12351f', '#4f7d3a', '#e6c65b'] },
  },
  {
    slug: 'rollercoaster-tycoon',
    name: 'RollerCoaster Tycoon',
    tagline: 'The queue for the lavatory is your fault.',
    overview:
      'Guests arrive with pocket money, a weak stomach and opinions. You lay paths, price the chips, tune the drops ' +
      'of a coaster until it thrills without emptying anyone, and hire a man to mop up where you failed. Chris ' +
      'Sawyer wrote nearly all of it in assembly language, which is how so many tiny visitors fitted into a family ' +
      'computer.',
    releaseDate: '1999',
    genres: ['Simulator', 'Strategy'],
    creators: ['Chris Sawyer'],
    platforms: ['PC (Microsoft Windows)', 'Xbox'],
    fame: 57,
    acclaim: 4.0,
    art: { motif: 'wheel', palette: ['#2f8f4e', '#f2c14e', '#d1495b'] },
  },
  {
    slug: 'the-sims',
    name: 'The Sims',
    tagline: 'Mind the pool ladder.',
    overview:
      'Little people need to eat, wash, work and be liked, and you decide in which order they fail at it. The ' +
      'budget allows a sofa or a smoke alarm. Between the wallpaper, the flirting and the burning stove an ordinary ' +
      'week becomes a soap opera, with you as its distracted god.',
    releaseDate: '2000-02-04',
    genres: ['Simulator'],
    creators: ['Maxis'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'PlayStation 2', 'Xbox', 'Nintendo GameCube'],
    fame: 88,
    acclaim: 3.9,
    art: { motif: 'house', palette: ['#3fae5a', '#8bd3e6', '#f7f3d0'] },
  },
  {
    slug: 'tony-hawks-pro-skater-2',
    name: "Tony Hawk's Pro Skater 2",
    tagline: null,
    overview:
      'Two minutes on the clock, a hangar or a schoolyard, and the manual, which links one trick to the next until ' +
      'your hands shake. Collecting letters is the excuse; finding a line nobody showed you is the reason. The ' +
      'soundtrack sent a good many players straight to the record shop.',
    releaseDate: '2000-09-20',
    genres: ['Sport'],
    creators: ['Neversoft'],
    platforms: [
      'PlayStation',
      'Dreamcast',
      'Nintendo 64',
      'PC (Microsoft Windows)',
      'Game Boy Advance',
      'Game Boy Color',
    ],
    fame: 59,
    acclaim: 4.3,
    art: { motif: 'road', palette: ['#1f1f24', '#e8b339', '#d13b2a'] },
  },
  {
    slug: 'silent-hill-2',
    name: 'Silent Hill 2',
    tagline: null,
    overview:
      'James receives a letter from his wife, dead these three years, asking him to meet her in the town they once ' +
      'loved. He goes, and the fog closes behind him. There is rust on everything, a pocket radio that hisses when ' +
      'something is near, and people who seem to see another town than he does. The fear is slow and sad and seldom ' +
      'shouts.',
    releaseDate: '2001',
    genres: ['Adventure', 'Puzzle'],
    creators: ['Team Silent'],
    platforms: ['PlayStation 2', 'Xbox', 'PC (Microsoft Windows)'],
    fame: 60,
    acclaim: 4.4,
    art: { motif: 'door', palette: ['#2b2d2a', '#7d8078', '#a33b2e'] },
  },
  {
    slug: 'katamari-damacy',
    name: 'Katamari Damacy',
    tagline: 'Thumbtack, cat, cow, island.',
    overview:
      'Your father, the King of All Cosmos, has knocked every star out of the sky, and replacing them falls to you. ' +
      'The tool is a sticky ball. It picks up drawing pins, then pencils, then cats, later lampposts and, with ' +
      'patience, weather. The songs are shamelessly happy, and suddenly being bigger than a cow never wears out.',
    releaseDate: '2004-03-18',
    genres: ['Puzzle', 'Arcade'],
    creators: ['Namco'],
    platforms: ['PlayStation 2'],
    fame: 45,
    acclaim: 4.1,
    art: { motif: 'circles', palette: ['#ff7ac2', '#5ad1e6', '#ffe14d'] },
  },
  {
    slug: 'half-life-2',
    name: 'Half-Life 2',
    tagline: null,
    overview:
      'Trains deliver people to City 17, where a calm voice on every screen explains why things are better now. ' +
      'Gordon Freeman gets off with no weapon and no say. There are chases along canals, a village best left alone ' +
      'at night, and a device for throwing saw blades and radiators. Each chapter finds a new toy and drops it ' +
      'before it bores.',
    releaseDate: '2004-11-16',
    genres: ['Shooter', 'Adventure'],
    creators: ['Valve'],
    platforms: ['PC (Microsoft Windows)', 'Xbox', 'Xbox 360', 'PlayStation 3', 'Mac', 'Linux'],
    igdbId: 233,
    fame: 83,
    acclaim: 4.5,
    art: { motif: 'train', palette: ['#2c3a42', '#7a8b8c', '#e07b27'] },
  },
  {
    slug: 'world-of-warcraft',
    name: 'World of Warcraft',
    tagline: 'Forty people, one dragon, and somebody is feeding the cat.',
    overview:
      'Walk from one coast to the other and nothing stops to load: that was the first marvel. The second was other ' +
      'people, who needed a healer at midnight, sold you cloth for your bags and quarrelled in the chat until dawn. ' +
      'Two factions share a world of wolves to be skinned. Some came for a month and stayed through three jobs.',
    releaseDate: '2004-11-23',
    genres: ['Role-playing (RPG)'],
    creators: ['Blizzard Entertainment'],
    platforms: ['PC (Microsoft Windows)', 'Mac'],
    fame: 86,
    acclaim: 3.7,
    art: { motif: 'tower', palette: ['#14233f', '#b8862f', '#5fa8d3'] },
  },
  {
    slug: 'shadow-of-the-colossus',
    name: 'Shadow of the Colossus',
    tagline: null,
    overview:
      'Sixteen giants live in an empty land and almost nothing else does, apart from lizards and a horse with a ' +
      'mind of her own. Wander has been told that killing them will bring somebody back. You climb by the fur, hold ' +
      'on until your grip gives out, and ride off through silence with a growing suspicion about the bargain.',
    releaseDate: '2005-10-18',
    genres: ['Adventure', 'Puzzle'],
    creators: ['Team Ico'],
    platforms: ['PlayStation 2', 'PlayStation 3'],
    fame: 63,
    acclaim: 4.4,
    art: { motif: 'mountain', palette: ['#4a4438', '#9a8f70', '#dfe6d8'] },
  },
  {
    slug: 'wii-sports',
    name: 'Wii Sports',
    tagline: 'Wear the wrist strap.',
    overview:
      'Grandparents who had never held a controller turned out to be merciless at bowling. Five sports, a remote ' +
      'swung through the living-room air, and cartoon versions of the family standing about in the outfield. Tennis ' +
      'asks for timing alone, boxing for stamina, and the training exercises are where the best of it hides. Lamps ' +
      'were lost.',
    releaseDate: '2006-11-19',
    genres: ['Sport'],
    creators: ['Nintendo EAD'],
    platforms: ['Wii'],
    fame: 84,
    acclaim: 3.6,
    art: { motif: 'sun', palette: ['#e9f4fb', '#4db7e5', '#f28c28'] },
  },
  {
    slug: 'bioshock',
    name: 'BioShock',
    tagline: 'Mind the puddles.',
    overview:
      'Below the Atlantic an industrialist built a city without kings or taxes, and by 1960 it is leaking. The ' +
      'halls are art deco, a jukebox still plays, and the residents have spliced their genes until their manners ' +
      'went. You have a wrench and, soon enough, bees in your arm. Small girls walk the corridors with needles, and ' +
      'what guards them shakes the floor.',
    releaseDate: '2007-08-21',
    genres: ['Shooter', 'Role-playing (RPG)', 'Adventure'],
    creators: ['2K Boston', '2K Australia'],
    platforms: ['PC (Microsoft Windows)', 'Xbox 360', 'PlayStation 3', 'Mac'],
    igdbId: 20,
    fame: 79,
    acclaim: 4.3,
    art: { motif: 'sea', palette: ['#06222b', '#14606b', '#e0a84b'] },
  },
  {
    slug: 'mass-effect-2',
    name: 'Mass Effect 2',
    tagline: 'Ten favours before the end of the world.',
    overview:
      'Commander Shepard needs a crew for a trip nobody returns from, and the crew has conditions. So you fly from ' +
      'station to station mending families, settling scores and listening to a scientist sing. Loyalty is earned in ' +
      'small stories, several of them better than the big one. Decisions from the first game follow you around like ' +
      'old debts.',
    releaseDate: '2010-01-26',
    genres: ['Role-playing (RPG)', 'Shooter'],
    creators: ['BioWare'],
    platforms: ['PC (Microsoft Windows)', 'Xbox 360', 'PlayStation 3'],
    igdbId: 74,
    fame: 74,
    acclaim: 4.4,
    art: { motif: 'stars', palette: ['#0b0f2b', '#243b7a', '#f0532d'] },
  },
  {
    slug: 'portal-2',
    name: 'Portal 2',
    tagline: 'Please disregard the vegetation.',
    overview:
      'Long after the first tests, the laboratory has gone mouldy and its owner is in no forgiving mood. You put ' +
      'two holes in the world and walk through, now with bouncing gel, bridges of light and an anxious sphere for ' +
      "company. Far below lie the firm's proud early decades, recorded on tape. Bring a friend for the other " +
      'campaign and stay friends if possible.',
    releaseDate: '2011-04-19',
    genres: ['Puzzle', 'Platform', 'Adventure'],
    creators: ['Valve'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'PlayStation 3', 'Xbox 360', 'Nintendo Switch'],
    igdbId: 72,
    fame: 87,
    acclaim: 4.7,
    art: { motif: 'circles', palette: ['#e9edf0', '#2b8fd6', '#f58a1f'] },
  },
  {
    slug: 'duke-nukem-forever',
    name: 'Duke Nukem Forever',
    tagline: 'Fourteen years in the oven, still cold in the middle.',
    overview:
      'Promised in 1997 and finished in 2011, this sequel was a joke long before it was a game. Duke signs ' +
      'autographs, drives a toy car through his own casino and shoots aliens with two guns at most, a limit picked ' +
      'up from the fashions that passed it by. The curious come for the ruins of an older ambition.',
    releaseDate: '2011-06-10',
    genres: ['Shooter'],
    creators: ['3D Realms', 'Triptych Games', 'Gearbox Software', 'Piranha Games'],
    platforms: ['PC (Microsoft Windows)', 'Xbox 360', 'PlayStation 3', 'Mac'],
    fame: 42,
    acclaim: 2.7,
    art: { motif: 'stripes', palette: ['#f2b705', '#7a1f1f', '#1a1a1a'] },
  },
  {
    slug: 'dark-souls',
    name: 'Dark Souls',
    tagline: null,
    overview:
      'Death sends you back to the last bonfire, and everything you killed is standing again. So you learn the ' +
      'swing, the drop, the archer on the ledge. Lordran folds back on itself until a lift opens onto a place you ' +
      'left ten hours ago, and that click is worth the bruises. The story hides in the descriptions of rings.',
    releaseDate: '2011-09-22',
    genres: ['Role-playing (RPG)', "Hack and slash/Beat 'em up", 'Adventure'],
    creators: ['FromSoftware'],
    platforms: ['PlayStation 3', 'Xbox 360', 'PC (Microsoft Windows)'],
    igdbId: 2155,
    fame: 81,
    acclaim: 4.4,
    art: { motif: 'flame', palette: ['#15120f', '#4a3b2a', '#e0762b'] },
  },
  {
    slug: 'the-elder-scrolls-v-skyrim',
    name: 'The Elder Scrolls V: Skyrim',
    tagline: 'You were on your way somewhere, surely.',
    overview:
      'Dragons are back, and the main road would take you to the people who care. Then a cave mouth catches your ' +
      "eye. There is always a ruin over the next ridge, a thieves' guild under the market, a talking dog with a job " +
      'for you. The villagers repeat themselves and the giants launch you into orbit, and still the tundra calls.',
    releaseDate: '2011-11-11',
    genres: ['Role-playing (RPG)', 'Adventure'],
    creators: ['Bethesda Game Studios'],
    platforms: ['PC (Microsoft Windows)', 'PlayStation 3', 'Xbox 360'],
    igdbId: 472,
    fame: 95,
    acclaim: 4.1,
    art: { motif: 'snow', palette: ['#1c2730', '#6d8292', '#e8eef2'] },
  },
  {
    slug: 'minecraft',
    name: 'Minecraft',
    tagline: 'Never dig straight down.',
    overview:
      'Punch a tree, make a plank, be indoors by nightfall. With little more than that to go on, children and ' +
      'engineers have built cathedrals, working computers and a great many square chickens. The world goes on in ' +
      'every direction, cut into blocks a metre wide. A quiet piano comes in when you least expect it, always ' +
      'around sunset, or so it feels.',
    releaseDate: '2011-11-18',
    genres: ['Simulator', 'Adventure'],
    creators: ['Mojang'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux'],
    fame: 100,
    acclaim: 4.3,
    art: { motif: 'grid', palette: ['#5b8a3a', '#8b5a34', '#9fd0f5'] },
  },
  {
    slug: 'journey',
    name: 'Journey',
    tagline: null,
    overview:
      'Sand, a scarf, and far off a mountain with a light at the top. A stranger may appear beside you, and since ' +
      'neither of you can speak, a single sung note has to do for every word. Sliding down dunes in late sun, you ' +
      'catch yourself waiting for someone whose name you only see after the credits. All of it fits into an evening.',
    releaseDate: '2012-03-13',
    genres: ['Adventure', 'Indie', 'Platform'],
    creators: ['thatgamecompany'],
    platforms: ['PlayStation 3', 'PlayStation 4', 'PC (Microsoft Windows)', 'iOS'],
    fame: 56,
    acclaim: 4.1,
    art: { motif: 'desert', palette: ['#c9762f', '#e8b870', '#8c2f2a'] },
  },
  {
    slug: 'the-last-of-us',
    name: 'The Last of Us',
    tagline: 'Mind the spores.',
    overview:
      'Twenty years after a fungus emptied the cities, a smuggler named Joel is asked to take a girl across what is ' +
      'left of the United States. Ellie has never known the world these ruins come from. Ammunition is scarce, ' +
      "fights are short and ugly, and the walks in between, past flooded hotels and somebody's abandoned board " +
      'games, do the lasting work.',
    releaseDate: '2013-06-14',
    genres: ['Adventure', 'Shooter'],
    creators: ['Naughty Dog'],
    platforms: ['PlayStation 3'],
    igdbId: 1009,
    fame: 89,
    acclaim: 4.4,
    art: { motif: 'leaf', palette: ['#20281f', '#5c6b45', '#d7c39a'] },
  },
  {
    slug: 'papers-please',
    name: 'Papers, Please',
    tagline: 'Next.',
    overview:
      'The border of Arstotzka has reopened, and your name came up in the labour lottery. Behind the shutter you ' +
      'compare photographs, seals and issuing cities while the queue grows and the rules change daily. Five credits ' +
      "a head must cover rent, heat and medicine. A man's papers are in order, his wife's are not, and you have one " +
      'warning left.',
    releaseDate: '2013-08-08',
    genres: ['Simulator', 'Puzzle', 'Indie'],
    creators: ['Lucas Pope'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'iOS', 'Android', 'PlayStation Vita'],
    fame: 50,
    acclaim: 4.2,
    art: { motif: 'eye', palette: ['#3a2f2b', '#7d1f1f', '#9db29a'] },
  },
  {
    slug: 'grand-theft-auto-v',
    name: 'Grand Theft Auto V',
    tagline: null,
    overview:
      'Los Santos glitters, cheats and will sell you both the disease and the cure. Three criminals share it: a ' +
      'retired bank robber in therapy, a young man with better plans than prospects, and someone who may wake up ' +
      'anywhere at all. You switch between them mid-stride. Heists are prepared in detail; the afternoons go to ' +
      'tennis and stolen cars.',
    releaseDate: '2013-09-17',
    genres: ['Shooter', 'Racing', 'Adventure'],
    creators: ['Rockstar North'],
    platforms: [
      'PlayStation 3',
      'Xbox 360',
      'PlayStation 4',
      'Xbox One',
      'PC (Microsoft Windows)',
      'PlayStation 5',
      'Xbox Series X|S',
    ],
    igdbId: 1020,
    fame: 98,
    acclaim: 4.0,
    art: { motif: 'city', palette: ['#f2994a', '#b84a8c', '#1d2b53'] },
  },
  {
    slug: 'alien-isolation',
    name: 'Alien: Isolation',
    tagline: 'It can hear you reading this.',
    overview:
      'One alien is enough. It drops from a vent, sniffs along the corridor and cannot be killed by anything you ' +
      'carry. Amanda Ripley, searching Sevastopol station for word of her mother, hides in lockers and holds her ' +
      'breath while the motion tracker clicks. The computers hum in chunky letters, the way 1979 pictured the ' +
      'future.',
    releaseDate: '2014-10-07',
    genres: ['Adventure', 'Shooter'],
    creators: ['Creative Assembly'],
    platforms: [
      'PC (Microsoft Windows)',
      'PlayStation 3',
      'PlayStation 4',
      'Xbox 360',
      'Xbox One',
      'Nintendo Switch',
    ],
    fame: 51,
    acclaim: 3.9,
    art: { motif: 'maze', palette: ['#0b1014', '#2c4a4a', '#ffb454'] },
  },
  {
    slug: 'the-witcher-3-wild-hunt',
    name: 'The Witcher 3: Wild Hunt',
    tagline: null,
    overview:
      'Geralt kills monsters for coin and is looking for a young woman he raised, who is running from riders made ' +
      'of frost. War has passed through the villages he asks in, and nobody there tells him the whole truth. A ' +
      'contract about a ghost in a well turns out to be about a marriage. In between he plays cards with innkeepers ' +
      'while the world waits.',
    releaseDate: '2015-05-19',
    genres: ['Role-playing (RPG)', 'Adventure'],
    creators: ['CD Projekt RED'],
    platforms: [
      'PC (Microsoft Windows)',
      'PlayStation 4',
      'Xbox One',
      'Nintendo Switch',
      'PlayStation 5',
      'Xbox Series X|S',
    ],
    igdbId: 1942,
    fame: 94,
    acclaim: 4.6,
    art: { motif: 'moon', palette: ['#1e1a18', '#6b3f2a', '#c9cfd4'] },
  },
  {
    slug: 'undertale',
    name: 'Undertale',
    tagline: 'Have you tried talking to it?',
    overview:
      'Somewhere under a mountain live the monsters, and you have fallen in. Each fight is a small dodging game ' +
      'with a way out: flirt with the jelly, pet the dog, admire the muscles of a seahorse. The jokes are daft, the ' +
      'tunes stick, and all the while it keeps count of how you behave. Told too much beforehand, you lose half its ' +
      'tricks.',
    releaseDate: '2015-09-15',
    genres: ['Role-playing (RPG)', 'Indie', 'Adventure'],
    creators: ['Toby Fox'],
    platforms: [
      'PC (Microsoft Windows)',
      'Mac',
      'Linux',
      'PlayStation 4',
      'PlayStation Vita',
      'Nintendo Switch',
      'Xbox One',
    ],
    igdbId: 12517,
    fame: 77,
    acclaim: 4.2,
    art: { motif: 'heart', palette: ['#0b0b0f', '#3a2f6b', '#ff3b4e'] },
  },
  {
    slug: 'stardew-valley',
    name: 'Stardew Valley',
    tagline: 'Parsnips first.',
    overview:
      "Grandfather's letter comes with an overgrown farm a long bus ride from the office. You clear stones, sow, " +
      'water and sleep, until the routine has room for a mine, a festival and a fishing rod you will curse. The ' +
      'townspeople keep their schedules and, in time, share their troubles. One person made all of it, the music ' +
      'included, and kept adding to it for years.',
    releaseDate: '2016-02-26',
    genres: ['Simulator', 'Role-playing (RPG)', 'Indie'],
    creators: ['ConcernedApe'],
    platforms: [
      'PC (Microsoft Windows)',
      'Mac',
      'Linux',
      'Nintendo Switch',
      'PlayStation 4',
      'Xbox One',
      'iOS',
    ],
    igdbId: 17000,
    fame: 87,
    acclaim: 4.3,
    art: { motif: 'sun', palette: ['#7ec850', '#f6d7a7', '#4b86c5'] },
  },
  {
    slug: 'no-mans-sky',
    name: "No Man's Sky",
    tagline: null,
    overview:
      'Eighteen quintillion planets, each worked out from a number, and at launch not a great deal to do on most of ' +
      'them. The disappointment was loud. Then the updates began and did not stop: bases, fleets, odd pets, meeting ' +
      'places where strangers wave. Coming down without a cut from orbit to the pebbles still makes people swear ' +
      'softly.',
    releaseDate: '2016-08-09',
    genres: ['Adventure', 'Simulator', 'Indie'],
    creators: ['Hello Games'],
    platforms: [
      'PlayStation 4',
      'PC (Microsoft Windows)',
      'Xbox One',
      'PlayStation 5',
      'Xbox Series X|S',
      'Nintendo Switch',
      'Mac',
    ],
    fame: 68,
    acclaim: 3.3,
    art: { motif: 'stars', palette: ['#e84a5f', '#ff9a76', '#2a9d8f'] },
  },
  {
    slug: 'hollow-knight',
    name: 'Hollow Knight',
    tagline: null,
    overview:
      'Under the fading town of Dirtmouth lies Hallownest, a kingdom of insects that has lost its memory. You are ' +
      'small, you carry a nail, and the map has to be bought from a mapmaker who hums. Rain falls without end on ' +
      'the capital, mushrooms bounce, and the bosses are quick but fair. Tumbling down a dark shaft is how most ' +
      'people find the best part.',
    releaseDate: '2017-02-24',
    genres: ['Platform', 'Adventure', 'Indie'],
    creators: ['Team Cherry'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'Nintendo Switch', 'PlayStation 4', 'Xbox One'],
    igdbId: 14593,
    fame: 73,
    acclaim: 4.4,
    art: { motif: 'mask', palette: ['#0d1321', '#3e5c76', '#e8f1f2'] },
  },
  {
    slug: 'the-legend-of-zelda-breath-of-the-wild',
    name: 'The Legend of Zelda: Breath of the Wild',
    tagline: 'If you can see it, you can climb it. Pack mushrooms.',
    overview:
      'Waking in a cave after a hundred years, Link steps onto a ledge and the land lies open to the horizon. After ' +
      'one plateau the game stops telling you where to go. Rain makes cliffs slippery, metal draws lightning, ' +
      'burning grass makes a wind to fly on, and swords break just when you had grown fond of them. Most problems ' +
      'have an answer you made up.',
    releaseDate: '2017-03-03',
    genres: ['Adventure', 'Role-playing (RPG)', 'Puzzle'],
    creators: ['Nintendo EPD'],
    platforms: ['Nintendo Switch', 'Wii U'],
    igdbId: 7346,
    fame: 99,
    acclaim: 4.6,
    art: { motif: 'mountain', palette: ['#7fb7a3', '#e9d8a6', '#2f6690'] },
  },
  {
    slug: 'celeste',
    name: 'Celeste',
    tagline: 'Breathe, then dash.',
    overview:
      'Madeline has decided to climb a mountain and is not sure she is well enough to. A jump, a grip that tires ' +
      'and one dash in the air are all she has, over hundreds of rooms that kill in a second and restart in less. ' +
      'Assist options let anyone reach the top. The talk about panic is plain and kind.',
    releaseDate: '2018-01-25',
    genres: ['Platform', 'Indie', 'Adventure'],
    creators: ['Maddy Makes Games'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'Nintendo Switch', 'PlayStation 4', 'Xbox One'],
    igdbId: 26226,
    fame: 64,
    acclaim: 4.4,
    art: { motif: 'mountain', palette: ['#5b2a6e', '#e05c97', '#7fd1e8'] },
  },
  {
    slug: 'into-the-breach',
    name: 'Into the Breach',
    tagline: null,
    overview:
      'Every enemy politely announces what it will do next turn, on a board of eight squares by eight. Your three ' +
      'mechs have to make that go wrong: shove a beetle so that it bites its neighbour, stand on a tunnel, give up ' +
      'a building you can spare. A lost run sends one pilot back in time, and you begin again slightly wiser.',
    releaseDate: '2018-02-27',
    genres: ['Turn-based strategy (TBS)', 'Strategy', 'Puzzle', 'Indie'],
    creators: ['Subset Games'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'Nintendo Switch', 'iOS', 'Android'],
    fame: 35,
    acclaim: 4.2,
    art: { motif: 'grid', palette: ['#2b3a2e', '#7c5c3b', '#f06a3a'] },
  },
  {
    slug: 'return-of-the-obra-dinn',
    name: 'Return of the Obra Dinn',
    tagline: 'Sixty people sailed.',
    overview:
      'An insurance inspector boards a ship that drifted home in 1807 without its crew. A pocket watch takes you ' +
      'into the instant of each death, frozen in two tones like an engraving, and you must settle who it was, how ' +
      'it happened and by whose hand. An accent, a tattoo, shoes under a hammock: everything is evidence. The book ' +
      'confirms answers by threes, and you sit up straight.',
    releaseDate: '2018-10-18',
    genres: ['Puzzle', 'Adventure', 'Indie'],
    creators: ['Lucas Pope'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Nintendo Switch', 'PlayStation 4', 'Xbox One'],
    fame: 47,
    acclaim: 4.4,
    art: { motif: 'ship', palette: ['#2b2b1f', '#8a8a6a', '#e5ffff'] },
  },
  {
    slug: 'red-dead-redemption-2',
    name: 'Red Dead Redemption 2',
    tagline: 'The West is running out.',
    overview:
      'By 1899 there is little room left for outlaws. Arthur Morgan rides with a gang that still talks of one last ' +
      'job, and in between he shaves, feeds his horse, draws in a journal and helps strangers or robs them. ' +
      'Everything takes its time, from skinning a deer to the weather coming over the plain. You sink in, or you ' +
      'pull at the reins.',
    releaseDate: '2018-10-26',
    genres: ['Adventure', 'Role-playing (RPG)', 'Shooter'],
    creators: ['Rockstar Games'],
    platforms: ['PlayStation 4', 'Xbox One', 'PC (Microsoft Windows)'],
    igdbId: 25076,
    fame: 93,
    acclaim: 4.4,
    art: { motif: 'desert', palette: ['#7a1712', '#d9541e', '#f3c677'] },
  },
  {
    slug: 'outer-wilds',
    name: 'Outer Wilds',
    tagline: 'Marshmallow first, then launch.',
    overview:
      'Lift-off is from a village of wooden gantries, in a ship held together with optimism. The solar system is ' +
      'small enough to cross in a minute or two and keeps its own time: sand pours from one planet to its twin, a ' +
      'comet swings by, storms toss whole islands about. Only not knowing can lock you out of a place. Take notes, ' +
      'and refuse all help.',
    releaseDate: '2019-05-28',
    genres: ['Adventure', 'Puzzle', 'Indie'],
    creators: ['Mobius Digital'],
    platforms: [
      'PC (Microsoft Windows)',
      'Xbox One',
      'PlayStation 4',
      'PlayStation 5',
      'Xbox Series X|S',
      'Nintendo Switch',
    ],
    igdbId: 11737,
    fame: 61,
    acclaim: 4.5,
    art: { motif: 'planet', palette: ['#0b1026', '#e8792b', '#5fb0b7'] },
  },
  {
    slug: 'a-short-hike',
    name: 'A Short Hike',
    tagline: 'No signal down here.',
    overview:
      'Claire, a young bird on holiday with her aunt, is waiting for a call, and there is reception only at the ' +
      'summit. Golden feathers let her climb and glide a little longer. On the way up there is fishing, a race, a ' +
      'game with a stick and a ball, and animals with troubles of a manageable size. It takes two hours, or four if ' +
      'you dawdle, and you should.',
    releaseDate: '2019-07-30',
    genres: ['Adventure', 'Indie', 'Platform'],
    creators: ['Adam Robinson-Yu'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Linux', 'Nintendo Switch', 'PlayStation 4', 'Xbox One'],
    fame: 22,
    acclaim: 4.1,
    art: { motif: 'forest', palette: ['#f2a65a', '#6fb98f', '#2c5f6e'] },
  },
  {
    slug: 'untitled-goose-game',
    name: 'Untitled Goose Game',
    tagline: 'Honk.',
    overview:
      "Rakes, slippers, a radio, one small boy's spectacles: a goose has uses for all of them. You waddle through " +
      'an English village with a list of misdeeds and a button for honking, and its patient residents tidy up after ' +
      'you. The piano follows your sneaking about as though this were a silent film. A second goose turns it into ' +
      'organised crime.',
    releaseDate: '2019-09-20',
    genres: ['Puzzle', 'Indie', 'Adventure'],
    creators: ['House House'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'Nintendo Switch', 'PlayStation 4', 'Xbox One'],
    fame: 57,
    acclaim: 3.8,
    art: { motif: 'bird', palette: ['#8fb573', '#f2efe2', '#f08a24'] },
  },
  {
    slug: 'disco-elysium',
    name: 'Disco Elysium',
    tagline: 'Even the necktie has opinions.',
    overview:
      'Face down on a hostel floor, a policeman wakes without so much as his own name; outside, a body has hung ' +
      'from a tree for a week. His skills talk to him all day long, from Logic to a nervous system that knows about ' +
      'coastal weather. Hardly anyone draws a weapon. You lose arguments instead, in a harbour town still paying ' +
      'for a failed revolution.',
    releaseDate: '2019-10-15',
    genres: ['Role-playing (RPG)', 'Adventure', 'Indie'],
    creators: ['ZA/UM'],
    platforms: [
      'PC (Microsoft Windows)',
      'Mac',
      'PlayStation 4',
      'PlayStation 5',
      'Xbox One',
      'Xbox Series X|S',
      'Nintendo Switch',
    ],
    fame: 70,
    acclaim: 4.5,
    art: { motif: 'spiral', palette: ['#1d3b4a', '#d9642c', '#e8c9a0'] },
  },
  {
    slug: 'death-stranding',
    name: 'Death Stranding',
    tagline: null,
    overview:
      'Carrying parcels on foot across a broken America sounds like a punishment, and for the first hours it may ' +
      'be. The load shifts, boots wear out, a river is deeper than it looked. Then a ladder that some other player ' +
      'left behind appears on your cliff, and you leave one for the next. Around this walk stands a long, strange ' +
      'film about rope and beaches.',
    releaseDate: '2019-11-08',
    genres: ['Adventure', 'Simulator'],
    creators: ['Kojima Productions'],
    platforms: ['PlayStation 4', 'PC (Microsoft Windows)', 'PlayStation 5', 'Mac', 'iOS'],
    fame: 69,
    acclaim: 3.6,
    art: { motif: 'rain', palette: ['#1a2329', '#54707a', '#d9b44a'] },
  },
  {
    slug: 'animal-crossing-new-horizons',
    name: 'Animal Crossing: New Horizons',
    tagline: 'The shop shuts at ten.',
    overview:
      'Tom Nook gives you a tent on a desert island and a loan that grows with the house. Shells, weeds, fossils ' +
      'and a neighbour who sings at odd hours fill days that run by the real clock, seasons and all. In the spring ' +
      'of 2020 it was where people met because they could not meet. Landscaping comes later, and with it some loss ' +
      'of innocence.',
    releaseDate: '2020-03-20',
    genres: ['Simulator'],
    creators: ['Nintendo EPD'],
    platforms: ['Nintendo Switch'],
    igdbId: 109462,
    fame: 86,
    acclaim: 3.9,
    art: { motif: 'leaf', palette: ['#7ed6c1', '#f9e7a4', '#3f9b5d'] },
  },
  {
    slug: 'hades',
    name: 'Hades',
    tagline: null,
    overview:
      "Zagreus wants out of his father's house, which happens to be the underworld. Every attempt deals him other " +
      'rooms and other gifts from quarrelling relatives on Olympus; every failure drops him into the pool at home, ' +
      'where there is fresh gossip. The fighting is fast and easy to read, and the three-headed dog may always be ' +
      'petted.',
    releaseDate: '2020-09-17',
    genres: ["Hack and slash/Beat 'em up", 'Role-playing (RPG)', 'Indie', 'Adventure'],
    creators: ['Supergiant Games'],
    platforms: [
      'PC (Microsoft Windows)',
      'Mac',
      'Nintendo Switch',
      'PlayStation 4',
      'PlayStation 5',
      'Xbox One',
      'Xbox Series X|S',
    ],
    igdbId: 113112,
    fame: 79,
    acclaim: 4.5,
    art: { motif: 'bones', palette: ['#3a0d12', '#c2351c', '#4fd18b'] },
  },
  {
    slug: 'cyberpunk-2077',
    name: 'Cyberpunk 2077',
    tagline: null,
    overview:
      'Night City sells arms, and it means both kinds. V, a mercenary with a ruinous piece of hardware in the skull ' +
      'and a dead rock star for company, has a few weeks to put that right. It came out broken and was mended over ' +
      'years. What worked from the start was driving at dusk with the radio on, and the stories of people who want ' +
      'some modest way out.',
    releaseDate: '2020-12-10',
    genres: ['Role-playing (RPG)', 'Shooter', 'Adventure'],
    creators: ['CD Projekt RED'],
    platforms: ['PC (Microsoft Windows)', 'PlayStation 4', 'Xbox One', 'PlayStation 5', 'Xbox Series X|S'],
    igdbId: 1877,
    fame: 89,
    acclaim: 3.7,
    art: { motif: 'city', palette: ['#f6e71d', '#14161f', '#00c8d7'] },
  },
  {
    slug: 'elden-ring',
    name: 'Elden Ring',
    tagline: 'Try the other direction.',
    overview:
      'Golden light falls from a tree the size of a mountain, and under it every road leads to something stronger ' +
      'than you. This time there is a horse, so you may ride off and come back grown. There are castles on cliffs, ' +
      'a lift that goes down far too long, a bear. Some bosses teach and some merely hit, and each victory gets ' +
      'told at work.',
    releaseDate: '2022-02-25',
    genres: ['Role-playing (RPG)', 'Adventure'],
    creators: ['FromSoftware'],
    platforms: ['PC (Microsoft Windows)', 'PlayStation 4', 'PlayStation 5', 'Xbox One', 'Xbox Series X|S'],
    igdbId: 119133,
    fame: 97,
    acclaim: 4.5,
    art: { motif: 'crown', palette: ['#1c1a12', '#a07a24', '#f4dc8b'] },
  },
  {
    slug: 'pentiment',
    name: 'Pentiment',
    tagline: 'Somebody will hang for it. Be thorough.',
    overview:
      'In a Bavarian town around 1518 a journeyman painter is busy with his masterpiece at the abbey when a ' +
      'visiting nobleman is killed. Andreas asks about, over many shared meals, and what he chooses to believe is ' +
      'felt for decades. The whole thing looks drawn in the margin of a manuscript, and people speak in their own ' +
      'handwriting, blots included.',
    releaseDate: '2022-11-15',
    genres: ['Adventure', 'Role-playing (RPG)'],
    creators: ['Obsidian Entertainment'],
    platforms: [
      'PC (Microsoft Windows)',
      'Xbox One',
      'Xbox Series X|S',
      'PlayStation 4',
      'PlayStation 5',
      'Nintendo Switch',
    ],
    fame: 28,
    acclaim: 4.1,
    art: { motif: 'tower', palette: ['#e9dcc0', '#7a2e22', '#2f4a5a'] },
  },
  {
    slug: 'baldurs-gate-3',
    name: "Baldur's Gate 3",
    tagline: 'Roll for it.',
    overview:
      'Parasites have been put behind the eyes of half a dozen strangers, who had better get along. They are vain ' +
      'or haunted or both, and one is a vampire with excellent hair. Battles go by turns and reward mischief with ' +
      'grease, torches and a shove from the rafters. Dice settle the arguments. Most foolish notions are allowed, ' +
      'and somebody remembers them three towns later.',
    releaseDate: '2023-08-03',
    genres: ['Role-playing (RPG)', 'Turn-based strategy (TBS)', 'Adventure'],
    creators: ['Larian Studios'],
    platforms: ['PC (Microsoft Windows)', 'Mac', 'PlayStation 5', 'Xbox Series X|S'],
    igdbId: 119171,
    fame: 96,
    acclaim: 4.6,
    art: { motif: 'eye', palette: ['#2a1233', '#8a2f4f', '#d9b36c'] },
  },
  {
    slug: 'balatro',
    name: 'Balatro',
    tagline: null,
    overview:
      'Poker hands score points, and jokers bend the sums: one favours hearts, one pays you for thrift, one eats ' +
      'its neighbour. Eight rounds of rising stakes lie between you and a win. The numbers climb from hundreds to ' +
      'figures with an exponent, the screen wobbles like an old television, and suddenly it is half past one.',
    releaseDate: '2024-02-20',
    genres: ['Card & Board Game', 'Strategy', 'Indie'],
    creators: ['LocalThunk'],
    platforms: [
      'PC (Microsoft Windows)',
      'Mac',
      'Nintendo Switch',
      'PlayStation 4',
      'PlayStation 5',
      'Xbox One',
      'iOS',
    ],
    fame: 65,
    acclaim: 4.3,
    art: { motif: 'cards', palette: ['#1f6e5a', '#d93b3b', '#2b7bd6'] },
  },
  {
    slug: 'clair-obscur-expedition-33',
    name: 'Clair Obscur: Expedition 33',
    tagline: 'Next year it will be thirty-two.',
    overview:
      'Once a year a giant woman paints a number, and everyone of that age turns to petals. Lumière answers with ' +
      'another expedition, of people who have a year left. Battles go by turns, yet any blow can be dodged or ' +
      'parried if your nerves hold. Broken buildings hang in the sky, and people talk about grief like adults.',
    releaseDate: '2025-04-24',
    genres: ['Role-playing (RPG)', 'Turn-based strategy (TBS)'],
    creators: ['Sandfall Interactive'],
    platforms: ['PC (Microsoft Windows)', 'PlayStation 5', 'Xbox Series X|S'],
    fame: 80,
    acclaim: 4.5,
    art: { motif: 'clock', palette: ['#12131a', '#7d1d2b', '#e6d3a3'] },
  },
]
