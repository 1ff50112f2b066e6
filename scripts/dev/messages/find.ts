import { createHash } from 'node:crypto'
import { parseSync } from 'vite'

/** A text of the app in English, where the source has it. */
export type Message = {
  /** Of `source`, so that equal texts share a translation. */
  id: string
  /** As ICU MessageFormat; the n-th inner element is `<n>…</n>`. */
  source: string
  /** Of the values, by position. */
  names: string[]
  file: string
  line: number
}

export type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Edit = { start: number; end: number; code: string }

const macros = '#shared/domain/message.ts'
const richMacros = '#client/ui/message.tsx'
/** Attributes whose text people read. Literals of others are for programs, unless the lint says otherwise. */
const textAttributes =
  /^(title|label|alt|hint|placeholder|description|text|empty|missing|lead|failure|busyLabel|all|noImageText|what|submit|heading|create|chooseLabel|button|note|how|confirmLabel|averageLabel|about|legend|by|aria-(label|description|roledescription|valuetext))$/
/** Their text is the same in all languages. */
const untranslated = /^(code|kbd|style|script)$/
/** They take strings only. */
const plainParents = /^(option|title)$/

function markOf(id: string): string {
  return `__m:${id}__`
}

export const anyMark = /__m:([\w-]{8})__/g

