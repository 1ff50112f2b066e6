import { type IcuNode, parseIcu } from 'pofile-ts'
import type { Part } from '#shared/domain/message.ts'

/** For the runtime in shared/domain/message.ts; a string if the message has no values and no elements. Throws if it is not valid. */
export function compile(message: string, names: readonly string[]): string | Part[] {
  const { ast, errors } = parseIcu(message)
  if (ast === null) throw new Error(`${errors[0]?.message}: ${message}`)
  const parts = partsOf(ast)
  if (parts.length === 0) return ''
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts

  function partsOf(nodes: readonly IcuNode[]): Part[] {
    const parts: Part[] = []
    for (const part of nodes.map(partOf)) {
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
      else parts.push(part)
    }
    return parts
  }

  function partOf(node: IcuNode): Part {
    if (node.type === 'literal') return node.value
    if (node.type === 'pound') return null
    if (node.type === 'argument') return placeOf(node.value)
    if (node.type === 'tag') return [Number(node.value), ...partsOf(node.children)]
    if (node.type === 'plural' && node.pluralType === 'cardinal')
      return {
        v: placeOf(node.value),
        o: Object.fromEntries(
          Object.entries(node.options).map(([form, option]) => [form, partsOf(option.value)]),
        ),
      }
    throw new Error(`“${node.type}” is not used in messages: ${message}`)
  }

  function placeOf(name: string): number {
    const place = names.indexOf(name)
    if (place === -1) throw new Error(`{${name}} is not a value of the English text: ${message}`)
    return place
  }
}
