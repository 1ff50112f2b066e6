import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageCodes, sourceLanguage } from '#shared/domain/languages.ts'
import { type Part, plural as englishPlural, text as textOf } from '#shared/domain/message.ts'
import { numberText, textLocale } from '#shared/texts/formats.ts'

/**
 * Renders texts in one language. English is in place in the code, and is the key of the catalogues:
 *
 * - Code that knows its reader tags a text with the `t` of the reader’s translator. The text is then made in that language.
 * - Code that does not, such as a procedure that refuses a call, makes the text in English. The code that sends it translates it.
 */
export type Translator = {
  language: string
  /** For dates, numbers and lists. */
  locale: string
  t: (texts: TemplateStringsArray, ...values: Value[]) => string
  /** A value of `t`. `#` is the count. */
  plural: (count: number, forms: Forms) => Count
  translate: (english: string) => string
  /** Also what an English text was made of: its message in the catalogues, and the values. */
  describe: (english: string) => Described
}
export type Described = { key: string; values: Record<string, string>; text: string }

/** Of the languages `codes`. Any other is English. */
export type Translators = { codes: readonly string[]; of: (language: string) => Translator }

/** A message as the build writes it (scripts/dev/messages/write.ts): in English, and in the language of the file. */
export type Translation = {
  source: string
  names: readonly string[]
  english: Compiled
  text: Compiled
}
type Compiled = string | Part[]
type Forms = { one: string; other: string }
type Value = string | number | Count

class Count {
  readonly count: number
  readonly forms: Forms
  constructor(count: number, forms: Forms) {
    this.count = count
    this.forms = forms
  }
}

const builtFolder = join(import.meta.dirname, '../../dist/languages')

/** The languages that the build wrote, each read when it is first asked for. Sources that are not built have English only. */
export function openTranslators(): Translators {
  const opened = new Map<string, Translator>()
  function open(code: string): Translator {
    const file = join(builtFolder, code, 'texts.json')
    return existsSync(file)
      ? translatorOf(code, JSON.parse(readFileSync(file, 'utf8')) as Translation[])
      : english
  }
  return {
    codes: languageCodes,
    of(language) {
      const code = languageCodes.includes(language) ? language : sourceLanguage
      const translator = opened.get(code) ?? open(code)
      opened.set(code, translator)
      return translator
    },
  }
}

export function translatorsOf(translators: readonly Translator[]): Translators {
  const known = new Map([english, ...translators].map((one) => [one.language, one]))
  return { codes: [...known.keys()], of: (language) => known.get(language) ?? known.get(sourceLanguage)! }
}

export function translatorOf(language: string, translations: readonly Translation[]): Translator {
  const isEnglish = language === sourceLanguage
  const locale = isEnglish ? textLocale : language
  const byShape = new Map(translations.map((one) => [shapeOfParts(one.english), one]))
  const bySource = new Map(
    translations.flatMap((one) => (typeof one.english === 'string' ? [[one.english, one] as const] : [])),
  )
  /** Made when the first text of values is translated. */
  let patterns: Pattern[] | undefined
  let rules: Intl.PluralRules | undefined

  function render(parts: Compiled, values: readonly unknown[]): string {
    if (typeof parts === 'string') return parts
    return textOf(parts as never, [...values], ({ o: forms }, count) => {
      const form = (rules ??= new Intl.PluralRules(locale)).select(count)
      const shown = numberText(count, locale)
      return (forms[form] ?? forms['other']!).map((part) => (part === null ? shown : part))
    })
  }

  function describe(text: string): Described {
    const known = bySource.get(text)
    if (known) return { key: known.source, values: {}, text: render(known.text, []) }
    if (text.length <= matchedMax)
      for (const { pattern, slots, translation } of (patterns ??= patternsOf(translations))) {
        const found = pattern.exec(text)
        if (!found) continue
        const { source, names, text: parts } = translation
        const counts = countsOf(translation.english)
        const captured = (at: number) => found.slice(1).find((one, slot) => slots[slot] === at && one)
        // The form for one may have no “#”.
        const shown = names.map((_, at) => captured(at) ?? (counts.has(at) ? '1' : ''))
        const values = shown.map((one, at) => (counts.has(at) ? Number(one.replaceAll(',', '')) : one))
        return {
          key: source,
          values: Object.fromEntries(names.map((name, at) => [name, shown[at]!])),
          text: isEnglish ? text : render(parts, values),
        }
      }
    return { key: text, values: {}, text }
  }

  return {
    language,
    locale,
    describe,
    translate: (text) => (isEnglish ? text : describe(text).text),
    plural: (count, forms) => new Count(count, forms),
    t(texts, ...given) {
      const known = isEnglish ? undefined : byShape.get(shapeOf(texts, given))
      if (known === undefined)
        return texts.reduce((before, text, at) => `${before}${inEnglish(given[at - 1]!)}${text}`)
      const values: unknown[] = []
      for (const [at, slot] of slotsOf(known.english).entries()) {
        const value = given[at]
        values[slot] = value instanceof Count ? value.count : value
      }
      return render(known.text, values)
    },
  }
}

