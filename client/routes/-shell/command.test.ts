import { expect, test } from 'vitest'
import { dayWord, inEnglish, parseCommand } from './command.ts'

/** A Wednesday. */
const today = '2026-05-06'
const parse = (line: string) => parseCommand(line, today)
const command = { status: 'finished', hasVerb: true, longTitle: null, stars: null, day: null }

test.each([
  ['log dune', { title: 'dune' }],
  ['  Log   The Hobbit ', { title: 'The Hobbit' }],
  ['log dune yesterday 4', { title: 'dune', day: '2026-05-05', stars: 4, longTitle: 'dune yesterday 4' }],
  ['log dune 4 yesterday', { title: 'dune', day: '2026-05-05', stars: 4, longTitle: 'dune 4' }],
  ['watched dune 5 stars', { title: 'dune', stars: 5 }],
  ['read emma ★★★', { title: 'emma', stars: 3 }],
  ['played hades 3/5 on monday', { title: 'hades', stars: 3, day: '2026-05-04' }],
  ['log dune wednesday', { title: 'dune', day: '2026-04-29' }],
  ['log dune 3 days ago', { title: 'dune', day: '2026-05-03' }],
  ['log dune 2024-02-29', { title: 'dune', day: '2024-02-29' }],
  ['want dune', { title: 'dune', status: 'want' }],
  ['started emma today', { title: 'emma', status: 'started', day: today }],
])('“%s” is a command', (line, expected) => {
  expect(parse(line)).toEqual({ ...command, ...expected })
})

test.each([
  ['dune yesterday 4', { title: 'dune', day: '2026-05-05', stars: 4, longTitle: 'dune yesterday 4' }],
  ['dune 4 yesterday', { title: 'dune', day: '2026-05-05', stars: 4, longTitle: 'dune 4' }],
  ['emma 3 stars', { title: 'emma', stars: 3 }],
  ['dune 2 days ago', { title: 'dune', day: '2026-05-04' }],
])('“%s” is a command without a verb', (line, expected) => {
  expect(parse(line)).toEqual({ ...command, hasVerb: false, ...expected })
})

test.each([
  ['log dune 3.5', { title: 'dune', stars: 3.5, longTitle: 'dune 3.5' }],
  ['log dune 3,5 yesterday', { title: 'dune', stars: 3.5, day: '2026-05-05', longTitle: 'dune 3,5' }],
  ['log dune 3½', { title: 'dune', stars: 3.5 }],
  ['log dune 1.5 stars', { title: 'dune', stars: 1.5 }],
  ['log dune 4½/5 today', { title: 'dune', stars: 4.5, day: today }],
  ['log dune 4', { title: 'dune', stars: 4, longTitle: 'dune 4' }],
  ['dune 3½', { hasVerb: false, title: 'dune', stars: 3.5 }],
  ['dune yesterday 3.5', { hasVerb: false, title: 'dune', stars: 3.5, day: '2026-05-05' }],
  // Neither is a rating.
  ['log dune 5.5', { title: 'dune 5.5' }],
  ['log dune 3.7', { title: 'dune 3.7' }],
  ['log dune 0.5', { title: 'dune 0.5' }],
])('“%s” is a command of members who rate in half stars', (line, expected) => {
  expect(parseCommand(line, today, true)).toMatchObject(expected)
})

test('without half stars, a fraction belongs to the title', () => {
  expect(parse('log dune 3.5')).toMatchObject({ title: 'dune 3.5', stars: null })
  expect(parse('log dune 3½')).toMatchObject({ title: 'dune 3½', stars: null })
  expect(parse('dune 3½')).toBeNull()
})

test('a number at the end can be a part of the title', () => {
  expect(parse('log toy story 4')).toEqual({
    ...command,
    title: 'toy story',
    stars: 4,
    longTitle: 'toy story 4',
  })
  expect(parse('log toy story 4 5')).toMatchObject({ title: 'toy story 4', stars: 5 })
  expect(parse('log apollo 13')).toEqual({ ...command, title: 'apollo 13' })
})

test.each([
  ['log 5', { title: '5' }],
  ['log yesterday', { title: 'yesterday' }],
  ['log dune 2024-02-31', { title: 'dune 2024-02-31' }],
  ['log dune 2027-01-01', { title: 'dune 2027-01-01' }],
  ['log freaky friday night', { title: 'freaky friday night' }],
  ['log dune holiday', { title: 'dune holiday' }],
])('of “%s”, what is no day or rating belongs to the title', (line, expected) => {
  expect(parse(line)).toEqual({ ...command, ...expected })
})

test.each([
  '',
  'log',
  'dune',
  'logan',
  'toy story 4',
  'freaky friday',
  'yesterday',
  'constructor dune',
  '__proto__ dune',
])('“%s” is no command', (line) => {
  expect(parse(line)).toBeNull()
})

test('only today and yesterday have a word', () => {
  expect([today, '2026-05-05', '2026-05-04'].map((day) => dayWord(day, today))).toEqual([
    'today',
    'yesterday',
    undefined,
  ])
})

const german = {
  locale: 'de',
  verbs: { log: 'eintragen gesehen', started: 'angefangen', want: 'merken' },
  stars: 'Stern Sterne',
  on: 'am',
}
const arabic = { locale: 'ar', verbs: { log: 'سجل شاهدت' }, stars: 'نجمة نجوم', on: 'يوم' }
const french = { locale: 'fr', verbs: { log: 'ajouter' }, stars: 'étoile étoiles', on: 'le' }
const japanese = { locale: 'ja', verbs: { log: '記録' }, stars: '星 つ星', on: '前の' }

test.each([
  [german, 'Eintragen Der Pate gestern 4', 'log Der Pate 2026-05-05 4'],
  [german, 'gesehen Alien vor 3 Tagen 5 Sterne', 'log Alien 2026-05-03 5/5'],
  [german, 'Alien 4 Sterne vorgestern', 'Alien 4/5 2026-05-04'],
  [german, 'angefangen Emma am Montag', 'started Emma monday'],
  [german, 'merken Heute', 'want Heute'],
  [german, 'log dune yesterday 4', 'log dune yesterday 4'],
  [french, "ajouter Amélie aujourd'hui 3 étoiles", 'log Amélie 2026-05-06 3/5'],
  [japanese, '記録 乱 3日前 4つ星', 'log 乱 2026-05-03 4/5'],
  [arabic, 'سجل كثيب أمس 4', 'log كثيب 2026-05-05 4'],
])(
  'a command in another language is read by its own words, and by the English ones (%#)',
  (words, line, expected) => {
    expect(inEnglish(line, today, words)).toBe(expected)
  },
)
