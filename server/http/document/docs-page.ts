import { setImmediate as nextTurn } from 'node:timers/promises'
import MarkdownIt from 'markdown-it'
import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  refName,
  resolveRef,
  type Schema,
} from './openapi-schema.ts'
import { quickStart } from './quick-start.ts'
import { escaped } from '#server/text/escape.ts'

const markdown = new MarkdownIt()

type Look = {
  head: string
  origin: string
}

export async function docsPage(document: OpenApiDocument, look: Look): Promise<string> {
  const { info, tags, paths, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections: string[] = []
  for (const { name, description } of tags) {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === name)
    const calls = await inTurns(own, (one) => operationHtml(one, components.schemas))
    sections.push(`<section aria-labelledby="${slug(name)}">
<h2 id="${slug(name)}">${escaped(name)}</h2>${markdown.render(description)}
${group(own.length === 1 ? '1 call' : `${own.length} calls`, calls)}</section>`)
  }
  const schemas = await inTurns(
    Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
    ([
      name,
      schema,
    ]) => `<details class="call" id="schema-${name}"><summary><h3><code>${name}</code></h3></summary>
<div class="body">${schema.description ? markdown.render(schema.description) : ''}${fieldsHtml(schema, name)}</div></details>`,
  )
  const programs = quickStart(look.origin).map(({ name, code }, index) =>
    group(name, [`<pre><code>${escaped(code)}</code></pre>`], index === 0),
  )
  const [intro = '', ...conventions] = info.description.split('\n\n')
  const links = ['Quick start', ...tags.map(({ name }) => name), 'Schemas']
    .map((name) => `<li><a href="#${slug(name)}">${escaped(name)}</a></li>`)
    .join('')
  return frame(
    'Medley API',
    look,
    `<nav aria-label="Sections"><ul>${links}</ul></nav>
<main id="main">
<h1>Medley API</h1>
<p class="facts">Version ${escaped(info.version)} · <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1) · <a href="/docs/changelog">Changelog</a></p>
${markdown.render(intro)}
<search class="panel"><label for="filter">Find a call</label>
<input id="filter" type="search" autocomplete="off"><p id="found" role="status"></p></search>
${group(
  'What all calls have in common',
  conventions.map((text) => markdown.render(text)),
)}
<section aria-labelledby="quick-start"><h2 id="quick-start">Quick start</h2>
<p>The TypeScript program uses <code>@medley/client</code>, a client with the types of this document.</p>
${programs.join('\n')}</section>
<form id="token" class="panel"><label for="token-field">Token for the calls below</label>
<input id="token-field" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint">
<p id="token-hint">Kept in this tab only. Where you are signed in to the web app, its token is filled in.</p></form>
${sections.join('\n')}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
<p>Objects are open: a later version can add properties. Clients ignore those that they do not know.</p>
${group(`${schemas.length} schemas`, schemas)}</section>
</main>`,
    '<script type="module" src="/docs/docs.js"></script>',
  )
}

async function inTurns<Item>(items: readonly Item[], map: (item: Item) => string): Promise<string[]> {
  const mapped: string[] = []
  for (const item of items) {
    await nextTurn()
    mapped.push(map(item))
  }
  return mapped
}

export function changelogPage(changelog: string, look: Look): string {
  return frame(
    'Changelog of the Medley API',
    look,
    `<main id="main" class="alone"><p class="facts"><a href="/docs">Medley API</a></p>
<h1>Changelog</h1>
<p>What changes for clients of the API. Additions are not breaking: new calls, optional parameters, properties of responses, values of
enumerations and headers. What goes away is announced here, and its responses carry <code>Deprecation</code> and <code>Sunset</code> for at
least six months before.</p>
${markdown.render(apiPart(changelog))}</main>`,
  )
}

