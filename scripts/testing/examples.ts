import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedExamples } from '#server/http/document/openapi-document.ts'
import type { OpenApiDocument } from '#server/http/document/openapi-schema.ts'
import { exampleFaults, operationFinder } from './conformance.ts'

/** `npm run openapi -- --examples` records them. */
const examplesFile = join(import.meta.dirname, '../../server/http/document/openapi-examples.json')

/**
 * Of each operation, the successful call with the longest response without markup. Lists are shortened; times, tokens and names of pictures
 * are replaced.
 */
export function openRecorder(document: OpenApiDocument) {
  const find = operationFinder(document)
  const today = new Date().toISOString().slice(0, 10)
  const best = new Map<string, { request?: unknown; response?: unknown; rank: number }>()
  return {
    /** `request` is undefined without a body, and for a body that is not JSON. */
    record(
      { method, url, request }: { method: string; url: string; request: string | undefined },
      response: string,
    ) {
      const operation = find(method.toLowerCase(), new URL(url).pathname)?.operation
      const known = operation && best.get(operation.operationId)
      // Texts with markup test something else.
      const rank = /[<>]|\\n/.test(response) ? 0 : response.length
      if (!operation || (known && known.rank >= rank)) return
      const parse = (text: string) => steady(JSON.parse(text) as unknown, today)
      best.set(operation.operationId, {
        ...(request !== undefined && { request: parse(request) }),
        response: parse(response),
        rank,
      })
    },
    /** A known example that still conforms to the document stays. */
    save(known: RecordedExamples) {
      const outdated = new Set(exampleFaults(document, known).map((fault) => fault.split(':')[0]))
      const sorted = [...best].sort(([a], [b]) => (a < b ? -1 : 1))
      const examples: RecordedExamples = Object.fromEntries(
        sorted.map(([id, { rank: _rank, ...example }]) => [
          id,
          known[id] && !outdated.has(id) ? known[id] : example,
        ]),
      )
      writeFileSync(examplesFile, `${JSON.stringify(examples, null, 2)}\n`)
    },
  }
}

const sampleTime = '2026-05-04T12:30:00.000Z'
const sampleToken = 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8'
const itemsMax = 1

function steady(value: unknown, today: string, key = ''): unknown {
  if (Array.isArray(value)) {
    const isList = typeof value[0] === 'object'
    return (isList ? value.slice(0, itemsMax) : value).map((one) => steady(one, today))
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, steady(one, today, name)]))
  if (typeof value !== 'string') return value
  if (/(token|secret)$/i.test(key)) return value.replace(/^(mdl_)?.*$/s, `$1${sampleToken}`)
  if (/cursor$/i.test(key)) return 'WzEyLDM0XQ'
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return sampleTime
  if (value === today) return sampleTime.slice(0, 10)
  return value
    .replace(/^\/uploads\/[\w-]+?(-\d+)?\.webp$/, '/uploads/3f9c2a7d5e$1.webp')
    .replace(/^[\da-f]{16,}$/, '9f86d081884c7d65')
}