export const english = translatorOf(sourceLanguage, [])

function inEnglish(value: Value): string {
  return value instanceof Count ? englishPlural(value.count, value.forms) : String(value)
}

// At run time, the values of a text have no names: a text is found by its shape, the text between its values.

const value = '\0'

function shapeOf(texts: readonly string[], values: readonly Value[]): string {
  return texts.reduce((before, text, at) => {
    const given = values[at - 1]
    return `${before}${given instanceof Count ? shapeOfForms(given.forms) : value}${text}`
  })
}

function shapeOfParts(parts: Compiled): string {
  if (typeof parts === 'string') return parts
  return parts
    .map((part) => {
      if (typeof part === 'number') return value
      if (typeof part === 'string' || part === null || Array.isArray(part)) return String(part)
      const formOf = (name: string) => (part.o[name] ?? []).map((one) => one ?? '#').join('')
      return shapeOfForms({ one: formOf('one'), other: formOf('other') })
    })
    .join('')
}

function shapeOfForms({ one, other }: Forms): string {
  return `${value}${one}${value}${other}${value}`
}

/** The values of the text, in its order. */
function slotsOf(parts: Compiled): number[] {
  if (typeof parts === 'string') return []
  return parts.flatMap((part) => {
    if (typeof part === 'number') return [part]
    return isPlural(part) ? [part.v] : []
  })
}

function countsOf(parts: Compiled): Set<number> {
  if (typeof parts === 'string') return new Set()
  return new Set(parts.filter(isPlural).map(({ v }) => v))
}

function isPlural(part: Part): part is Extract<Part, { v: number }> {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}

// An English text was made of the message whose literal text it has.

/** In characters. Longer texts stay in English: a text of several values takes time that grows with a power of its length. */
const matchedMax = 500

/** “{name} on {title}” would match many texts that it did not make. */
const literalMin = /(\P{L}*\p{L}){4}/u

type Pattern = ReturnType<typeof patternOf>

function patternsOf(translations: readonly Translation[]): Pattern[] {
  return (
    translations
      .flatMap((one) => (typeof one.english === 'string' ? [] : [patternOf(one.english, one)]))
      .filter(({ literal }) => literalMin.test(literal))
      // A text may match several, such as “List {name}” and “List {name} is full”.
      .toSorted((one, other) => other.literal.length - one.literal.length)
  )
}

function patternOf(parts: Part[], translation: Translation) {
  const slots: number[] = []
  let literal = ''
  const escaped = (text: string) => {
    literal += text
    return RegExp.escape(text)
  }
  const pattern = parts.map((part) => {
    if (typeof part === 'string') return escaped(part)
    if (typeof part === 'number') {
      if (slots.includes(part)) return String.raw`\k<v${part}>`
      slots.push(part)
      return `(?<v${part}>[^]*?)`
    }
    if (part === null || Array.isArray(part)) return '(?!)'
    const forms = Object.values(part.o).map((form) =>
      form
        .map((one) => (one === null ? (slots.push(part.v), String.raw`([\d,]+)`) : escaped(String(one))))
        .join(''),
    )
    return `(?:${forms.join('|')})`
  })
  return { pattern: new RegExp(`^${pattern.join('')}$`), slots, literal, translation }
}
