import type { ReviewText } from '../review-text.ts'

/** Demo reviews of the starter TV shows. */
export const tvShowReviews: ReviewText[] = [
  {
    slug: 'breaking-bad',
    rating: 5,
    voice: 'fan',
    text: "Ozymandias. I watched it standing up. I don't know when I stood up.",
    comments: ['Same, I was holding a sieve. The pasta was past saving.'],
  },
  {
    slug: 'breaking-bad',
    rating: 4,
    voice: 'wry',
    text:
      "A careful study of what happens when a man won't accept help from friends. Also the best advert ever made for proper health " +
      'insurance.',
  },
  {
    slug: 'breaking-bad',
    rating: 3,
    voice: 'careful',
    text:
      "The craft is beyond argument and by the third season I'd had enough of his company. Every scheme needs him to be the cleverest " +
      'man in the desert, so everyone around him has to be a little slower than they were last week. I kept going for Jesse, and for ' +
      'Mike folding his napkin.',
  },
  {
    slug: 'game-of-thrones',
    rating: 5,
    voice: 'earnest',
    text:
      'For about six years my Monday lunch break was eight people and one microwave, arguing about dragons. Two of those people got ' +
      "married. I don't much care what anyone says about how it finished, I got a wedding out of it.",
    comments: [
      'This is the nicest thing anybody has written about this show in years',
      'Was it an uneventful wedding, I hope',
    ],
  },
  {
    slug: 'game-of-thrones',
    rating: 2,
    voice: 'wry',
    text: 'The best four seasons on television, followed by some others. Somebody turned on fast travel.',
    comments: ["I'd say five and a half, but yes"],
  },
  {
    slug: 'game-of-thrones',
    rating: 3,
    voice: 'careful',
    text:
      "I rewatched it knowing how I'd feel at the end, and tried to notice where the trouble starts. For me it's when the " +
      'conversations dry up. Early on, two people in a room with wine could be the most exciting scene of the week. Later on the rooms ' +
      'are far bigger and nobody has anything to say in them.',
  },
  {
    slug: 'game-of-thrones',
    rating: 4,
    voice: 'fan',
    text: "Hodor. That's the review. Hodor.",
  },
  {
    slug: 'friends',
    rating: 4,
    voice: 'earnest',
    text:
      "I learned English from this. My accent has gone now but I still say 'could it BE' and my colleagues in Gdańsk still laugh, so I " +
      'owe them about ten euros an episode.',
  },
  {
    slug: 'friends',
    rating: 2,
    voice: 'careful',
    text:
      'Watching it for the first time at thirty, I can hear the machinery. Line, laugh, line, laugh, and Ross being awful with a piano ' +
      "underneath so that we'd take it for romance. Phoebe is the only one I'd answer the door to.",
    comments: ['Joey brings sandwiches though'],
  },
  {
    slug: 'friends',
    rating: 3,
    voice: 'terse',
    text: 'Good background. Better theme tune.',
  },
  {
    slug: 'the-office',
    rating: 4,
    voice: 'wry',
    text: "I work in paper. It's all accurate apart from anyone looking that happy at Christmas.",
    comments: ['Which branch? Are they closing it?'],
  },
  {
    slug: 'the-office',
    rating: 5,
    voice: 'fan',
    text:
      'Skip nothing, not even the first season, people who tell you to skip the first season are the same ones who leave before the ' +
      "credits. The fire drill! The dinner party! I've had to pause for air.",
  },
  {
    slug: 'stranger-things',
    rating: 4,
    voice: 'earnest',
    text:
      "Watched the first season with my kids, who thought I'd made up the bit about being out on a bike all day with no phone. Now " +
      "they've asked for walkie-talkies. That alone is worth the subscription.",
  },
  {
    slug: 'stranger-things',
    rating: 3,
    voice: 'careful',
    text:
      "The first season was a neat eight-hour film. Since then it's grown in every direction: more towns, more monsters, episodes as " +
      'long as features, and fewer minutes with any one person I care about. The hair is still very good.',
    comments: ['Justice for Barb', "We've had worse than long episodes. I'd take the lot again."],
  },
  {
    slug: 'stranger-things',
    rating: 4,
    voice: 'wry',
    text: 'By the last season I was fairly sure the teenagers were older than me.',
  },
  {
    slug: 'lost',
    rating: 5,
    voice: 'fan',
    text: "We printed the map. We had a RING BINDER. I've still got it and you can't take it from me.",
    comments: ['What did the numbers mean in the ring binder', "Page forty onwards. There's an appendix."],
  },
  {
    slug: 'lost',
    rating: 1,
    voice: 'terse',
    text: 'Six years. I want them back.',
  },
  {
    slug: 'lost',
    rating: 4,
    voice: 'careful',
    text:
      "If you came for answers I understand the anger. I came for Locke, and for an hour of television that could stop on a man's face " +
      "and make me rearrange everything I knew about him. The middle sags badly, there's a whole business about a tattoo, and it asks " +
      "for more patience than is polite. I'd start again tomorrow.",
  },
  {
    slug: 'the-wire',
    rating: 5,
    voice: 'careful',
    text:
      "Give it five episodes. I know everyone says so, and I resented them for it. You aren't told who's who, nobody recaps, half the " +
      'talk goes past you, and then some time in the second month you realise you know the whole city.\n\n' +
      "I'm a teacher. I had to leave the fourth season alone for a while. It's the only thing I've seen that gets the staff meetings " +
      'right.',
    comments: ['Also a teacher. Also had to stop. Came back in the holidays.'],
  },
  {
    slug: 'the-wire',
    rating: 3,
    voice: 'terse',
    text: 'Admired it. Needed subtitles.',
  },
  {
    slug: 'the-sopranos',
    rating: 5,
    voice: 'careful',
    text:
      "What I'd forgotten is how funny it is. Paulie in the snow. Everyone's malapropisms, delivered with such confidence. And then " +
      "the next scene turns and you feel ashamed of having liked them. I've no idea how they kept those two things in one pan for so " +
      'long.',
  },
  {
    slug: 'twin-peaks',
    rating: 5,
    voice: 'wry',
    text:
      "Watched for the murder. Stayed for a woman with a log. Second season includes a pine weasel and I've decided that's my fault, " +
      'not theirs.',
  },
  {
    slug: 'the-x-files',
    rating: 4,
    voice: 'fan',
    text:
      'the one with the family in the farmhouse, IF YOU KNOW YOU KNOW. I checked under my bed until I was about twenty-two. Scully is ' +
      'the reason I did chemistry',
  },
  {
    slug: 'the-simpsons',
    rating: 4,
    voice: 'earnest',
    text:
      "My brother and I can hold an entire phone call in lines from seasons three to eight. Our mum thinks we've a secret language. We " +
      "sort of do. I couldn't tell you anything that's happened in it for the last twenty years.",
  },
  {
    slug: 'seinfeld',
    rating: 4,
    voice: 'terse',
    text: 'Horrible people. Lovely half hour.',
  },
  {
    slug: 'chernobyl',
    rating: 5,
    voice: 'careful',
    text:
      "No music telling me what to feel, just that ticking, and offices in a particular shade of brown. It's frightening chiefly as a " +
      'show about meetings. Each time somebody repeats the number they were given I wanted to put my head through the screen. Watch it ' +
      'with someone, then go for a walk.',
  },
  {
    slug: 'succession',
    rating: 5,
    voice: 'wry',
    text: "I wouldn't trust one of them with a houseplant. Cousin Greg I'd trust with a houseplant, but he'd apologise to it.",
  },
  {
    slug: 'fleabag',
    rating: 5,
    voice: 'earnest',
    text:
      "I'd lost a friend the year before and everyone had told me it was funny, so nobody warned me. It is very funny. I had to stop " +
      "the first season halfway and finish it a month later, and I'm glad I did. It's the only thing that has ever got right how you " +
      'carry on making jokes at a time like that.',
    comments: ['Thank you for writing this.'],
  },
  {
    slug: 'avatar-the-last-airbender',
    rating: 5,
    voice: 'fan',
    text:
      "Got told it was for children. I'm forty-four. I have now cried at a song about leaves, sung by a cartoon uncle, in front of my " +
      'own children, who were fine.',
    comments: ['Leaves from the vine. Instantly gone.'],
  },
  {
    slug: 'cowboy-bebop',
    rating: 4,
    voice: 'wry',
    text: 'Eighteen minutes of failing to buy groceries, then a saxophone ruins your whole week.',
  },
  {
    slug: 'squid-game',
    rating: 3,
    voice: 'careful',
    text:
      'The first three hours are as tight as television gets, and the tug of war is a proper piece of suspense. Then the rich ' +
      "spectators turn up in their gold masks and start talking, and the air goes out. A show this sharp about debt didn't need " +
      'anybody to explain the joke.',
  },
  {
    slug: 'dark',
    rating: 4,
    voice: 'careful',
    text:
      "You'll need paper. I drew the family tree three times, and on the third I found I'd put the same woman down twice and been " +
      "correct. It's humourless to a degree I came to enjoy, everyone soaked through and staring. Watch it in German; the dub loses " +
      'all the muttering.',
  },
  {
    slug: 'sherlock',
    rating: 3,
    voice: 'wry',
    text: 'First series: detective. Last series: what if the detective were a wizard with family problems. Still, I bought the coat.',
    comments: ['Moriarty in the crown jewels is five stars on its own, come on'],
  },
  {
    slug: 'firefly',
    rating: 5,
    voice: 'fan',
    text: "Fourteen episodes. FOURTEEN. I've had colds that were given longer.",
  },
  {
    slug: 'severance',
    rating: 5,
    voice: 'wry',
    text:
      "Finished it on a Sunday night, which is a terrible time to have to go to work and wonder who's been sitting at my desk. Please " +
      'enjoy each review equally.',
    comments: ['I enjoyed this review slightly more than the others and have reported myself'],
  },
  {
    slug: 'the-bear',
    rating: 3,
    voice: 'earnest',
    text:
      'I was a line cook for nine years and my shoulders went up by my ears in the first minute and stayed there. It gets the tape ' +
      "right, the deli containers, the way you say sorry by handing somebody a coffee. I believe all of it. I just can't relax on a " +
      "sofa to it, so I've stopped after one season.",
    comments: ['Ex pastry here. Managed twelve minutes. Yes chef, goodbye chef.'],
  },
  {
    slug: 'ted-lasso',
    rating: 3,
    voice: 'wry',
    text: "A warm bath. First season exactly the right temperature, and by the third I'd gone all wrinkly.",
  },
  {
    slug: 'andor',
    rating: 5,
    voice: 'careful',
    text:
      "I have no great feeling for Star Wars and avoided this for two years. More fool me. It's a prison drama and a heist and a very " +
      'dry comedy about office politics, and it happens to have spaceships parked outside. Somebody thought hard about who cleans the ' +
      'floors in an empire.',
  },
  {
    slug: 'fawlty-towers',
    rating: 4,
    voice: 'earnest',
    text:
      "Dad used to laugh at this until he had to leave the room, and we'd all wait for him to come back so that it could carry on. One " +
      "episode with the builders and I'm on that carpet again. A few of the jokes have gone off, and I noticed them, and I still " +
      'laughed at the rest.',
  },
  {
    slug: 'emily-in-paris',
    rating: 2,
    voice: 'wry',
    text:
      'I lived in Paris for six years. In all that time nobody had a coat like that, or a free afternoon. Watched every episode, ' +
      'obviously.',
  },
]
