import { getPluralCategories, type IcuNode, parseIcu } from 'pofile-ts'
import { compile } from './compile.ts'
import type { Message } from './find.ts'

type Entry = { msgid: string; msgstr: string[] }

/** Returns what is wrong with the translations of a language. */
export function problemsOf(code: string, entries: readonly Entry[], messages: readonly Message[]): string[] {
  const sources = new Map(messages.map((message) => [message.source, message]))
  const known = new Set(entries.map(({ msgid }) => msgid))
  const stale = entries.filter(({ msgid }) => !sources.has(msgid)).map(({ msgid }) => `stale: ${msgid}`)
  const missing = messages
    .filter(({ source }) => !known.has(source))
    .map(({ source, file }) => `missing: ${source} (${file})`)
  const wrong = entries
    .filter(({ msgid }) => sources.has(msgid))
    .flatMap(({ msgid, msgstr: [text = ''] }) =>
      text === ''
        ? [`missing: ${msgid}`]
        : compare(code, sources.get(msgid)!, text).map((problem) => `${problem}: ${text}`),
    )
  return [...stale, ...missing, ...wrong]
}

function compare(code: string, { source, names }: Pick<Message, 'source' | 'names'>, text: string): string[] {
  const { ast, errors } = parseIcu(text)
  if (ast === null) return [`not valid (${errors[0]?.message})`]
  const english = parseIcu(source).ast!
  const [wanted, has] = [partsOf(english), partsOf(ast)]
  const lost = [...wanted].filter((part) => !has.has(part)).map((part) => `lost ${part}`)
  const added = [...has].filter((part) => !wanted.has(part)).map((part) => `unknown ${part}`)
  // The code around a message without a plural has nothing that chooses a form.
  const counts = new Set(pluralsOf(english).map(({ value }) => value))
  const categories = getPluralCategories(code)
  const plurals = pluralsOf(ast).flatMap(({ value, options, offset }) => {
    const forms = Object.keys(options)
    return [
      ...(counts.has(value) ? [] : [`a plural of {${value}}, which English has not`]),
      ...(offset === 0 ? [] : ['an offset, which is not used']),
      ...categories.filter((form) => !forms.includes(form)).map((form) => `without the form ${form}`),
      ...forms.filter((form) => !categories.includes(form)).map((form) => `unknown form ${form}`),
    ]
  })
  const problems = [...lost, ...added, ...plurals]
  return problems.length > 0 ? problems : notCompiled(text, names)
}

function notCompiled(text: string, names: readonly string[]): string[] {
  try {
    compile(text, names)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function partsOf(nodes: readonly IcuNode[]): Set<string> {
  return new Set(
    nodes.flatMap((node): string[] => {
      if (node.type === 'argument') return [`{${node.value}}`]
      if (node.type === 'tag') return [`<${node.value}>`, ...partsOf(node.children)]
      if (node.type !== 'plural') return []
      return [
        `{${node.value}}`,
        ...Object.values(node.options).flatMap((option) => [...partsOf(option.value)]),
      ]
    }),
  )
}

type IcuPlural = Extract<IcuNode, { type: 'plural' }>

function pluralsOf(nodes: readonly IcuNode[]): IcuPlural[] {
  return nodes.flatMap((node) => {
    if (node.type === 'tag') return pluralsOf(node.children)
    if (node.type !== 'plural') return []
    return [node, ...Object.values(node.options).flatMap((option) => pluralsOf(option.value))]
  })
}
