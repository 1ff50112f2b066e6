import type { AnyProcedure } from '@trpc/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bodyBytesMax, commentTextMax, reviewTextMax } from '#shared/domain/limits.ts'
import { text } from '#shared/contracts/scalars.ts'
import { appRouter } from '#server/router.ts'
import { bodyLimitOf, bodyLimitOfBatch, isTooComplex } from './body-limits.ts'
import { jsonSchemaOf } from '#server/calls/described.ts'

const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>
const limitOf = (path: string) => bodyLimitOf(path, jsonSchemaOf(procedures[path]!))
const limitOfInput = (input: z.ZodObject) => bodyLimitOf('a.call', z.toJSONSchema(input, { io: 'input' }))

describe('the limit of a call', () => {
  test.each(Object.keys(procedures))('%s is known: each field of its input has a maximum', (path) => {
    const { bytes, members } = limitOf(path)
    // Only admins send the settings of the site, with its pages and blocked domains; of lists, members change many entries at once.
    const isLong = path === 'site.change' || path === 'lists.changeItems'
    expect(bytes).toBeLessThanOrEqual(isLong ? bodyBytesMax : 400_000)
    expect(members).toBeLessThan(isLong ? 2_000 : 1_000)
  })

  test.each([
    ['name has no maximum length', { name: z.string() }],
    ['list has no maximum number of items', { list: z.array(z.int()) }],
    ['list[].name has no maximum length', { list: z.array(z.object({ name: z.string() })).max(3) }],
    ['map has no maximum number of properties', { map: z.record(z.string().max(9), z.int()) }],
    ['one.inner has no maximum length', { one: z.object({ inner: z.string().nullish() }) }],
    ['any has no type', { any: z.unknown() }],
  ])('cannot be computed if %s, and the error says so', (error, shape) => {
    expect(() => limitOfInput(z.object(shape))).toThrow(`a.call: ${error}.`)
  })

  test('is 4 KB for a login', () => {
    expect(limitOf('accounts.login').bytes).toBe(4_096)
  })

  const escaped = (value: string) =>
    value.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  test.each([
    ['a Hangul syllable of three letters', '한'],
    ['a letter with two accents', 'ệ'],
    ['an emoji', '🎬'],
    ['a quotation mark', '"'],
    ['a control character', '\u0001'],
  ])('fits the longest text of %s, in every notation', (_what, character) => {
    for (const [path, max] of [
      ['reviews.save', reviewTextMax],
      ['reviews.addComment', commentTextMax],
    ] as const) {
      const longest = character.repeat(max / character.length)
      for (const value of [longest, longest.normalize('NFD')])
        for (const json of [JSON.stringify(value), escaped(JSON.stringify(value))])
          expect(json.length).toBeLessThan(limitOf(path).bytes)
    }
  })

  test('grows with arrays, records and variants', () => {
    const base = limitOfInput(z.object({ note: text(1_000) }))
    const one = z.object({ note: text(1_000) })
    const fifth = z.object({ note: text(200) })
    expect(limitOfInput(z.object({ list: z.array(fifth).max(200) }))).toEqual({
      bytes: expect.closeTo((200 / 5) * base.bytes, -5),
      members: 1 + 200 * 2,
    })
    const variants = z.object({ either: z.union([one, z.int(), z.literal('x')]) })
    expect(limitOfInput(variants).bytes).toBeGreaterThan(base.bytes)
  })

  test('of a batch is the sum of its calls, and at most a megabyte', () => {
    const comment = limitOf('reviews.addComment')
    expect(bodyLimitOfBatch([comment, comment])).toEqual({
      bytes: 2 * comment.bytes,
      members: 2 * comment.members + 2,
    })
    expect(bodyLimitOfBatch(Array(20).fill(limitOf('reviews.save'))).bytes).toBe(1024 * 1024)
  })
})

describe('isTooComplex', () => {
  const membersOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Math.max(1, Object.keys(value).length) +
        Object.values(value).reduce((sum: number, one) => sum + membersOf(one), 0)
      : 0
  const limited = (members: number) => ({ bytes: Infinity, members })

  test('counts the members of arrays and objects, and nothing within strings', () => {
    const strings = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a', '\n') })
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        strings,
        fc.integer(),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(strings, tie('value'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (one, indent) => {
        const json = JSON.stringify(one, null, indent)
        const members = membersOf(one)
        expect(isTooComplex(json, limited(members))).toBe(false)
        if (members > 0) expect(isTooComplex(json, limited(members - 1))).toBe(true)
      }),
      { numRuns: 300, seed: 20_260_504 },
    )
  })

  test.each(['[', '{"a":'])('allows sixteen levels of %s', (open) => {
    expect(isTooComplex(open.repeat(16), limited(Infinity))).toBe(false)
    expect(isTooComplex(open.repeat(17), limited(Infinity))).toBe(true)
  })

  test.each(['"', '"\\', '\\"', ']'.repeat(50), '', 'nonsense'])(
    'leaves it to the parser to refuse %j',
    (json) => {
      expect(isTooComplex(json, limited(0))).toBe(false)
    },
  )
})