/** Returns the code with a mark at the place of each message; undefined if it has none. English stays readable in the sources. */
export function markMessages(code: string, file: string): { code: string; messages: Message[] } | undefined {
  const messages: Message[] = []
  const { program, errors } = parseSync(file, code, {
    lang: file.endsWith('x') ? 'tsx' : 'ts',
    astType: 'ts',
  })
  if (errors.length > 0) return undefined
  const root = program as unknown as Node & { body: Node[] }
  // On the server, a translator has them too (server/text/translator.ts).
  const names = file.startsWith('server/') ? { t: 't', plural: 'plural' } : importedMacros(root.body)
  const edits = editsIn(root)
  if (messages.length === 0) return undefined
  const marked = apply(0, code.length, edits)
  return { code: importsOf(marked) + marked, messages }

  function editsIn(node: unknown): Edit[] {
    if (Array.isArray(node)) return node.flatMap(editsIn)
    if (!isNode(node)) return []
    return (
      editOf(node) ??
      Object.values(node).flatMap((value) => (typeof value === 'object' ? editsIn(value) : []))
    )
  }

  function editOf(node: Node): Edit[] | undefined {
    if (node.type === 'JSXAttribute') return attributeEdit(node)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') return elementEdits(node)
    if (node.type === 'TaggedTemplateExpression' && isMacro(node['tag'], names.t)) {
      const builder = newBuilder()
      addTemplate(builder, node['quasi'] as Node)
      return [{ start: node.start, end: node.end, code: codeOf(builder, node, false) }]
    }
    if (isPlural(node)) {
      const builder = newBuilder()
      addPlural(builder, node)
      return [{ start: node.start, end: node.end, code: codeOf(builder, node, false) }]
    }
    return undefined
  }

  function attributeEdit(node: Node): Edit[] | undefined {
    const value = node['value'] as Node | null
    const name = nameOf(node['name']) ?? ''
    if (value?.type !== 'Literal' || !textAttributes.test(name)) return undefined
    const text = decodeEntities(String(value['value']).replaceAll(/\s*\n\s*/g, ' '))
    if (!/\p{L}/u.test(text)) return undefined
    const builder = newBuilder()
    builder.source = escaped(text)
    return [{ start: value.start, end: value.end, code: `{${codeOf(builder, node, false)}}` }]
  }

  function elementEdits(node: Node): Edit[] | undefined {
    const children = node['children'] as Node[]
    if (!hasText(node, children)) return undefined
    const builder = newBuilder()
    const message = withoutIcons(children)
    addChildren(builder, message)
    const tag = tagOf(node)
    const isRich = builder.elements.length > 0 || (builder.values.length > 0 && !plainParents.test(tag))
    return [
      ...editsIn((node['openingElement'] as Node | undefined)?.['attributes']),
      ...editsIn(children.filter((child) => !message.includes(child))),
      {
        start: message[0]!.start,
        end: message.at(-1)!.end,
        code: `{${codeOf(builder, node, isRich)}}`,
      },
    ]
  }

  function addChildren(builder: Builder, children: Node[]): void {
    for (const child of children) {
      const text = textOf(child)
      if (text !== undefined) builder.source += escaped(text)
      else if (child.type === 'JSXExpressionContainer') {
        const expression = child['expression'] as Node
        if (expression.type === 'JSXEmptyExpression') continue
        if (isPlural(expression)) addPlural(builder, expression)
        else builder.source += valueOf(builder, expression)
      } else if (child.type === 'JSXElement') addElement(builder, child)
      else builder.source += valueOf(builder, child)
    }
  }

  function addElement(builder: Builder, node: Node): void {
    const place = builder.elements.length
    const children = node['children'] as Node[]
    const opening = node['openingElement'] as Node
    const hasCount = children.some((child) => isNode(child['expression']) && isPlural(child['expression']))
    if (!hasText(node, children) && !hasCount) {
      builder.elements.push(apply(node.start, node.end, editsIn(node)))
      builder.source += `<${place}></${place}>`
      return
    }
    const attributes = apply(opening.start, opening.end, editsIn(opening['attributes']))
    builder.elements.push(attributes.replace(/>$/, '/>'))
    builder.source += `<${place}>`
    addChildren(builder, children)
    builder.source += `</${place}>`
  }

  function addTemplate(builder: Builder, quasi: Node): void {
    const expressions = quasi['expressions'] as Node[]
    for (const [at, part] of (quasi['quasis'] as Node[]).entries()) {
      builder.source += escaped((part['value'] as { cooked: string }).cooked)
      const expression = expressions[at]
      if (expression === undefined) continue
      if (isPlural(expression)) addPlural(builder, expression)
      else builder.source += valueOf(builder, expression)
    }
  }

  /** `plural(count, { one: '# title', other: '# titles' })`. */
  function addPlural(builder: Builder, call: Node): void {
    const [count, forms] = call['arguments'] as [Node, Node]
    const name = valueOf(builder, count).slice(1, -1)
    builder.source += `{${name}, plural,`
    for (const property of forms['properties'] as Node[]) {
      const form = property['value'] as Node
      builder.source += ` ${nameOf(property['key'])} {`
      if (form.type === 'TemplateLiteral') addTemplate(builder, form)
      else builder.source += escaped(String(form['value']))
      builder.source += '}'
    }
    builder.source += '}'
  }

  function valueOf(builder: Builder, expression: Node): string {
    const value = apply(expression.start, expression.end, editsIn(expression))
    const known = builder.values.indexOf(value)
    if (known !== -1) return `{${builder.names[known]}}`
    const wanted = shortName(expression)
    const name =
      wanted === undefined || builder.names.includes(wanted) ? String(builder.values.length) : wanted
    builder.values.push(value)
    builder.names.push(name)
    return `{${name}}`
  }

  function codeOf(
    { source, values, elements, names: valueNames }: Builder,
    node: Node,
    isRich: boolean,
  ): string {
    const id = idOf(source)
    const line = code.slice(0, node.start).split('\n').length
    messages.push({ id, source, names: valueNames, file, line })
    const mark = JSON.stringify(markOf(id))
    const choose = source.includes(', plural,') ? '__choose' : undefined
    const list = `[${values.join(',')}]`
    if (isRich) {
      const inner = elements.length === 0 && choose === undefined ? [] : [`[${elements.join(',')}]`]
      return `__rich(${[mark, list, ...inner, ...(choose ? [choose] : [])].join(',')})`
    }
    return values.length === 0 ? mark : `__text(${[mark, list, ...(choose ? [choose] : [])].join(',')})`
  }

  function isPlural(node: Node): boolean {
    if (node.type !== 'CallExpression' || !isMacro(node['callee'], names.plural)) return false
    return (node['arguments'] as Node[])[1]?.type === 'ObjectExpression'
  }

  function apply(start: number, end: number, inner: Edit[]): string {
    let at = start
    let result = ''
    for (const edit of inner.toSorted((one, other) => one.start - other.start)) {
      result += code.slice(at, edit.start) + edit.code
      at = edit.end
    }
    return result + code.slice(at, end)
  }
}

/** Of what built code calls. Files of `shared/` have no elements. */
function importsOf(code: string): string {
  const rich = code.includes('__rich(') ? `import { rich as __rich } from '${richMacros}';` : ''
  if (!/__text\(|__choose\)/.test(code)) return rich
  return `import { chooseForm as __choose, text as __text } from '${macros}';${rich}`
}

