import { expect, test } from 'vitest'
import { z } from 'zod'
import { slowness, threadCpuMs } from '#scripts/testing/event-loop.ts'
import { listOf, maybe, popularityOf, toCount, toDate, toLine, toNames, toRating, toText } from './clean.ts'

test('toText keeps paragraphs and removes HTML, scripts and control characters', () => {
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

test('text that only looks like HTML is unchanged', () => {
  expect(toText('1 < 2, 3 > 2, I <3 it, AT&T')).toBe('1 < 2, 3 > 2, I <3 it, AT&T')
  expect(toLine('<Untitled>')).toBe('<Untitled>')
})

test('missing text, blanks and HTML without text are null', () => {
  for (const empty of [undefined, '', ' \n ', '<br><p></p>', '<!-- -->']) expect(toText(empty)).toBeNull()
  expect(toLine(' \t ')).toBeNull()
})

test('text is truncated at a word within its limit, never inside a character', () => {
  expect(toText('one two three', 9)).toBe('one two…')
  expect(toText('🐙'.repeat(20), 10)).toBe('🐙🐙🐙🐙…')
  expect(toText(`<p>${'word '.repeat(10_000)}</p>`)!.length).toBeLessThanOrEqual(5_000)
})

test('hostile text, slow or deeply nested, does not block the event loop', () => {
  const before = threadCpuMs()
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
  expect(threadCpuMs() - before).toBeLessThan(5_000 * slowness())
})

test('toDate accepts only dates of the calendar and keeps their precision', () => {
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

test('fields that are missing, null or of another type are left out', () => {
  const schema = z.object({ name: maybe(z.string()), list: listOf(z.object({ id: z.int() })) })
  expect(schema.parse({})).toEqual({ list: [] })
  expect(schema.parse({ name: null, list: {} })).toEqual({ list: [] })
  expect(schema.parse({ name: 5, list: [{ id: 1 }, 7, null, 'x', { id: 'y' }] })).toEqual({
    list: [{ id: 1 }],
  })
})

test('toNames removes duplicates and line breaks', () => {
  expect(toNames(['A  B', undefined, ' A B', 'C', 'D'], 2)).toEqual(['A B', 'C'])
})

test('a count of 0 is unknown, and a mean without ratings is null', () => {
  expect([toCount(0), toCount(undefined), toCount(-1), toCount(96)]).toEqual([null, null, null, 96])
  expect([
    toRating(0, 10, 0),
    toRating(7.764, 10, 239),
    toRating(11, 10, 5),
    toRating(4.2, 5, undefined),
  ]).toEqual([null, 77.6, null, null])
  expect([
    popularityOf(undefined, 100),
    popularityOf(0, 100),
    popularityOf(100, 100),
    popularityOf(1e9, 100),
  ]).toEqual([0, 0, 100, 100])
})
