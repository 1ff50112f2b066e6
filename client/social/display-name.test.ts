import { expect, test } from 'vitest'
import { displayName } from './display-name.ts'

test('a member without a name is shown by the email’s local part, or as User', () => {
  expect(displayName({ username: 'lantern_moth', email: 'moth@example.org' })).toBe('lantern_moth')
  expect(displayName({ username: '', email: 'moth@example.org' })).toBe('moth')
  expect(displayName({ username: '' })).toBe('User')
})
