/**
 * Returns what a token without `read` may see of an output (docs/decisions/0036-access-tokens.md): the message, ids, and properties whose
 * name and value are in the parsed input, where a guessed property of no schema shows nothing.
 */
export function writtenOf(output: unknown, input: unknown): unknown {
  return isObject(output) ? pick(output, isObject(input) ? input : {}, 0) : undefined
}

type Properties = Record<string, unknown>

/** 0 for the output, 1 for the resources in it. */
function pick(value: Properties, sent: Properties, depth: number): Properties {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, property]): [string, unknown][] => {
      if (depth === 0 && key === 'message') return [[key, property]]
      // Ids within a resource belong to other resources, such as the title of a diary entry.
      if (key === 'id') return depth <= 1 ? [[key, property]] : []
      if (Object.hasOwn(sent, key) && JSON.stringify(property) === JSON.stringify(sent[key]))
        return [[key, property]]
      if (!isObject(property)) return []
      const picked = pick(property, sent, depth + 1)
      return depth === 0 || Object.keys(picked).length > 0 ? [[key, picked]] : []
    }),
  )
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
