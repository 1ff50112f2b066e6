import { expect, test } from 'vitest'
import { z } from 'zod'
import { fameOf, listOf, maybe, toCount, toDate, toLine, toNames, toRating, toText } from './clean.ts'

test('text keeps its paragraphs and loses its HTML, scripts and control characters', () => {
  expect(
    toText(
      'One &amp; <b>two</b>.\r\n\r\nThree<br>four <script>alert(1)</script><img src=x onerror=alert(1)>',
    ),
  ).toBe('One & two.\n\nThree\nfour')
  expect(toText('<p>First.</p><p>Second, <a href="javascript:alert(1)">linked</a>.</p>')).toBe(
    'First.\n\nSecond, linked.',
  )
  expect(toText('a\u0000b\u202ec\ud800')).toBe('abc�')
})

test('text that only looks like HTML stays as it is', () => {
  expect(toText('1 < 2, 3 > 2, I <3 it, AT&T')).toBe('1 < 2, 3 > 2, I <3 it, AT&T')
  expect(toLine('<Untitled>')).toBe('<Untitled>')
})

test('nothing, blanks and HTML without words are null', () => {
  for (const empty of [undefined, '', ' \n ', '<br><p></p>', '<!-- -->']) expect(toText(empty)).toBeNull()
  expect(toLine(' \t ')).toBeNull()
})

test('text is cut at a word within its bound, never inside a character', () => {
  expect(toText('one two three', 9)).toBe('one two…')
  expect(toText('🐙'.repeat(20), 10)).toBe('🐙🐙🐙🐙…')
  expect(toText(`<p>${'word '.repeat(10_000)}</p>`)!.length).toBeLessThanOrEqual(5_000)
})

test('text made to be slow or deep is read in no time', () => {
  const began = Date.now()
  for (const hostile of [
    '<b>'.repeat(200_000),
    '\u00a0'.repeat(200_000),
    '\n'.repeat(200_000),
    '&'.repeat(200_000),
    '<'.repeat(200_000),
  ]) {
    toText(`a${hostile}b`)
    toLine(`a${hostile}b`)
  }
  expect(Date.now() - began).toBeLessThan(5_000)
})

test('only real dates are dates, as exact as they are given', () => {
  for (const date of ['1999', '1999-03', '1999-03-31', '2024-02-29', '0750']) expect(toDate(date)).toBe(date)
  for (const none of [
    undefined,
    '',
    '0000',
    '1999-13',
    '1999-00',
    '1999-02-30',
    '2023-02-29',
    '1999-3-1',
    '99',
    '1999-03-31T00:00:00Z',
    'soon',
  ]) {
    expect(toDate(none)).toBeNull()
  }
})

test('what is missing, null or of another form is left out', () => {
  const schema = z.object({ name: maybe(z.string()), list: listOf(z.object({ id: z.int() })) })
  expect(schema.parse({})).toEqual({ list: [] })
  expect(schema.parse({ name: null, list: {} })).toEqual({ list: [] })
  expect(schema.parse({ name: 5, list: [{ id: 1 }, 7, null, 'x', { id: 'y' }] })).toEqual({
    list: [{ id: 1 }],
  })
})

test('names come once each, in one line', () => {
  expect(toNames(['A  B', undefined, ' A B', 'C', 'D'], 2)).toEqual(['A B', 'C'])
})

test('0 means unknown in counts, and a mean without ratings is none', () => {
  expect([toCount(0), toCount(undefined), toCount(-1), toCount(96)]).toEqual([null, null, null, 96])
  expect([
    toRating(0, 10, 0),
    toRating(7.764, 10, 239),
    toRating(11, 10, 5),
    toRating(4.2, 5, undefined),
  ]).toEqual([null, 77.6, null, null])
  expect([fameOf(undefined, 100), fameOf(0, 100), fameOf(100, 100), fameOf(1e9, 100)]).toEqual([
    0, 0, 100, 100,
  ])
})
