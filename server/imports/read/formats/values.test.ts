import { noteOf, textOfNote } from '#shared/texts/import-notes.ts'
import { describe, expect, test } from 'vitest'
import { allKinds } from '#shared/domain/kinds.ts'
import { dateOf, isbnOf, kindOf, knownStatus, lineOf, ratingOf, textOf, yearOf } from './values.ts'

function noted<Result>(read: (notes: string[]) => Result): [Result, string[]] {
  const notes: string[] = []
  const result = read(notes)
  return [result, notes.map(textOfNote)]
}

describe('dates', () => {
  test.each([
    ['2023-01-05', '2023-01-05'],
    ['2023/1/5', '2023-01-05'],
    ['2018/07', '2018-07'],
    ['2018', '2018'],
    ['2012-05-00', '2012-05'],
    ['05.01.2023', '2023-01-05'],
    ['31/12/2022', '2022-12-31'],
    ['12/31/22', '2022-12-31'],
    ['Sat Apr 23 08:36:35 2011', '2011-04-23'],
    ['Apr 18, 2011', '2011-04-18'],
    ['18 April 2011', '2011-04-18'],
    ['2-Feb-20', '2020-02-02'],
    ['2023-03-14 20:01:02', '2023-03-14'],
    ['2023-03-14T20:00:00.000Z', '2023-03-14T20:00:00.000Z'],
    ['2023-03-14T23:00:00+02:00', '2023-03-14T21:00:00.000Z'],
    ['2020-06-06 21:00:00 UTC', '2020-06-06T21:00:00.000Z'],
    // The day that the file writes.
    ['2024-12-31T23:30:00-08:00', '2024-12-31'],
    ['2025-01-01T00:30:00+0900', '2025-01-01'],
    ['2023-12-31 23:59:59.999999+00', '2023-12-31T23:59:59.999Z'],
    ['2023-12-31 22:00:00-05', '2023-12-31'],
    ['20231231T235959Z', '2023-12-31T23:59:59.000Z'],
    ['2023-12-31T23:59', '2023-12-31'],
    ['2023-12-31 11:59 PM', '2023-12-31'],
    ['2023-12-31 23:59:59 America/New_York', '2023-12-31'],
    ['20231231', '2023-12-31'],
    ['20231231235959', '2023-12-31'],
    ['1704067199', '2023-12-31T23:59:59.000Z'],
    ['1704067199000', '2023-12-31T23:59:59.000Z'],
    ['45291', '2023-12-31'],
    ['45291.75', '2023-12-31'],
    ['2023-365', '2023-12-31'],
    ['2023-W52-7', '2023-12-31'],
    ['2023-W52', '2023-12'],
    ['2024-W05', '2024'],
    ['31.12.23', '2023-12-31'],
    ['31. 12. 2023', '2023-12-31'],
    ['31-12-2023', '2023-12-31'],
    ['12/31/2023 11:59 PM', '2023-12-31'],
    ['31.12.2023, 23:59 Uhr', '2023-12-31'],
    ['12/2023', '2023-12'],
    ['Sunday, December 31, 2023', '2023-12-31'],
    ['Sun, 31 Dec 2023 23:59:00 +0100', '2023-12-31'],
    ['Sun Dec 31 2023 23:59:59 GMT-0800 (Pacific Standard Time)', '2023-12-31'],
    ['11:59 PM, Dec 31st, 2023', '2023-12-31'],
    ['Dec 31 ’23', '2023-12-31'],
    ['December 2023', '2023-12'],
    ['31-Dic-2023', '2023-12-31'],
    ['31. Dezember 2023', '2023-12-31'],
    ['le 31 décembre 2023 à 23h59', '2023-12-31'],
    ['mar. 31 déc. 2024', '2024-12-31'],
    ['1er janvier 2024', '2024-01-01'],
    ['domingo, 31 de diciembre de 2023', '2023-12-31'],
    ['31 dicembre 2023', '2023-12-31'],
    ['31 de dezembro de 2023', '2023-12-31'],
    ['zondag 31 december 2023', '2023-12-31'],
    ['31 grudnia 2023 r.', '2023-12-31'],
    ['31 декабря 2023 г.', '2023-12-31'],
    ['31 Aralık 2023', '2023-12-31'],
    ['2023. december 31.', '2023-12-31'],
    ['2023年12月31日', '2023-12-31'],
    ['２０２３年１２月３１日（日）', '2023-12-31'],
    ['令和5年12月31日', '2023-12-31'],
    ['2023년 12월 31일 일요일', '2023-12-31'],
    ['2023. 12. 31.', '2023-12-31'],
  ])('%s is %s', (value, date) => {
    expect(noted((notes) => dateOf(value, notes))).toEqual([date, []])
  })

  test.each(['', ' ', 'None', 'null', '0000-00-00', '0', '-'])('“%s” is no date, without a note', (value) => {
    expect(noted((notes) => dateOf(value, notes))).toEqual([null, []])
  })

  test.each([
    ['1970-01-01T00:00:00.000Z', 'The start of 1970 stands for an unknown date.'],
    ['1815-06-18', 'The date 1815-06-18 is too early.'],
    ['2023-02-30', '“2023-02-30” is not a date.'],
    ['2023-13-01', '“2023-13-01” is not a date.'],
    ['13/13/2023', '“13/13/2023” is not a date.'],
    ['2023-02-30T00:00:00Z', '“2023-02-30T00:00:00Z” is not a date.'],
    ['2023-01-01T25:00:00Z', '“2023-01-01T25:00:00Z” is not a date.'],
    ['Foo 18, 2011', '“Foo 18, 2011” is not a date.'],
    ['31/02/2024', '“31/02/2024” is not a date.'],
    ['31 juin 2023', '“31 juin 2023” is not a date.'],
    ['20231399', '“20231399” is not a date.'],
    ['2025-W53', '“2025-W53” is not a date.'],
    ['Dec-23', '“Dec-23” is not a date.'],
    ['1.70407E+09', '“1.70407E+09” is not a date.'],
    ['soon', '“soon” is not a date.'],
    ['x'.repeat(1_000_000), `“${'x'.repeat(39)}…” is not a date.`],
  ])('%.40s is no date, with a note', (value, note) => {
    expect(noted((notes) => dateOf(value, notes))).toEqual([null, [note]])
  })

  test('the order of day and month follows the option, and is noted where it is a guess', () => {
    expect(noted((notes) => dateOf('1/5/23', notes))).toEqual([
      '2023-01-05',
      ['“1/5/23” was read with the month first.'],
    ])
    expect(noted((notes) => dateOf('1/5/23', notes, 'dmy'))).toEqual(['2023-05-01', []])
    expect(noted((notes) => dateOf('1/5/23', notes, 'mdy'))).toEqual(['2023-01-05', []])
    // A day that cannot be a month decides for itself.
    expect(noted((notes) => dateOf('5/13/23', notes, 'dmy'))).toEqual(['2023-05-13', []])
    expect(noted((notes) => dateOf('13/5/23', notes, 'mdy'))).toEqual(['2023-05-13', []])
  })
})