function apiPart(changelog: string): string {
  return changelog
    .split(/^(?=## )/m)
    .slice(1)
    .flatMap((version) => {
      const heading = version.split('\n', 1)[0]!.replace(/[[\]]/g, '')
      const section = /^### API\n([\s\S]*?)(?=^###? |$(?![\s\S]))/m.exec(version)
      return section ? [`${heading}\n${section[1]!.trimEnd()}\n`] : []
    })
    .join('\n')
}

function frame(title: string, { head }: Look, content: string, scripts = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a href="/"><span aria-hidden="true">← </span>Back to Medley</a> <a href="/docs">API</a></header>
${content}
${scripts}
</body>
</html>
`
}

function group(name: string, parts: readonly string[], isOpen = false): string {
  return `<details class="group"${isOpen ? ' open' : ''}><summary>${name}</summary>
${parts.join('\n')}</details>`
}

type Documented = { path: string; method: string; operation: Operation }

function operationHtml({ path, method, operation }: Documented, schemas: Record<string, Schema>): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const [type = '', body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const parts = [
    description === undefined ? '' : markdown.render(description),
    `<p class="facts">${tokenText(operation)} <a href="#${operationId}">Link to this call</a></p>`,
    parameters.length > 0 ? parametersHtml(operation, parameters) : '',
    body
      ? `<h4>Request body</h4><p class="facts">${type}</p>${fieldsHtml(resolveRef(body.schema, schemas), operationId)}`
      : '',
    body?.example === undefined ? '' : `<pre class="request">${json(body.example)}</pre>`,
    '<h4>Responses</h4>',
    responsesHtml(responses),
    `<button type="button" class="try" data-method="${method}" data-path="${path}" data-type="${type}" aria-label="Try it: ${escaped(summary)}">Try it</button>`,
  ]
  return `<details class="call" id="${operationId}"><summary><h3><span class="method ${method}">${method.toUpperCase()}</span>
<code>${escaped(path).replaceAll('/', '/<wbr>')}</code> <span class="summary">${escaped(summary)}</span></h3></summary>
<div class="body">${parts.join('\n')}</div></details>`
}

function tokenText({
  security = [],
  'x-required-scope': scope,
  'x-response-without-read': written,
}: Operation): string {
  if (security.length === 0) return 'No token.'
  const isOptional = security.some((one) => Object.keys(one).length === 0)
  const scopeText = scope ? ` Scope of an access token: <code>${escaped(scope)}</code>.` : ''
  const leaves = written ? rowsOf(written).filter(([, { properties }]) => !properties) : []
  const names = leaves.map(([path]) => `<code>${escaped(path)}</code>`).join(', ')
  const writtenText = written
    ? ` Without <code>read</code> as well, the response has only these, if they are written: ${names}.`
    : ''
  return `${isOptional ? 'A token is optional.' : 'A token is required.'}${scopeText}${writtenText}`
}

function parametersHtml(operation: Operation, parameters: Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => {
    const facts = `${typeText(schema)}${required ? ', required' : ''}${schema.default === undefined ? '' : `, ${String(schema.default)} by default`}`
    const example = required ? (schema.example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? '') : ''
    return `<tr data-name="${name}" data-in="${place}" data-example="${escaped(String(example))}"><th scope="row"><code>${name}</code></th><td>${place}: ${facts}</td><td>${markdown.renderInline(description)}</td></tr>`
  })
  const only = operation['x-exactly-one-of']
  return `<h4>Parameters</h4>${only ? `<p>Exactly one of ${only.map((name) => `<code>${name}</code>`).join(', ')}.</p>` : ''}
<table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function responsesHtml(responses: Operation['responses']): string {
  const rows = Object.entries(responses).map(([status, { $ref, description, content }]) => {
    if ($ref) return { status, html: `<a href="#schema-ApiError">${refName($ref)}</a>`, example: '' }
    const media = Object.values(content ?? {})[0]
    const schemaRef = media?.schema.$ref
    const name = schemaRef && refName(schemaRef)
    return {
      status,
      html: `${markdown.renderInline(description ?? '')}${name ? ` <a href="#schema-${name}">${name}</a>` : ''}`,
      example:
        status.startsWith('2') && media?.example !== undefined ? `<pre>${json(media.example)}</pre>` : '',
    }
  })
  const items = rows.map(({ status, html }) => `<dt>${status}</dt><dd>${html}</dd>`).join('')
  return `<dl>${items}</dl>${rows.find(({ example }) => example)?.example ?? ''}`
}

function fieldsHtml(schema: Schema, name: string): string {
  const rows = rowsOf(schema)
  if (rows.length === 0) return `<p>${typeText(schema)}</p>`
  const alternatives = schema.oneOf?.map(({ title, required }) => required?.[0] ?? title ?? '') ?? []
  const only = alternatives.map((one) => `<code>${escaped(one)}</code>`).join(', ')
  return `${only ? `<p>Exactly one of ${only}.</p>` : ''}<table aria-label="Properties of ${name}"><thead><tr><th scope="col">Property</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>${rows
    .map(
      ([path, property, isRequired]) =>
        `<tr><th scope="row"><code>${escaped(path)}</code></th><td>${typeText(property)}${isRequired ? '' : ', optional'}</td><td>${markdown.renderInline(property.description ?? '')}</td></tr>`,
    )
    .join('')}</tbody></table>`
}

type Row = [path: string, property: Schema, isRequired: boolean]

function rowsOf(schema: Schema, prefix = ''): Row[] {
  return [schema, ...(schema.oneOf ?? [])].flatMap((one) =>
    Object.entries(one.properties ?? {}).flatMap(([name, property]): Row[] => {
      const path = `${prefix}${name}`
      const inner = property.items ?? property
      const isRequired = (one.required ?? []).includes(name)
      return [[path, property, isRequired], ...rowsOf(inner, `${path}${property.items ? '[]' : ''}.`)]
    }),
  )
}

function typeText(schema: Schema): string {
  const { $ref, anyOf, items, type, format, additionalProperties, minimum, maximum, minLength, maxLength } =
    schema
  if ($ref) {
    const name = refName($ref)
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.enum) return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escaped(String(schema.const))}</code>`
  if (anyOf) return anyOf.map(typeText).join(' or ')
  if (items) return `list of ${typeText(items)}`
  if (typeof additionalProperties === 'object') return `map of ${typeText(additionalProperties)}`
  const isBetween = minimum !== undefined && maximum !== undefined
  const range = [
    isBetween ? `, ${minimum} to ${maximum}` : '',
    isBetween || minimum === undefined ? '' : `, at least ${minimum}`,
    isBetween || maximum === undefined ? '' : `, at most ${maximum}`,
    minLength ? `, at least ${minLength} characters` : '',
    maxLength === undefined ? '' : `, at most ${maxLength} characters`,
  ].join('')
  const shownFormat = format && !format.startsWith('int') ? ` (${format})` : ''
  return `${[type ?? 'any'].flat().join(' or ')}${shownFormat}${range}`
}

const json = (value: unknown) => escaped(JSON.stringify(value, null, 2))
const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')
