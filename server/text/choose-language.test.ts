import { expect, test } from 'vitest'
import { acceptedCountry, chooseLanguage } from './choose-language.ts'

const offered = ['en', 'de', 'fr', 'pt-BR', 'zh', 'ar']
const accept = (accepted: string) => chooseLanguage({ accepted, byDefault: 'en' }, offered)

test('the page comes before the member, the browser’s choice, its languages and the site', () => {
  const all = { query: 'de', setting: 'fr', cookie: 'ar', accepted: 'zh', byDefault: 'pt-BR' }
  const languages = ['query', 'setting', 'cookie', 'accepted', 'byDefault'].map((_, at) =>
    chooseLanguage({ byDefault: 'en', ...Object.fromEntries(Object.entries(all).slice(at)) }, offered),
  )
  expect(languages).toEqual(['de', 'fr', 'ar', 'zh', 'pt-BR'])
})

test('a choice that the site does not offer counts as none', () => {
  for (const code of ['xx', '', 'constructor', '__proto__', 'de;q=1', 'de-AT', '../de', 'd'.repeat(10_000)]) {
    const choice = { query: code, setting: code, cookie: code, accepted: '', byDefault: code }
    expect(chooseLanguage(choice, offered)).toBe('en')
  }
  expect(chooseLanguage({ query: 'DE', byDefault: 'en' }, offered)).toBe('de')
  expect(chooseLanguage({ query: 'de', accepted: 'de', byDefault: 'de' }, ['en'])).toBe('en')
})

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-at, en;q=0.9', 'de'],
  ['zh-Hant-TW', 'zh'],
  ['pt-BR', 'pt-BR'],
  ['pt', 'en'],
  ['es, fr;q=0.5, de;q=0.8', 'de'],
  ['fr;q=0.8, de;q=0.8', 'fr'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de-AT, de;q=0, fr;q=0.5', 'fr'],
  ['ar ; q = 0.7 , fr;q=0.300', 'ar'],
  ['*', 'en'],
  ['*, de;q=0.5', 'de'],
  ['', 'en'],
  [',,;q=1,', 'en'],
  ['de;q=2, fr', 'fr'],
  ['de;q=-1, fr;q=0.1', 'fr'],
  ['de;q=0.1234, fr;q=0.1', 'fr'],
  ['de;level=1, fr;q=0.1', 'fr'],
  ['<script>, fr', 'fr'],
  [`${'xx,'.repeat(19)}de`, 'de'],
  [`${'xx,'.repeat(20)}de`, 'en'],
  [`${'x'.repeat(2_000)},de`, 'en'],
])('Accept-Language: %s', (accepted, language) => {
  expect(accept(accepted)).toBe(language)
})

test.each([
  ['de', 'DE'],
  ['de-AT,de;q=0.9,en;q=0.8', 'AT'],
  ['en;q=0.5, fr-CA', 'CA'],
  ['zh-Hant', 'TW'],
  ['ar', 'EG'],
  ['', undefined],
  ['*', undefined],
  ['es-419', undefined],
  ['fr;q=0', undefined],
  ['abcdefgh-ijklmnop', undefined],
  ['x'.repeat(100_000), undefined],
])('the country of “%s” is %s', (header, country) => {
  expect(acceptedCountry(header)).toBe(country)
})