describe('ratings', () => {
  const of5 = { min: 0.5, max: 5 }
  test.each([
    ['4.5', '4.5/5'],
    ['5.0', '5/5'],
    ['4,25', '4.25/5'],
    ['3.3333', '3.33/5'],
  ])('%s is %s', (value, given) => {
    expect(noted((notes) => ratingOf(value, of5, notes))).toEqual([given, []])
  })

  test.each(['', '0', '0.0', 'null'])('“%s” is no rating, without a note', (value) => {
    expect(noted((notes) => ratingOf(value, of5, notes))).toEqual([null, []])
  })

  test.each(['6', '-1', '0.1', 'good', '1e1', 'NaN5', '5.0.0'])('“%s” is noted', (value) => {
    expect(noted((notes) => ratingOf(value, of5, notes))).toEqual([
      null,
      [`“${value}” is not a rating from 0.5 to 5.`],
    ])
  })
})

describe('ISBN', () => {
  test('ISBN-10 becomes ISBN-13, and wrappings of spreadsheets are removed', () => {
    expect(noted((notes) => isbnOf(['="9780547928227"'], notes))).toEqual(['9780547928227', []])
    expect(noted((notes) => isbnOf(['=""', '="054792822X"'], notes))).toEqual(['9780547928227', []])
    expect(noted((notes) => isbnOf(['978-0-547-92822-7'], notes))).toEqual(['9780547928227', []])
  })

  test('a damaged one is noted and the next one is used', () => {
    expect(noted((notes) => isbnOf(['="9780142437248"'], notes))).toEqual([
      null,
      ['The ISBN has a wrong check digit.'],
    ])
    expect(noted((notes) => isbnOf(['9.78E+12', '054792822X'], notes))).toEqual([
      '9780547928227',
      ['The ISBN lost its digits in a spreadsheet.'],
    ])
  })

  test.each([
    '[054792822X]',
    '[9780547928227]',
    'ISBN 9780547928227',
    'ISBN-10: 0-547-92822-x',
    'ISBN-13 978-0-547-92822-7',
    '9780547928227 (pbk.)',
    'urn:isbn:9780547928227',
    'isbn:9780547928227',
    '0547928227, 9780547928227',
    '9780547928228 9780547928227',
    '9780547928227.0',
    '978 0547928227',
    '978–0–547–92822–7',
    '="054792822X"',
  ])('%s is read', (value) => {
    expect(noted((notes) => isbnOf([value], notes))).toEqual(['9780547928227', []])
  })

  test('a zero that a spreadsheet removed is added again', () => {
    for (const value of ['306406152', '306406152.0'])
      expect(noted((notes) => isbnOf([value], notes))).toEqual(['9780306406157', []])
  })

  test('other ids are none, without a note', () => {
    expect(noted((notes) => isbnOf(['B0851JCZYV', 'notanisbn', '', 'fbdd6b7c-f512'], notes))).toEqual([
      null,
      [],
    ])
  })
})