/** Also as a property, such as `texts.t`. */
function isMacro(node: unknown, name: string | undefined): boolean {
  const isProperty = isNode(node) && node.type === 'MemberExpression'
  return name !== undefined && nameOf(isProperty ? node['property'] : node) === name
}

type Builder = { source: string; values: string[]; names: string[]; elements: string[] }

function newBuilder(): Builder {
  return { source: '', values: [], names: [], elements: [] }
}

function importedMacros(body: Node[]): { t?: string; plural?: string } {
  const names: Record<string, string> = {}
  for (const statement of body)
    if (
      statement.type === 'ImportDeclaration' &&
      /(^|\/)domain\/message\.ts$|^\.\/message\.ts$/.test(String((statement['source'] as Node)['value']))
    )
      for (const specifier of statement['specifiers'] as Node[])
        names[nameOf(specifier['imported']) ?? ''] = nameOf(specifier['local']) ?? ''
  return names
}

/** Whether it has a text of its own that a person reads. */
function hasText(node: Node, children: Node[]): boolean {
  if (isUntranslated(node)) return false
  if (children.some(({ type }) => type === 'JSXSpreadChild')) return false
  return children.some((child) => /\p{L}/u.test(textOf(child) ?? ''))
}

/** Icons before and after a text are not part of it. */
function withoutIcons(children: Node[]): Node[] {
  const isPart = (child: Node) => !isIcon(child) && (child.type !== 'JSXText' || textOf(child) !== '')
  return children.slice(children.findIndex(isPart), children.findLastIndex(isPart) + 1)
}

function isIcon({ openingElement }: Node): boolean {
  const attributes = ((openingElement as Node | undefined)?.['attributes'] ?? []) as Node[]
  return attributes.some(
    ({ name, value }) => isNode(name) && name['name'] === 'aria-hidden' && value === null,
  )
}

export function isUntranslated(node: Node): boolean {
  if (untranslated.test(tagOf(node))) return true
  const attributes = ((node['openingElement'] as Node | undefined)?.['attributes'] ?? []) as Node[]
  return attributes.some(
    (attribute) =>
      nameOf(attribute['name']) === 'translate' && (attribute['value'] as Node | null)?.['value'] === 'no',
  )
}

function tagOf(node: Node): string {
  return nameOf((node['openingElement'] as Node | undefined)?.['name']) ?? ''
}

/** Of a text or a literal string among the children of an element. */
function textOf(child: Node): string | undefined {
  if (child.type === 'JSXText') return decodeEntities(jsxText(String(child['value'])))
  const expression = child['expression'] as Node | undefined
  if (child.type === 'JSXExpressionContainer' && expression?.type === 'Literal')
    return typeof expression['value'] === 'string' ? expression['value'] : undefined
  return undefined
}

/** As React reads it: lines are trimmed, and joined by a space. */
function jsxText(value: string): string {
  const lines = value.split('\n')
  return lines
    .map((line, at) => {
      const begun = at === 0 ? line : line.replace(/^[ \t]+/, '')
      return at === lines.length - 1 ? begun : begun.replace(/[ \t\r]+$/, '')
    })
    .filter((line) => line !== '')
    .join(' ')
}

const entities: Record<string, string> = { nbsp: '\u00a0', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replaceAll(/&(\w+);/g, (entity, name: string) => {
    const known = entities[name]
    if (known === undefined)
      throw new Error(`The entity ${entity} is not known to scripts/dev/messages/find.ts.`)
    return known
  })
}

/** In ICU MessageFormat, an apostrophe quotes a brace. */
export function escaped(text: string): string {
  return text.replaceAll("'", "''").replaceAll(/[{}]/g, "'$&'")
}

function shortName(node: Node): string | undefined {
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'MemberExpression' && node['computed'] !== true) return nameOf(node['property'])
  if (node.type === 'TSNonNullExpression' || node.type === 'ChainExpression')
    return shortName(node['expression'] as Node)
  return undefined
}

export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'JSXNamespacedName') return undefined
  const name = node['name'] ?? node['value']
  return typeof name === 'string' ? name : undefined
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function idOf(source: string): string {
  return createHash('sha256').update(source).digest('base64url').slice(0, 8)
}
