import type { StarterTitle } from './title.ts'

/** TV shows of the starter catalogue. */
export const tvShows: StarterTitle[] = [
  {
    slug: 'breaking-bad',
    name: 'Breaking Bad',
    tagline: 'He was never any good at stopping.',
    overview:
      'Chemistry teacher Walter White turns fifty with a second job at a car wash and a cough that is not going away. A ride-along ' +
      'with his brother-in-law in the drug squad shows him how much money there is in bad methamphetamine, and he happens to know how ' +
      'to make it good. He goes looking for a former pupil, and for a camper van.',
    releaseDate: '2008-01-20',
    genres: ['Drama', 'Crime'],
    creators: ['Vince Gilligan'],
    runtime: 47,
    tmdbId: 1396,
    fame: 97,
    acclaim: 4.7,
    art: { motif: 'desert', palette: ['#1c2b16', '#6f8f2e', '#e9d96b'] },
  },
  {
    slug: 'game-of-thrones',
    name: 'Game of Thrones',
    tagline: 'Sit down at your own risk.',
    overview:
      'Winters last for years in Westeros, and this summer has been suspiciously long. The king rides north to ask an old friend for ' +
      'help, which is how the Starks are drawn into a court where honour is a handicap. Across the sea an exiled girl gets three stone ' +
      'eggs as a wedding present. Keep a map handy, and do not get attached.',
    releaseDate: '2011-04-17',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Action & Adventure'],
    creators: ['David Benioff', 'D. B. Weiss'],
    runtime: 57,
    tmdbId: 1399,
    fame: 98,
    acclaim: 3.8,
    art: { motif: 'blade', palette: ['#14181c', '#5d6b75', '#c9d3d6'] },
  },
  {
    slug: 'the-wire',
    name: 'The Wire',
    tagline: 'Follow the paper, floor by floor.',
    overview:
      'Detective Jimmy McNulty complains to a judge, and the Baltimore police grudgingly open a case on a drug crew nobody upstairs ' +
      'has heard of. The dealers get as much of the screen as the detectives. Every season moves to another part of the city, from the ' +
      'docks to the classrooms, until you can see how it all fits together and why nobody mends it.',
    releaseDate: '2002-06-02',
    genres: ['Crime', 'Drama'],
    creators: ['David Simon'],
    runtime: 59,
    tmdbId: 1438,
    fame: 78,
    acclaim: 4.6,
    art: { motif: 'tower', palette: ['#1b1f27', '#47586b', '#e08a2e'] },
  },
  {
    slug: 'the-sopranos',
    name: 'The Sopranos',
    tagline: 'Fifty minutes a week of almost honesty.',
    overview:
      "Ducks landed in Tony Soprano's swimming pool, and when they flew away he fainted. So a New Jersey mob boss begins seeing a " +
      'psychiatrist, in secret, and mostly about his mother. The rest of his week goes on school concerts and no-show jobs, with debts ' +
      'collected on the way. Few shows are so funny about people you should be afraid of.',
    releaseDate: '1999-01-10',
    genres: ['Drama', 'Crime'],
    creators: ['David Chase'],
    runtime: 55,
    tmdbId: 1398,
    fame: 84,
    acclaim: 4.6,
    art: { motif: 'bird', palette: ['#1a0f0d', '#7d1f1b', '#e6dcc8'] },
  },
  {
    slug: 'friends',
    name: 'Friends',
    tagline: null,
    overview:
      'Six people in their twenties spend most afternoons on the same orange sofa, and none of them ever seems to be at work. Rachel ' +
      'has just run out on her wedding, still in the dress, and Monica has a spare room. Ten seasons of burnt dinners and on-off ' +
      'romance follow, in flats that no New Yorker on those wages could afford.',
    releaseDate: '1994-09-22',
    genres: ['Comedy'],
    creators: ['David Crane', 'Marta Kauffman'],
    runtime: 22,
    tmdbId: 1668,
    fame: 95,
    acclaim: 3.8,
    art: { motif: 'door', palette: ['#5b3f8c', '#f2c94c', '#e8543f'] },
  },
  {
    slug: 'the-office',
    name: 'The Office',
    tagline: 'Please sign in at reception.',
    overview:
      "Paper still sells, just about, at the Scranton branch of Dunder Mifflin, where Michael Scott believes he is everyone's friend " +
      "and a documentary crew is on hand to show otherwise. Jim sets Dwight's stapler in jelly. Pam on reception is engaged to a man " +
      'from the warehouse. It is nine to five, with a great deal of looking into the lens.',
    releaseDate: '2005-03-24',
    genres: ['Comedy'],
    creators: ['Greg Daniels'],
    runtime: 22,
    tmdbId: 2316,
    fame: 91,
    acclaim: 4.2,
    art: { motif: 'clock', palette: ['#d8d3c4', '#7f8a91', '#2f5d8c'] },
  },
  {
    slug: 'stranger-things',
    name: 'Stranger Things',
    tagline: 'Be home before dark, and bring your bike.',
    overview:
      "Hawkins, Indiana, 1983: four boys end a ten-hour game of Dungeons & Dragons, and only three of them get home. The missing boy's " +
      'mother starts hearing him in the electric lights. In the woods his friends meet a girl with a shaved head who can do things, ' +
      'and who likes frozen waffles. The Duffers borrow from every shelf of the video shop.',
    releaseDate: '2016-07-15',
    genres: ['Drama', 'Mystery', 'Sci-Fi & Fantasy'],
    creators: ['Matt Duffer', 'Ross Duffer'],
    runtime: 50,
    tmdbId: 66732,
    fame: 93,
    acclaim: 3.9,
    art: { motif: 'wheel', palette: ['#0c0a1a', '#a3161f', '#f25c54'] },
  },
  {
    slug: 'black-mirror',
    name: 'Black Mirror',
    tagline: 'You did accept the terms.',
    overview:
      'Each episode starts afresh with new people and one new gadget: a grain behind the ear that records all you see, perhaps, or a ' +
      'public score for everyone you pass. Charlie Brooker then asks what we would really do with it, and the answer is seldom ' +
      'flattering. Watch them in any order, and leave your phone in another room.',
    releaseDate: '2011-12-04',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Mystery'],
    creators: ['Charlie Brooker'],
    runtime: 60,
    tmdbId: 42009,
    fame: 82,
    acclaim: 3.8,
    art: { motif: 'grid', palette: ['#050505', '#3c4148', '#dfe6ea'] },
  },
  {
    slug: 'twin-peaks',
    name: 'Twin Peaks',
    tagline: 'The pie is excellent. So are the alibis.',
    overview:
      'Laura Palmer is found on the shore wrapped in plastic, and the FBI sends Dale Cooper, who loves good coffee and tells a tape ' +
      'recorder all about it. Everyone in this logging town has a secret, and one has a log. It begins as a murder mystery with ' +
      'soap-opera trimmings, and then someone draws back a red curtain.',
    releaseDate: '1990-04-08',
    genres: ['Drama', 'Mystery', 'Crime'],
    creators: ['Mark Frost', 'David Lynch'],
    runtime: 47,
    tmdbId: 1920,
    fame: 70,
    acclaim: 4.3,
    art: { motif: 'forest', palette: ['#2a0a0c', '#a81c20', '#1f3b2c'] },
  },
  {
    slug: 'the-x-files',
    name: 'The X-Files',
    tagline: 'Bring your own torch.',
    overview:
      'Agent Dana Scully, a doctor, is posted to a basement office to keep an eye on Fox Mulder, who believes that his sister was ' +
      'taken by aliens. She writes the sensible reports. Some weeks it is a conspiracy in Washington and some weeks a man who squeezes ' +
      'through air vents, and always there are two torch beams in a wet wood near Vancouver.',
    releaseDate: '1993-09-10',
    genres: ['Mystery', 'Sci-Fi & Fantasy', 'Drama'],
    creators: ['Chris Carter'],
    runtime: 45,
    tmdbId: 4087,
    fame: 80,
    acclaim: 4.1,
    art: { motif: 'eye', palette: ['#0a1512', '#2b5a4a', '#b8d94c'] },
  },
  {
    slug: 'the-simpsons',
    name: 'The Simpsons',
    tagline: 'Nobody here has aged a day.',
    overview:
      'Homer works as a safety inspector at a nuclear plant, which tells you most of what there is to know about Springfield. Around ' +
      'him on the sofa sit Marge under her blue tower of hair, Bart, Lisa and a baby who never grows up. In its best years no comedy ' +
      'fitted so many jokes into a minute, and it has simply never stopped.',
    releaseDate: '1989-12-17',
    genres: ['Family', 'Animation', 'Comedy'],
    creators: ['Matt Groening'],
    runtime: 22,
    tmdbId: 456,
    fame: 94,
    acclaim: 4,
    art: { motif: 'circles', palette: ['#ffd521', '#4aa8d8', '#f27ba5'] },
  },
  {
    slug: 'seinfeld',
    name: 'Seinfeld',
    tagline: null,
    overview:
      'Nothing much happens: a comedian and three friends wait for a table, or lose the car in a multi-storey. Jerry dates somebody ' +
      'for a week and finds a flaw. George lies, Elaine shoves, and Kramer comes in without knocking. By the end of the half hour ' +
      'these petty threads have pulled into a knot, and no one has learned a thing from it.',
    releaseDate: '1989-07-05',
    genres: ['Comedy'],
    creators: ['Larry David', 'Jerry Seinfeld'],
    runtime: 22,
    tmdbId: 1400,
    fame: 83,
    acclaim: 4.3,
    art: { motif: 'stripes', palette: ['#f4efe6', '#c8372d', '#2b6ca3'] },
  },
  {
    slug: 'lost',
    name: 'Lost',
    tagline: 'Rescue is running late.',
    overview:
      'Jack opens his eyes in a bamboo grove. Beyond it is a beach with half an aeroplane on it and forty-odd survivors, each with a ' +
      'past the show will visit in turn. Something large is knocking over trees inland. Lost had a whole generation pausing the ' +
      'picture to copy down numbers, and they argue still about whether it was worth it.',
    releaseDate: '2004-09-22',
    genres: ['Mystery', 'Drama', 'Action & Adventure'],
    creators: ['J. J. Abrams', 'Jeffrey Lieber', 'Damon Lindelof'],
    runtime: 44,
    tmdbId: 4607,
    fame: 85,
    acclaim: 3.7,
    art: { motif: 'sea', palette: ['#0e2a2f', '#3f8f7a', '#e8dcb5'] },
  },
  {
    slug: 'chernobyl',
    name: 'Chernobyl',
    tagline: 'The dial only goes up to 3.6.',
    overview:
      'Reactor four has exploded, and the men in its control room are being told by their superior that it cannot have. Over five ' +
      'episodes that fact has to climb through one committee after another, while firemen pick up graphite and a scientist counts the ' +
      'hours. People have quarrelled over the details; nobody has quarrelled with the dread.',
    releaseDate: '2019-05-06',
    genres: ['Drama'],
    creators: ['Craig Mazin'],
    runtime: 65,
    tmdbId: 87108,
    fame: 79,
    acclaim: 4.6,
    art: { motif: 'flame', palette: ['#23261f', '#6b7355', '#d8c24a'] },
  },
  {
    slug: 'fargo',
    name: 'Fargo',
    tagline: null,
    overview:
      'Minnesota, deep winter, and in a hospital waiting room a meek insurance salesman with a broken nose tells a stranger too much ' +
      "about the man who broke it. Such small mistakes fuel this anthology, which borrows the Coens' snow and manners and spins a new " +
      'tall tale every season. The opening caption swears that it is all true. It is not.',
    releaseDate: '2014-04-15',
    genres: ['Crime', 'Drama'],
    creators: ['Noah Hawley'],
    runtime: 53,
    tmdbId: 60622,
    fame: 55,
    acclaim: 4.2,
    art: { motif: 'snow', palette: ['#dfe8ec', '#8fa3ad', '#b3202a'] },
  },
  {
    slug: 'mad-men',
    name: 'Mad Men',
    tagline: 'He could sell you your own coat.',
    overview:
      'Don Draper sells happiness on Madison Avenue in 1960, and goes home to a house that looks like one of his adverts. Nobody there ' +
      'knows where he came from. Peggy Olson starts out as his secretary and then begins having ideas. Outside the office windows the ' +
      'decade turns over slowly, seen through a good deal of cigarette smoke.',
    releaseDate: '2007-07-19',
    genres: ['Drama'],
    creators: ['Matthew Weiner'],
    runtime: 47,
    tmdbId: 1104,
    fame: 68,
    acclaim: 4.3,
    art: { motif: 'city', palette: ['#1f2326', '#9c4a2f', '#e2c79a'] },
  },
  {
    slug: 'succession',
    name: 'Succession',
    tagline: 'All that money and nowhere to sit.',
    overview:
      'Logan Roy turns eighty and does not retire after all, to the dismay of the son who had his suit pressed for it. Four children ' +
      'circle the family media empire, each sure of being the grown-up in the room. They are very funny and they know just where to ' +
      'hurt one another, and the camera keeps lurching in to catch them at it.',
    releaseDate: '2018-06-03',
    genres: ['Drama', 'Comedy'],
    creators: ['Jesse Armstrong'],
    runtime: 60,
    tmdbId: 76331,
    fame: 76,
    acclaim: 4.4,
    art: { motif: 'key', palette: ['#1c2230', '#6d7889', '#d9c7a0'] },
  },
  {
    slug: 'fleabag',
    name: 'Fleabag',
    tagline: 'Excuse her, she has to tell you something.',
    overview:
      'Talking to the camera is how the woman known only as Fleabag gets through dinner with her sister, who is brittle, and her ' +
      'godmother, who is far worse. She runs a guinea-pig café with hardly any customers, and misses a friend very much. There are ' +
      'twelve episodes in all. In the later ones there is a priest, and he notices things.',
    releaseDate: '2016-07-21',
    genres: ['Comedy', 'Drama'],
    creators: ['Phoebe Waller-Bridge'],
    runtime: 27,
    tmdbId: 67070,
    fame: 64,
    acclaim: 4.5,
    art: { motif: 'heart', palette: ['#2b1b2f', '#c2355b', '#f3d3c1'] },
  },
  {
    slug: 'avatar-the-last-airbender',
    name: 'Avatar: The Last Airbender',
    tagline: 'A hundred years late for work.',
    overview:
      'Katara and her brother Sokka crack open an iceberg, and out comes a cheerful bald boy with a flying bison. Aang has slept for a ' +
      'century, during which one nation made war on all the rest, precisely when he was supposed to be keeping the peace. The three ' +
      'fly off to find him teachers, with an angry banished prince close behind.',
    releaseDate: '2005-02-21',
    genres: ['Animation', 'Action & Adventure', 'Sci-Fi & Fantasy'],
    creators: ['Michael Dante DiMartino', 'Bryan Konietzko'],
    runtime: 23,
    tmdbId: 246,
    fame: 77,
    acclaim: 4.6,
    art: { motif: 'mountain', palette: ['#1d4e6b', '#e9792b', '#f5e3b5'] },
  },
  {
    slug: 'cowboy-bebop',
    name: 'Cowboy Bebop',
    tagline: 'No beef in the beef again.',
    overview:
      'Bounty hunting in 2071 pays badly, to judge by what is in the fridge. Spike and Jet fly the Bebop from moon to moon after ' +
      "criminals, and pick up a con woman, a hacker child and one very clever corgi. Yoko Kanno's band swings along behind them. Each " +
      'has left something in the past, and under the jokes it keeps getting in touch.',
    releaseDate: '1998-04-03',
    genres: ['Animation', 'Action & Adventure', 'Sci-Fi & Fantasy'],
    creators: ['Hajime Yatate', 'Shinichirō Watanabe'],
    runtime: 24,
    tmdbId: 30991,
    fame: 46,
    acclaim: 4.4,
    art: { motif: 'rocket', palette: ['#14213d', '#b8442c', '#f2c14e'] },
  },
  {
    slug: 'neon-genesis-evangelion',
    name: 'Neon Genesis Evangelion',
    tagline: null,
    overview:
      'Shinji, fourteen, is summoned by the father who has ignored him for years, and within the hour is asked to climb inside a giant ' +
      'and fight something called an Angel. He would rather not. The robots are the bait here. What the series keeps looking at is ' +
      'lonely people, and the further it goes the closer it looks.',
    releaseDate: '1995-10-04',
    genres: ['Animation', 'Sci-Fi & Fantasy', 'Drama', 'Action & Adventure'],
    creators: ['Hideaki Anno'],
    runtime: 24,
    tmdbId: 890,
    fame: 44,
    acclaim: 4.1,
    art: { motif: 'mask', palette: ['#2a1248', '#6b2fa0', '#7ee03a'] },
  },
  {
    slug: 'squid-game',
    name: 'Squid Game',
    tagline: 'Losers leave early.',
    overview:
      'Gi-hun owes money to frightening people, and a man on a station platform offers him cash for a playground game. He wakes in a ' +
      'dormitory with 455 others, all of them numbered and broke. The contests are ones they knew at school. Guards in pink watch from ' +
      'the walls, and in the first field a giant doll turns her head.',
    releaseDate: '2021-09-17',
    genres: ['Action & Adventure', 'Mystery', 'Drama'],
    creators: ['Hwang Dong-hyuk'],
    runtime: 55,
    tmdbId: 93405,
    fame: 88,
    acclaim: 3.7,
    art: { motif: 'circles', palette: ['#0f5a52', '#e8447a', '#f6efe6'] },
  },
  {
    slug: 'money-heist',
    name: 'Money Heist',
    tagline: 'House rules: no real names, no romance.',
    overview:
      'Eight thieves named after cities take over the Royal Mint of Spain in red overalls and Dalí masks. They have no intention of ' +
      'running out with bags; they mean to stay and print. Outside, a shy man called the Professor plays chess with the police down a ' +
      'telephone line, and everything hangs on nobody falling in love.',
    releaseDate: '2017-05-02',
    genres: ['Crime', 'Drama'],
    creators: ['Álex Pina'],
    runtime: 50,
    tmdbId: 71446,
    fame: 80,
    acclaim: 3.6,
    art: { motif: 'mask', palette: ['#3a0a0d', '#c4161c', '#e8e2d8'] },
  },
  {
    slug: 'dark',
    name: 'Dark',
    tagline: 'Draw the family tree in pencil.',
    overview:
      'Winden has a nuclear plant, four tangled families and a cave in the forest. A boy goes missing there in 2019, just as one did ' +
      'in 1986. People ask where he has gone and who took him, and a hooded stranger at the hotel, with clippings all over his wall, ' +
      'seems to think they are asking the wrong thing altogether.',
    releaseDate: '2017-12-01',
    genres: ['Crime', 'Drama', 'Mystery', 'Sci-Fi & Fantasy'],
    creators: ['Baran bo Odar', 'Jantje Friese'],
    runtime: 53,
    tmdbId: 70523,
    fame: 66,
    acclaim: 4.3,
    art: { motif: 'spiral', palette: ['#0d1210', '#3b4a42', '#e0b92f'] },
  },
  {
    slug: 'the-crown',
    name: 'The Crown',
    tagline: null,
    overview:
      'Elizabeth is up a tree in Kenya, more or less, when she becomes Queen at twenty-five. Soon Churchill is explaining to her how ' +
      'these audiences work. Every two seasons the cast is exchanged for an older one, while prime ministers come and go and a family ' +
      'learns how little it may ever say aloud. The carpets alone must have cost a fortune.',
    releaseDate: '2016-11-04',
    genres: ['Drama'],
    creators: ['Peter Morgan'],
    runtime: 56,
    tmdbId: 65494,
    fame: 72,
    acclaim: 3.9,
    art: { motif: 'crown', palette: ['#1b2347', '#6a4c93', '#d9b44a'] },
  },
  {
    slug: 'doctor-who',
    name: 'Doctor Who',
    tagline: 'Roomier than it looks.',
    overview:
      'Inside a police box in a London junkyard there is far too much room, as two schoolteachers find when they follow an odd pupil ' +
      'home. Her grandfather, a cross old man called the Doctor, takes off with them aboard. The original run went from cavemen to ' +
      'Daleks and got through seven leading men, on budgets that would hardly buy sandwiches now.',
    releaseDate: '1963-11-23',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Action & Adventure'],
    creators: ['Sydney Newman', 'C. E. Webber', 'Donald Wilson'],
    runtime: 25,
    tmdbId: 121,
    fame: 74,
    acclaim: 4.1,
    art: { motif: 'door', palette: ['#0b2a5b', '#2f6fb5', '#e9eef5'] },
  },
  {
    slug: 'sherlock',
    name: 'Sherlock',
    tagline: 'He knows what you had for lunch.',
    overview:
      'John Watson is home from Afghanistan with a limp and nobody to share the rent, until a friend introduces a man who reads his ' +
      'whole history off his phone and his tan. This Holmes has nicotine patches, a website, and thoughts that float across the ' +
      'screen. Each film-length case takes Conan Doyle apart and puts him together on modern pavements.',
    releaseDate: '2010-07-25',
    genres: ['Crime', 'Drama', 'Mystery'],
    creators: ['Mark Gatiss', 'Steven Moffat'],
    runtime: 90,
    tmdbId: 19885,
    fame: 84,
    acclaim: 4.1,
    art: { motif: 'rain', palette: ['#15222e', '#4f6a7c', '#cfd8dc'] },
  },
  {
    slug: 'firefly',
    name: 'Firefly',
    tagline: 'Held together with tape and nerve.',
    overview:
      'Mal Reynolds lost a war, kept the coat, and bought a rattling cargo ship called Serenity. He will carry anything that pays for ' +
      'fuel, cattle included, and this time he has picked up a young doctor with his sister in a box. Fourteen episodes were made and ' +
      'aired in the wrong order, and people have been sore about it ever since.',
    releaseDate: '2002-09-20',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Action & Adventure'],
    creators: ['Joss Whedon'],
    runtime: 44,
    tmdbId: 1437,
    fame: 49,
    acclaim: 4.3,
    art: { motif: 'train', palette: ['#3b2415', '#a8632c', '#f1d08f'] },
  },
  {
    slug: 'severance',
    name: 'Severance',
    tagline: 'Leave yourself at the door.',
    overview:
      "Mark's job at Lumon is so secret that he does not know it either: a chip parts his office self from his home self in the lift. " +
      'The man downstairs has never seen the sky. He sorts frightening numbers at a desk on green carpet, with three colleagues and ' +
      'the hope of a waffle party. Then a new hire wakes up on the table and asks who she is.',
    releaseDate: '2022-02-18',
    genres: ['Drama', 'Mystery', 'Sci-Fi & Fantasy'],
    creators: ['Dan Erickson'],
    runtime: 50,
    tmdbId: 95396,
    fame: 78,
    acclaim: 4.5,
    art: { motif: 'maze', palette: ['#e6efe9', '#2f7d62', '#14324a'] },
  },
  {
    slug: 'the-bear',
    name: 'The Bear',
    tagline: 'Mind the knife behind you.',
    overview:
      "Carmy Berzatto has cooked in some of the best restaurants anywhere, and comes home to Chicago to run his late brother's " +
      'sandwich shop. It has debts and a staff who want none of his French manners. Everyone shouts and the ticket machine never ' +
      'stops. Once in a while somebody makes a perfect thing, and the noise drops away.',
    releaseDate: '2022-06-23',
    genres: ['Comedy', 'Drama'],
    creators: ['Christopher Storer'],
    runtime: 32,
    tmdbId: 136315,
    fame: 75,
    acclaim: 4.2,
    art: { motif: 'blade', palette: ['#f1f1ec', '#2a4d8f', '#d9542b'] },
  },
  {
    slug: 'the-last-of-us',
    name: 'The Last of Us',
    tagline: null,
    overview:
      'Twenty years after a fungus learned to live in people, what is left of Boston sits behind walls. Joel, a smuggler who has shut ' +
      'down every feeling he can, is hired to deliver a girl called Ellie. She has a foul mouth, a bite that healed, and later a book ' +
      'of dreadful puns. It is a long walk west, and it is mostly the living you have to watch.',
    releaseDate: '2023-01-15',
    genres: ['Drama', 'Sci-Fi & Fantasy'],
    creators: ['Craig Mazin', 'Neil Druckmann'],
    runtime: 55,
    tmdbId: 100088,
    fame: 81,
    acclaim: 4.2,
    art: { motif: 'leaf', palette: ['#1f2a1c', '#5c7a3d', '#c9b27a'] },
  },
  {
    slug: 'ted-lasso',
    name: 'Ted Lasso',
    tagline: 'Biscuits with the boss, every morning.',
    overview:
      'Richmond, a football club sliding down the table, has hired a coach from Kansas who barely knows the rules. The owner is ' +
      'counting on it, because she means to sink the club her ex-husband loved. She has not reckoned with the biscuits, or with a man ' +
      'so unable to be rude that the whole dressing room begins to catch it.',
    releaseDate: '2020-08-14',
    genres: ['Comedy', 'Drama'],
    creators: ['Brendan Hunt', 'Joe Kelly', 'Bill Lawrence', 'Jason Sudeikis'],
    runtime: 35,
    tmdbId: 97546,
    fame: 73,
    acclaim: 4,
    art: { motif: 'sun', palette: ['#1f4e9e', '#d62839', '#ffd166'] },
  },
  {
    slug: 'arcane',
    name: 'Arcane',
    tagline: 'Two sisters, one bridge.',
    overview:
      'Vi and Powder grow up in the fumes beneath Piltover, a city of brass and scholarship that would rather not look down. A ' +
      'burglary goes wrong, and so does everything after it. The story comes out of League of Legends, which you need not have played, ' +
      'and every frame looks as if somebody had gone over it with a wet brush.',
    releaseDate: '2021-11-06',
    genres: ['Animation', 'Sci-Fi & Fantasy', 'Action & Adventure', 'Drama'],
    creators: ['Christian Linke', 'Alex Yee'],
    runtime: 41,
    tmdbId: 94605,
    fame: 71,
    acclaim: 4.5,
    art: { motif: 'city', palette: ['#1a1433', '#3a7ca5', '#f24ea1'] },
  },
  {
    slug: 'andor',
    name: 'Andor',
    tagline: 'Somebody has to buy the spare parts.',
    overview:
      'Cassian Andor is a thief on a scrapyard planet, and a run-in with two company guards puts him in the path of people planning ' +
      'something larger. Hardly anybody here has a special power. Tony Gilroy shows the Empire as meetings and middle managers, and a ' +
      'rebellion as what it takes out of those who start one before they know whether it will work.',
    releaseDate: '2022-09-21',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Action & Adventure'],
    creators: ['Tony Gilroy'],
    runtime: 45,
    tmdbId: 83867,
    fame: 65,
    acclaim: 4.5,
    art: { motif: 'stars', palette: ['#20242b', '#7a5a44', '#e07a3f'] },
  },
  {
    slug: 'shogun',
    name: 'Shōgun',
    tagline: 'Every sentence crosses the room twice.',
    overview:
      "Osaka, 1600. The old ruler's heir is a child, five regents watch one another, and an English pilot drifts ashore with cannon in " +
      'his hold. Lord Toranaga, who is outnumbered, thinks he may be of use. Between the two stands Lady Mariko, who translates, and ' +
      'who chooses with great care what each man gets to hear.',
    releaseDate: '2024-02-27',
    genres: ['Drama', 'War & Politics'],
    creators: ['Rachel Kondo', 'Justin Marks'],
    runtime: 60,
    tmdbId: 126308,
    fame: 67,
    acclaim: 4.5,
    art: { motif: 'ship', palette: ['#1d2a33', '#8f2d24', '#d8c08a'] },
  },
  {
    slug: 'star-trek',
    name: 'Star Trek',
    tagline: 'Plywood planets, large ideas.',
    overview:
      'Captain Kirk of the Enterprise has five years to find out who else is out there, with a logical friend at one shoulder and a ' +
      'cross doctor at the other. The boulders are painted foam, and the gods tend to turn out to be computers. In 1966 the faces on ' +
      'its bridge were already an argument about who the future would include.',
    releaseDate: '1966-09-08',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Action & Adventure'],
    creators: ['Gene Roddenberry'],
    runtime: 50,
    tmdbId: 253,
    fame: 79,
    acclaim: 4.1,
    art: { motif: 'planet', palette: ['#12123a', '#c99a1e', '#3fa0d8'] },
  },
  {
    slug: 'the-twilight-zone',
    name: 'The Twilight Zone',
    tagline: 'Your host is the man in the corner, smoking.',
    overview:
      'Rod Serling steps in at the edge of the picture, tells you whom you are looking at, and goes. Then the ordinary gives way: ' +
      'there is a thing on the wing of the aeroplane, or a department store has a floor it should not have. You get half an hour and ' +
      'new people every week, and some of the sharpest final minutes on television.',
    releaseDate: '1959-10-02',
    genres: ['Sci-Fi & Fantasy', 'Drama', 'Mystery'],
    creators: ['Rod Serling'],
    runtime: 25,
    tmdbId: 6357,
    fame: 51,
    acclaim: 4.4,
    art: { motif: 'spiral', palette: ['#0b0b0f', '#4a4a55', '#f2f2f5'] },
  },
  {
    slug: 'fawlty-towers',
    name: 'Fawlty Towers',
    tagline: 'Breakfast ended ten minutes ago.',
    overview:
      'Basil Fawlty owns a hotel in Torquay and hates having guests in it. His wife Sybil sees everything, and his waiter Manuel ' +
      'understands hardly any of it. One small lie at breakfast, about a bet or a kipper, is enough to have the whole building running ' +
      'by nightfall. There are only twelve episodes, and in one of them he thrashes his own car with a branch.',
    releaseDate: '1975-09-19',
    genres: ['Comedy'],
    creators: ['John Cleese', 'Connie Booth'],
    runtime: 30,
    tmdbId: 2207,
    fame: 42,
    acclaim: 4.5,
    art: { motif: 'house', palette: ['#f0e6c8', '#7a8f4a', '#8c2f39'] },
  },
  {
    slug: 'planet-earth',
    name: 'Planet Earth',
    tagline: null,
    overview:
      'Filmed over several years for the BBC, these eleven programmes go from pole to pole and down into the caves between. A snow ' +
      'leopard hunts along a cliff in Pakistan, where hardly anyone had ever caught one on camera. Birds of paradise sweep their dance ' +
      'floors. David Attenborough lowers his voice, and you find you have stopped folding the laundry.',
    releaseDate: '2006-03-05',
    genres: ['Documentary'],
    creators: ['Alastair Fothergill'],
    runtime: 50,
    tmdbId: 1044,
    fame: 53,
    acclaim: 4.6,
    art: { motif: 'planet', palette: ['#06304f', '#2f8f6b', '#bfe3f0'] },
  },
  {
    slug: 'borgen',
    name: 'Borgen',
    tagline: 'Count to ninety.',
    overview:
      'Birgitte Nyborg leads a small party in Copenhagen, and one unscripted speech makes her prime minister, to general surprise. Now ' +
      'every vote has to be bought with something. The rota she keeps with her husband is fraying at home, and over on the evening ' +
      'news Katrine Fønsmark knows more than she ought. Never was coalition arithmetic so gripping.',
    releaseDate: '2010-09-26',
    genres: ['Drama', 'War & Politics'],
    creators: ['Adam Price'],
    runtime: 58,
    fame: 26,
    acclaim: 4.2,
    art: { motif: 'cards', palette: ['#2b2f36', '#a3303a', '#e9e5dc'] },
  },
  {
    slug: 'emily-in-paris',
    name: 'Emily in Paris',
    tagline: null,
    overview:
      'Emily arrives from Chicago with a job in luxury marketing, a great many hats and no French. Her new colleagues smoke and sigh. ' +
      'The chef downstairs is handsome and spoken for. She posts a picture, it goes round the world, and by the next morning she has ' +
      'solved another crisis in a coat nobody would wear on the Métro.',
    releaseDate: '2020-10-02',
    genres: ['Drama', 'Comedy'],
    creators: ['Darren Star'],
    runtime: 30,
    tmdbId: 82596,
    fame: 69,
    acclaim: 2.9,
    art: { motif: 'tower', palette: ['#f7c6d9', '#e23d6d', '#5b7db1'] },
  },
  {
    slug: 'riverdale',
    name: 'Riverdale',
    tagline: 'Only the milkshakes are safe.',
    overview:
      "Archie Andrews comes back from a summer on building sites with new shoulders and a wish to write songs. Then a classmate's body " +
      'turns up in Sweetwater River. Out of the old comics grows a neon-lit teen murder mystery which goes on, over seven seasons, to ' +
      'try cults and serial killers and superpowers, and flatly refuses to be embarrassed.',
    releaseDate: '2017-01-26',
    genres: ['Mystery', 'Drama', 'Crime'],
    creators: ['Roberto Aguirre-Sacasa'],
    runtime: 44,
    tmdbId: 69050,
    fame: 59,
    acclaim: 2.7,
    art: { motif: 'moon', palette: ['#140f2d', '#8e1f63', '#27c4c9'] },
  },
  {
    slug: 'derry-girls',
    name: 'Derry Girls',
    tagline: null,
    overview:
      'Checkpoints and bomb scares are a nuisance in nineties Derry chiefly because they make you late. Erin has poems to write, ' +
      "Michelle has bad ideas, and James, the wee English fella, has been enrolled in a girls' convent school for his own safety. " +
      'Sister Michael rolls her eyes at the lot of them, and wishes she were watching her programmes.',
    releaseDate: '2018-01-04',
    genres: ['Comedy'],
    creators: ['Lisa McGee'],
    runtime: 24,
    fame: 38,
    acclaim: 4.4,
    art: { motif: 'road', palette: ['#2f5d46', '#8fbf9f', '#e9b44c'] },
  },
  {
    slug: 'bojack-horseman',
    name: 'BoJack Horseman',
    tagline: 'Washed up, poolside.',
    overview:
      "Hollywood's sourest horse was the star of a family sitcom in the nineties, and has been drinking beside his pool since. A " +
      'ghostwriter called Diane comes to help with the memoirs and asks what he pays other people not to. Behind an animal pun on ' +
      'every shop sign sits one of the more honest portraits of depression on television.',
    releaseDate: '2014-08-22',
    genres: ['Animation', 'Comedy', 'Drama'],
    creators: ['Raphael Bob-Waksberg'],
    runtime: 25,
    tmdbId: 61222,
    fame: 70,
    acclaim: 4.5,
    art: { motif: 'stars', palette: ['#1c3f6e', '#f08a5d', '#f6d186'] },
  },
]
