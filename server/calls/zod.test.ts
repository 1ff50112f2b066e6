import { expect, test } from 'vitest'
import { z } from 'zod'
import { configureZod } from './zod.ts'

configureZod()
const schema = z.object({ nested: z.object({ limit: z.int().max(100) }) })

test('default messages start with the path of the field', () => {
  const { error } = schema.safeParse({ nested: { limit: 101 } })
  expect(error!.issues[0]!.message).toBe('nested.limit: Too big: expected number to be <=100')
})

test('a custom message of a schema is unchanged', () => {
  const { error } = z.object({ name: z.string().min(1, 'Please enter a name.') }).safeParse({ name: '' })
  expect(error!.issues[0]!.message).toBe('Please enter a name.')
})

test('parseAsync returns and throws the same as parse', async () => {
  const input = { nested: { limit: 7, unknown: true } }
  expect(await schema.parseAsync(input)).toEqual(schema.parse(input))
  const wrong = { nested: { limit: '7' } }
  await expect(schema.parseAsync(wrong)).rejects.toEqual(schema.safeParse(wrong).error)
})

test('an asynchronous refinement throws instead of being skipped', async () => {
  const asynchronous = z.object({ name: z.string().refine(async () => true) })
  await expect(asynchronous.parseAsync({ name: 'a' })).rejects.toThrow(/[Pp]romise|[Aa]sync/)
})
