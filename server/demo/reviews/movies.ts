import type { ReviewText } from '../review-text.ts'

/** Demo reviews of the starter movies. */
export const movieReviews: ReviewText[] = [
  {
    slug: 'the-matrix',
    rating: 5,
    voice: 'fan',
    text:
      'Saw it at fourteen with my cousin in a nearly empty Tuesday screening and walked to the bus stop in slow motion for about a ' +
      'month. I have the DVD with the broken clip. I have the steelbook. I will buy it again.',
    comments: [
      'The cardboard snapper case? Every one of those broke.',
      'Tell me you also bought the coat',
      'I also bought the coat',
    ],
  },
  {
    slug: 'the-matrix',
    rating: 3,
    voice: 'wry',
    text:
      'Terrific first hour. Then everybody puts on sunglasses indoors and explains destiny to each other. The lobby scene earns back ' +
      'half a star on its own.',
  },
  {
    slug: 'the-matrix',
    rating: 4,
    voice: 'careful',
    text:
      'What strikes me on a fourth viewing is how patient it is. Nearly half the film is groundwork: an office, a nightclub, a phone ' +
      "that rings when it shouldn't. You work out the rules along with Neo, and by the time the fighting starts you know what every " +
      'move means.\n\n' +
      'I take one off for the prophecy talk, which turns solemn whenever it ought to hurry. Still, hardly any action film since has ' +
      'trusted me this much to keep up.',
    comments: ["The solemn bits are my favourite bits, I'm afraid."],
  },
  {
    slug: 'the-matrix',
    rating: 5,
    voice: 'terse',
    text: "Yes, it's still that good.",
  },
  {
    slug: 'inception',
    rating: 5,
    voice: 'earnest',
    text:
      'My dad and I argued about the last shot in the car for two hours, all the way up the M6. It was the longest conversation we had ' +
      "that year, so I can't be objective about this one.",
  },
  {
    slug: 'inception',
    rating: 2,
    voice: 'careful',
    text:
      "Dreams in this film have floor plans. Nobody is late for an exam, nobody's teeth fall out, no one turns into their own aunt. " +
      'For two and a half hours men in good suits recite the rules of a game and then play by them. I admire the corridor sequence, ' +
      'and the horn section clearly gave everything. I was never once surprised.',
    comments: [
      "They're engineered dreams though. That's the entire job.",
      "Nobody's teeth fall out: that's how I'm judging every film from now on",
    ],
  },
  {
    slug: 'inception',
    rating: 4,
    voice: 'wry',
    text: 'I understood it completely until my boyfriend explained it to me.',
  },
  {
    slug: 'inception',
    rating: 4,
    voice: 'fan',
    text: "THEY BUILT A HALLWAY AND SPUN IT. I've watched the making-of more often than the film by now and I've no regrets.",
  },
  {
    slug: 'interstellar',
    rating: 5,
    voice: 'fan',
    text: "Docking scene, proper big screen, organ shaking the seats. Closest I've come to a religious experience and I was holding nachos.",
    comments: ['nachos in hand is the correct way to receive it', "I forgot to breathe and I'm a nurse"],
  },
  {
    slug: 'interstellar',
    rating: 3,
    voice: 'careful',
    text:
      "Two films share this running time. One is about a father and a daughter and the plain horror of missed years, and it's superb; " +
      "the video messages undid me. In the other, astronauts tell each other things astronauts would already know. I'd keep every " +
      'minute of the first. The second has TARS at least, who is the best company aboard.',
  },
  {
    slug: 'interstellar',
    rating: 2,
    voice: 'terse',
    text: 'Loud. Missed half the words.',
    comments: ["That's the mix, not your ears."],
  },
  {
    slug: 'interstellar',
    rating: 5,
    voice: 'earnest',
    text:
      'Watched it the week my daughter left for university, which was bad planning. I stayed through all the credits with the lights ' +
      'up while a very kind usher pretended to sweep the same bit of carpet.',
  },
  {
    slug: 'the-godfather',
    rating: 5,
    voice: 'careful',
    text:
      'I put it off until I was forty because everybody had already quoted it at me. What nobody had mentioned is how quiet it is. ' +
      "People murmur in dark rooms, and the camera hangs back as if it hadn't been invited. Brando got the posters, but it's Pacino I " +
      'watched, doing less and less until a look across a table was enough to make me nervous.',
  },
  {
    slug: 'the-godfather',
    rating: 4,
    voice: 'wry',
    text: "Three hours of men being terribly sorry about what they're going to do next. Cannoli looked excellent.",
  },
  {
    slug: 'the-godfather',
    rating: 3,
    voice: 'terse',
    text: 'I respect it more than I love it.',
    comments: ['Watch it again in ten years.', 'I did. Same.'],
  },
  {
    slug: 'pulp-fiction',
    rating: 5,
    voice: 'fan',
    text:
      'Once got into a shouting match with a pub quizmaster about the order of the chapters. We were right. We were also asked to ' +
      'leave.',
  },
  {
    slug: 'pulp-fiction',
    rating: 3,
    voice: 'earnest',
    text:
      'I can see why it mattered. Half the films of my teens were copies of it, so meeting the original this late is like hearing a ' +
      'song after twenty covers. The twist contest is lovely. The needle I watched through my fingers. Mostly I kept wishing somebody ' +
      'would be kind to somebody for no reason.',
    comments: ['Jules in the diner?', "Fair. That scene is why it isn't two stars."],
  },
  {
    slug: 'pulp-fiction',
    rating: 4,
    voice: 'wry',
    text: 'Things this film has taught me: never go to the toilet.',
  },
  {
    slug: 'titanic',
    rating: 5,
    voice: 'earnest',
    text:
      "My grandmother took me and four cousins and handed out one handkerchief each at the door, ironed. We needed them. I've seen " +
      "plenty of cleverer films and couldn't tell you where I was sitting for any of those.",
  },
  {
    slug: 'titanic',
    rating: 2,
    voice: 'wry',
    text: 'Two hundred minutes, and the iceberg gives the most natural performance.',
    comments: ['194, and you know it', "Leave Billy Zane alone, he's having the time of his life in this"],
  },
  {
    slug: 'titanic',
    rating: 4,
    voice: 'careful',
    text:
      "The dialogue is wooden enough to float on and I've stopped minding. Cameron spends the first half quietly teaching you the " +
      'ship: where the boilers are, which corridor comes out by the grand staircase, how far down steerage is. So in the second half ' +
      "you always know exactly how much trouble everyone's in. It's a superb piece of carpentry.",
  },
  {
    slug: 'titanic',
    rating: 3,
    voice: 'terse',
    text: 'Ship, five stars. Drawing scene, with my parents in the room, one.',
  },
  {
    slug: 'the-dark-knight',
    rating: 5,
    voice: 'fan',
    text:
      'midnight screening, half the queue in smudged face paint, then dead silence right before the truck goes over and the whole room ' +
      'just went OFF. never going to have that again',
    comments: ["I was at one of those. Somebody's gran was in face paint."],
  },
  {
    slug: 'the-dark-knight',
    rating: 4,
    voice: 'careful',
    text:
      "Best watched as a crime film with a man in an odd suit hanging about at the edges. Ledger really is as good as you've heard, " +
      "and Chicago has never looked so cold or so expensive. The last forty minutes carry one plot too many, and I don't believe the " +
      'phone business for a second.',
  },
  {
    slug: 'the-dark-knight',
    rating: 3,
    voice: 'wry',
    text: 'Somebody get that bat a lozenge.',
  },
  {
    slug: 'barbie',
    rating: 5,
    voice: 'earnest',
    text:
      'Took my mum, who is seventy-one and hates the cinema. She laughed at Ken from start to finish, and at the bus stop scene she ' +
      "took my hand. Afterwards she wanted to know what else this director had made. We're doing Little Women on Sunday.",
    comments: ['Report back on Sunday please', 'Reporting back: she preferred the pink one.'],
  },
  {
    slug: 'barbie',
    rating: 3,
    voice: 'careful',
    text:
      'The first act is as funny as anything that year and the sets belong in a museum. After that it keeps stopping so somebody can ' +
      "say the theme out loud. I agree with the theme! I'd have liked to find it for myself.",
    comments: ['Some of us needed it said out loud.'],
  },
  {
    slug: 'barbie',
    rating: 1,
    voice: 'terse',
    text: 'Two-hour toy advert. No thanks.',
    comments: ['Ninety minutes of toy advert, surely, and twenty-four of Ken playing guitar AT people'],
  },
  {
    slug: 'parasite',
    rating: 5,
    voice: 'terse',
    text: 'Told my flatmates nothing. Watched their faces instead.',
  },
  {
    slug: 'fight-club',
    rating: 3,
    voice: 'wry',
    text:
      'Loved it at seventeen for the wrong reasons. Rolled my eyes at it at twenty-five. At thirty-eight I think it was laughing at me ' +
      'the whole time, which is annoying, as I still own the poster.',
  },
  {
    slug: 'the-shawshank-redemption',
    rating: 5,
    voice: 'earnest',
    text:
      'It was on television every other Sunday of my childhood and I never once saw the beginning. Finally watched it in the right ' +
      "order. Turns out I'd been crying in all the correct places anyway.",
  },
  {
    slug: 'the-shawshank-redemption',
    rating: 3,
    voice: 'careful',
    text:
      "Handsomely made, and Morgan Freeman could read me a bus timetable. But I've never understood how it came to sit at the top of " +
      'every list. Andy is good from the first minute, the warden is bad from the first minute, and neither of them surprised me after ' +
      'that.',
    comments: ["Because it's on every other Sunday."],
  },
  {
    slug: 'forrest-gump',
    rating: 2,
    voice: 'careful',
    text:
      'Well acted, and I find it slippery. In this film those who ask questions of their country come to grief, and the one who never ' +
      "asks any gets the shrimp boat. I know it's meant as a fable. I spent the second hour arguing with it in my head and feeling " +
      'like a spoilsport.',
    comments: [
      "He's a man telling strangers his life at a bus stop. I don't think it's a manifesto.",
      'Still the best table tennis in cinema',
    ],
  },
  {
    slug: 'the-lord-of-the-rings-the-fellowship-of-the-ring',
    rating: 5,
    voice: 'fan',
    text:
      "The Shire. THE SHIRE. The flute comes in and I'm eleven and it's Boxing Day and nobody has any work tomorrow. I do this every " +
      'December, extended version, potatoes on the go, no talking during Moria.',
  },
  {
    slug: 'the-lord-of-the-rings-the-fellowship-of-the-ring',
    rating: 4,
    voice: 'wry',
    text: "Came home from the cinema and told my wife I'd enjoyed the walking. She asked how it ended. I told her, more walking.",
  },
  {
    slug: 'alien',
    rating: 5,
    voice: 'terse',
    text: 'Always listen to Ripley. Always.',
  },
  {
    slug: 'blade-runner',
    rating: 4,
    voice: 'careful',
    text:
      'For years I thought this was a bore with nice windows. Then I saw the final cut on a big screen and gave up waiting for the ' +
      "plot, and everything opened. It's really a film about being tired in a city. Vangelis does half of the work and the rain does a " +
      'good part of the rest.\n\n' +
      "The scene with the photograph is still the slowest bit of detecting I've ever sat through. I wouldn't cut a frame of it.",
  },
  {
    slug: '2001-a-space-odyssey',
    rating: 3,
    voice: 'wry',
    text: 'Put it on for my flatmates. One of them asked when it starts. We were an hour in.',
    comments: ['And what did you tell them', 'I said soon.'],
  },
  {
    slug: 'casablanca',
    rating: 5,
    voice: 'earnest',
    text:
      'Expected a museum piece and got a film full of jokes. The café singing down the officers had me sitting bolt upright on the ' +
      'sofa on my own, and many of those extras had fled Europe themselves, which I only read afterwards. I watched that scene again ' +
      'straight away.',
  },
  {
    slug: 'citizen-kane',
    rating: 4,
    voice: 'wry',
    text: "Braced for homework. It's gossip! Two hours of people being indiscreet about a rich man. Somebody ought to have told me.",
  },
  {
    slug: 'seven-samurai',
    rating: 5,
    voice: 'careful',
    text:
      'Three and a half hours looked like a threat. I planned to split it over two evenings and never touched the remote.\n\n' +
      "It's the waiting that makes it. We learn the village like a map: the bridge, the flooded field, the one gap they leave open on " +
      "purpose. Mifune scratches and shouts and steals every scene he's let into, while Shimura just rubs his shaved head and you'd " +
      'follow him anywhere.',
  },
  {
    slug: 'psycho',
    rating: 4,
    voice: 'terse',
    text: 'Baths only, since 1994.',
  },
  {
    slug: 'singin-in-the-rain',
    rating: 5,
    voice: 'fan',
    text: "Donald O'Connor runs up a wall. He runs up ANOTHER wall. I have it on whenever I'm ill and I'm fairly sure it's medicine.",
    comments: [
      "Moses supposes is the actual best number and I'll fight you",
      "You'll have to catch me, I'm up the wall",
    ],
  },
  {
    slug: 'spirited-away',
    rating: 5,
    voice: 'earnest',
    text:
      "My six-year-old asked why nobody shouts at Chihiro for being scared. I hadn't noticed, but it's true. She's frightened for most " +
      "of it and does the next thing anyway. We've talked about the train scene more than about any book I've read her.",
  },
  {
    slug: 'my-neighbor-totoro',
    rating: 5,
    voice: 'terse',
    text: "I'd wait for that bus.",
  },
  {
    slug: 'your-name',
    rating: 4,
    voice: 'fan',
    text:
      "went in for a silly body swap comedy, came out holding a stranger's tissue. The sky in this!! Who looks at a vending machine " +
      'and paints it like that',
  },
  {
    slug: 'toy-story',
    rating: 4,
    voice: 'wry',
    text: "A film about a middle manager who can't cope with the new hire. I related to Woody more than I'd like, and HR has been informed.",
  },
  {
    slug: 'jaws',
    rating: 5,
    voice: 'wry',
    text: 'I grew up two hundred miles from the coast and was still careful in the swimming baths.',
  },
  {
    slug: 'jurassic-park',
    rating: 4,
    voice: 'fan',
    text:
      "The T. rex paddock has no music at all, go back and check. Just rain, and the fence. I was seven and hid under my brother's " +
      "coat and I've been chasing that feeling ever since. One off because the poor man in the toilet deserved better.",
  },
  {
    slug: 'mad-max-fury-road',
    rating: 5,
    voice: 'fan',
    text: 'Came out of the cinema and drove home at twenty-five miles an hour because I no longer trusted myself.',
    comments: ['WITNESSED'],
  },
  {
    slug: 'get-out',
    rating: 4,
    voice: 'terse',
    text: "I'll never stir tea again.",
  },
  {
    slug: 'la-la-land',
    rating: 3,
    voice: 'careful',
    text:
      'It has one perfect scene, the dinner that goes cold. Two people who are both right, in a rented kitchen, and not a note sung. ' +
      'The rest is a pleasant tribute to better dancers. I left humming, which ought to count for something.',
    comments: ['The planetarium begs to differ'],
  },
  {
    slug: 'everything-everywhere-all-at-once',
    rating: 4,
    voice: 'earnest',
    text:
      "It's too long and it's got a raccoon in it, and I rang my mother from the car park. We don't ring each other as a rule. She'd " +
      'thought somebody had died.',
    comments: ["The raccoon is load-bearing, I won't hear a word"],
  },
  {
    slug: 'oppenheimer',
    rating: 3,
    voice: 'wry',
    text:
      "Three hours of men in rooms and my wife whispering who's that. I kept saying it was the one from the other thing. I was mostly " +
      'right.',
  },
  {
    slug: 'dune',
    rating: 4,
    voice: 'fan',
    text:
      'The thumper. The throat singing. The way those dragonfly things fold their wings. I read the book at thirteen with a torch and ' +
      "this is the first time it's looked as HEAVY as it did in my head.",
  },
  {
    slug: 'avatar',
    rating: 3,
    voice: 'wry',
    text: "I remember the glasses, the queue, the man behind me going wow. Name one character? There's a tree.",
    comments: ['Jake Sully. He says it about forty times.'],
  },
  {
    slug: 'portrait-of-a-lady-on-fire',
    rating: 5,
    voice: 'earnest',
    text:
      "There's a moment round a bonfire when the women start to sing and I noticed I'd been holding my scarf in both fists. I went on " +
      'my own, on a wet Thursday, and walked home the long way.',
  },
  {
    slug: 'groundhog-day',
    rating: 5,
    voice: 'wry',
    text: 'Watched it again. Watched it again. Watched it again.',
    comments: ['Watched it again.'],
  },
  {
    slug: 'the-big-lebowski',
    rating: 4,
    voice: 'terse',
    text: 'No idea what happened. Five times now.',
  },
  {
    slug: 'the-room',
    rating: 1,
    voice: 'wry',
    text:
      "Objectively the worst film I own and the one I've lent out most. The football is thrown by men standing a yard apart in dinner " +
      'jackets. A breast cancer diagnosis arrives, is announced, and is never heard of again. One star, with all my love.',
    comments: ["You're tearing the average apart", 'One star is the highest honour this can get'],
  },
  {
    slug: 'stalker',
    rating: 4,
    voice: 'careful',
    text:
      "I fell asleep twice and dreamed in brown both times. I don't mean that unkindly; no other film has got into my sleep at all. " +
      "What stayed is the ride in on the trolley, three backs of heads and the clank slowly turning into music. I'd recommend it to " +
      'about four people I know.',
  },
  {
    slug: 'the-shining',
    rating: 4,
    voice: 'wry',
    text: "My landlord has also left me in charge of a building with dodgy heating, and I've written even less.",
  },
  {
    slug: 'rrr',
    rating: 5,
    voice: 'fan',
    text:
      "I don't know how to explain to you that they catch each other under a BRIDGE, on a horse and a motorbike, before they've even " +
      'been introduced. My whole row was standing. An older gentleman did the dance in the aisle and did it well.',
  },
  {
    slug: 'in-the-mood-for-love',
    rating: 5,
    voice: 'careful',
    text:
      'Nothing happens, in the best dresses ever filmed. She goes down for noodles, he comes up with noodles, the same waltz plays, ' +
      "and by the third time I could hardly look. I've read people calling it cold. To me it's what manners look like when they're all " +
      "that's holding a person upright.",
  },
  {
    slug: 'twilight',
    rating: 3,
    voice: 'earnest',
    text:
      "I was fifteen and new in a rainy town, so don't expect any sense from me. The baseball scene is ridiculous. The blue filter is " +
      "ridiculous. My best friend and I still ring each other up when it's on, and we've been friends seventeen years because of a " +
      'shared copy of the book.',
    comments: [
      'The baseball scene is the best scene and I mean that sincerely',
      'Muse did not have to go that hard',
    ],
  },
]
