import { expect, test } from 'vitest'
import { writtenOf } from './written.ts'

const entry = {
  id: 7,
  text: 'Private.',
  status: 'want',
  title: { id: 12, name: 'The Long Way' },
  tags: ['a'],
}

test.each<[string, unknown, unknown, unknown]>([
  ['the id of the resource', { entry }, undefined, { entry: { id: 7 } }],
  ['what was sent', { entry }, { text: 'Private.' }, { entry: { id: 7, text: 'Private.' } }],
  ['lists that were sent', { entry }, { tags: ['a'] }, { entry: { id: 7, tags: ['a'] } }],
  ['nothing that differs from what was sent', { entry }, { text: 'A guess.' }, { entry: { id: 7 } }],
  ['no ids within the resource', { entry }, { id: 12 }, { entry: { id: 7 } }],
  ['nested properties', { a: { b: { c: 1, d: 2 } } }, { c: 1 }, { a: { b: { c: 1 } } }],
  ['no list of resources', { entries: [entry] }, { text: 'Private.' }, {}],
  [
    'the message',
    { message: 'Done.', entry: { id: 7, message: 'Private.' } },
    {},
    { message: 'Done.', entry: { id: 7 } },
  ],
  ['nothing that the input inherits', { entry: { toString: 1, id: 7 } }, {}, { entry: { id: 7 } }],
  ['nothing of an output that is no object', 'Private.', { text: 'Private.' }, undefined],
])('a call without read returns %s', (_what, output, input, expected) => {
  expect(writtenOf(output, input)).toEqual(expected)
})
