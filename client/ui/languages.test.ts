import { afterAll, expect, test, vi } from 'vitest'

// Tests share a process: neither may the modules of others be used here, nor these by others.
vi.resetModules()
vi.doMock('#shared/domain/message.ts', async (original) => ({
  ...(await original<object>()),
  isEnglish: false,
  language: 'de',
}))
afterAll(() => {
  vi.doUnmock('#shared/domain/message.ts')
  vi.resetModules()
})

const { datesFor } = await import('./dates.ts')
const { formatsFor, inLanguage, neutral } = await import('./formats.ts')
const { allOf, dayText, numberText } = await import('#shared/texts/formats.ts')

test('a page in another language has dates, numbers and lists as its language writes them', () => {
  const dates = datesFor(neutral, 'UTC')
  expect(dates.date('2026-11-06')).toBe('06.11.2026')
  expect(dates.ago('2026-11-06T09:00:00Z', Date.parse('2026-11-06T12:00:00Z'))).toBe('vor 3 Stunden')
  expect(dates.lang).toBeUndefined()
  expect(formatsFor(neutral).decimal(1234.5, 1)).toBe('1.234,5')
  expect([allOf(['a', 'b', 'c']), dayText('2026-11-06T00:00:00Z'), numberText(1_234)]).toEqual([
    'a, b und c',
    '6. November 2026',
    '1.234',
  ])
})

test('a reader of the language has the region of the reader, and others none', () => {
  expect(inLanguage(['en-US', 'de-AT'])).toEqual(['de-AT', 'de'])
  expect(inLanguage(['en-US', 'fr'])).toEqual(['de'])
})
