import { expect, test } from 'vitest'
import { translatorOf } from '#server/text/translator.ts'
import { drawable, drawableTexts } from './text.ts'

test.each([
  ['Amélie – “Łódź”…', 'Amélie – “Łódź”…'],
  ['two\nlines\t and  spaces ', 'two lines and spaces'],
  ['Phở and ｆｕｌｌ width', 'Pho and full width'],
  [`a${'\u0301\u0323'.repeat(300)}bc`, 'a…'],
  ['👩🏽\u200d👧 family \u202eevil\u0000', 'family evil'],
  ['千と千尋', ''],
  ['\ud800x', 'x'],
])('%j is drawn as %j', (text, drawn) => {
  expect(drawable(text, 30)).toBe(drawn)
})

test('a long text is cut at a word, and its length does not matter', () => {
  expect(drawable('one two three four', 12)).toBe('one two…')
  expect(drawable('x'.repeat(5_000_000), 10)).toBe('xxxxxxxxx…')
  expect(drawable('\u0301'.repeat(5_000_000), 10)).toBe('…')
})

test.each(['de', 'fr', 'es', 'en', 'pl', 'pt-BR', 'en-XA'])('texts in %s can be drawn', (code) => {
  expect(drawableTexts(translatorOf(code, [])).language).toBe(code)
})

test.each(['ja', 'ar', 'ru', 'el', 'zh', 'zh-TW', 'ko', 'he', 'hi', 'th', 'sr', 'uk'])(
  'texts in %s have letters that the fonts do not have, and are in English',
  (code) => {
    expect(drawableTexts(translatorOf(code, [])).language).toBe('en')
  },
)
