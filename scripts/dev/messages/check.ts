import { getPluralCategories, type IcuNode, parseIcu } from 'pofile-ts'
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
        : compare(code, msgid, text).map((problem) => `${problem}: ${text}`),
    )
  return [...stale, ...missing, ...wrong]
}

function compare(code: string, source: string, text: string): string[] {
  const { ast, errors } = parseIcu(text)
  if (ast === null) return [`not valid (${errors[0]?.message})`]
  const [wanted, has] = [partsOf(parseIcu(source).ast!), partsOf(ast)]
  const lost = [...wanted].filter((part) => !has.has(part)).map((part) => `lost ${part}`)
  const added = [...has].filter((part) => !wanted.has(part)).map((part) => `unknown ${part}`)
  const categories = getPluralCategories(code)
  const forms = pluralsOf(ast).flatMap((options) => {
    const names = Object.keys(options)
    return [
      ...categories.filter((name) => !names.includes(name)).map((name) => `without the form ${name}`),
      ...names.filter((name) => !categories.includes(name)).map((name) => `unknown form ${name}`),
    ]
  })
  return [...lost, ...added, ...forms]
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

function pluralsOf(nodes: readonly IcuNode[]): Record<string, { value: IcuNode[] }>[] {
  return nodes.flatMap((node) => {
    if (node.type === 'tag') return pluralsOf(node.children)
    if (node.type !== 'plural') return []
    return [node.options, ...Object.values(node.options).flatMap((option) => pluralsOf(option.value))]
  })
}
