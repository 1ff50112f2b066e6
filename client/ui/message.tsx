import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { english } from './formats.ts'

/**
 * Texts are English where the code has them. The text of an element is one message with its values and its inner elements; so are the
 * attributes that people read. Other texts are tagged by `t`. The build puts a mark where each message stands, and replaces it for each
 * language (scripts/dev/messages). Unbuilt code is English.
 */
export function t(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce((before, text, at) => `${before}${values[at - 1]}${text}`)
}

/** The forms of English. `#` is the count, grouped. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return forms[count === 1 ? 'one' : 'other'].replace('#', english.count(count))
}

/** A text, a value, the count of the plural around it (null), an element and its parts, or a plural. */
export type Part = string | number | null | Part[] | Plural
type Plural = { v: number; o: Record<string, Part[]> }
type Choose = (plural: Plural, count: number) => Part[]

export function text(message: string, values: unknown[], choose?: Choose): string {
  return nodes(message as unknown as Part[], values, [], choose).join('')
}

export function rich(
  message: string,
  values: ReactNode[],
  elements?: ReactElement[],
  choose?: Choose,
): ReactNode {
  return createElement(Fragment, null, ...nodes(message as unknown as Part[], values, elements, choose))
}

function nodes(parts: Part[], values: unknown[], elements?: ReactElement[], choose?: Choose): ReactNode[] {
  return parts.flatMap((part): ReactNode => {
    if (typeof part === 'number') return [values[part] as ReactNode]
    if (Array.isArray(part))
      return cloneElement(
        elements![part[0] as number]!,
        undefined,
        ...nodes(part.slice(1), values, elements, choose),
      )
    if (typeof part === 'string' || part === null) return part
    return nodes(choose!(part, values[part.v] as number), values, elements, choose)
  })
}

/** Of this build. Parsed, so that no minifier computes with the mark. */
const built = /* @__PURE__ */ JSON.parse('"__m:language__"') as string
let rules: Intl.PluralRules | undefined

/** The parts of the form for a count. English without `Intl`: its first formatter takes longer than hydrating a page. */
export function chooseForm({ o: forms }: Plural, count: number): Part[] {
  const isEnglish = built === 'en' || built[1] === '_'
  const form = isEnglish
    ? count === 1
      ? 'one'
      : 'other'
    : (rules ??= new Intl.PluralRules(built)).select(count)
  const shown = isEnglish ? english.count(count) : count.toLocaleString(built)
  const withCount = (parts: Part[]): Part[] =>
    parts.map((part) => (part === null ? shown : Array.isArray(part) ? withCount(part) : part))
  return withCount(forms[form] ?? forms['other']!)
}
