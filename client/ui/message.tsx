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
const language = built[1] === '_' ? 'en' : built

/** A text, a value, the count of the plural around it (null), an element and its parts, or a plural. */
export type Part = string | number | null | Part[] | Plural
type Plural = { v: number; o: Record<string, Part[]> }

export function text(message: string, ...values: unknown[]): string {
  return nodes(message as unknown as Part[], values).join('')
}

export function rich(message: string, values: ReactNode[], elements?: ReactElement[]): ReactNode {
  return createElement(Fragment, null, ...nodes(message as unknown as Part[], values, elements))
}

function nodes(parts: Part[], values: unknown[], elements?: ReactElement[], count = 0): ReactNode[] {
  return parts.flatMap((part): ReactNode => {
    if (part === null) return grouped(count)
    if (typeof part === 'number') return [values[part] as ReactNode]
    if (typeof part === 'string') return part
    if (Array.isArray(part)) {
      const inner = nodes(part.slice(1), values, elements, count)
      return cloneElement(elements![part[0] as number]!, undefined, ...inner)
    }
    const number = values[part.v] as number
    return nodes(part.o[formOf(number)] ?? part.o['other']!, values, elements, number)
  })
}

let rules: Intl.PluralRules | undefined

/** English without `Intl`: its first formatter takes longer than hydrating a page. */
function formOf(count: number): string {
  if (language === 'en') return count === 1 ? 'one' : 'other'
  return (rules ??= new Intl.PluralRules(language)).select(count)
}

function grouped(count: number): string {
  return language === 'en' ? english.count(count) : count.toLocaleString(language)
}
