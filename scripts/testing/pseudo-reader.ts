import type { Locator, Page } from 'playwright-core'
import { accents, additions, english } from '#scripts/dev/messages/pseudo.ts'

/**
 * Lets tests that are written for English use pages in the pseudo language: texts by which they find elements match pages in both, and
 * texts that they read from a page are translated back.
 */
export function readInEnglish(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator('html')) as Prototype
  const pages = Object.getPrototypeOf(page) as Prototype
  for (const prototype of [locators, pages]) {
    if (patched.has(prototype)) continue
    patched.add(prototype)
    for (const name of byText)
      replace(
        prototype,
        name,
        (original) => (text, options) => original(patternOf(text as Text, options as TextOptions), options),
      )
    replace(prototype, 'getByRole', (original) => (role, options) => original(role, inBoth(options)))
    for (const name of ['locator', 'filter'])
      replace(
        prototype,
        name,
        (original) =>
          (first, ...others) =>
            original(typeof first === 'string' ? first : inBoth(first), ...others.map(inBoth)),
      )
    for (const name of reading)
      replace(
        prototype,
        name,
        (original) =>
          async (...given) =>
            inEnglish(await original(...given)),
      )
  }
}

const patched = new WeakSet<object>()
type Method = (...given: unknown[]) => unknown
type Prototype = Record<string, Method>

function replace(prototype: Prototype, name: string, by: (original: Method) => Method): void {
  const existing = prototype[name]
  if (existing === undefined) return
  prototype[name] = function (this: Locator | Page, ...given) {
    return by((...changed) => existing.apply(this, changed))(...given)
  }
}

const byText = ['getByText', 'getByLabel', 'getByPlaceholder', 'getByTitle', 'getByAltText']
const reading = [
  'textContent',
  'innerText',
  'allTextContents',
  'allInnerTexts',
  'getAttribute',
  'inputValue',
  'evaluate',
  'evaluateAll',
  'ariaSnapshot',
  'title',
  'content',
]

type Text = string | RegExp
type TextOptions = { exact?: boolean } | undefined

/** Of `getByRole`, `filter` and `locator`. */
function inBoth(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || Object.getPrototypeOf(options) !== Object.prototype)
    return options
  const isText = (value: unknown) => typeof value === 'string' || value instanceof RegExp
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) =>
      ['name', 'description', 'hasText', 'hasNotText'].includes(name) && isText(value)
        ? [name, patternOf(value as Text, options as TextOptions)]
        : [name, value],
    ),
  )
}

function inEnglish(value: unknown): unknown {
  if (typeof value === 'string') return english(value)
  if (Array.isArray(value)) return value.map(inEnglish)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inEnglish(one)]))
}

const added = `[${additions}]*`
/** Elements within a text can have spaces around them. */
const around = String.raw`[\s${additions}]`

/** Matches what `text` matches, in English and in the pseudo language. */
export function patternOf(text: Text, options?: TextOptions): RegExp {
  if (text instanceof RegExp) return new RegExp(inBothLanguages(text.source), text.flags)
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\w\s]/g, String.raw`\$&`))
    .map(inBothLanguages)
  const pattern = words.join(`${around}+`)
  return options?.exact ? new RegExp(`^${around}*${pattern}${around}*$`) : new RegExp(pattern, 'i')
}

const tokens =
  /\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|\{\d+(?:,\d*)?\}|[^]/gi

/** Letters also match those with accents, and after each character may follow what the language adds. */
function inBothLanguages(source: string): string {
  return source.replaceAll(tokens, (token) => {
    // `RegExp.escape` writes the first letter so.
    const code = /^\\x(.*)/.exec(token)?.[1]
    const letter = code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16))
    const found = accents.has(letter) ? letter : token
    if (found === ' ') return `${around}+`
    if (accents.has(found)) return `(?:[${found}${accents.get(found)}]${added})`
    if (found === '^') return `^${around}*`
    if (found === '$') return `${around}*$`
    if (found === String.raw`\b`) return String.raw`(?:(?<!${word})(?=${word})|(?<=${word})(?!${word}))`
    if (found === String.raw`\w`) return `(?:${word}${added})`
    if (found.startsWith('[')) return classInBoth(found)
    // Groups, quantifiers, and what matches additions by itself.
    if (/^([.|()*+?]|\(\?.*|\{.+|\\[SWDBk].*)$/.test(found)) return found
    return `(?:${found}${added})`
  })
}

const word = String.raw`[\w${[...accents.values()].join('')}]`

function classInBoth(found: string): string {
  const isNegated = found.startsWith('[^')
  const matches = new RegExp(found)
  const accented = [...accents].filter(([letter]) => matches.test(letter) !== isNegated)
  const both = `${found.slice(0, -1)}${accented.map(([, accent]) => accent).join('')}]`
  return isNegated ? both : `(?:${both}${added})`
}
