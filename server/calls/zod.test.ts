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
