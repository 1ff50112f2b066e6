import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { english } from './formats.ts'

/**
 * Texts are English where the code has them. The text of an element is one message with its values and its inner elements; so are the
 * attributes that people read. Other texts are tagged by `t`. The build puts a mark where each message stands, and replaces it for each
 * language (scripts/messages). Unbuilt code is English.
 */
export function t(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce((before, text, at) => `${before}${values[at - 1]}${text}`)
}

/** The forms of English. `#` is the count, grouped. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return forms[count === 1 ? 'one' : 'other'].replace('#', english.count(count))
}

/** Of this build. Parsed, so that no minifier computes with the mark. */
const built = JSON.parse('"__m:language__"') as string
export const language = built.includes(':') ? 'en' : built

/** A text, a value, the count of the plural around it (null), an element and its parts, or a plural. */
export type Part = string | number | null | Part[] | Plural
type Plural = { v: number; o: Record<string, Part[]> }

export function text(message: string, ...values: unknown[]): string {
  return nodes(message as unknown as Part[], values, []).join('')
}

export function rich(message: string, values: ReactNode[], elements: ReactElement[]): ReactNode {
  return createElement(Fragment, null, ...nodes(message as unknown as Part[], values, elements))
}

function nodes(
  parts: readonly Part[],
  values: readonly unknown[],
  elements: readonly ReactElement[],
  count = 0,
): ReactNode[] {
  return parts.flatMap((part): ReactNode | ReactNode[] => {
    if (typeof part === 'string') return part
    if (part === null) return counted(count)
    if (typeof part === 'number') return [values[part] as ReactNode]
    if (Array.isArray(part)) {
      const [element, ...inner] = part
      const found = elements[element as number]!
      return inner.length === 0
        ? found
        : cloneElement(found, undefined, ...nodes(inner, values, elements, count))
    }
    const value = Number(values[part.v])
    return nodes(part.o[formOf(value, part.o)] ?? part.o['other']!, values, elements, value)
  })
}

let rules: Intl.PluralRules | undefined
let numbers: Intl.NumberFormat | undefined

/** English without `Intl`: its first formatter takes longer than hydrating a page. */
function formOf(count: number, forms: Plural['o']): string {
  const exact = `=${count}`
  if (exact in forms) return exact
  if (language === 'en') return count === 1 ? 'one' : 'other'
  return (rules ??= new Intl.PluralRules(language)).select(count)
}

function counted(count: number): string {
  if (language === 'en') return english.count(count)
  return (numbers ??= new Intl.NumberFormat(language)).format(count)
}
