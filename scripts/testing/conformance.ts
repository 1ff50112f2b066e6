import { TRPCError } from '@trpc/server'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect } from 'vitest'
import type { OpenApiDocument } from '#server/http/openapi-document.ts'
import { type ErrorBody, statusOf } from '#server/trpc/errors.ts'

export type Asked = { method: string; url: string; accept?: string | null | undefined }
export type Answered = { status: number; headers: Headers; body: string }

/** What is asked at these addresses is no REST call. */
const isElsewhere = (path: string) => /^\/(openapi\.json|docs|uploads|assets|trpc)(\/|$)/.test(path)

/** What may come at an address of no call. */
const statusesOfNoCall = [400, 404, 408, 429, 431, 503]
/** What Node's parser answers before it knows what is called. */
const statusesOfNoRequest = [408, 431]

/** Answers a function that says what is wrong with an answer by the document; nothing for a right one. */
export function conformanceTo(
  document: OpenApiDocument,
): (asked: Asked, answered: Answered) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  const fault = (pointer: string, body: unknown): string | undefined => {
    let validate = validators.get(pointer)
    if (!validate) validators.set(pointer, (validate = ajv.compile({ $ref: `document#${pointer}` })))
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
  const errorFault = (body: unknown, status: number) => {
    const code = (body as ErrorBody).code
    return (
      fault('/components/schemas/Error', body) ??
      (statusOf(new TRPCError({ code })) === status || status === 431 ? undefined : `the code ${code}`)
    )
  }
  const find = operationFinder(document)

  return ({ method, url, accept }, { status, headers, body }) => {
    const path = url.replace(/^https?:\/\/[^/]+/, '').split('?', 1)[0]!
    const type = headers.get('content-type') ?? ''
    const isRead = method === 'GET' || method === 'HEAD'
    if (
      isElsewhere(path) ||
      (isRead &&
        (status === 200 || status === 404) &&
        type.startsWith('text/html') &&
        accept?.includes('text/html'))
    )
      return undefined
    if (!type.startsWith('application/json')) return `the content type “${type}”`
    if ((status === 429 || status === 503) && !Number(headers.get('retry-after'))) return 'no Retry-After'

    const found = find(method === 'HEAD' ? 'get' : method.toLowerCase(), path)
    const response = found?.operation.responses[status]
    const isOneWay = method === 'HEAD' && found?.operation.operationId === 'verifyEmail'
    if (!response && !isOneWay && !(found ? statusesOfNoRequest : statusesOfNoCall).includes(status))
      return 'the status'
    if (method === 'HEAD') return body === '' ? undefined : 'a body'
    let json: unknown
    try {
      json = JSON.parse(body)
    } catch {
      return 'a body that is no JSON'
    }
    if (!found || !response || response.$ref) return errorFault(json, status)
    const steps = [
      'paths',
      found.path,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ]
    return fault(steps.map((step) => `/${escape(String(step))}`).join(''), json)
  }
}

/** A step of a JSON pointer in a fragment. */
function escape(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The operation of an address, as the server routes: a fixed word wins over a parameter. */
export function operationFinder({ paths }: OpenApiDocument) {
  const templates = Object.keys(paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }))
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  return (method: string, path: string) => {
    const template = templates.find(({ path: name, pattern }) => pattern.test(path) && paths[name]![method])
    return template && { path: template.path, operation: paths[template.path]![method]! }
  }
}

/** From here on every answer of `app.inject` is compared with the app's own document. */
export async function checkAnswers(app: FastifyInstance): Promise<void> {
  const inject = app.inject.bind(app)
  const faultOf = conformanceTo((await inject('/openapi.json')).json())
  app.inject = (async (given: InjectOptions | string) => {
    const options = typeof given === 'string' ? { url: given } : given
    const answer = await inject(options)
    const { method = 'GET', url } = options
    const asked = { method, url: String(url), accept: options.headers?.accept as string | undefined }
    const headers = new Headers(answer.headers as Record<string, string>)
    expectDocumented(faultOf, asked, { status: answer.statusCode, headers, body: answer.body })
    return answer
  }) as never
}

/** A `fetch` that compares every answer with the document. */
export function checkedFetch(document: OpenApiDocument): (input: Request) => Promise<Response> {
  const faultOf = conformanceTo(document)
  return async (request) => {
    const { method, url, headers } = request
    const answer = await fetch(request)
    const { status } = answer
    const body = await answer.clone().text()
    expectDocumented(
      faultOf,
      { method, url, accept: headers.get('accept') },
      { status, headers: answer.headers, body },
    )
    return answer
  }
}

function expectDocumented(faultOf: ReturnType<typeof conformanceTo>, asked: Asked, answered: Answered): void {
  const fault = faultOf(asked, answered)
  const told = `${asked.method} ${asked.url} answered ${answered.status} ${answered.body.slice(0, 500)}`
  expect(fault, `${told}\nNot as the document has it`).toBeUndefined()
}
