/**
 * Texts are English where the code has them. Those of an element and of the attributes that people read are messages by themselves. Others
 * are tagged by `t`. The build puts a mark where each message stands, and replaces it for each language (scripts/dev/messages). Unbuilt code
 * is English.
 */
export function t(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce((before, text, at) => `${before}${values[at - 1]}${text}`)
}

/** The forms of English. `#` is the count, grouped, other than in a value (`isolated`). */
export function plural(count: number, forms: { one: string; other: string }): string {
  return forms[count === 1 ? 'one' : 'other'].replace(
    /(\u2068[^\u2069]*\u2069)|#/g,
    (_found, value?: string) => (value === undefined ? englishCount(count) : value),
  )
}

/** A name in a sentence, in marks of Unicode that keep its direction from the text around it, and by which `isolatedParts` finds it. */
export function isolated(name: string): string {
  return `\u2068${name.replaceAll(/[\u2068\u2069]/g, '')}\u2069`
}

/** Every second part is a name. */
export function isolatedParts(sentence: string): string[] {
  return sentence.split(/[\u2068\u2069]/)
}

/** Without `Intl`: its first formatter takes longer than hydrating a page. */
export function englishCount(value: number): string {
  return grouped(value.toFixed())
}

export function grouped(number: string): string {
  return number.replace(/\d(?=(\d{3})+(\.|$))/g, '$&,')
}

/** As people read it in the language: 4.5 or 4,5. */
export function decimalText(value: number): string {
  return isEnglish ? String(value) : value.toLocaleString(language)
}

/** A text, a value, the count of the plural around it (null), an element and its parts, or a plural. */
export type Part = string | number | null | Part[] | Plural
export type Plural = { v: number; o: Record<string, Part[]> }
export type Choose = (plural: Plural, count: number) => Part[]

/** Used by built code only, in place of `t` and `plural`. `message` has become parts. */
export function text(message: string, values: unknown[], choose?: Choose): string {
  return (message as unknown as Part[])
    .map((part) => {
      if (typeof part === 'number') return values[part]
      if (typeof part === 'object' && part !== null)
        return text(choose!(part as Plural, values[(part as Plural).v] as number) as never, values, choose)
      return part
    })
    .join('')
}

/** Parsed, so that no minifier computes with the mark. */
const built = /* @__PURE__ */ JSON.parse('"__m:language__"') as string
/** Of this build, and English in unbuilt code. */
export const isEnglish = built === 'en' || built.startsWith('_')
export const language = isEnglish ? 'en' : built
let rules: Intl.PluralRules | undefined

/** The parts of the form for a count. English without `Intl`: its first formatter takes longer than hydrating a page. */
export function chooseForm({ o: forms }: Plural, count: number): Part[] {
  const form = isEnglish
    ? count === 1
      ? 'one'
      : 'other'
    : (rules ??= new Intl.PluralRules(language)).select(count)
  const shown = isEnglish ? englishCount(count) : count.toLocaleString(language)
  const withCount = (parts: Part[]): Part[] =>
    parts.map((part) => (part === null ? shown : Array.isArray(part) ? withCount(part) : part))
  return withCount(forms[form] ?? forms['other']!)
}
