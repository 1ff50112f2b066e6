import type { ReviewText } from '../review-text.ts'

export const bookReviews: ReviewText[] = [
  {
    slug: 'the-lord-of-the-rings',
    rating: 5,
    voice: 'fan',
    text:
      'My father read this to us over two winters and did all the voices. His ents were so slow that my sister once fell asleep in ' +
      'the middle of a sentence. I have read it alone six times since, and I still hear him.\n\nPeople warn you about the songs. I ' +
      'sing them.',
    comments: ['Which tune for Tom Bombadil? This matters.', 'Jingle Bells, badly, like everything else.'],
  },
  {
    slug: 'the-lord-of-the-rings',
    rating: 3,
    voice: 'wry',
    text: 'Four hundred pages of walking, beautifully described. I liked the walking. I would have liked it in two hundred pages.',
    comments: ['The walking is the book.', 'I said I liked it!'],
  },
  {
    slug: 'the-lord-of-the-rings',
    rating: 4,
    voice: 'careful',
    text:
      'What surprised me on rereading is how little fighting there is. Tolkien gives a battle a few pages and then spends a chapter ' +
      'on tired people and a leaf that smells nice when you crush it. The grief feels lived in, and I put that down to a man who had ' +
      'been at the Somme. One star off for the Council chapter, which is a committee meeting however you look at it.',
  },
  {
    slug: 'the-lord-of-the-rings',
    rating: 4,
    voice: 'terse',
    text: 'Skipped the poems. Not sorry.',
    comments: ['The elves have been informed.'],
  },
  {
    slug: 'nineteen-eighty-four',
    rating: 5,
    voice: 'careful',
    text:
      'I grew up in Romania in the eighties and my grandmother would not let this book lie face up on the table. Reading it as an ' +
      "adult I kept stopping at small things, like the razor blades that can't be had, or how everyone learns to arrange a face. He " +
      'got the tedium right. Most people who write about such places leave that out.',
    comments: ['The razor blades got me too. My uncle sharpened his on the inside of a glass.'],
  },
  {
    slug: 'nineteen-eighty-four',
    rating: 3,
    voice: 'wry',
    text: 'Important, yes. But nobody told me there was a pamphlet in the middle.',
    comments: [
      'The pamphlet is the best bit!',
      "Winston reads it out in bed and Julia falls asleep, so you're in good company.",
    ],
  },
  {
    slug: 'nineteen-eighty-four',
    rating: 4,
    voice: 'earnest',
    text:
      'Read it at fifteen and thought it was about other countries. Read it at forty and kept glancing at my phone, which was face ' +
      'up on the arm of the sofa, listening.',
  },
  {
    slug: 'nineteen-eighty-four',
    rating: 5,
    voice: 'terse',
    text: 'Not fictional enough.',
  },
  {
    slug: 'pride-and-prejudice',
    rating: 5,
    voice: 'fan',
    text: "Read Mr Collins's proposal out loud, with a friend playing the furniture. Best evening I had all year.",
  },
  {
    slug: 'pride-and-prejudice',
    rating: 5,
    voice: 'wry',
    text: 'Every person in this book works in my office. I am sorry to report that I am Mary.',
    comments: ['At least Mary practises.', 'Lydia here, where is the afterparty'],
  },
  {
    slug: 'pride-and-prejudice',
    rating: 3,
    voice: 'terse',
    text: 'Very witty. Very little happens. Respected it more than I enjoyed it.',
  },
  {
    slug: 'pride-and-prejudice',
    rating: 4,
    voice: 'careful',
    text:
      "The jokes are so good that it took me three readings to notice how frightened these women have to be. Charlotte's choice used " +
      'to look to me like giving up. At thirty-four, renting, I think it the most sensible act in the novel.\n\nI take one off ' +
      'because the last quarter is in a hurry and because Wickham is thin stuff for so much trouble.',
    comments: [
      "Wickham is thin because Lizzy only ever looks at the outside of him. That's the joke on her.",
      'Renting at 41. Team Charlotte.',
    ],
  },
  {
    slug: 'the-great-gatsby',
    rating: 5,
    voice: 'earnest',
    text:
      'I taught this eleven years running and never tired of the first party. Every autumn there was some kid in the back row who ' +
      'hated books and went quiet at the shirts.',
  },
  {
    slug: 'the-great-gatsby',
    rating: 2,
    voice: 'terse',
    text: 'Rich people are sad. Noted.',
    comments: [
      'That IS the book, but it only takes 180 pages about it.',
      'Some of us are poor and sad and would like a mansion to do it in.',
    ],
  },
  {
    slug: 'the-great-gatsby',
    rating: 4,
    voice: 'careful',
    text:
      'Nick says he reserves judgement and then judges everyone he meets, and I think that is the whole trick. Take him at his word ' +
      "and it's a love story. Don't, and it is about a man who likes standing near money. I have changed my mind on this three times " +
      'and expect to again.',
  },
  {
    slug: 'the-great-gatsby',
    rating: 3,
    voice: 'wry',
    text: 'I was the right age for this exactly once, for about a week, in 2009.',
  },
  {
    slug: 'dune',
    rating: 5,
    voice: 'fan',
    text: 'The glossary! The appendices! I was twelve and had a cold, and a week later I got out of bed walking without rhythm.',
    comments: ['Did it attract anything?', 'Only my mother.'],
  },
  {
    slug: 'dune',
    rating: 2,
    voice: 'wry',
    text: 'Everybody thinks in italics about what everybody else is thinking in italics.',
    comments: ['Plans within plans within italics.', 'Unfair. I laughed, but unfair.'],
  },
  {
    slug: 'dune',
    rating: 4,
    voice: 'careful',
    text:
      'What lasts is the ecology, and the suspicion. Herbert builds up a chosen one and meanwhile lets you see how such a legend is ' +
      "planted, and who finds it useful. What doesn't last is the Baron, who might as well have a moustache to twirl. I would still " +
      'hand it to anyone who thinks science fiction means gadgets.',
  },
  {
    slug: 'dune',
    rating: 5,
    voice: 'terse',
    text: 'Drink water first.',
  },
  {
    slug: 'dune',
    rating: 3,
    voice: 'earnest',
    text:
      'Tried it three times. The third was on a bus across Anatolia in August with the air conditioning broken, and there it finally ' +
      'worked, so perhaps it needs the right conditions. The desert is magnificent. The dialogue is carved in stone and about as ' +
      'lively.',
  },
  {
    slug: 'the-catcher-in-the-rye',
    rating: 2,
    voice: 'wry',
    text: 'I have a teenage son. I do not need to read one.',
    comments: [
      'Try again when he moves out.',
      'My daughter says much the same about me and books about mothers.',
    ],
  },
  {
    slug: 'the-catcher-in-the-rye',
    rating: 5,
    voice: 'earnest',
    text:
      'My brother died when I was fourteen and nobody at school knew what to do with me. No one had told me that this book was about ' +
      "that. Everybody remembers the phonies. Hardly anyone mentions Allie's baseball mitt, and he's there under nearly every page " +
      'if you look.',
    comments: ['Missed this completely at school. Going back.', 'Thank you for writing this down.'],
  },
  {
    slug: 'the-catcher-in-the-rye',
    rating: 3,
    voice: 'terse',
    text: 'Great voice. Needs a nap and a sandwich.',
    comments: ['He has a cheese sandwich! And a malted!', 'Then the nap.'],
  },
  {
    slug: 'the-catcher-in-the-rye',
    rating: 4,
    voice: 'careful',
    text:
      'He lies to everyone he meets and tells us so, and I believed him all the way. The slang is seventy years old and ought to be ' +
      "embarrassing. Mostly it isn't, because he repeats himself the way people do when they are close to tears.",
  },
  {
    slug: 'a-little-life',
    rating: 1,
    voice: 'wry',
    text:
      "Somewhere around page 500 I started laughing, which I don't think was the plan. There's a limit to how many pianos you can " +
      'drop on one man.',
    comments: ['I cried for a week and I also agree with you.'],
  },
  {
    slug: 'a-little-life',
    rating: 5,
    voice: 'earnest',
    text:
      'Finished it on a train at six in the morning. A stranger passed me tissues without asking which book it was. She had read it ' +
      'too.',
  },
  {
    slug: 'the-hobbit',
    rating: 5,
    voice: 'fan',
    text:
      "Bedtime reading for my daughter, a chapter a night, and I did not do Gollum's voice because I am not a monster. She asks " +
      'every evening whether Bilbo has got a handkerchief yet.',
  },
  {
    slug: 'moby-dick',
    rating: 4,
    voice: 'wry',
    text:
      'Nobody told me it was FUNNY. The first hundred pages are a bedroom farce with a harpoon. Then it turns into an encyclopaedia, ' +
      'then a play, then the weather. I have no idea what it is and I want to start over.',
  },
  {
    slug: 'frankenstein',
    rating: 4,
    voice: 'careful',
    text:
      'I came for bolts and lightning and got a long argument about what you owe to the thing you make. The creature is easily the ' +
      'best talker in the book. Victor, meanwhile, falls ill whenever something needs doing.\n\nLetters inside stories inside ' +
      'letters: it creaks. But the sledge on the ice in the opening pages is worth the ticket.',
  },
  {
    slug: 'crime-and-punishment',
    rating: 5,
    voice: 'wry',
    text: 'Read it with flu and a temperature of 39. Recommended method.',
    comments: ['Heatwave and a rented room also works.'],
  },
  {
    slug: 'don-quixote',
    rating: 4,
    voice: 'fan',
    text:
      "In part two people have read part one and go looking for him, and that was written in 1615. It is newer than most of what's " +
      'on my shelf. Also very long. I took it the way Sancho takes meals, at every opportunity.',
  },
  {
    slug: 'dracula',
    rating: 4,
    voice: 'wry',
    text:
      'They hunt a vampire with shorthand, railway timetables and a woman who types everything up in order. The great administrative ' +
      'thriller.',
  },
  {
    slug: 'the-trial',
    rating: 4,
    voice: 'terse',
    text: 'Read it while waiting for a residence permit. Do not do this.',
    comments: ['Did you get the permit?', 'They told me to come back on Thursday.'],
  },
  {
    slug: 'the-master-and-margarita',
    rating: 5,
    voice: 'fan',
    text:
      "A friend lent me her copy with the cat's scenes marked. I gave it back a year later with everything marked. Get an edition " +
      'with notes, half the jokes are about apartments.',
  },
  {
    slug: 'one-hundred-years-of-solitude',
    rating: 5,
    voice: 'earnest',
    text:
      'My abuela kept her dead sisters up to date with the news while she ironed, so I read this as plain realism. It was years ' +
      'before I found out that other people thought it was strange.',
    comments: ['Same, from Kerala.'],
  },
  {
    slug: 'invisible-cities',
    rating: 4,
    voice: 'careful',
    text:
      'One or two before sleep and no more. Straight through, it goes to syrup. I live in a harbour town with too many stairs and I ' +
      'am fairly sure that three of these cities are mine.',
  },
  {
    slug: 'things-fall-apart',
    rating: 5,
    voice: 'careful',
    text:
      'We read it at school in Enugu, with a teacher who had us act out the village court on the football pitch. What I remember is ' +
      'how fair it is. Achebe loves this place and still shows you the twins left in the forest. People abroad tell me they read it ' +
      'to learn about Africa. I read it for Okonkwo, who is exactly like my uncle.',
  },
  {
    slug: 'beloved',
    rating: 5,
    voice: 'earnest',
    text:
      'It took me two tries. The first time I wanted it to explain itself. The second time I let it come in its own order, and then ' +
      'I had to go and sit on the back step for a while.',
  },
  {
    slug: 'slaughterhouse-five',
    rating: 4,
    voice: 'earnest',
    text: 'My grandfather was in that war and he also only ever told it in the wrong order. I used to think his memory was going.',
  },
  {
    slug: 'the-road',
    rating: 3,
    voice: 'careful',
    text:
      'I admired every page and dreaded the next. There is a can of Coke in it that I will not forget. But the prose keeps up that ' +
      'Old Testament drumbeat until you begin to notice the drummer. And I read it when my son was four, which I would ask others ' +
      'not to do.',
  },
  {
    slug: 'the-alchemist',
    rating: 2,
    voice: 'wry',
    text: 'The universe has conspired to give me this book four times: three birthdays and a leaving do.',
    comments: [
      'Maybe read the omens.',
      'It changed my life, but I was nineteen and stuck in an airport.',
      'An airport is where it lives.',
    ],
  },
  {
    slug: 'neuromancer',
    rating: 4,
    voice: 'fan',
    text: 'Understood about sixty percent of it. Coolest sixty percent of my life.',
  },
  {
    slug: 'the-hitchhikers-guide-to-the-galaxy',
    rating: 5,
    voice: 'fan',
    text: 'I was asked to leave a library because of the whale.',
    comments: ['For me it was the petunias, on a night bus.'],
  },
  {
    slug: 'the-left-hand-of-darkness',
    rating: 5,
    voice: 'careful',
    text:
      'For a hundred pages I found it cold and blamed the planet. Then two people drag a sledge over a glacier for weeks, talking, ' +
      'and I saw that the first half had been teaching me how to misunderstand them. I would trade most of my shelf for those ' +
      'chapters.',
  },
  {
    slug: 'the-three-body-problem',
    rating: 3,
    voice: 'wry',
    text: 'The ideas come at you like weather. The people are there to hold the umbrellas.',
    comments: [
      'Book two has a person in it. Well, half a person.',
      'I came for the computer made of soldiers and left happy.',
    ],
  },
  {
    slug: 'project-hail-mary',
    rating: 5,
    voice: 'fan',
    text:
      'I teach physics and have been trying to make Year 9 care about specific heat for twenty years. This man does it with a ' +
      'stopwatch and some string. They are now reading it under the desks, and I am pretending not to see.',
    comments: ['My physics teacher recommended it. Sir, is this you?', 'Get back to your worksheet.'],
  },
  {
    slug: 'harry-potter-and-the-philosophers-stone',
    rating: 4,
    voice: 'earnest',
    text:
      "I'm thirty-six and could list its faults for you. But if I open it at chapter one to check something, I will still be there " +
      'at the sorting.',
  },
  {
    slug: 'piranesi',
    rating: 5,
    voice: 'earnest',
    text:
      'I read it in a bad spring, mostly in one room. It is about being alone somewhere and being kind to it. There has been a shell ' +
      'on my windowsill since.',
  },
  {
    slug: 'guards-guards',
    rating: 5,
    voice: 'fan',
    text: 'Sam Vimes is my favourite policeman and I am including the real ones.',
  },
  {
    slug: 'twilight',
    rating: 3,
    voice: 'wry',
    text: 'Is it good? No. Did I read it under the covers with a torch, aged thirty-one? I went out for batteries.',
  },
  {
    slug: 'and-then-there-were-none',
    rating: 5,
    voice: 'terse',
    text: 'Guessed. Guessed again. Wrong both times.',
  },
  {
    slug: 'the-name-of-the-rose',
    rating: 4,
    voice: 'careful',
    text:
      "Eco stands a hundred pages of papal politics at the door like a bouncer. Get past him and there's a proper mystery, with a " +
      'library I would give a toe to visit and the best quarrel about laughter I have ever read. I have no Latin and managed. You ' +
      'can tell who is winning from the shape of the sentences.',
  },
  {
    slug: 'sapiens',
    rating: 3,
    voice: 'careful',
    text:
      'Exhilarating until it reached the one period I happen to have studied, and then I began to wonder about all the others. Good ' +
      "for starting arguments at dinner. I wouldn't cite it.",
    comments: ['It covers everything ever in 460 pages, what did you expect, footnotes?', 'Yes.'],
  },
  {
    slug: 'maus',
    rating: 5,
    voice: 'earnest',
    text:
      'My grandmother counted crackers and kept bits of wire in jam jars until she died. I had never seen that in a book, never mind ' +
      'drawn. I lent my copy to my mother, and for once we talked.',
  },
  {
    slug: 'asterix-the-gaul',
    rating: 3,
    voice: 'fan',
    text:
      'I learned French from these, so for years I spoke it with an unusual number of Roman insults. This first one is rougher than ' +
      'the later albums and Obelix hardly gets going. Still boar at the end of it.',
  },
  {
    slug: 'where-the-wild-things-are',
    rating: 5,
    voice: 'terse',
    text: 'Four hundredth reading. Still roaring.',
  },
  {
    slug: 'finn-family-moomintroll',
    rating: 5,
    voice: 'wry',
    text:
      'Whenever guests stay too long I ask myself what Moominmamma would do, and put on more coffee. It has cost me a fortune. I ' +
      'regret nothing.',
  },
  {
    slug: 'the-waste-land',
    rating: 3,
    voice: 'terse',
    text: 'I read the notes. Now I need notes on the notes.',
  },
  {
    slug: 'the-shining',
    rating: 4,
    voice: 'wry',
    text: 'House-sitting in the mountains, alone, in January, and I packed this. I have only myself to blame.',
  },
]
