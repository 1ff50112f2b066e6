import type { AnyProcedure } from '@trpc/server'
import { jsonSchemaOf, type RestMeta, restProcedures } from '#server/calls/described.ts'
import { appRouter } from '#server/router.ts'
import { allKinds, type Kind } from '#shared/domain/kinds.ts'

type Input = Record<string, unknown>
type Property = { example?: unknown; examples?: unknown[]; enum?: unknown[] }
type CallByPath = (path: string) => Promise<Input>

type Rows = {
  titles: Record<Kind, number>
  memberId: number
  importId: () => Promise<number>
  call: CallByPath
}

/**
 * The required fields, with the examples of their schemas; a change whose fields are all optional has the first with an example. Any other
 * id is a resource that `call` creates, with the POST whose `location` has the path.
 */
export async function inputOfExamples(
  path: string,
  procedure: AnyProcedure,
  { titles, memberId, importId, call }: Rows,
): Promise<Input | undefined> {
  const { required = [], properties = {} } = jsonSchemaOf(procedure)
  const { openapi } = procedure._def.meta as RestMeta
  const input: Input = {}
  // JSON Schema does not say that exactly one id is required.
  if ('itemId' in properties && 'movieId' in properties) input['movieId'] = titles.movie
  for (const name of required) input[name] = await valueOf(name)
  if ('limit' in properties) input['limit'] = 3
  const isInPath = (name: string) => openapi.path.includes(`{${name}}`)
  if (['PATCH', 'PUT'].includes(openapi.method) && required.every(isInPath)) {
    const field = Object.keys(properties).find((name) => !isInPath(name) && exampleOf(name) !== undefined)
    if (field) input[field] = await valueOf(field)
  }
  return Object.keys(properties).length === 0 ? undefined : input

  function exampleOf(name: string): unknown {
    const { example, examples, enum: values } = properties[name] as Property
    return example ?? examples?.[0] ?? values?.[0]
  }

  async function valueOf(name: string): Promise<unknown> {
    const kind = allKinds.find(({ idKey }) => idKey === name)?.kind
    if (kind) return titles[kind]
    if (name === 'itemId') return titles.movie
    if (name.startsWith('userId')) return memberId
    if (name === 'id') return idIn(openapi.path.slice(0, openapi.path.indexOf('{id}')))
    const value = exampleOf(name)
    if (value === undefined) throw new Error(`${path}: its schema has no example of ${name}.`)
    return value
  }

  async function idIn(folder: string): Promise<unknown> {
    if (folder === '/users/' || folder === '/admin/members/') return memberId
    if (folder === '/items/') return titles.movie
    // Uploaded files, which no procedure takes.
    if (folder === '/imports/') return importId()
    const ofKind = allKinds.find((one) => folder === `/${one.path}/`)
    if (ofKind) return titles[ofKind.kind]
    for (const [creator, creating] of restProcedures(appRouter)) {
      const { location } = creating._def.meta as RestMeta
      if (typeof location !== 'string' || !location.startsWith(`${folder}{`)) continue
      const [resource, key] = location.slice(folder.length + 1, -1).split('.') as [string, string]
      const created = await call(creator)
      return (created[resource] as Input)[key]
    }
    throw new Error(
      `${path}: no POST has the location ${folder}{…}. Add it to the meta of one, or an input to scripts/testing/calls.ts.`,
    )
  }
}
