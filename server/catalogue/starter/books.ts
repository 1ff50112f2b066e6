import type { StarterTitle } from './title.ts'

export const books: StarterTitle[] = [
  {
    slug: 'the-lord-of-the-rings',
    name: 'The Lord of the Rings',
    tagline: 'Walk softly, eat when you can, keep it hidden.',
    overview:
      'Frodo Baggins inherits a ring from his uncle and learns, in a worrying talk beside the fire, that it must not stay in the ' +
      'Shire. What follows is a walk across a whole invented continent, among songs and languages far older than the walkers, while ' +
      'armies gather around the one small errand that matters.',
    releaseDate: '1954-07-29',
    genres: ['Fantasy', 'Adventure', 'Classics'],
    creators: ['J.R.R. Tolkien'],
    pageCount: 1216,
    isbn13: '9780618640157',
    olid: 'OL27448W',
    fame: 100,
    acclaim: 4.6,
    art: { motif: 'mountain', palette: ['#23301f', '#7d8a4e', '#e0b44c'] },
  },
  {
    slug: 'the-hobbit',
    name: 'The Hobbit',
    tagline: 'The worst tea party guest list in the Shire.',
    overview:
      'Bilbo likes regular meals and no surprises. Then a wizard scratches a mark on his door, thirteen dwarves come to tea, and he ' +
      'finds himself hired as a burglar for a job that involves a mountain, a great heap of gold and the dragon asleep on it. ' +
      'Written for children, and told like someone reading aloud beside you.',
    releaseDate: '1937-09-21',
    genres: ['Fantasy', 'Adventure', "Children's Fiction"],
    creators: ['J.R.R. Tolkien'],
    pageCount: 300,
    isbn13: '9780547928227',
    olid: 'OL27482W',
    fame: 97,
    acclaim: 4.4,
    art: { motif: 'door', palette: ['#2f5a36', '#8fb35a', '#f0d27a'] },
  },
  {
    slug: 'nineteen-eighty-four',
    name: 'Nineteen Eighty-Four',
    tagline: 'Mind what you write down.',
    overview:
      'Winston Smith corrects old newspapers for a living, so that yesterday always agrees with today. Buying a blank diary is his ' +
      "first crime. Orwell's London smells of boiled cabbage and cheap gin, its screens watch back, and its rulers have understood " +
      'that whoever owns the words owns what can be thought in them.',
    releaseDate: '1949-06-08',
    genres: ['Science Fiction', 'Dystopia', 'Classics'],
    creators: ['George Orwell'],
    pageCount: 328,
    isbn13: '9780451524935',
    olid: 'OL1168083W',
    fame: 99,
    acclaim: 4.4,
    art: { motif: 'eye', palette: ['#1d1d1f', '#8c8a84', '#c8281e'] },
  },
  {
    slug: 'pride-and-prejudice',
    name: 'Pride and Prejudice',
    tagline: 'Never snub a woman who can tell the story well.',
    overview:
      'Five sisters, no brother, and an estate that will pass to a cousin: Mrs Bennet has her reasons for all that matchmaking. ' +
      'Elizabeth, the second daughter, decides at a ball that Mr Darcy is insufferable, and he gives her every help. A comedy about ' +
      'money, and about how badly clever people can misjudge one another.',
    releaseDate: '1813-01-28',
    genres: ['Romance', 'Classics', 'Fiction'],
    creators: ['Jane Austen'],
    pageCount: 480,
    isbn13: '9780141439518',
    olid: 'OL66554W',
    fame: 98,
    acclaim: 4.4,
    art: { motif: 'house', palette: ['#f3e6d8', '#c98f8a', '#4a6b5d'] },
  },
  {
    slug: 'to-kill-a-mockingbird',
    name: 'To Kill a Mockingbird',
    tagline: null,
    overview:
      'Scout Finch is six, fights in the schoolyard and believes that a monster lives three doors down. Her father, a lawyer in ' +
      "small-town Alabama in the 1930s, agrees to defend a Black man accused of raping a white woman. The child's eye keeps the book " +
      'funny and fierce while the town around her shows what it is.',
    releaseDate: '1960-07-11',
    genres: ['Fiction', 'Classics', 'Historical Fiction'],
    creators: ['Harper Lee'],
    pageCount: 324,
    isbn13: '9780061120084',
    olid: 'OL3140822W',
    fame: 95,
    acclaim: 4.3,
    art: { motif: 'bird', palette: ['#5b3a24', '#c4874b', '#e9dcc0'] },
  },
  {
    slug: 'the-great-gatsby',
    name: 'The Great Gatsby',
    tagline: 'Come for the party. The host is looking past you.',
    overview:
      "Every other weekend strangers drive out to a mansion on Long Island, drink their host's champagne and make up stories about " +
      'him. His neighbour Nick, who sells bonds, slowly learns whom the parties are meant to attract. The summer is 1922, the prose ' +
      'glitters, and something under the lawn has gone rotten.',
    releaseDate: '1925-04-10',
    genres: ['Fiction', 'Classics'],
    creators: ['F. Scott Fitzgerald'],
    pageCount: 180,
    isbn13: '9780743273565',
    olid: 'OL468431W',
    fame: 96,
    acclaim: 3.7,
    art: { motif: 'sea', palette: ['#0d2440', '#2f6f7e', '#7fd68a'] },
  },
  {
    slug: 'dune',
    name: 'Dune',
    tagline: 'When an emperor gives you a planet, count the knives.',
    overview:
      'Water is counted in drops on Arrakis, and the sand hides worms the size of towers. Young Paul Atreides arrives when his ' +
      'family is granted the one planet that yields spice, a present meant to kill them. Herbert is as interested in ecology as in ' +
      'emperors, and deeply suspicious of anyone hailed as a saviour.',
    releaseDate: '1965',
    genres: ['Science Fiction', 'Adventure', 'Classics'],
    creators: ['Frank Herbert'],
    pageCount: 604,
    isbn13: '9780441013593',
    olid: 'OL893415W',
    fame: 97,
    acclaim: 4.3,
    art: { motif: 'desert', palette: ['#c8742c', '#e6b26a', '#2b4f8c'] },
  },
  {
    slug: 'frankenstein',
    name: 'Frankenstein',
    tagline: 'Somebody should have stayed in the room.',
    overview:
      'Victor Frankenstein, a gifted student far from home, builds a living man and runs from him in horror the same night. The ' +
      'being he abandons learns to speak by listening at a cottage wall, and wants an answer. Mary Shelley began the book at ' +
      'eighteen, during a rainy summer by Lake Geneva.',
    releaseDate: '1818-01-01',
    genres: ['Horror', 'Science Fiction', 'Classics'],
    creators: ['Mary Shelley'],
    pageCount: 273,
    isbn13: '9780141439471',
    olid: 'OL450063W',
    fame: 92,
    acclaim: 4.0,
    art: { motif: 'flame', palette: ['#10171c', '#4f6d73', '#d9f26b'] },
  },
  {
    slug: 'moby-dick',
    name: 'Moby-Dick',
    tagline: 'One whale, one grudge, many digressions.',
    overview:
      'Ishmael, low in spirits, signs on to a Nantucket whaler whose captain has no interest in oil. Ahab lost a leg to a white ' +
      'whale and means to collect. Between the lowerings come chapters on rope, on chowder, on the colour white, until the ship ' +
      'seems to be carrying everything its author ever wondered about.',
    releaseDate: '1851-10-18',
    genres: ['Adventure', 'Classics', 'Fiction'],
    creators: ['Herman Melville'],
    pageCount: 720,
    isbn13: '9780142437247',
    olid: 'OL102749W',
    fame: 88,
    acclaim: 3.5,
    art: { motif: 'ship', palette: ['#1b3a4b', '#5f8a8b', '#f4f1e6'] },
  },
  {
    slug: 'crime-and-punishment',
    name: 'Crime and Punishment',
    tagline: null,
    overview:
      'Hungry and behind with the rent, a student in a stifling Petersburg July works out a theory that would permit him to kill. ' +
      "Carrying it out takes an afternoon; living beside it takes the rest of the book. Dostoevsky stays so close to Raskolnikov's " +
      'fever that you catch it, while a chatty investigator waits for him to talk.',
    releaseDate: '1866',
    genres: ['Fiction', 'Classics', 'Crime'],
    creators: ['Fyodor Dostoevsky'],
    pageCount: 565,
    isbn13: '9780679734505',
    olid: 'OL166894W',
    fame: 90,
    acclaim: 4.4,
    art: { motif: 'blade', palette: ['#d9c24a', '#7a5a1e', '#8a1c1c'] },
  },
  {
    slug: 'don-quixote',
    name: 'Don Quixote',
    tagline: 'He read too much. You have been warned.',
    overview:
      "Too many romances of chivalry have dried up a country gentleman's brain, so he scours his great-grandfather's armour, renames " +
      'his bony horse and rides out to right wrongs. Sancho Panza, who has been promised an island, trots behind on a donkey. The ' +
      'windmills come early; the friendship is the long road after them.',
    releaseDate: '1605',
    genres: ['Classics', 'Humor', 'Adventure'],
    creators: ['Miguel de Cervantes'],
    pageCount: 940,
    isbn13: '9780060934347',
    fame: 71,
    acclaim: 3.9,
    art: { motif: 'wheel', palette: ['#e8c98f', '#b5622f', '#3b3f6b'] },
  },
  {
    slug: 'dracula',
    name: 'Dracula',
    tagline: 'The client is keen to see London.',
    overview:
      'Jonathan Harker travels to the Carpathians to settle a property sale and makes a note in his diary to get the recipe for the ' +
      'chicken. Within days he has darker things to record. Pieced together from journals, telegrams and phonograph cylinders, the ' +
      'story follows its Count to Whitby and London, where modern science has some old superstitions to learn.',
    releaseDate: '1897-05-26',
    genres: ['Horror', 'Classics', 'Gothic'],
    creators: ['Bram Stoker'],
    pageCount: 454,
    isbn13: '9780141439846',
    fame: 89,
    acclaim: 3.9,
    art: { motif: 'moon', palette: ['#17090d', '#5c1220', '#e6ded0'] },
  },
  {
    slug: 'the-trial',
    name: 'The Trial',
    tagline: 'Your case is proceeding.',
    overview:
      "One morning two men eat Josef K.'s breakfast and tell him that he is under arrest. Nobody can say for what. He may go on " +
      'working at the bank, and the court, when he finds it, sits in attics among drying laundry. Kafka left the novel unfinished, ' +
      'and offices everywhere have been adding to it since.',
    releaseDate: '1925-04-26',
    genres: ['Fiction', 'Classics', 'Philosophy'],
    creators: ['Franz Kafka'],
    pageCount: 276,
    isbn13: '9780805209990',
    fame: 64,
    acclaim: 3.8,
    art: { motif: 'door', palette: ['#cfcabb', '#6f6a5e', '#1a1a1a'] },
  },
  {
    slug: 'the-stranger',
    name: 'The Stranger',
    tagline: null,
    overview:
      "Meursault does not weep at his mother's funeral. The next day he goes swimming and sees a comic film with a girl. Weeks " +
      'later, on a beach near Algiers in blinding heat, he fires a gun. The short, flat sentences never plead for him, and the court ' +
      'turns out to care most about the dry eyes.',
    releaseDate: '1942',
    genres: ['Fiction', 'Classics', 'Philosophy'],
    creators: ['Albert Camus'],
    pageCount: 123,
    isbn13: '9780679720201',
    fame: 82,
    acclaim: 3.8,
    art: { motif: 'sun', palette: ['#fbe9a7', '#f2a93b', '#1f6fa8'] },
  },
  {
    slug: 'the-master-and-margarita',
    name: 'The Master and Margarita',
    tagline: 'The cat insists on paying his fare.',
    overview:
      "Patriarch's Ponds, Moscow, a hot spring evening: the devil takes a seat on a bench. With him come a lanky choirmaster, an " +
      "assassin and a very large cat, and the writers' union will not be the same. Interleaved is another story, of a Roman " +
      'procurator with a headache, and of a woman who would do anything for a burned manuscript.',
    releaseDate: '1966',
    genres: ['Fantasy', 'Classics', 'Satire'],
    creators: ['Mikhail Bulgakov'],
    pageCount: 372,
    isbn13: '9780679760801',
    fame: 61,
    acclaim: 4.5,
    art: { motif: 'cards', palette: ['#12100e', '#7b1e3a', '#f0c419'] },
  },
  {
    slug: 'one-hundred-years-of-solitude',
    name: 'One Hundred Years of Solitude',
    tagline: 'Keep the family tree to hand.',
    overview:
      'Seven generations of Buendías live in Macondo, a village founded in a swamp at the edge of the known world, and their names ' +
      'repeat until even the family loses count. It rains for years, the dead drop in for company, and everything marvellous is told ' +
      'in the level voice of a grandmother passing on gossip.',
    releaseDate: '1967',
    genres: ['Fiction', 'Classics', 'Magical Realism'],
    creators: ['Gabriel García Márquez'],
    pageCount: 417,
    isbn13: '9780060883287',
    fame: 90,
    acclaim: 4.2,
    art: { motif: 'rain', palette: ['#1f5c4a', '#f2c230', '#e4572e'] },
  },
  {
    slug: 'ficciones',
    name: 'Ficciones',
    tagline: null,
    overview:
      'Imagine a library that holds every possible book, a man who can forget nothing, a writer who sets out to compose Don Quixote ' +
      'word for word without copying it. Borges packs whole novels into ten pages by pretending that they already exist and ' +
      'reviewing them, and leaves you a little suspicious of your own bookshelf.',
    releaseDate: '1944',
    genres: ['Short Stories', 'Classics', 'Fantasy'],
    creators: ['Jorge Luis Borges'],
    pageCount: 174,
    isbn13: '9780802130303',
    fame: 39,
    acclaim: 4.5,
    art: { motif: 'maze', palette: ['#f0ead6', '#a68a5b', '#24345c'] },
  },
  {
    slug: 'invisible-cities',
    name: 'Invisible Cities',
    tagline: 'An empire told in postcards.',
    overview:
      "Marco Polo sits in Kublai Khan's garden and describes cities: one slung over an abyss on nets, one that is nothing but pipes " +
      'and taps, one that throws itself away every morning. The emperor begins to suspect that they are all the same place. ' +
      "Fifty-five short visits, arranged with a mathematician's care.",
    releaseDate: '1972',
    genres: ['Fiction', 'Fantasy', 'Short Stories'],
    creators: ['Italo Calvino'],
    pageCount: 165,
    isbn13: '9780156453806',
    fame: 38,
    acclaim: 4.1,
    art: { motif: 'city', palette: ['#e9d8f0', '#8d6bb0', '#f28f6b'] },
  },
  {
    slug: 'things-fall-apart',
    name: 'Things Fall Apart',
    tagline: null,
    overview:
      'Okonkwo has made himself out of nothing, a wrestler and a farmer of big yams who fears above all to resemble his idle father. ' +
      'Achebe gives an Igbo village its proverbs, its courts and its hard laws in full before the first missionary is ever seen. By ' +
      'then we know exactly what there is to break.',
    releaseDate: '1958-06-17',
    genres: ['Fiction', 'Classics', 'Historical Fiction'],
    creators: ['Chinua Achebe'],
    pageCount: 209,
    isbn13: '9780385474542',
    fame: 67,
    acclaim: 4.1,
    art: { motif: 'mask', palette: ['#a63d1e', '#e39b3c', '#20150f'] },
  },
  {
    slug: 'beloved',
    name: 'Beloved',
    tagline: null,
    overview:
      "At 124 Bluestone Road the baby's ghost breaks mirrors and puts small handprints in the cake. Sethe escaped from slavery " +
      'eighteen years ago; her sons have run off and her daughter has no friends. When a man from the old farm turns up, and after ' +
      'him a young woman who seems to come from nowhere, the past pulls out a chair and sits down.',
    releaseDate: '1987',
    genres: ['Fiction', 'Historical Fiction', 'Classics'],
    creators: ['Toni Morrison'],
    pageCount: 324,
    isbn13: '9781400033416',
    fame: 69,
    acclaim: 4.2,
    art: { motif: 'house', palette: ['#3a1f2b', '#a8546a', '#f2d9c9'] },
  },
  {
    slug: 'the-catcher-in-the-rye',
    name: 'The Catcher in the Rye',
    tagline: null,
    overview:
      'Holden Caulfield has been thrown out of another school and has three days to lose in New York before his parents find out. He ' +
      'spends them in bars and cabs, calling people phony and ringing up girls he ought to leave alone. Underneath the sarcasm a ' +
      'sixteen-year-old is trying hard not to go to pieces.',
    releaseDate: '1951-07-16',
    genres: ['Fiction', 'Classics', 'Coming of Age'],
    creators: ['J.D. Salinger'],
    pageCount: 277,
    isbn13: '9780316769174',
    fame: 93,
    acclaim: 3.4,
    art: { motif: 'wheel', palette: ['#c8321f', '#f0b429', '#f7f0e0'] },
  },
  {
    slug: 'slaughterhouse-five',
    name: 'Slaughterhouse-Five',
    tagline: 'Now, then, and also next week.',
    overview:
      'Billy Pilgrim has come loose in time. He is an optometrist in Ilium, New York, a prisoner of war in Dresden when the bombers ' +
      'come, and an exhibit in an alien zoo, in no order he can choose. Vonnegut sat out that raid in a meat locker, and needed more ' +
      'than twenty years and a good many jokes to write it down.',
    releaseDate: '1969-03-31',
    genres: ['Fiction', 'Science Fiction', 'War', 'Classics'],
    creators: ['Kurt Vonnegut'],
    pageCount: 275,
    isbn13: '9780385333849',
    fame: 85,
    acclaim: 4.2,
    art: { motif: 'clock', palette: ['#f2f0e4', '#d94f30', '#2c2c54'] },
  },
  {
    slug: 'the-handmaids-tale',
    name: "The Handmaid's Tale",
    tagline: 'Her name is not her name.',
    overview:
      'Offred may walk to the shops and back, in a red dress and white wings, in a country that used to include Massachusetts. She ' +
      'remembers a job and a bank card and a daughter. Atwood set herself the rule of using nothing that people had not already done ' +
      'somewhere, and that is the part which stays with you.',
    releaseDate: '1985',
    genres: ['Dystopia', 'Fiction', 'Science Fiction'],
    creators: ['Margaret Atwood'],
    pageCount: 311,
    isbn13: '9780385490818',
    fame: 90,
    acclaim: 4.2,
    art: { motif: 'stripes', palette: ['#b3121d', '#f5f3ee', '#2a2a2a'] },
  },
  {
    slug: 'norwegian-wood',
    name: 'Norwegian Wood',
    tagline: null,
    overview:
      'Hearing a Beatles tune as his plane lands, Toru is thrown back to Tokyo in the late sixties, to a dormitory room and two very ' +
      "different girls. Naoko is sliding away from the world; Midori barges in with lunch. Murakami's saddest book and his plainest, " +
      'without a single talking cat.',
    releaseDate: '1987-09-04',
    genres: ['Fiction', 'Romance', 'Coming of Age'],
    creators: ['Haruki Murakami'],
    pageCount: 296,
    isbn13: '9780375704024',
    fame: 65,
    acclaim: 3.6,
    art: { motif: 'forest', palette: ['#1e6b3c', '#8cc084', '#d62839'] },
  },
  {
    slug: 'the-road',
    name: 'The Road',
    tagline: 'South, because it might be warmer.',
    overview:
      'Through ash, under a sky that never clears, a man and his boy push a shopping trolley towards the coast. They have two rounds ' +
      'in the pistol, tins if they are lucky, and other people to hide from. McCarthy takes away nearly everything, quotation marks ' +
      'included, and leaves two voices checking that the other is all right.',
    releaseDate: '2006-09-26',
    genres: ['Fiction', 'Science Fiction', 'Dystopia'],
    creators: ['Cormac McCarthy'],
    pageCount: 287,
    isbn13: '9780307387899',
    fame: 72,
    acclaim: 3.8,
    art: { motif: 'road', palette: ['#3b3b3b', '#7a7772', '#d9622b'] },
  },
  {
    slug: 'my-brilliant-friend',
    name: 'My Brilliant Friend',
    tagline: 'Every clever girl needs someone to beat.',
    overview:
      'Elena is good at school because Lila is better. They grow up among shoemakers and loan sharks in a poor quarter of Naples in ' +
      'the 1950s, where even the children throw stones in earnest, and each measures herself against the other. The first of four ' +
      'volumes, it takes them from a pair of dolls in a cellar to the edge of adult life.',
    releaseDate: '2011',
    genres: ['Fiction', 'Coming of Age', 'Historical Fiction'],
    creators: ['Elena Ferrante'],
    pageCount: 331,
    isbn13: '9781609450786',
    fame: 50,
    acclaim: 4.2,
    art: { motif: 'circles', palette: ['#6fb1c9', '#f4d6c0', '#c44536'] },
  },
  {
    slug: 'the-secret-history',
    name: 'The Secret History',
    tagline: 'Pass the wine, hide the bedsheets.',
    overview:
      'Bunny is dead and his friends did it: we learn that on page one. Richard, a scholarship student who lies about California, ' +
      'goes back to tell how he talked his way into a tiny Greek class at a Vermont college, and what came of people who had read ' +
      'about losing themselves and wished to try.',
    releaseDate: '1992',
    genres: ['Fiction', 'Mystery', 'Thriller'],
    creators: ['Donna Tartt'],
    pageCount: 559,
    isbn13: '9781400031702',
    fame: 56,
    acclaim: 4.0,
    art: { motif: 'leaf', palette: ['#2a2e22', '#7a3b1d', '#d7c7a0'] },
  },
  {
    slug: 'convenience-store-woman',
    name: 'Convenience Store Woman',
    tagline: 'Welcome in. Please do not ask about marriage.',
    overview:
      'Keiko Furukura, thirty-six, has worked part-time in the same Tokyo shop for half her life. She knows what the weather will do ' +
      "to the sale of rice balls, and copies her colleagues' way of talking so that people stop worrying about her. Then a bitter " +
      'new employee offers her the husband-shaped object that the world keeps asking for.',
    releaseDate: '2016',
    genres: ['Fiction', 'Humor'],
    creators: ['Sayaka Murata'],
    pageCount: 163,
    isbn13: '9780802128256',
    fame: 24,
    acclaim: 3.6,
    art: { motif: 'grid', palette: ['#f9fbff', '#7fd1e8', '#ff6fa3'] },
  },
  {
    slug: 'a-little-life',
    name: 'A Little Life',
    tagline: null,
    overview:
      'Jude, Willem, JB and Malcolm leave college together for cramped New York flats and large ambitions. As the careers arrive the ' +
      'book turns towards Jude, a brilliant lawyer who will not speak of his childhood and hides its scars. More than seven hundred ' +
      'pages of friendship and pain, loved and loathed with equal heat.',
    releaseDate: '2015-03-10',
    genres: ['Fiction', 'Drama'],
    creators: ['Hanya Yanagihara'],
    pageCount: 720,
    isbn13: '9780385539258',
    fame: 58,
    acclaim: 3.2,
    art: { motif: 'heart', palette: ['#20242b', '#6b7280', '#b5485d'] },
  },
  {
    slug: 'the-alchemist',
    name: 'The Alchemist',
    tagline: 'Sell the sheep.',
    overview:
      'Santiago herds sheep in Andalusia and keeps dreaming of treasure near the Pyramids. He sells the flock, crosses to Tangier, ' +
      'is robbed on the first day and starts again behind the counter of a crystal shop. Everyone he meets has advice about omens. A ' +
      'short fable in plain sentences, which has changed some lives and made other readers roll their eyes.',
    releaseDate: '1988',
    genres: ['Fiction', 'Fantasy', 'Philosophy'],
    creators: ['Paulo Coelho'],
    pageCount: 197,
    isbn13: '9780061122415',
    fame: 88,
    acclaim: 2.9,
    art: { motif: 'desert', palette: ['#f4c95d', '#dd7230', '#3d5a80'] },
  },
  {
    slug: 'neuromancer',
    name: 'Neuromancer',
    tagline: "Jack in. Don't look down.",
    overview:
      'Case used to ride the matrix for thieves, until a client he had robbed burned the talent out of his nerves. In Chiba City ' +
      'somebody offers to mend him in exchange for one more run, with a razor-fingered partner and an employer nobody can name. ' +
      'Gibson wrote it on a manual typewriter and half invented the place where we now live.',
    releaseDate: '1984-07-01',
    genres: ['Science Fiction', 'Cyberpunk', 'Thriller'],
    creators: ['William Gibson'],
    pageCount: 271,
    isbn13: '9780441569595',
    fame: 63,
    acclaim: 3.8,
    art: { motif: 'grid', palette: ['#0a0a18', '#18c5c2', '#ff2e88'] },
  },
  {
    slug: 'the-left-hand-of-darkness',
    name: 'The Left Hand of Darkness',
    tagline: 'It is a long way across the ice to another person.',
    overview:
      'Genly Ai comes alone to a planet called Winter to invite it into a league of worlds. Its people have no fixed sex, its two ' +
      'great nations do their politics by courtesy and by file, and he misreads nearly everyone, above all the disgraced minister ' +
      'Estraven. What he learns he learns late, on foot, in a tent.',
    releaseDate: '1969',
    genres: ['Science Fiction', 'Classics'],
    creators: ['Ursula K. Le Guin'],
    pageCount: 304,
    isbn13: '9780441478125',
    fame: 54,
    acclaim: 4.3,
    art: { motif: 'snow', palette: ['#dfeaf2', '#8fb0c9', '#1f3044'] },
  },
  {
    slug: 'the-hitchhikers-guide-to-the-galaxy',
    name: "The Hitchhiker's Guide to the Galaxy",
    tagline: 'A really very bad Thursday.',
    overview:
      "Arthur Dent's house is to be knocked down for a bypass and so, twelve minutes later, is the Earth. Still in his dressing gown " +
      'he is swept off among murderous poets, a depressed robot and a two-headed president on the run. The guidebook of the title ' +
      'has an entry for most of it, and most of the entry is wrong.',
    releaseDate: '1979-10-12',
    genres: ['Science Fiction', 'Humor', 'Adventure'],
    creators: ['Douglas Adams'],
    pageCount: 224,
    isbn13: '9780345391803',
    fame: 92,
    acclaim: 4.4,
    art: { motif: 'stars', palette: ['#0c1445', '#3fa34d', '#f9c80e'] },
  },
  {
    slug: 'the-three-body-problem',
    name: 'The Three-Body Problem',
    tagline: null,
    overview:
      'During the Cultural Revolution a young physicist sees her father beaten to death by a crowd, and is later posted to a secret ' +
      'radio station in the mountains. Forty years on, scientists are taking their own lives and an odd online game offers a world ' +
      'with three suns. Liu builds his puzzle patiently and then turns the sky over.',
    releaseDate: '2008',
    genres: ['Science Fiction', 'Thriller'],
    creators: ['Liu Cixin'],
    pageCount: 400,
    isbn13: '9780765382030',
    fame: 73,
    acclaim: 3.7,
    art: { motif: 'sun', palette: ['#2b0f12', '#c1121f', '#fca311'] },
  },
  {
    slug: 'kindred',
    name: 'Kindred',
    tagline: null,
    overview:
      'Dana is unpacking books in her new house outside Los Angeles in 1976 when the room swims and she is kneeling on a Maryland ' +
      'riverbank, in slavery times, with a drowning white boy to save. Then it happens again. Butler never explains the mechanism; ' +
      'she is busy with what a person will swallow in order to live until evening.',
    releaseDate: '1979',
    genres: ['Science Fiction', 'Historical Fiction', 'Fiction'],
    creators: ['Octavia E. Butler'],
    pageCount: 287,
    isbn13: '9780807083697',
    fame: 45,
    acclaim: 4.4,
    art: { motif: 'key', palette: ['#4b2e1e', '#b08553', '#efe3cc'] },
  },
  {
    slug: 'solaris',
    name: 'Solaris',
    tagline: 'The ocean has been going through your memories.',
    overview:
      'Psychologist Kris Kelvin lands on a station that hovers above a living ocean. One colleague is dead, and the other two will ' +
      'not say who shares their cabins. In the morning he has a visitor too. Lem lines the shelves with a century of theories about ' +
      'the planet, which goes on ignoring every one of them.',
    releaseDate: '1961',
    genres: ['Science Fiction', 'Philosophy', 'Classics'],
    creators: ['Stanisław Lem'],
    pageCount: 204,
    isbn13: '9780156027601',
    fame: 47,
    acclaim: 3.8,
    art: { motif: 'planet', palette: ['#2c1a4d', '#b8336a', '#7fe0d4'] },
  },
  {
    slug: 'project-hail-mary',
    name: 'Project Hail Mary',
    tagline: null,
    overview:
      'Waking in a white room full of tubes, a man finds that he cannot remember his own name. He can, however, work out the local ' +
      'gravity with a stopwatch and a tape measure. As his memory comes back in pieces he learns that the sun is dimming, and how ' +
      'far he is from home. School-lab science and terrible jokes under very high stakes.',
    releaseDate: '2021-05-04',
    genres: ['Science Fiction', 'Adventure'],
    creators: ['Andy Weir'],
    pageCount: 476,
    isbn13: '9780593135204',
    fame: 84,
    acclaim: 4.5,
    art: { motif: 'rocket', palette: ['#0b0f14', '#f2b134', '#e8e8e8'] },
  },
  {
    slug: 'harry-potter-and-the-philosophers-stone',
    name: "Harry Potter and the Philosopher's Stone",
    tagline: 'Mind the gap between nine and ten.',
    overview:
      'Letters keep arriving for the boy in the cupboard under the stairs, first one and then hundreds. On his eleventh birthday ' +
      'Harry learns who has been writing, and how he came by his scar, and is packed off to a castle with moving staircases, where ' +
      'somebody is after a thing hidden on the third floor.',
    releaseDate: '1997-06-26',
    genres: ['Fantasy', "Children's Fiction", 'Adventure'],
    creators: ['J.K. Rowling'],
    pageCount: 223,
    isbn13: '9780747532699',
    olid: 'OL82563W',
    fame: 99,
    acclaim: 4.0,
    art: { motif: 'train', palette: ['#7a1f2b', '#d9a441', '#1b2a49'] },
  },
  {
    slug: 'a-game-of-thrones',
    name: 'A Game of Thrones',
    tagline: 'Bring a warm cloak and no scruples.',
    overview:
      'Winter can last a decade in Westeros, and a long summer is nearly over. Eddard Stark leaves his northern castle to serve an ' +
      'old friend who is now a fat king, and walks into a court where everyone smiles. Each chapter looks out through one pair of ' +
      'eyes, and none of them sees the whole board.',
    releaseDate: '1996',
    genres: ['Fantasy', 'Adventure'],
    creators: ['George R.R. Martin'],
    pageCount: 694,
    isbn13: '9780553103540',
    fame: 94,
    acclaim: 4.3,
    art: { motif: 'crown', palette: ['#2b3036', '#8a98a5', '#c9a227'] },
  },
  {
    slug: 'piranesi',
    name: 'Piranesi',
    tagline: 'Note the tides before you come in.',
    overview:
      'Countless halls, a statue in every niche, tides that climb the staircases: this is the House. Its one contented inhabitant ' +
      'writes it up in his journals, fishes, mends his nets, and twice a week meets the only other living person. By his count there ' +
      'have been fifteen people in the world. Now somebody has left a message in chalk.',
    releaseDate: '2020-09-15',
    genres: ['Fantasy', 'Mystery', 'Fiction'],
    creators: ['Susanna Clarke'],
    pageCount: 272,
    isbn13: '9781635575637',
    fame: 49,
    acclaim: 4.4,
    art: { motif: 'sea', palette: ['#e7ecea', '#7fa7a3', '#a8672f'] },
  },
  {
    slug: 'guards-guards',
    name: 'Guards! Guards!',
    tagline: null,
    overview:
      'Nobody sane joins the Night Watch of Ankh-Morpork, which is down to a drunk captain, a fat sergeant and whatever Nobby Nobbs ' +
      'is. Then a secret brotherhood of the resentful summons a dragon, and a six-foot-six dwarf arrives who has read all the laws. ' +
      'The city watch discovers, with some embarrassment, that it has a job.',
    releaseDate: '1989',
    genres: ['Fantasy', 'Humor', 'Mystery'],
    creators: ['Terry Pratchett'],
    pageCount: 317,
    isbn13: '9780062225757',
    fame: 41,
    acclaim: 4.5,
    art: { motif: 'tower', palette: ['#3c3a64', '#6aa84f', '#f6a01a'] },
  },
  {
    slug: 'the-fifth-season',
    name: 'The Fifth Season',
    tagline: 'The ground is listening.',
    overview:
      'Some people in the Stillness can quiet an earthquake by willing it, and are hated for the gift. The land tears itself open ' +
      'every few centuries, and this time it looks final. Essun comes home to find her small son killed and her daughter gone, and ' +
      'sets out after her on the ash-covered road, while two other stories run beside hers.',
    releaseDate: '2015-08-04',
    genres: ['Fantasy', 'Science Fiction'],
    creators: ['N.K. Jemisin'],
    pageCount: 468,
    isbn13: '9780316229296',
    fame: 46,
    acclaim: 4.2,
    art: { motif: 'mountain', palette: ['#2d2a2e', '#8b5e3c', '#e85d04'] },
  },
  {
    slug: 'twilight',
    name: 'Twilight',
    tagline: 'Sparkles under certain conditions.',
    overview:
      'Bella moves to the rainiest town in Washington State and is seated in biology beside a boy who looks ill at the smell of her. ' +
      'Edward is pale, rude, very fast and a good deal older than his class. First love told at full heat, among dripping trees, by ' +
      'someone who never once considers the sensible thing.',
    releaseDate: '2005-10-05',
    genres: ['Romance', 'Fantasy', 'Young Adult'],
    creators: ['Stephenie Meyer'],
    pageCount: 498,
    isbn13: '9780316015844',
    fame: 91,
    acclaim: 2.6,
    art: { motif: 'heart', palette: ['#0b0b0d', '#c4001a', '#f0ece6'] },
  },
  {
    slug: 'and-then-there-were-none',
    name: 'And Then There Were None',
    tagline: 'Please count the figures before bed.',
    overview:
      'Ten strangers are invited to an island off the coast of Devon by hosts whom none of them has met. On the first evening a ' +
      'gramophone record accuses each of a death that the law could not touch. A rhyme hangs framed in every bedroom, ten china ' +
      'figures stand on the dining table, and the weather is getting worse.',
    releaseDate: '1939-11-06',
    genres: ['Mystery', 'Crime', 'Classics'],
    creators: ['Agatha Christie'],
    pageCount: 264,
    isbn13: '9780062073488',
    fame: 88,
    acclaim: 4.4,
    art: { motif: 'circles', palette: ['#dcd6c4', '#2f4858', '#a4161a'] },
  },
  {
    slug: 'the-hound-of-the-baskervilles',
    name: 'The Hound of the Baskervilles',
    tagline: null,
    overview:
      'Sir Charles Baskerville is found dead in his yew alley with terror on his face, and not far off are the prints of something ' +
      'large. Holmes sends Watson ahead to Dartmoor, where there is an escaped convict, a bog that swallows ponies and a howl after ' +
      'dark that nobody will explain. The best of the four novels and easily the foggiest.',
    releaseDate: '1902',
    genres: ['Mystery', 'Crime', 'Classics'],
    creators: ['Arthur Conan Doyle'],
    pageCount: 256,
    isbn13: '9780140437867',
    fame: 82,
    acclaim: 4.1,
    art: { motif: 'moon', palette: ['#1c2b24', '#5e7d6a', '#d8e3a8'] },
  },
  {
    slug: 'the-name-of-the-rose',
    name: 'The Name of the Rose',
    tagline: 'Silence in the library, please.',
    overview:
      'Monks are dying in peculiar ways at an Italian abbey in 1327, and an English friar with spectacles and a habit of noticing ' +
      'things is asked to find out why. At the centre stands a library that only two men may enter, built to lose anyone else. Eco ' +
      'stuffs his whodunit with heresy and untranslated Latin, and still it gallops.',
    releaseDate: '1980',
    genres: ['Mystery', 'Historical Fiction', 'Fiction'],
    creators: ['Umberto Eco'],
    pageCount: 536,
    isbn13: '9780156001311',
    fame: 60,
    acclaim: 4.1,
    art: { motif: 'tower', palette: ['#5a1a1a', '#c79a3b', '#f1e4c3'] },
  },
  {
    slug: 'the-girl-with-the-dragon-tattoo',
    name: 'The Girl with the Dragon Tattoo',
    tagline: null,
    overview:
      'Journalist Mikael Blomkvist has just lost a libel case when an old industrialist hires him to find out what became of a ' +
      "great-niece who vanished in 1966. The family's island is cold and full of relatives who do not speak. Help comes from Lisbeth " +
      "Salander, a researcher who opens other people's computers and trusts nobody.",
    releaseDate: '2005',
    genres: ['Mystery', 'Thriller', 'Crime'],
    creators: ['Stieg Larsson'],
    pageCount: 590,
    isbn13: '9780307454546',
    fame: 86,
    acclaim: 3.7,
    art: { motif: 'eye', palette: ['#f2e205', '#2e7d4f', '#111111'] },
  },
  {
    slug: 'the-da-vinci-code',
    name: 'The Da Vinci Code',
    tagline: 'Turn the page, skip the fact-checking.',
    overview:
      'Dying in the Louvre, a curator arranges his own body as a riddle. Robert Langdon, a Harvard professor in Harris tweed, has ' +
      'one night to read it, with a police cryptologist beside him and half of Paris behind. There is a cliffhanger every few pages, ' +
      'and the sort of scholarship that is best enjoyed unexamined.',
    releaseDate: '2003-03-18',
    genres: ['Thriller', 'Mystery'],
    creators: ['Dan Brown'],
    pageCount: 597,
    isbn13: '9780307474278',
    fame: 90,
    acclaim: 2.8,
    art: { motif: 'spiral', palette: ['#6b0f1a', '#b98b46', '#f5ead0'] },
  },
  {
    slug: 'in-cold-blood',
    name: 'In Cold Blood',
    tagline: null,
    overview:
      'Four members of the Clutter family were shot in their Kansas farmhouse in November 1959, by men who had heard of a safe that ' +
      'was never there. Capote went out with his friend Harper Lee and gathered thousands of pages of notes over years. He tells it ' +
      'as a novelist would, and people still argue about how far that is allowed.',
    releaseDate: '1966',
    genres: ['True Crime', 'Nonfiction', 'Classics'],
    creators: ['Truman Capote'],
    pageCount: 343,
    isbn13: '9780679745587',
    fame: 55,
    acclaim: 4.0,
    art: { motif: 'road', palette: ['#e3d5b8', '#9aa5a0', '#7a0c14'] },
  },
  {
    slug: 'sapiens',
    name: 'Sapiens: A Brief History of Humankind',
    tagline: 'How an ape learned to believe in money.',
    overview:
      'Seventy thousand years ago we were one unremarkable animal among several kinds of human. Harari asks how it came to run the ' +
      'planet and answers: by believing, together, in things that are not there, from spirits to limited companies. A fast ride from ' +
      'fire to the laboratory, with a provoking claim at every stop.',
    releaseDate: '2011',
    genres: ['History', 'Nonfiction', 'Science'],
    creators: ['Yuval Noah Harari'],
    pageCount: 464,
    isbn13: '9780062316097',
    fame: 87,
    acclaim: 3.7,
    art: { motif: 'bones', palette: ['#fafafa', '#b7a58c', '#d1495b'] },
  },
  {
    slug: 'a-brief-history-of-time',
    name: 'A Brief History of Time',
    tagline: 'One equation. All of space.',
    overview:
      'Hawking was warned that every equation would halve his sales, so he allowed himself one. With it he covers the expanding ' +
      'universe, black holes that are not quite black, and whether there was a beginning at all. The jokes are dry and well hidden. ' +
      'More people own it than have reached chapter ten.',
    releaseDate: '1988',
    genres: ['Science', 'Nonfiction'],
    creators: ['Stephen Hawking'],
    pageCount: 212,
    isbn13: '9780553380163',
    fame: 83,
    acclaim: 3.8,
    art: { motif: 'spiral', palette: ['#050b2c', '#5a4fcf', '#f5f5ff'] },
  },
  {
    slug: 'the-diary-of-a-young-girl',
    name: 'The Diary of a Young Girl',
    tagline: null,
    overview:
      'For her thirteenth birthday Anne Frank is given a checked diary, and a few weeks later her family goes into hiding behind a ' +
      'bookcase in Amsterdam. She writes about quarrels over potatoes, about the radio and her mother and the person she means to ' +
      'become. The funny, cross, ambitious voice is what makes it so hard to bear.',
    releaseDate: '1947-06-25',
    genres: ['Memoir', 'History', 'Nonfiction', 'Classics'],
    creators: ['Anne Frank'],
    pageCount: 283,
    isbn13: '9780553296983',
    fame: 90,
    acclaim: 4.5,
    art: { motif: 'leaf', palette: ['#d8433b', '#f4e8d2', '#4f7a54'] },
  },
  {
    slug: 'voices-from-chernobyl',
    name: 'Voices from Chernobyl',
    tagline: 'Pack for three days.',
    overview:
      'Alexievich spent years asking the widows of firemen, the conscripts, the hunters, the old women who moved back, and then she ' +
      'stepped aside. One after another they speak, about dogs, about apples nobody may eat, about a husband it was dangerous to ' +
      'touch. It is less a chronicle of the accident than a choir of the people it happened to.',
    releaseDate: '1997',
    genres: ['History', 'Nonfiction'],
    creators: ['Svetlana Alexievich'],
    pageCount: 236,
    isbn13: '9780312425845',
    fame: 34,
    acclaim: 4.6,
    art: { motif: 'wheel', palette: ['#4a5240', '#a7b08a', '#f2e94e'] },
  },
  {
    slug: 'maus',
    name: 'Maus',
    tagline: null,
    overview:
      'Art visits his father in Queens with a tape recorder, wanting to hear how he survived Auschwitz, and gets the story between ' +
      'complaints about money and pills. The Jews are drawn as mice and the Germans as cats. Spiegelman keeps himself in the frame, ' +
      'impatient and guilty, so that it is also a book about being the son.',
    releaseDate: '1986',
    genres: ['Graphic Novels', 'Memoir', 'History'],
    creators: ['Art Spiegelman'],
    pageCount: 296,
    isbn13: '9780141014081',
    fame: 84,
    acclaim: 4.6,
    art: { motif: 'mask', palette: ['#141414', '#e9e4d8', '#b3202a'] },
  },
  {
    slug: 'watchmen',
    name: 'Watchmen',
    tagline: 'Capes age badly.',
    overview:
      'Nixon is still president in this 1985, and costumed heroes have been outlawed. When somebody throws one of the last of them ' +
      'out of a high window, a masked drifter with a journal decides that it is a plot. Nine panels to the page and clocks ' +
      'everywhere: Moore and Gibbons take the genre to pieces to see who would really wear the suit.',
    releaseDate: '1986',
    genres: ['Graphic Novels', 'Science Fiction', 'Superheroes'],
    creators: ['Alan Moore', 'Dave Gibbons'],
    pageCount: 416,
    isbn13: '9780930289232',
    fame: 83,
    acclaim: 4.4,
    art: { motif: 'clock', palette: ['#ffd500', '#5b2a86', '#a30000'] },
  },
  {
    slug: 'persepolis',
    name: 'Persepolis',
    tagline: 'God, Marx and a Kim Wilde tape.',
    overview:
      'Marjane is ten when the veil becomes compulsory at her school in Tehran. She plays at revolution in the garden, argues with ' +
      'God at bedtime and buys smuggled pop cassettes in the street while there is a war on; later she is sent to Vienna by herself. ' +
      'Drawn in black and white, thick as woodcuts, by someone with a long memory for jokes.',
    releaseDate: '2000',
    genres: ['Graphic Novels', 'Memoir', 'History'],
    creators: ['Marjane Satrapi'],
    pageCount: 341,
    isbn13: '9780375714573',
    fame: 59,
    acclaim: 4.4,
    art: { motif: 'bird', palette: ['#d62828', '#f7f7f2', '#0f0f0f'] },
  },
  {
    slug: 'asterix-the-gaul',
    name: 'Asterix the Gaul',
    tagline: 'Dinner is boar. Again.',
    overview:
      'Caesar holds all of Gaul except one village by the sea, which has a druid, a potion and a taste for brawling. In this first ' +
      'album the Romans try cunning and send in a spy with a false moustache to find the recipe. Every name is a pun, and the great ' +
      'quarrel about the fish has not yet begun.',
    releaseDate: '1961',
    genres: ['Graphic Novels', 'Humor', "Children's Fiction"],
    creators: ['René Goscinny', 'Albert Uderzo'],
    pageCount: 48,
    isbn13: '9780752866055',
    fame: 57,
    acclaim: 3.9,
    art: { motif: 'forest', palette: ['#ffe14d', '#e63946', '#2a6fdb'] },
  },
  {
    slug: 'the-waste-land',
    name: 'The Waste Land',
    tagline: null,
    overview:
      'Typists, drowned sailors, a fortune teller with a bad cold, women being hurried out of a pub: a little over four hundred ' +
      'lines hold them all, in five parts and several languages. London is full of ghosts and the mountains are dry. Eliot added ' +
      'notes, which explain very little of what you wanted to know, and the music works without them.',
    releaseDate: '1922',
    genres: ['Poetry', 'Classics'],
    creators: ['T.S. Eliot'],
    pageCount: 300,
    isbn13: '9780393974997',
    fame: 43,
    acclaim: 3.7,
    art: { motif: 'cards', palette: ['#8a7f5c', '#c9b98a', '#4b3b57'] },
  },
  {
    slug: 'alices-adventures-in-wonderland',
    name: "Alice's Adventures in Wonderland",
    tagline: 'No moral, thank you.',
    overview:
      'Down the hole after a rabbit with a watch goes Alice, without a thought about how to get out. Below she finds a tea party ' +
      'that cannot end, a baby much improved by turning into a pig, and a Queen with only one idea. Nobody learns a lesson, which in ' +
      "a children's book of 1865 was the real novelty.",
    releaseDate: '1865',
    genres: ["Children's Fiction", 'Fantasy', 'Classics'],
    creators: ['Lewis Carroll'],
    pageCount: 192,
    isbn13: '9780141439761',
    fame: 93,
    acclaim: 3.9,
    art: { motif: 'cards', palette: ['#bfe3f5', '#e85d75', '#23395b'] },
  },
  {
    slug: 'the-little-prince',
    name: 'The Little Prince',
    tagline: null,
    overview:
      'While mending his engine in the Sahara, a pilot is asked by a small boy in a scarf to draw him a sheep. The boy comes from an ' +
      'asteroid with three volcanoes and one vain rose, and has called on several grown-ups along the way, each sillier than the ' +
      'last. Short, watercoloured, and sadder than you remember.',
    releaseDate: '1943-04-06',
    genres: ["Children's Fiction", 'Fantasy', 'Classics'],
    creators: ['Antoine de Saint-Exupéry'],
    pageCount: 96,
    isbn13: '9780156012195',
    fame: 94,
    acclaim: 4.4,
    art: { motif: 'planet', palette: ['#fdf3d0', '#7fb7d9', '#e8b923'] },
  },
  {
    slug: 'where-the-wild-things-are',
    name: 'Where the Wild Things Are',
    tagline: 'First one to blink gives up the crown.',
    overview:
      'Max puts on his wolf suit, goes too far and is sent to bed with nothing to eat. A forest comes up through the carpet, then an ' +
      'ocean with a boat on it, and beyond the ocean live some very large creatures who have never been stared at before. It takes ' +
      'fewer than four hundred words, and there is none you could spare.',
    releaseDate: '1963',
    genres: ["Children's Fiction", 'Picture Books', 'Fantasy'],
    creators: ['Maurice Sendak'],
    pageCount: 48,
    isbn13: '9780060254926',
    fame: 78,
    acclaim: 4.5,
    art: { motif: 'crown', palette: ['#3e5c5a', '#b6a46f', '#f3e9d2'] },
  },
  {
    slug: 'pippi-longstocking',
    name: 'Pippi Longstocking',
    tagline: null,
    overview:
      'Nine years old and alone in a tumbledown villa, with a monkey on her shoulder and a horse on the porch, Pippi can lift a ' +
      'policeman in each hand and keeps a suitcase full of gold. Tommy and Annika next door have never met anyone who tells lies so ' +
      'cheerfully. School is attempted once.',
    releaseDate: '1945',
    genres: ["Children's Fiction", 'Humor', 'Classics'],
    creators: ['Astrid Lindgren'],
    pageCount: 160,
    isbn13: '9780142402498',
    fame: 62,
    acclaim: 4.3,
    art: { motif: 'house', palette: ['#f77f00', '#fcbf49', '#2a9d8f'] },
  },
  {
    slug: 'finn-family-moomintroll',
    name: 'Finn Family Moomintroll',
    tagline: 'There is always another bed upstairs.',
    overview:
      'When the Moomins wake from their winter sleep, somebody finds a black top hat on a hilltop. Whatever goes into it comes out ' +
      'as something else: eggshells become little clouds that you can steer, and a game of hide-and-seek goes badly for Moomintroll. ' +
      'All summer more guests move in, and nobody asks when they are leaving.',
    releaseDate: '1948',
    genres: ["Children's Fiction", 'Fantasy', 'Classics'],
    creators: ['Tove Jansson'],
    pageCount: 176,
    isbn13: '9780312608897',
    fame: 36,
    acclaim: 4.7,
    art: { motif: 'leaf', palette: ['#a9d6c5', '#f6f1d5', '#27374d'] },
  },
  {
    slug: 'the-shining',
    name: 'The Shining',
    tagline: 'Check the boiler twice a day.',
    overview:
      'Jack Torrance needs a job and a quiet winter to finish his play; the Overlook Hotel, high in the Colorado Rockies, needs ' +
      'someone to mind the boiler. His wife has doubts, and his small son knows things before they happen. Then the snow shuts the ' +
      'road. King gives the building a long memory, and the father one he would rather lose.',
    releaseDate: '1977-01-28',
    genres: ['Horror', 'Thriller', 'Fiction'],
    creators: ['Stephen King'],
    pageCount: 447,
    isbn13: '9780307743657',
    fame: 88,
    acclaim: 4.1,
    art: { motif: 'snow', palette: ['#d7e3ea', '#b5651d', '#8f0d0d'] },
  },
]