describe('text', () => {
  const html = (value: string) => noted((notes) => textOf(value, notes, 'html'))

  test('HTML becomes text with line breaks and addresses, without scripts', () => {
    expect(
      html('A<br/>B<p>C</p><p>D &amp; E</p><blockquote>F</blockquote>G<script>alert(1)</script>'),
    ).toEqual(['A\nB\n\nC\n\nD & E\n\nF\nG', []])
    expect(html('<a href="https://a.example/x">words</a> <a href="javascript:alert(1)">bad</a>')).toEqual([
      'words (https://a.example/x) bad',
      [],
    ])
  })

  test('text of services without HTML is unchanged', () => {
    const plain = '1 < 2 & <b>bold</b>\n\n\n\nend'
    expect(noted((notes) => textOf(plain, notes, 'plain'))).toEqual([plain, []])
  })

  test.each([
    ['One<br/><br/>Line &quot;two&quot; &amp; <i>three</i>', 'One\n\nLine "two" & three'],
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['One &lt;3 <BR>Two', 'One <3\nTwo'],
    ['It&#39;s &#x2014; &eacute;', "It's — é"],
    ['One <3 <b>two</b> a < b & c, x<y and y>z', 'One <3 two a < b & c, x<y and y>z'],
    ['<a href="https://example.org/x">More</a>', 'More (https://example.org/x)'],
  ])('%s is markup of a file that may have some', (value, plain) => {
    expect(noted((notes) => textOf(value, notes))).toEqual([plain, []])
  })

  test.each([
    'I <3 this',
    'a < b',
    'a <b and c> d',
    'AT&T & R&D',
    'x<y and y>z',
    '\n\n\nx  &  y'.trim(),
    '<spoiler>',
  ])('%s has no markup', (value) => {
    expect(noted((notes) => textOf(value, notes))).toEqual([value, []])
  })

  test('converting a hostile text is bounded', () => {
    const blocked = (value: string) => {
      const begun = performance.now()
      textOf(value, [])
      return performance.now() - begun
    }
    for (const unit of ['<a ', '<a x=', '<b a="', '&#1', '<', '&', '<p x=1 '])
      expect(blocked(unit.repeat(200_000))).toBeLessThan(1_000)
  })

  test('control characters, bidirectional controls and lone surrogates are removed', () => {
    expect(html('a\u0007b\u202ec\ud800')).toEqual(['abc\ufffd', []])
  })

  test('text that cannot be normalized in linear time is left out with a note', () => {
    const [text, notes] = html(`a${'\u0301'.repeat(50)}`)
    expect([text, notes.length]).toEqual(['', 1])
  })

  test('text over 10,000 characters is cut with a note', () => {
    const [text, notes] = html('word '.repeat(3_000))
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text.endsWith('…')).toBe(true)
    expect(notes).toEqual(['The text is longer than 10,000 characters and is cut.'])
    expect(html('x'.repeat(10_000))).toEqual(['x'.repeat(10_000), []])
  })
})

test('lines are cut at 200 characters and have no line breaks', () => {
  expect(lineOf('a\n b\t c')).toBe('a b c')
  expect(lineOf('x'.repeat(1_000_000))).toHaveLength(200)
})

test('years', () => {
  expect(yearOf('2013–2023')).toBe(2013)
  expect(yearOf('["Apr 18, 2011 (Worldwide [WW])"]')).toBe(2011)
  expect(yearOf('12345')).toBeNull()
  expect(yearOf('')).toBeNull()
})

test('words for statuses and kinds', () => {
  expect(['to-read', 'Currently_Reading', 'did-not-finish', 'On hold', 'x'].map(knownStatus)).toEqual([
    'want',
    'started',
    'dropped',
    'paused',
    undefined,
  ])
  expect(['TV Mini Series', 'tvSeries', 'Feature Film', 'Video Game', 'Postcard'].map(kindOf)).toEqual([
    'tvShow',
    'tvShow',
    'movie',
    'game',
    undefined,
  ])
  for (const { kind, words } of allKinds)
    expect([kind, words.one, words.many].map(kindOf)).toEqual([kind, kind, kind])
})

test('a note is stored as a code with values, and shown as a text; rows of earlier versions have the text itself', () => {
  expect(noteOf('notARating', '6\t6', 0.5, 5)).toBe('notARating\t6 6\t0.5\t5')
  expect(textOfNote(noteOf('notARating', '6\t6', 0.5, 5))).toBe('“6 6” is not a rating from 0.5 to 5.')
  expect(textOfNote('The ISBN has a wrong check digit.')).toBe('The ISBN has a wrong check digit.')
  for (const other of ['', 'constructor', 'comments', 'column “longText”'])
    expect(textOfNote(other)).toBe(other)
})
