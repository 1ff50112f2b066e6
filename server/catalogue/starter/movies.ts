import type { StarterTitle } from './title.ts'

/** Movies of the starter catalogue. */
export const movies: StarterTitle[] = [
  {
    slug: 'the-matrix',
    name: 'The Matrix',
    tagline: 'Take the phone call. Regret it later.',
    overview:
      'Thomas Anderson writes code by day and breaks into systems by night, and neither life feels quite solid to him. A stranger ' +
      'named Morpheus offers to show him why. What follows is part kung fu picture and part paranoid philosophy seminar, dressed in ' +
      'black leather and lit the green of an old computer screen.',
    releaseDate: '1999-03-31',
    genres: ['Action', 'Science Fiction'],
    creators: ['Lana Wachowski', 'Lilly Wachowski'],
    runtime: 136,
    tmdbId: 603,
    fame: 97,
    acclaim: 4.4,
    art: { motif: 'grid', palette: ['#07130b', '#1f7a3c', '#b6f2c4'] },
  },
  {
    slug: 'fight-club',
    name: 'Fight Club',
    tagline: 'Furniture will not save you.',
    overview:
      'Insomnia has reduced an office worker to haunting support groups for diseases he does not have. On a business flight he meets ' +
      'Tyler Durden, a soap salesman with opinions about everything. Soon the two of them are hitting each other in the car park ' +
      'behind a bar, and a line of men forms to join in.',
    releaseDate: '1999-10-15',
    genres: ['Drama', 'Thriller'],
    creators: ['David Fincher'],
    runtime: 139,
    tmdbId: 550,
    fame: 93,
    acclaim: 4.2,
    art: { motif: 'mask', palette: ['#1a1412', '#8c3b4a', '#f0a6b5'] },
  },
  {
    slug: 'inception',
    name: 'Inception',
    tagline: 'Mind the step between floors of sleep.',
    overview:
      "Stealing secrets from sleeping minds is Dom Cobb's trade, and it has cost him the right to go home. One client offers him a way " +
      'back if he can do the reverse and leave an idea behind. He hires an architect and a forger and plans a heist with dreams ' +
      'stacked inside dreams, each running on a slower clock than the one above.',
    releaseDate: '2010-07-16',
    genres: ['Action', 'Science Fiction', 'Adventure'],
    creators: ['Christopher Nolan'],
    runtime: 148,
    tmdbId: 27205,
    fame: 95,
    acclaim: 4.2,
    art: { motif: 'spiral', palette: ['#10202e', '#3f6f8c', '#e8b04a'] },
  },
  {
    slug: 'interstellar',
    name: 'Interstellar',
    tagline: 'Every hour out there is borrowed from someone.',
    overview:
      'Dust is eating the last farms on Earth, and schoolbooks now say the moon landings were faked. Cooper, once a test pilot and now ' +
      'a reluctant corn grower, is asked to fly through a hole near Saturn in search of somewhere else to live. His daughter does not ' +
      'forgive him for going, and out there an hour can cost years at home.',
    releaseDate: '2014-11-07',
    genres: ['Adventure', 'Drama', 'Science Fiction'],
    creators: ['Christopher Nolan'],
    runtime: 169,
    tmdbId: 157336,
    fame: 94,
    acclaim: 4.1,
    art: { motif: 'planet', palette: ['#0b0f1c', '#5a6b85', '#f2d9a0'] },
  },
  {
    slug: 'parasite',
    name: 'Parasite',
    tagline: 'Mind your head on the basement stairs.',
    overview:
      "Folding pizza boxes in a half-basement is the Kim family's whole income until the son talks his way into tutoring a rich girl. " +
      'There turn out to be other vacancies in that beautiful glass house up the hill, and the Kims are very good at filling them. ' +
      'Bong Joon-ho lets the comedy run a long while before he shows how steep the stairs are.',
    releaseDate: '2019-05-30',
    genres: ['Comedy', 'Thriller', 'Drama'],
    creators: ['Bong Joon-ho'],
    runtime: 133,
    tmdbId: 496243,
    fame: 88,
    acclaim: 4.6,
    art: { motif: 'house', palette: ['#1f2a24', '#6f8a5e', '#f4efe0'] },
  },
  {
    slug: 'spirited-away',
    name: 'Spirited Away',
    tagline: 'The bath is drawn. The guests are not human.',
    overview:
      'Moving house is bad enough for ten-year-old Chihiro before her parents wander into an empty theme park and help themselves to a ' +
      'feast. By dusk they are pigs, and she is scrubbing floors in a bathhouse for gods. To get out she has to hold on to the job ' +
      'and, which is harder, to her own name.',
    releaseDate: '2001-07-20',
    genres: ['Animation', 'Family', 'Fantasy'],
    creators: ['Hayao Miyazaki'],
    runtime: 125,
    tmdbId: 129,
    fame: 90,
    acclaim: 4.7,
    art: { motif: 'train', palette: ['#12324a', '#c4453c', '#f6d68a'] },
  },
  {
    slug: 'the-godfather',
    name: 'The Godfather',
    tagline: 'He would like a word about that favour.',
    overview:
      'At a wedding in 1945 Don Vito Corleone receives favour-seekers in a darkened study while the band plays in the garden. His ' +
      'youngest son Michael, back from the war and still in uniform, wants nothing to do with any of it. Then somebody moves against ' +
      'the old man, and the family business comes looking for the one Corleone who said no.',
    releaseDate: '1972-03-24',
    genres: ['Drama', 'Crime'],
    creators: ['Francis Ford Coppola'],
    runtime: 175,
    tmdbId: 238,
    fame: 96,
    acclaim: 4.6,
    art: { motif: 'door', palette: ['#160d08', '#6b3a1c', '#e0a458'] },
  },
  {
    slug: 'pulp-fiction',
    name: 'Pulp Fiction',
    tagline: 'Breakfast first, or possibly last.',
    overview:
      'Two hitmen discuss European hamburgers on the way to a job. Elsewhere in Los Angeles a boxer is weighing up whether to lose as ' +
      "paid, and a gangster's wife wants somebody to dance with. Tarantino shuffles their stories out of order and lets everyone talk, " +
      'about foot massages as readily as about God.',
    releaseDate: '1994-10-14',
    genres: ['Thriller', 'Crime'],
    creators: ['Quentin Tarantino'],
    runtime: 154,
    tmdbId: 680,
    fame: 94,
    acclaim: 4.3,
    art: { motif: 'stripes', palette: ['#2b0f0f', '#d9a21b', '#f3e6c0'] },
  },
  {
    slug: 'the-shawshank-redemption',
    name: 'The Shawshank Redemption',
    tagline: null,
    overview:
      'Convicted of murdering his wife, a quiet banker named Andy Dufresne arrives at a Maine prison in 1947 and asks the man who can ' +
      'get things for a small rock hammer. That man is Red, refused parole so often that he has stopped bothering to hope. Their ' +
      "friendship grows over years of library books and other people's tax returns.",
    releaseDate: '1994-09-23',
    genres: ['Drama', 'Crime'],
    creators: ['Frank Darabont'],
    runtime: 142,
    tmdbId: 278,
    fame: 91,
    acclaim: 4.5,
    art: { motif: 'rain', palette: ['#22303a', '#6d7f8a', '#d8c9a3'] },
  },
  {
    slug: 'the-dark-knight',
    name: 'The Dark Knight',
    tagline: 'You cannot bribe a man who burns money.',
    overview:
      'Gotham is nearly a safe city again: its new prosecutor is honest, and criminals look up before they step outside. Then a man in ' +
      'smeared greasepaint walks into a meeting of mobsters with a pencil and a proposal. He does not want money, which makes him very ' +
      'hard for Bruce Wayne to understand.',
    releaseDate: '2008-07-18',
    genres: ['Drama', 'Action', 'Crime', 'Thriller'],
    creators: ['Christopher Nolan'],
    runtime: 152,
    tmdbId: 155,
    fame: 95,
    acclaim: 4.4,
    art: { motif: 'cards', palette: ['#0d1117', '#33475b', '#7fd0c4'] },
  },
  {
    slug: 'forrest-gump',
    name: 'Forrest Gump',
    tagline: 'Thirty years, seen from a bench.',
    overview:
      'From a bench at a bus stop in Savannah, a man with a box of chocolates tells strangers how he came to be sitting there. The ' +
      'account takes in Elvis, Vietnam, table tennis, an awful lot of running and a girl called Jenny. Forrest never quite notices ' +
      'that he has walked straight through the middle of American history.',
    releaseDate: '1994-07-06',
    genres: ['Comedy', 'Drama', 'Romance'],
    creators: ['Robert Zemeckis'],
    runtime: 142,
    tmdbId: 13,
    fame: 90,
    acclaim: 3.9,
    art: { motif: 'road', palette: ['#9fc6d9', '#5f8a4e', '#f7f3e8'] },
  },
  {
    slug: 'the-lord-of-the-rings-the-fellowship-of-the-ring',
    name: 'The Lord of the Rings: The Fellowship of the Ring',
    tagline: 'Second breakfast is cancelled.',
    overview:
      "Bilbo's birthday party ends with a vanishing act, and a plain gold ring is left behind for young Frodo. It belongs to someone " +
      'who very much wants it back. So a hobbit who has hardly set foot outside the Shire goes off with eight companions across an ' +
      'enormous and deeply walked-upon Middle-earth, to get rid of the thing where it was made.',
    releaseDate: '2001-12-19',
    genres: ['Adventure', 'Fantasy', 'Action'],
    creators: ['Peter Jackson'],
    runtime: 179,
    tmdbId: 120,
    fame: 93,
    acclaim: 4.6,
    art: { motif: 'circles', palette: ['#1c2413', '#6c7a3a', '#e6bf52'] },
  },
  {
    slug: 'star-wars',
    name: 'Star Wars',
    tagline: null,
    overview:
      'Smuggled inside a dented little droid are the plans of a battle station, and they land on the desert farm of a boy who would ' +
      "rather be anywhere else. Luke Skywalker's way out comes with an old hermit, a pilot who wants paying up front and a princess " +
      'who takes over her own rescue. George Lucas made a fairy tale and gave it rust.',
    releaseDate: '1977-05-25',
    genres: ['Adventure', 'Action', 'Science Fiction'],
    creators: ['George Lucas'],
    runtime: 121,
    tmdbId: 11,
    fame: 100,
    acclaim: 4.3,
    art: { motif: 'stars', palette: ['#05070f', '#2f4a8a', '#ffd54a'] },
  },
  {
    slug: 'alien',
    name: 'Alien',
    tagline: 'Overtime does not cover this.',
    overview:
      'Woken early from their long sleep, seven tired people on a freight ship are told to look into a signal from a rock nobody has ' +
      'heard of. They argue about bonuses all the way down. Ridley Scott films the Nostromo as a workplace, with dripping pipes and ' +
      'bad coffee, and then lets something move into the ducts.',
    releaseDate: '1979-05-25',
    genres: ['Horror', 'Science Fiction'],
    creators: ['Ridley Scott'],
    runtime: 117,
    tmdbId: 348,
    fame: 86,
    acclaim: 4.4,
    art: { motif: 'rocket', palette: ['#060a08', '#2d4a3e', '#a8e05f'] },
  },
  {
    slug: 'blade-runner',
    name: 'Blade Runner',
    tagline: null,
    overview:
      'Rain seems never to stop over this Los Angeles, and four replicants have come back to Earth with a question for the man who ' +
      'built them. Deckard used to hunt such runaways and is pressed into doing it once more. It looks like plain detective work until ' +
      'he meets Rachael, who has never doubted her own memories.',
    releaseDate: '1982-06-25',
    genres: ['Science Fiction', 'Drama', 'Thriller'],
    creators: ['Ridley Scott'],
    runtime: 117,
    tmdbId: 78,
    fame: 83,
    acclaim: 4.2,
    art: { motif: 'city', palette: ['#0e0b1e', '#7a2f6b', '#ff9b45'] },
  },
  {
    slug: '2001-a-space-odyssey',
    name: '2001: A Space Odyssey',
    tagline: 'The computer will be polite about it.',
    overview:
      'Bones, then spacecraft: Kubrick crosses four million years of tools in a single cut. A black slab has been dug up on the moon, ' +
      'and it has sent a signal towards Jupiter. Two astronauts follow, along with three colleagues asleep in boxes and a computer ' +
      'named HAL that has never made a mistake and says so in the gentlest of voices.',
    releaseDate: '1968-04-02',
    genres: ['Science Fiction', 'Mystery', 'Adventure'],
    creators: ['Stanley Kubrick'],
    runtime: 149,
    tmdbId: 62,
    fame: 82,
    acclaim: 4,
    art: { motif: 'eye', palette: ['#0a0a0c', '#8f1616', '#f2f0ea'] },
  },
  {
    slug: 'casablanca',
    name: 'Casablanca',
    tagline: null,
    overview:
      "Half of Europe seems to be stuck in wartime Morocco, waiting in Rick's café for papers to Lisbon. Rick pours the drinks and " +
      'takes no sides. Then the one woman he has not managed to forget walks in on the arm of a resistance leader and asks the piano ' +
      'player for exactly the wrong song.',
    releaseDate: '1942-11-26',
    genres: ['Drama', 'Romance'],
    creators: ['Michael Curtiz'],
    runtime: 102,
    tmdbId: 289,
    fame: 80,
    acclaim: 4.5,
    art: { motif: 'moon', palette: ['#23211f', '#77716a', '#ece4d4'] },
  },
  {
    slug: 'citizen-kane',
    name: 'Citizen Kane',
    tagline: 'Five witnesses, five different men.',
    overview:
      'Newspaper baron Charles Foster Kane dies alone in a palace full of crated statues, leaving behind one word that nobody can ' +
      'explain. A reporter goes round the people who knew him, and each hands over a different man. Orson Welles was twenty-five, and ' +
      'broke most of the rules of the camera along the way.',
    releaseDate: '1941-05-01',
    genres: ['Mystery', 'Drama'],
    creators: ['Orson Welles'],
    runtime: 119,
    tmdbId: 15,
    fame: 77,
    acclaim: 4.1,
    art: { motif: 'snow', palette: ['#14161a', '#5b6470', '#e9edf0'] },
  },
  {
    slug: 'metropolis',
    name: 'Metropolis',
    tagline: null,
    overview:
      "Below the gleaming towers, shifts of exhausted workers march into the machines like fuel. The ruler's son follows a young woman " +
      "down there and cannot unsee it. Meanwhile an inventor with a score to settle is building a robot that can wear anyone's face. " +
      "Film after film has moved into Fritz Lang's silent city since.",
    releaseDate: '1927-01-10',
    genres: ['Drama', 'Science Fiction'],
    creators: ['Fritz Lang'],
    runtime: 153,
    tmdbId: 19,
    fame: 49,
    acclaim: 4.1,
    art: { motif: 'tower', palette: ['#1d1a16', '#8a7348', '#f1e3b8'] },
  },
  {
    slug: 'seven-samurai',
    name: 'Seven Samurai',
    tagline: 'Wages: three meals a day, all of them rice.',
    overview:
      'Bandits will be back when the barley is ripe, and the farmers have nothing but food to pay with. They go to town to look for ' +
      'hungry samurai. Kurosawa spends a good hour just on the hiring, another on ditches and on drilling peasants with bamboo spears, ' +
      'and by the time the rain comes down you know every face in the line.',
    releaseDate: '1954-04-26',
    genres: ['Action', 'Drama'],
    creators: ['Akira Kurosawa'],
    runtime: 207,
    tmdbId: 346,
    fame: 68,
    acclaim: 4.7,
    art: { motif: 'blade', palette: ['#191713', '#5e5647', '#d7c7a1'] },
  },
  {
    slug: 'tokyo-story',
    name: 'Tokyo Story',
    tagline: 'They will only stay a few days.',
    overview:
      'An elderly couple take the long train from Onomichi to visit their grown children in the capital. Everyone is polite, and ' +
      'everyone is busy. It falls to Noriko, the widow of the son they lost in the war, to ask for a day off work. Ozu keeps his ' +
      'camera low and still and waits for the smiles to slip a little.',
    releaseDate: '1953-11-03',
    genres: ['Drama'],
    creators: ['Yasujirō Ozu'],
    runtime: 136,
    tmdbId: 18148,
    fame: 27,
    acclaim: 4.4,
    art: { motif: 'ship', palette: ['#3a3d3b', '#8e948c', '#e5dfcf'] },
  },
  {
    slug: 'psycho',
    name: 'Psycho',
    tagline: 'There is always a room free.',
    overview:
      "Marion Crane leaves Phoenix with forty thousand dollars of somebody else's money in the car and no plan worth the name. When " +
      'the rain gets too heavy she pulls off at a motel where the young owner makes her a sandwich and talks about his hobby and his ' +
      'mother. Hitchcock shot it quickly and cheaply, with a television crew.',
    releaseDate: '1960-06-16',
    genres: ['Horror', 'Thriller', 'Mystery'],
    creators: ['Alfred Hitchcock'],
    runtime: 109,
    tmdbId: 539,
    fame: 81,
    acclaim: 4.3,
    art: { motif: 'key', palette: ['#101010', '#6e6e6e', '#f4f4f0'] },
  },
  {
    slug: 'singin-in-the-rain',
    name: "Singin' in the Rain",
    tagline: 'Umbrella optional.',
    overview:
      "Silent stars Don Lockwood and Lina Lamont are Hollywood's favourite couple, until talking pictures come in and the studio has " +
      "to let the public hear Lina's voice. Don, his old partner Cosmo and a girl from the chorus sit up all night thinking of a way " +
      'out. Mostly they do it by dancing on the furniture.',
    releaseDate: '1952-04-11',
    genres: ['Comedy', 'Music', 'Romance'],
    creators: ['Stanley Donen', 'Gene Kelly'],
    runtime: 103,
    tmdbId: 872,
    fame: 66,
    acclaim: 4.5,
    art: { motif: 'rain', palette: ['#1e3a6e', '#f2c230', '#f7f2e4'] },
  },
  {
    slug: 'the-good-the-bad-and-the-ugly',
    name: 'The Good, the Bad and the Ugly',
    tagline: 'Two of them know half each. The third can wait.',
    overview:
      'Gold lies buried in a cemetery. Tuco knows which cemetery, Blondie knows the name on the grave, and neither trusts the other ' +
      "further than a rope's length. A third man, with better manners and no scruples whatever, is asking questions too. Leone lets " +
      "the Civil War rumble past behind them, and Morricone's coyote howl does the rest.",
    releaseDate: '1966-12-23',
    genres: ['Western'],
    creators: ['Sergio Leone'],
    runtime: 161,
    tmdbId: 429,
    fame: 76,
    acclaim: 4.5,
    art: { motif: 'desert', palette: ['#5a2e12', '#c9803a', '#f3d9a4'] },
  },
  {
    slug: 'amelie',
    name: 'Amélie',
    tagline: 'Small kindnesses, carefully anonymous.',
    overview:
      "Montmartre, August 1997: a shy waitress finds a tin of some boy's treasures behind her bathroom tiles and decides to return it. " +
      'It goes so well that she starts meddling in other lives, with forged letters and a travelling garden gnome. Her own life is the ' +
      'one she dares not touch, though a man who collects torn photo-booth pictures is proving a temptation.',
    releaseDate: '2001-04-25',
    genres: ['Comedy', 'Romance'],
    creators: ['Jean-Pierre Jeunet'],
    runtime: 122,
    tmdbId: 194,
    fame: 75,
    acclaim: 4.1,
    art: { motif: 'heart', palette: ['#2d5a27', '#b3221c', '#f5c84c'] },
  },
  {
    slug: 'city-of-god',
    name: 'City of God',
    tagline: null,
    overview:
      'Rocket would like to be a photographer, a peculiar ambition in a Rio housing project where boys his age are being handed guns. ' +
      'He watches who rises and who does not, from the small-time robbers of the sixties to the cocaine wars a decade on. Meirelles ' +
      'and Lund cast kids from the favelas, and the camera runs as fast as they do.',
    releaseDate: '2002-08-30',
    genres: ['Drama', 'Crime'],
    creators: ['Fernando Meirelles', 'Kátia Lund'],
    runtime: 130,
    tmdbId: 598,
    fame: 65,
    acclaim: 4.5,
    art: { motif: 'sun', palette: ['#3b1f0d', '#d9822b', '#ffe08a'] },
  },
  {
    slug: 'pans-labyrinth',
    name: "Pan's Labyrinth",
    tagline: 'Whatever you do, leave the grapes.',
    overview:
      "Spain, 1944. Ofelia's mother has married a captain who hunts the last rebels in the hills, and the girl is told to call him " +
      'father. In the old stone maze behind the mill a faun informs her that she is somebody else entirely, and sets her three tasks ' +
      'before the full moon. It is hard to say which of the two worlds is crueller.',
    releaseDate: '2006-10-11',
    genres: ['Fantasy', 'Drama', 'War'],
    creators: ['Guillermo del Toro'],
    runtime: 118,
    tmdbId: 1417,
    fame: 69,
    acclaim: 4.4,
    art: { motif: 'moon', palette: ['#0f1f24', '#4a6a5c', '#d9b36a'] },
  },
  {
    slug: 'crouching-tiger-hidden-dragon',
    name: 'Crouching Tiger, Hidden Dragon',
    tagline: 'Even in the treetops, manners.',
    overview:
      'Li Mu Bai means to give up fighting, and as a start he gives away the sword called Green Destiny. It is stolen the same night ' +
      'by a thief who runs up walls. Yu Shu Lien goes after it, still not saying what she has not said for years. Ang Lee makes the ' +
      'fights weightless and leaves all the weight to the feelings.',
    releaseDate: '2000',
    genres: ['Adventure', 'Drama', 'Action', 'Romance'],
    creators: ['Ang Lee'],
    runtime: 120,
    tmdbId: 146,
    fame: 64,
    acclaim: 4.1,
    art: { motif: 'mountain', palette: ['#1d3b35', '#5f9a7c', '#dfead2'] },
  },
  {
    slug: 'in-the-mood-for-love',
    name: 'In the Mood for Love',
    tagline: 'They only passed on the stairs.',
    overview:
      'Rooms are scarce in Hong Kong in 1962, so two couples rent next door to each other in crowded flats. Mrs Chan and Mr Chow begin ' +
      'to notice that her husband and his wife are away at the same times. They meet over noodles to talk it through, resolved not to ' +
      'be like them. Wong Kar-wai sets it in narrow stairways, to a waltz.',
    releaseDate: '2000-09-29',
    genres: ['Drama', 'Romance'],
    creators: ['Wong Kar-wai'],
    runtime: 99,
    tmdbId: 843,
    fame: 43,
    acclaim: 4.5,
    art: { motif: 'stripes', palette: ['#3a0d14', '#a3212e', '#3f7d6b'] },
  },
  {
    slug: 'princess-mononoke',
    name: 'Princess Mononoke',
    tagline: 'The forest has already asked politely.',
    overview:
      'Cursed by a dying boar god, the young prince Ashitaka rides west to find what drove the beast mad. He finds Iron Town, where ' +
      'women bought out of brothels work the bellows, and a wolf-raised girl who would like to burn the place down. Miyazaki refuses ' +
      'to make either side wicked, which leaves Ashitaka standing exactly between them.',
    releaseDate: '1997-07-12',
    genres: ['Adventure', 'Fantasy', 'Animation'],
    creators: ['Hayao Miyazaki'],
    runtime: 134,
    tmdbId: 128,
    fame: 71,
    acclaim: 4.6,
    art: { motif: 'mask', palette: ['#16301f', '#b02a2a', '#e9e4d0'] },
  },
  {
    slug: 'my-neighbor-totoro',
    name: 'My Neighbor Totoro',
    tagline: 'Bring an umbrella. Bring a spare.',
    overview:
      'Satsuki and little Mei move to the country with their father, to be nearer the hospital where their mother is. The house has ' +
      'soot that scurries, and under the camphor tree behind it sleeps something enormous and furry. Hardly anything happens, if you ' +
      'do not count the seeds, the rain on the umbrella, or a bus that is a cat.',
    releaseDate: '1988-04-16',
    genres: ['Fantasy', 'Animation', 'Family'],
    creators: ['Hayao Miyazaki'],
    runtime: 86,
    tmdbId: 8392,
    fame: 73,
    acclaim: 4.6,
    art: { motif: 'forest', palette: ['#2f6b3c', '#8cbf5a', '#f1f0d6'] },
  },
  {
    slug: 'your-name',
    name: 'Your Name.',
    tagline: 'Please stop spending my pocket money.',
    overview:
      'Mitsuha is bored of her lakeside town and shouts that she would like to be a handsome Tokyo boy in her next life. She wakes up ' +
      "as one, and Taki, the boy in question, wakes up as her. They take to leaving rules and complaints in each other's phones. A " +
      'comet is due that season, and everyone says it will be lovely.',
    releaseDate: '2016-08-26',
    genres: ['Animation', 'Romance', 'Drama'],
    creators: ['Makoto Shinkai'],
    runtime: 106,
    tmdbId: 372058,
    fame: 67,
    acclaim: 4.3,
    art: { motif: 'stars', palette: ['#1b2a63', '#7b6fc4', '#ffb3c7'] },
  },
  {
    slug: 'toy-story',
    name: 'Toy Story',
    tagline: 'Batteries included, humility not.',
    overview:
      "Woody the cowboy has always had the best spot on Andy's bed. Then a birthday brings Buzz Lightyear, a space ranger with a " +
      'button for every virtue, who does not realise that he is a toy. Jealousy soon strands the pair of them far from home with the ' +
      'family about to move, and in the hands of the boy next door, who likes explosives.',
    releaseDate: '1995-11-22',
    genres: ['Animation', 'Adventure', 'Family', 'Comedy'],
    creators: ['John Lasseter'],
    runtime: 81,
    tmdbId: 862,
    fame: 91,
    acclaim: 4.3,
    art: { motif: 'rocket', palette: ['#5aa9e6', '#7a4b2a', '#f7d038'] },
  },
  {
    slug: 'wall-e',
    name: 'WALL·E',
    tagline: 'He saved the nice bits for later.',
    overview:
      'After seven hundred years of clean-up, one small robot is still stacking rubbish into towers, with a cockroach for company. He ' +
      'keeps the good things, like a spork and an old musical on tape. When a sleek white probe lands to look for anything that grows, ' +
      'he has something to show her, and soon finds himself clinging to the outside of a spaceship.',
    releaseDate: '2008-06-27',
    genres: ['Animation', 'Family', 'Science Fiction'],
    creators: ['Andrew Stanton'],
    runtime: 98,
    tmdbId: 10681,
    fame: 79,
    acclaim: 4.3,
    art: { motif: 'leaf', palette: ['#6b4a2b', '#c98f4e', '#8fd14f'] },
  },
  {
    slug: 'spider-man-into-the-spider-verse',
    name: 'Spider-Man: Into the Spider-Verse',
    tagline: 'Brooklyn is getting crowded.',
    overview:
      'Miles Morales has enough on his plate with a new school he is trying to fail and a policeman father who says he loves him ' +
      'through a loudspeaker. Then the spider bites, a machine tears a hole under Brooklyn, and the place fills with other ' +
      'Spider-people, one of them a pig. It moves like a comic that has come loose from its staples.',
    releaseDate: '2018-12-14',
    genres: ['Animation', 'Action', 'Adventure', 'Science Fiction'],
    creators: ['Bob Persichetti', 'Peter Ramsey', 'Rodney Rothman'],
    runtime: 117,
    tmdbId: 324857,
    fame: 80,
    acclaim: 4.5,
    art: { motif: 'city', palette: ['#1a0f2e', '#d81e5b', '#2fd3e0'] },
  },
  {
    slug: 'the-lion-king',
    name: 'The Lion King',
    tagline: null,
    overview:
      'Simba is a cub who cannot wait to be king, and says so in song. His uncle Scar cannot wait either. When the savannah falls into ' +
      'the wrong paws the young lion runs as far as he can, into the company of a meerkat and a warthog who worry about nothing at ' +
      'all. It is Hamlet, more or less, with better hyenas.',
    releaseDate: '1994-06-24',
    genres: ['Animation', 'Family', 'Drama'],
    creators: ['Roger Allers', 'Rob Minkoff'],
    runtime: 88,
    tmdbId: 8587,
    fame: 89,
    acclaim: 4.2,
    art: { motif: 'crown', palette: ['#7a2a0c', '#f08a24', '#ffd97a'] },
  },
  {
    slug: 'jurassic-park',
    name: 'Jurassic Park',
    tagline: 'The goat was the first clue.',
    overview:
      "Money was spent on everything at John Hammond's island park, from the cars on rails to the ice cream, except on the one man who " +
      'runs the computers. A pair of fossil diggers, a mathematician in black and two grandchildren are invited for a trial weekend. ' +
      'Spielberg makes you wait, then sets a glass of water trembling.',
    releaseDate: '1993-06-11',
    genres: ['Adventure', 'Science Fiction'],
    creators: ['Steven Spielberg'],
    runtime: 127,
    tmdbId: 329,
    fame: 92,
    acclaim: 4.3,
    art: { motif: 'bones', palette: ['#10190f', '#8a1c16', '#e8b83a'] },
  },
  {
    slug: 'jaws',
    name: 'Jaws',
    tagline: 'The beaches will be open for the Fourth.',
    overview:
      'Amity Island lives on its summer visitors, so the mayor is not keen to hear from his new police chief, who hates the water, ' +
      'that the beaches ought to close. A scientist with too much gear and a shark hunter with a chair bolted to his boat join the ' +
      'argument. The mechanical fish kept breaking down, so you mostly see waves, which is worse.',
    releaseDate: '1975-06-20',
    genres: ['Horror', 'Thriller', 'Adventure'],
    creators: ['Steven Spielberg'],
    runtime: 124,
    tmdbId: 578,
    fame: 87,
    acclaim: 4.4,
    art: { motif: 'sea', palette: ['#0c3a57', '#2f86a6', '#d43a2f'] },
  },
  {
    slug: 'back-to-the-future',
    name: 'Back to the Future',
    tagline: 'Home is thirty years up the road.',
    overview:
      'Marty McFly, seventeen, meets his friend Doc Brown in a car park at night to film an experiment, and leaves it at eighty-eight ' +
      'miles an hour. It is now 1955. His parents are at his school, his mother has taken a fancy to him, and the only thing strong ' +
      'enough to power the trip home is a bolt of lightning.',
    releaseDate: '1985-07-03',
    genres: ['Adventure', 'Comedy', 'Science Fiction'],
    creators: ['Robert Zemeckis'],
    runtime: 116,
    tmdbId: 105,
    fame: 92,
    acclaim: 4.5,
    art: { motif: 'clock', palette: ['#1a1f4b', '#e4572e', '#ffd166'] },
  },
  {
    slug: 'titanic',
    name: 'Titanic',
    tagline: null,
    overview:
      'Rose is travelling first class towards a marriage she dreads. Jack won his ticket in a poker game five minutes before sailing. ' +
      'We have all known since school what the ship is going to meet, and James Cameron uses that knowledge: first ballroom gold and a ' +
      'dance below decks, and then, from twenty to twelve, the clock.',
    releaseDate: '1997-12-19',
    genres: ['Drama', 'Romance'],
    creators: ['James Cameron'],
    runtime: 194,
    tmdbId: 597,
    fame: 93,
    acclaim: 3.7,
    art: { motif: 'ship', palette: ['#0a1a2f', '#2e5c84', '#e7d6ae'] },
  },
  {
    slug: 'mad-max-fury-road',
    name: 'Mad Max: Fury Road',
    tagline: 'Hold on to the outside.',
    overview:
      "Max starts the film as somebody's blood bag, chained to the front of a car. Furiosa, who drives for the tyrant of the only " +
      'water for miles, has just turned her war rig off the road with his five wives hidden inside. From there George Miller barely ' +
      'lifts his foot, crashing real trucks on real sand while a man on a rope plays a flame-throwing guitar.',
    releaseDate: '2015-05-15',
    genres: ['Action', 'Adventure', 'Science Fiction'],
    creators: ['George Miller'],
    runtime: 121,
    tmdbId: 76341,
    fame: 83,
    acclaim: 4.4,
    art: { motif: 'wheel', palette: ['#4a1607', '#e0661b', '#27a7b5'] },
  },
  {
    slug: 'get-out',
    name: 'Get Out',
    tagline: 'Lovely house. Who else lives here?',
    overview:
      "Chris packs for a weekend at his girlfriend's parents', having asked whether she has told them he is black. She says it will " +
      'not matter. The father would have voted for Obama a third time, the mother stirs her tea, and the groundskeeper goes running at ' +
      'night. Jordan Peele finds the horror in good manners first and gets to the rest later.',
    releaseDate: '2017-02-24',
    genres: ['Mystery', 'Thriller', 'Horror'],
    creators: ['Jordan Peele'],
    runtime: 104,
    tmdbId: 419430,
    fame: 78,
    acclaim: 4.3,
    art: { motif: 'eye', palette: ['#14110f', '#3d2b56', '#e9d8c4'] },
  },
  {
    slug: 'la-la-land',
    name: 'La La Land',
    tagline: 'The traffic is terrible. Sing.',
    overview:
      'Los Angeles is all auditions for Mia, who pours coffee on a studio lot, and all unpaid bills for Sebastian, who wants to open a ' +
      'jazz club. They keep running into each other and keep being rude about it, until one evening in the hills above the city they ' +
      'tap-dance instead. Chazelle colours it like a box of crayons, then asks what the dream costs.',
    releaseDate: '2016-12-09',
    genres: ['Comedy', 'Drama', 'Romance', 'Music'],
    creators: ['Damien Chazelle'],
    runtime: 128,
    tmdbId: 313369,
    fame: 79,
    acclaim: 3.9,
    art: { motif: 'stars', palette: ['#2a1a5e', '#7b3fa0', '#ffd23f'] },
  },
  {
    slug: 'moonlight',
    name: 'Moonlight',
    tagline: null,
    overview:
      'Chiron is called Little at nine, by his own name at sixteen and Black as a grown man, and three actors play him. He is a boy in ' +
      'Miami with an addicted mother, and he has learned to say almost nothing. A drug dealer teaches him to float. Barry Jenkins ' +
      'watches their faces so closely that the silence starts to talk.',
    releaseDate: '2016-10-21',
    genres: ['Drama'],
    creators: ['Barry Jenkins'],
    runtime: 111,
    tmdbId: 376867,
    fame: 62,
    acclaim: 4.3,
    art: { motif: 'sea', palette: ['#0b1b3a', '#2f6fb0', '#a6e1ef'] },
  },
  {
    slug: 'everything-everywhere-all-at-once',
    name: 'Everything Everywhere All at Once',
    tagline: 'Keep your receipts.',
    overview:
      'Evelyn has a laundromat, a tax audit and a husband trying to hand her divorce papers. In the lift to the audit he turns into ' +
      'someone else, who informs her that of all the Evelyns in all the universes she has failed at the most things, which makes her ' +
      'useful. There are hot-dog fingers and a bad bagel, and in the thick of it a mother and her daughter.',
    releaseDate: '2022-03-25',
    genres: ['Action', 'Adventure', 'Science Fiction', 'Comedy'],
    creators: ['Daniel Kwan', 'Daniel Scheinert'],
    runtime: 140,
    tmdbId: 545611,
    fame: 81,
    acclaim: 4.1,
    art: { motif: 'eye', palette: ['#22123b', '#e0408c', '#f6f08a'] },
  },
  {
    slug: 'oppenheimer',
    name: 'Oppenheimer',
    tagline: 'The sums were checked. Mostly.',
    overview:
      'J. Robert Oppenheimer sees particles dancing when he shuts his eyes, and is hopeless in a laboratory. The war puts him in ' +
      'charge of a town in the New Mexico desert and of the costliest physics experiment ever tried. Nolan cuts between the making of ' +
      'it and the hearings that came after, where men in small rooms decided what sort of person he was.',
    releaseDate: '2023-07-21',
    genres: ['Drama', 'History'],
    creators: ['Christopher Nolan'],
    runtime: 181,
    tmdbId: 872585,
    fame: 87,
    acclaim: 4,
    art: { motif: 'flame', palette: ['#1a0d06', '#d4541a', '#ffe6b3'] },
  },
  {
    slug: 'barbie',
    name: 'Barbie',
    tagline: 'Ken is just along for the ride.',
    overview:
      'Pink every morning and perfect every night, until Barbie stops mid-dance to ask whether anyone else thinks about dying. Next ' +
      'day her heels touch the ground. To put it right she drives to the real Los Angeles with Ken in the back seat, and Ken discovers ' +
      'horses and patriarchy, roughly in that order. Gerwig builds it all from paint and plywood.',
    releaseDate: '2023-07-21',
    genres: ['Comedy', 'Adventure'],
    creators: ['Greta Gerwig'],
    runtime: 114,
    tmdbId: 346698,
    fame: 88,
    acclaim: 3.6,
    art: { motif: 'heart', palette: ['#ff5fa2', '#ffc1dc', '#3bb8d8'] },
  },
  {
    slug: 'dune',
    name: 'Dune',
    tagline: 'The sand is listening.',
    overview:
      'House Atreides has been handed the desert planet Arrakis, source of the most valuable substance there is, and the Duke knows a ' +
      'trap when he is given one. His son Paul keeps dreaming of a girl with blue eyes. Villeneuve tells the first half of Frank ' +
      "Herbert's book in huge slabs of stone and engine noise, and walks without rhythm.",
    releaseDate: '2021-10-22',
    genres: ['Science Fiction', 'Adventure'],
    creators: ['Denis Villeneuve'],
    runtime: 155,
    tmdbId: 438631,
    fame: 85,
    acclaim: 4.1,
    art: { motif: 'desert', palette: ['#2b1d12', '#b07a42', '#f0d3a0'] },
  },
  {
    slug: 'avatar',
    name: 'Avatar',
    tagline: null,
    overview:
      "Jake Sully, a marine who lost the use of his legs, takes over his dead twin's job: lying in a box and steering a ten-foot blue " +
      'body through the jungles of Pandora. The company wants the ore beneath the trees. The people who live in them want to know why ' +
      'he makes so much noise. Cameron spent years on the leaves, and they do glow.',
    releaseDate: '2009-12-18',
    genres: ['Action', 'Adventure', 'Fantasy', 'Science Fiction'],
    creators: ['James Cameron'],
    runtime: 162,
    tmdbId: 19995,
    fame: 90,
    acclaim: 3.4,
    art: { motif: 'forest', palette: ['#06283d', '#1f7a8c', '#6ff0e0'] },
  },
  {
    slug: 'arrival',
    name: 'Arrival',
    tagline: 'First, agree on a word for hello.',
    overview:
      'Twelve dark shells hang over twelve places on the planet, and the army comes for Louise Banks because she is good at languages. ' +
      'Each visit allows a short while at a glass wall, behind which two creatures write in rings of smoke. Before anyone asks them ' +
      'their purpose, she points out, somebody will have to explain what a question is.',
    releaseDate: '2016-11-11',
    genres: ['Drama', 'Science Fiction', 'Mystery'],
    creators: ['Denis Villeneuve'],
    runtime: 116,
    tmdbId: 329865,
    fame: 74,
    acclaim: 4.3,
    art: { motif: 'circles', palette: ['#2a2f33', '#7c8a8f', '#e2e6e1'] },
  },
  {
    slug: 'portrait-of-a-lady-on-fire',
    name: 'Portrait of a Lady on Fire',
    tagline: null,
    overview:
      'Brittany, around 1770. Marianne is rowed to an island to paint the wedding portrait of a bride who refuses to sit for one, so ' +
      'she must look without seeming to and work from memory at night. Héloïse, it turns out, has been looking back. Sciamma uses ' +
      'hardly any music, and when there is some you will feel it in your teeth.',
    releaseDate: '2019-09-18',
    genres: ['Drama', 'Romance'],
    creators: ['Céline Sciamma'],
    runtime: 122,
    tmdbId: 531428,
    fame: 40,
    acclaim: 4.5,
    art: { motif: 'flame', palette: ['#14323a', '#2f6f62', '#e8552d'] },
  },
  {
    slug: 'the-grand-budapest-hotel',
    name: 'The Grand Budapest Hotel',
    tagline: 'Service with scent.',
    overview:
      'Monsieur Gustave runs the finest hotel in Zubrowka on strict discipline and far too much cologne. When one of his elderly ' +
      'admirers dies and leaves him a painting her family calls it murder, and he needs the help of Zero, his new lobby boy, who has ' +
      'no references at all. Wes Anderson packs it in pink boxes, with something sad under the icing.',
    releaseDate: '2014-03-06',
    genres: ['Comedy', 'Drama'],
    creators: ['Wes Anderson'],
    runtime: 99,
    tmdbId: 120467,
    fame: 76,
    acclaim: 4.2,
    art: { motif: 'key', palette: ['#f2b5c4', '#7a2e5d', '#c9472b'] },
  },
  {
    slug: 'groundhog-day',
    name: 'Groundhog Day',
    tagline: 'Same time tomorrow. Same tomorrow.',
    overview:
      'Weatherman Phil Connors has come to Punxsutawney to stand in the snow beside a rodent, and would like to leave. He wakes at six ' +
      'to Sonny and Cher, does the job and goes to bed. He wakes at six to Sonny and Cher. At first it is alarming and then it is a ' +
      'licence, and some hundreds of mornings on it becomes a question about how to spend a day.',
    releaseDate: '1993-02-12',
    genres: ['Romance', 'Fantasy', 'Drama', 'Comedy'],
    creators: ['Harold Ramis'],
    runtime: 101,
    tmdbId: 137,
    fame: 82,
    acclaim: 4.4,
    art: { motif: 'snow', palette: ['#8fb4d6', '#3a5a80', '#f5f8fb'] },
  },
  {
    slug: 'the-big-lebowski',
    name: 'The Big Lebowski',
    tagline: 'All this over a rug.',
    overview:
      'Jeff Lebowski, who prefers to be called the Dude, has had his rug ruined by men looking for another Lebowski, a rich one. All ' +
      'he asks for is a replacement. What he gets is a kidnapping to handle, with his bowling partner Walter along to make every step ' +
      'of it worse. The Coens wrote a Raymond Chandler plot and gave it to the man least able to follow one.',
    releaseDate: '1998-03-06',
    genres: ['Comedy', 'Crime'],
    creators: ['Joel Coen', 'Ethan Coen'],
    runtime: 117,
    tmdbId: 115,
    fame: 77,
    acclaim: 4.2,
    art: { motif: 'circles', palette: ['#3d1e36', '#a8563b', '#f0dcae'] },
  },
  {
    slug: 'eternal-sunshine-of-the-spotless-mind',
    name: 'Eternal Sunshine of the Spotless Mind',
    tagline: 'Please hand in all souvenirs.',
    overview:
      'Joel learns that Clementine, after a quarrel, has had him removed from her memory by a shabby little firm with a waiting room. ' +
      'He orders the same for himself. While two technicians sit at his bedside drinking his beer, he travels backwards through the ' +
      'whole affair, and somewhere among the good parts he changes his mind.',
    releaseDate: '2004-03-19',
    genres: ['Science Fiction', 'Drama', 'Romance'],
    creators: ['Michel Gondry'],
    runtime: 108,
    tmdbId: 38,
    fame: 74,
    acclaim: 4.4,
    art: { motif: 'maze', palette: ['#1f3b57', '#6fa3b8', '#f28c28'] },
  },
  {
    slug: 'rrr',
    name: 'RRR',
    tagline: 'Friendship at full volume.',
    overview:
      'Before they meet, one of them beats his way through a mob of thousands and the other shouts down a tiger. Raju serves the ' +
      'British police in 1920s Delhi, Bheem has come to take back a stolen child, and neither knows which side the other is on. They ' +
      'become inseparable. Rajamouli treats gravity as a suggestion, and then there is the dance.',
    releaseDate: '2022-03-25',
    genres: ['Action', 'Drama'],
    creators: ['S. S. Rajamouli'],
    runtime: 182,
    tmdbId: 579974,
    fame: 52,
    acclaim: 4.2,
    art: { motif: 'flame', palette: ['#1d2b16', '#c0392b', '#3fa7d6'] },
  },
  {
    slug: 'stalker',
    name: 'Stalker',
    tagline: 'Be careful what you are sure you want.',
    overview:
      'Somewhere past the barbed wire lies the Zone, where something fell once and the straight way is never the safe one. A guide ' +
      'takes two clients in, a writer and a professor, throwing metal nuts ahead of them to test the ground. They are heading for a ' +
      'room said to grant your truest wish. Tarkovsky takes his time on the walk, and lets the water drip.',
    releaseDate: '1979-05-25',
    genres: ['Science Fiction', 'Drama'],
    creators: ['Andrei Tarkovsky'],
    runtime: 162,
    tmdbId: 1398,
    fame: 31,
    acclaim: 4.3,
    art: { motif: 'door', palette: ['#2a2415', '#6a6a3a', '#b9b98a'] },
  },
  {
    slug: 'twilight',
    name: 'Twilight',
    tagline: null,
    overview:
      'Forks, Washington is about the wettest town in the country, and Bella has just moved in with her father there. At school the ' +
      'pale boy at her bench looks as though she makes him ill. He is over a hundred and never eats lunch. Catherine Hardwicke soaks ' +
      'the lot in blue and moss, and takes teenage longing entirely seriously.',
    releaseDate: '2008-11-21',
    genres: ['Fantasy', 'Drama', 'Romance'],
    creators: ['Catherine Hardwicke'],
    runtime: 122,
    tmdbId: 8966,
    fame: 84,
    acclaim: 2.7,
    art: { motif: 'moon', palette: ['#0f1c24', '#3f5f6e', '#a8bfc4'] },
  },
  {
    slug: 'the-room',
    name: 'The Room',
    tagline: 'Bring spoons.',
    overview:
      'Johnny is a banker in San Francisco with a fiancée, a best friend and access to a roof. She has grown tired of him and tells ' +
      'everyone else so. Tommy Wiseau wrote, directed, produced and plays Johnny, and no scene goes quite the way scenes go. People ' +
      'now turn up to midnight screenings in wigs and know every line.',
    releaseDate: '2003-06-27',
    genres: ['Drama', 'Romance'],
    creators: ['Tommy Wiseau'],
    runtime: 99,
    tmdbId: 17473,
    fame: 54,
    acclaim: 2.6,
    art: { motif: 'city', palette: ['#2b2233', '#b5893c', '#e3c9c9'] },
  },
  {
    slug: 'a-separation',
    name: 'A Separation',
    tagline: 'Everyone is telling part of the truth.',
    overview:
      "Simin wants to leave Iran for their daughter's sake. Nader will not leave his father, who no longer knows him. So she moves " +
      'out, and he hires a woman from the far end of the city to look after the old man, and one bad afternoon lands both families in ' +
      'front of a judge. Farhadi gives every one of them a good reason.',
    releaseDate: '2011-03-16',
    genres: ['Drama'],
    creators: ['Asghar Farhadi'],
    runtime: 123,
    tmdbId: 60243,
    fame: 33,
    acclaim: 4.5,
    art: { motif: 'door', palette: ['#33373b', '#8c7b6b', '#d9e0e0'] },
  },
  {
    slug: 'run-lola-run',
    name: 'Run Lola Run',
    tagline: 'Noon is not negotiable.',
    overview:
      'Manni has left a hundred thousand marks on the U-Bahn, and the man they belong to is coming at noon. He rings Lola, who has ' +
      'twenty minutes to find the money and get across Berlin. She runs. When that does not work out the film runs her again, to a ' +
      'techno pulse, and a dog on the stairs can change everything.',
    releaseDate: '1998-08-20',
    genres: ['Action', 'Drama', 'Thriller'],
    creators: ['Tom Tykwer'],
    runtime: 81,
    tmdbId: 104,
    fame: 42,
    acclaim: 4,
    art: { motif: 'clock', palette: ['#20302b', '#e8412a', '#f2e34c'] },
  },
  {
    slug: 'the-seventh-seal',
    name: 'The Seventh Seal',
    tagline: 'Black to move, no hurry.',
    overview:
      'Plague is in the land when the knight Antonius Block returns from ten years of crusading and finds Death waiting on the beach. ' +
      'He proposes a game of chess, to gain some time. On the way home he takes up with a family of travelling players, and a bowl of ' +
      'wild strawberries on a hillside outweighs most of the sermons he has heard.',
    releaseDate: '1957-02-16',
    genres: ['Fantasy', 'Drama'],
    creators: ['Ingmar Bergman'],
    runtime: 96,
    tmdbId: 490,
    fame: 45,
    acclaim: 4.3,
    art: { motif: 'bones', palette: ['#121314', '#4b4f52', '#cfd2cf'] },
  },
  {
    slug: 'free-solo',
    name: 'Free Solo',
    tagline: 'Chalk and nothing else.',
    overview:
      'El Capitan is three thousand feet of granite, and Alex Honnold intends to climb it without a rope. Jimmy Chin and Elizabeth ' +
      'Chai Vasarhelyi film the years of notebooks and rehearsal, and a girlfriend who would understandably like to discuss it. The ' +
      'camera crew are climbers and his friends, not sure they ought to be there, and one of them cannot look.',
    releaseDate: '2018-09-28',
    genres: ['Documentary'],
    creators: ['Jimmy Chin', 'Elizabeth Chai Vasarhelyi'],
    runtime: 100,
    tmdbId: 515042,
    fame: 37,
    acclaim: 4.2,
    art: { motif: 'mountain', palette: ['#3c4a57', '#a99a86', '#e9743a'] },
  },
  {
    slug: 'the-shining',
    name: 'The Shining',
    tagline: 'Off-season rates. Plenty of quiet.',
    overview:
      'Caretaking the Overlook Hotel for a winter suits Jack Torrance, who has a book to write, and the road will be shut by snow ' +
      'until spring. His wife Wendy cooks in a kitchen built for hundreds. Their boy Danny pedals his tricycle along the corridors, ' +
      "over wood, over carpet, over wood, and sometimes stops. Kubrick's camera follows close to the floor.",
    releaseDate: '1980-05-23',
    genres: ['Horror', 'Thriller'],
    creators: ['Stanley Kubrick'],
    runtime: 144,
    tmdbId: 694,
    fame: 85,
    acclaim: 4.3,
    art: { motif: 'maze', palette: ['#6b1d12', '#d9661f', '#f3e7cf'] },
  },
  {
    slug: 'persepolis',
    name: 'Persepolis',
    tagline: 'Punk was not dead in Tehran.',
    overview:
      'Marjane is a child who loves Bruce Lee and means to become a prophet when the Shah falls and Iran fills with new rules. Her ' +
      'parents march, an uncle tells stories of prison, and she buys Iron Maiden tapes from men muttering in the street. Later comes ' +
      "Vienna, and the odd business of explaining where you are from. The ink is that of Satrapi's own comics.",
    releaseDate: '2007-06-27',
    genres: ['Animation', 'Drama'],
    creators: ['Vincent Paronnaud', 'Marjane Satrapi'],
    runtime: 96,
    tmdbId: 2011,
    fame: 35,
    acclaim: 4.3,
    art: { motif: 'bird', palette: ['#111111', '#b3202a', '#f5f2ec'] },
  },
  {
    slug: 'timbuktu',
    name: 'Timbuktu',
    tagline: null,
    overview:
      'Kidane keeps a few cows in the dunes outside the city, where he lives in a tent with his wife and a daughter called Toya. In ' +
      'town the jihadists have banned music, and football too, so the boys play a match without a ball. Sissako watches a hard ' +
      'occupation with a very calm eye, alert to how silly the enforcers are and how little that helps.',
    releaseDate: '2014',
    genres: ['Drama'],
    creators: ['Abderrahmane Sissako'],
    runtime: 97,
    fame: 20,
    acclaim: 4,
    art: { motif: 'sun', palette: ['#c98b4f', '#e6c48f', '#2f5d8a'] },
  },
]
