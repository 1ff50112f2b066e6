import { afterEach, expect, test, vi } from 'vitest'
import { forgetReaderLocale, storeReaderLocale } from './reader-locale.ts'

afterEach(() => vi.unstubAllGlobals())

test('the cookie is written when its text changes only, so that pages may return from the back/forward cache', () => {
  const written: string[] = []
  let stored = 'other=1'
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('navigator', { languages: ['de-DE', 'en'] })
  vi.stubGlobal('document', {
    get cookie() {
      return stored
    },
    set cookie(text: string) {
      written.push(text)
      stored = `other=1; ${text.split(';')[0]}`
    },
  })
  storeReaderLocale()
  storeReaderLocale()
  expect(written).toEqual([
    expect.stringMatching(/^place=de-DE%2Cen%7C.*SameSite=Lax; Max-Age=31536000; Secure$/),
  ])
  vi.stubGlobal('navigator', { languages: ['de-AT'] })
  storeReaderLocale()
  forgetReaderLocale()
  expect(written.slice(1)).toEqual([
    expect.stringContaining('place=de-AT%7C'),
    expect.stringContaining('Max-Age=0'),
  ])
})
