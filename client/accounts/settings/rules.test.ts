import { expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { changedFields, describeAgent, passwordErrors } from './rules.ts'

const ada = { username: 'ada', email: 'ada@example.org', bio: '' }

test('only changed fields are sent, trimmed', () => {
  expect(changedFields(ada, { ...ada, username: ' ada_l ' })).toEqual({ username: 'ada_l' })
  expect(changedFields(ada, { ...ada, email: 'a@example.org ' })).toEqual({ email: 'a@example.org' })
  expect(changedFields({ ...ada, bio: 'Me.' }, ada)).toEqual({ bio: '' })
})

test('whitespace around a value is not a change', () => {
  expect(changedFields(ada, { username: ' ada', email: ' ada@example.org ', bio: ' ' })).toEqual({})
})

test('all three passwords are required, and the first missing one is named', () => {
  expect(passwordErrors({ currentPassword: 'old-one', newPassword: ' ', confirmation: '' })).toEqual({
    newPassword: messages.passwordFieldsMissing,
  })
})

test('a new password has at least 6 characters after trimming', () => {
  expect(
    passwordErrors({ currentPassword: 'old-one', newPassword: ' 12345 ', confirmation: ' 12345 ' }),
  ).toEqual({
    newPassword: messages.newPasswordTooShort,
  })
})

test('a new password must match its confirmation', () => {
  expect(
    passwordErrors({ currentPassword: 'old-one', newPassword: 'new-one', confirmation: 'new-two' }),
  ).toEqual({
    confirmation: messages.passwordsDiffer,
  })
})

test('a new password must differ from the current one', () => {
  expect(
    passwordErrors({ currentPassword: 'old-one', newPassword: 'old-one ', confirmation: 'old-one' }),
  ).toEqual({
    newPassword: messages.passwordUnchanged,
  })
})

test('a valid change has no error', () => {
  expect(
    passwordErrors({ currentPassword: 'old-one', newPassword: 'new-one', confirmation: 'new-one' }),
  ).toBeUndefined()
})

test('a session is described by browser and operating system', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile/15E Safari/604.1'
  const chrome =
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
  const edge =
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0'
  expect([firefox, safari, chrome, edge].map(describeAgent)).toEqual([
    'Firefox on Linux',
    'Safari on iPhone',
    'Chrome on Android',
    'Edge on Windows',
  ])
  expect(describeAgent('curl/8.5.0')).toBe('curl')
  expect(describeAgent(null)).toBe('Unknown device')
})
