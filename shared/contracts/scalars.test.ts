import { expect, test, vi } from 'vitest'
import type { z } from 'zod'
import * as accounts from './accounts.ts'
import { isbn13, sync } from './titles.ts'
import { messages } from '#shared/texts/messages.ts'
import { email, givenPassword, isNormalizable, line, password, query, text, username } from './scalars.ts'

/** All scalars that transform their input. */
const scalars: Record<string, z.ZodType<string>> = {
  text: text(100),
  line: line(100),
  query,
  username,
  email,
  password: password(),
  givenPassword,
  loginEmail: accounts.login.input.shape.email,
  isbn13,
  olid: sync.bookByOlid.input.shape.olid,
}
const marks = (count: number) => `${'\u0301'.repeat(count / 2)}${'\u0323'.repeat(count / 2)}`
const messagesOf = (schema: z.ZodType, value: string) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)

test.each(Object.keys(scalars))(
  '%s refuses text that is far too long or has too many marks without normalizing it',
  (name) => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    for (const hostile of [`a${marks(40_000)}`, 'a'.repeat(100_000), `a${marks(32)}b`, marks(60)])
      expect(scalars[name]!.safeParse(hostile).success, hostile.slice(0, 40)).toBe(false)
    const normalized = normalize.mock.calls.length
    normalize.mockRestore()
    expect(normalized).toBe(0)
  },
)

test('a text that is too long gets one issue with the same message, however long it is', () => {
  for (const [schema, max] of [
    [text(100), 100],
    [line(100), 100],
    [givenPassword, 200],
    [password(), 200],
  ] as const) {
    const [expected] = messagesOf(schema, 'a'.repeat(max + 1))!
    expect(messagesOf(schema, 'a'.repeat(100_000))).toEqual([expected])
  }
  expect(messagesOf(username, 'a'.repeat(100_000))).toEqual([messages.usernameInvalid])
  expect(messagesOf(email, 'a'.repeat(100_000))).toEqual([messages.emailInvalid])
  expect(messagesOf(isbn13, '9'.repeat(100_000))).toContain(messages.isbnInvalid)
})

test('the length of a text excludes surrounding white space and is counted after composition', () => {
  const around = (value: string) => `${' \n'.repeat(20_000)}${value}${'\u00a0'.repeat(20_000)}`
  for (const letter of ['ự', '\u1f82', '\u{1109a}', '각']) {
    const [composed, decomposed] = [letter.repeat(100), letter.normalize('NFD').repeat(100)]
    expect(text(100).parse(around(decomposed))).toBe(composed)
    expect(line(100).parse(around(decomposed))).toBe(composed)
    expect(text(100).safeParse(decomposed + 'a').success).toBe(false)
  }
  expect(username.parse(around('ự'.normalize('NFD').repeat(30)))).toBe('ự'.repeat(30))
  expect(givenPassword.parse(around('ự'.normalize('NFD').repeat(200)))).toBe('ự'.repeat(200))
  expect(email.parse(around('reader@example.org'))).toBe('reader@example.org')
  expect(isbn13.parse(around('978-0-7432-7356-5'))).toBe('9780743273565')
  expect(sync.bookByOlid.input.parse({ olid: around('OL1M') })).toEqual({ olid: 'OL1M' })
})

test('more than thirty consecutive marks are refused, even if removed characters separate them', () => {
  expect(isNormalizable(`a${marks(30)}`.repeat(1_000))).toBe(true)
  expect(isNormalizable(`a${marks(32)}`)).toBe(false)
  // Two units each.
  expect(isNormalizable('\u{1d165}'.repeat(30))).toBe(true)
  expect(text(100).safeParse(`a${marks(30)}b${marks(30)}`).success).toBe(true)
  expect(messagesOf(text(100), `a${marks(20)}\u202a\u0000${marks(20)}`)).toEqual([messages.tooManyMarks])
  expect(messagesOf(line(100), `a${marks(20)}\ufeff${marks(20)}`)).toEqual([messages.tooManyMarks])
})
