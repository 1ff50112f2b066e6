import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OpenApiDocument } from '#server/http/document/openapi-schema.ts'
import { portablePattern } from '#server/http/document/openapi-schema.ts'

const root = join(import.meta.dirname, '../..')
const copy = join(root, 'docs/openapi.json')

test('docs/openapi.json equals the document that the server returns', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/dev/openapi.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stdout + stderr]).toEqual([0, ''])
})

test('objects are open, response bodies have names, and patterns work in other regex engines', () => {
  const { paths, components } = JSON.parse(readFileSync(copy, 'utf8')) as OpenApiDocument
  const text = JSON.stringify(components.schemas)
  expect(text).not.toContain('"additionalProperties":false')
  const found = JSON.stringify([paths, components]).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)
  const patterns = [...found].map(([, pattern]) => JSON.parse(pattern!) as string)
  expect(patterns.length).toBeGreaterThan(20)
  for (const pattern of patterns) expect(pattern).not.toMatch(/\\[pwd]|[^\x20-\x7e]/)
  const compile = 'import json, re, sys; [re.compile(one) for one in json.load(sys.stdin)]'
  const python = spawnSync('python3', ['-W', 'error', '-c', compile], {
    input: JSON.stringify(patterns),
    encoding: 'utf8',
  })
  expect([python.status, python.stderr]).toEqual([0, ''])
  const inline = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ responses }) =>
      Object.values(responses).some(({ content }) => {
        const schema = content?.['application/json']?.schema
        return schema && !schema.$ref
      }),
    )
  expect(inline.map(({ operationId }) => operationId)).toEqual([])
})

test('every list with pages has a cursor, the next one in its response, and Link', () => {
  const document = JSON.parse(readFileSync(copy, 'utf8')) as OpenApiDocument
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const names = get?.parameters?.map(({ name }) => name) ?? []
    return names.some((name) => ['page', 'cursor', 'since'].includes(name))
      ? [{ path, get: get!, names }]
      : []
  })
  expect(lists.length).toBeGreaterThan(20)
  for (const { path, get, names } of lists) {
    const { content, headers } = get.responses['200']!
    const schema = content!['application/json']!.schema.$ref!.split('/').at(-1)!
    const { properties, required } = document.components.schemas[schema]!
    const shown = [
      names.includes('cursor') || names.includes('since'),
      Object.keys(headers!).includes('Link'),
    ]
    expect([path, ...shown, required!.includes('nextCursor')]).toEqual([path, true, true, true])
    // What `items` of @medley/client iterates over.
    expect([path, Object.values(properties!).filter(({ type }) => type === 'array').length]).toEqual([
      path,
      1,
    ])
  }
})

test('a pattern with syntax that some regex engines do not know is refused', () => {
  expect(portablePattern('^\\d{2}[\\w-]+\\/$')).toBe('^[0-9]{2}[A-Za-z0-9_-]+/$')
  for (const pattern of ['^\\p{L}$', '(?<=a)b', '(?<name>a)', '^ä$'])
    expect(() => portablePattern(pattern)).toThrow('regex engines')
})
