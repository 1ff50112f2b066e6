import { expect, test } from 'vitest'
import { afterLogin } from './redirect.ts'

test('a login redirects to the previous page, with its search and hash', () => {
  expect(afterLogin('/for-you')).toBe('/for-you')
  expect(afterLogin('/user/7?tab=books#top')).toBe('/user/7?tab=books#top')
})

test('a login without a redirect, or with a redirect to the login page, goes to the library', () => {
  expect(afterLogin(undefined)).toBe('/items')
  expect(afterLogin('')).toBe('/items')
  expect(afterLogin('/login?redirect=/login')).toBe('/items')
})

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n\\evil.example',
  '/..//evil.example',
  '/.\\/evil.example',
  '/user/%2e%2E/..//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'items',
])('%j is rejected: a browser may read it as another host, or it is no path', (target) => {
  expect(afterLogin(target)).toBe('/items')
})
