export type Schema = {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  example?: unknown
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  required?: string[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

/**
 * Objects are open, nullable types are a list of types, patterns work in every regex engine. Removes zod's bounds of safe integers and
 * patterns beside a format.
 */
export function tidySchema(given: Schema): Schema {
  const schema = withNullAsType({ ...given })
  for (const key of ['items', 'propertyNames'] as const)
    if (schema[key]) schema[key] = tidySchema(schema[key])
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (schema[key]) schema[key] = schema[key].map(tidySchema)
  if (schema.properties)
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, tidySchema(property)]),
    )
  const { additionalProperties } = schema
  if (additionalProperties === false) delete schema.additionalProperties
  else if (typeof additionalProperties === 'object')
    schema.additionalProperties = tidySchema(additionalProperties)

  for (const key of ['minimum', 'maximum'] as const)
    if (Math.abs(schema[key] ?? 0) === Number.MAX_SAFE_INTEGER) delete schema[key]
  if ([schema.type].flat().includes('integer')) {
    if (schema.exclusiveMinimum === 0) {
      delete schema.exclusiveMinimum
      schema.minimum = 1
    }
    schema.format ??= (schema.maximum ?? Infinity) <= 2 ** 31 - 1 ? 'int32' : 'int64'
  }
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern
  if (schema.pattern !== undefined) schema.pattern = portablePattern(schema.pattern)
  if (schema.examples?.length === 0) delete schema.examples
  return schema
}

/** `anyOf: [{ type: 'integer' }, { type: 'null' }]` becomes `type: ['integer', 'null']`. */
function withNullAsType({ anyOf, ...others }: Schema): Schema {
  const [one, nothing] = anyOf ?? []
  const isNullable = anyOf?.length === 2 && nothing!.type === 'null' && typeof one!.type === 'string'
  if (!isNullable) return anyOf ? { ...others, anyOf } : others
  // An enum lists all values, including null.
  const values = one!.enum && { enum: [...one!.enum, null] }
  return { ...one, ...others, ...values, type: [one!.type as string, 'null'] }
}

/** In Python, `\d` and `\w` match letters and digits of every script. Throws for syntax that not every engine knows. */
export function portablePattern(pattern: string): string {
  let isInClass = false
  const portable = pattern.replaceAll(/\\.|[[\]]/gs, (part) => {
    if (part === '[') isInClass = true
    if (part === ']') isInClass = false
    if (part === '\\/') return '/'
    const members = part === '\\d' ? '0-9' : part === '\\w' ? 'A-Za-z0-9_' : undefined
    return members === undefined ? part : isInClass ? members : `[${members}]`
  })
  // eslint-disable-next-line no-control-regex
  if (/\\[pPuxkDWbB]|\(\?[^:]|[^\x20-\x7e]/.test(portable))
    throw new Error(
      `The pattern ${pattern} has syntax that some regex engines do not know. Give it a plain \`pattern\` in its meta.`,
    )
  return portable
}

export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

export function resolveRef(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref ? schemas[refName(schema.$ref)]! : schema
}

/** Leaves out properties with `examples: []`. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { example, examples, $ref, anyOf, oneOf, properties, items, const: constant, enum: values } = schema
  if (examples) return examples[0]
  if (example !== undefined) return example
  if ($ref) return exampleOf(resolveRef(schema, schemas), schemas)
  if (anyOf) return exampleOf(anyOf[0]!, schemas)
  if (items) return [exampleOf(items, schemas)]
  if (properties) {
    const shown = Object.entries(properties).filter(([, { examples }]) => examples?.length !== 0)
    const value = Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas)]))
    return oneOf ? { ...(exampleOf(oneOf[0]!, schemas) as object), ...value } : value
  }
  return constant ?? values?.[0] ?? schema.default ?? schema.type === 'boolean'
}

/** What `writtenOf` (server/calls/written.ts) keeps; undefined if that is the whole response. */
export function writtenSchema(
  output: Schema,
  input: Schema,
  schemas: Record<string, Schema>,
): Schema | undefined {
  const resolve = (schema: Schema) => resolveRef(schema, schemas)
  const typeOf = (schema: Schema) => JSON.stringify([resolve(schema).type, resolve(schema).enum])
  const variantsOf = (schema: Schema) => (resolve(schema).anyOf ?? [schema]).map(resolve)
  const typesOf = (schema: Schema) => variantsOf(schema).flatMap(({ type }) => type ?? [])
  /** A union can be sent as a value that the property has. */
  const overlaps = (sent: Schema, property: Schema) =>
    variantsOf(sent).length > 1 && typesOf(sent).some((type) => typesOf(property).includes(type))
  const pick = (schema: Schema, depth: number): Schema => {
    const required: string[] = []
    const properties: Record<string, Schema> = {}
    const add = (key: string, property: Schema, isRequired = false) => {
      properties[key] = property
      if (isRequired) required.push(key)
    }
    for (const [key, property] of Object.entries(resolve(schema).properties ?? {})) {
      const sent = input.properties?.[key]
      if (key === 'id' ? depth <= 1 : key === 'message' && depth === 0) add(key, property, true)
      else if (key === 'id') continue
      else if (sent && typeOf(sent) === typeOf(property)) add(key, property, input.required?.includes(key))
      else if (sent && overlaps(sent, property)) add(key, property)
      else {
        const object = variantsOf(property).find(({ type }) => [type].flat().includes('object'))
        const picked = object && pick(object, depth + 1)
        // Null is left out.
        const isNullable = typesOf(property).includes('null')
        if (picked && (depth === 0 || Object.keys(picked.properties!).length > 0))
          add(key, picked, depth === 0 && !isNullable)
      }
    }
    return { type: 'object', properties, required }
  }
  const whole = resolve(output)
  const written = pick(output, 0)
  const isWhole = (['properties', 'required'] as const).every(
    (key) => JSON.stringify(written[key]) === JSON.stringify(whole[key]),
  )
  return isWhole ? undefined : written
}

export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; contact: { name: string; url: string } }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    headers: Record<string, object>
  }
}
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Record<string, Media> }
  responses: Record<string, Response>
  security?: Record<string, string[]>[]
  'x-required-scope'?: string
  'x-rate-limit-cost'?: number
  'x-response-without-read'?: Schema
  'x-exactly-one-of'?: string[]
}
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
export type Media = { schema: Schema; example?: unknown }
export type Response = {
  $ref?: string
  description?: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, Media>
}
