import { expect, test } from 'vitest'
import { pseudo } from '#scripts/dev/messages/pseudo.ts'
import { patternOf } from './pseudo-reader.ts'

test.each([
  ['Save', undefined, 'Save'],
  ['save', undefined, 'Do not save it'],
  ['Save', { exact: true }, 'Save'],
  [/^4 stars?$/, undefined, '4 stars'],
  [/^(Watched|Read) on \d+$/, undefined, 'Read on 12'],
  [/\bmenu\b|account/i, undefined, 'Your Menu'],
  [/^[A-Z]\w+ of [^:]+: “.*”$/, undefined, 'Reviews of it: “Fine” and “good”'],
  [new RegExp(RegExp.escape('Movies (2)')), undefined, 'Movies (2)'],
] as const)('%s (%o) finds “%s” in English and in the pseudo language', (text, options, shown) => {
  const pattern = patternOf(text, options)
  expect(shown).toMatch(pattern)
  expect(pseudo(shown)).toMatch(pattern)
})

test('a text is found over several messages, with names between them', () => {
  const shown = `${pseudo('Move')} Solaris,\n ${pseudo('position {n}').replace('{n}', '2')}`
  expect(shown).toMatch(patternOf('Move Solaris, position 2', { exact: true }))
})

test.each([
  ['Save', { exact: true }, 'Save it'],
  ['Saved', undefined, 'Save'],
  [/^Save$/, undefined, 'Do not Save'],
  [/\bmenu\b/, undefined, 'menus'],
] as const)('%s (%o) does not find “%s”', (text, options, shown) => {
  expect(pseudo(shown)).not.toMatch(patternOf(text, options))
})
