import type { AnyProcedure } from '@trpc/server'
import fc from 'fast-check'
import { jsonSchemaOf } from '#server/calls/described.ts'

/** `isRefused`: every field rejects it. */
export type HostileText = { name: string; text: string; isRefused?: true }

/** Exceeds every maximum. Normalizing combining marks of this size takes seconds. */
const hugeBytes = 80_000

/** `isPattern`: causes catastrophic backtracking in a badly written regular expression. */
type Seed = { unit: string; before?: string; after?: string; isPattern?: true }

const seeds: Record<string, Seed> = {
  letters: { unit: 'a', isPattern: true },
  'words without spaces in three alphabets': { unit: 'wordслово言葉' },
  blanks: { unit: ' ', before: 'a', after: 'b', isPattern: true },
  'no-break spaces': { unit: '\u00a0', before: 'a', after: 'b', isPattern: true },
  'line breaks': { unit: '\n', before: 'a', after: 'b', isPattern: true },
  'letters with eight marks each': { unit: 'Z\u0301\u0323\u0316\u0317\u0300\u0302\u0330\u0331' },
  'letters with thirty marks each': { unit: `a${'\u0301\u0323'.repeat(15)}`, isPattern: true },
  'decomposed letters': { unit: 'u\u031b\u0323' },
  'Hangul jamo': { unit: '\u1112\u1161\u11ab' },
  'characters that become eighteen letters': { unit: '\ufdfa' },
  'characters that become a word of five letters each': { unit: '\u3315\u332e\u3325\u330a\u331b\u3348' },
  'sigmas and dotted capitals': { unit: 'Σ.İ', isPattern: true },
  'text directions': { unit: '\u202eabc\u2066\u202c' },
  'NUL and controls': { unit: '\u0000\u0007\u001b[31m\u007f\u0085x' },
  'lone surrogates': { unit: '\ud800x\udfff' },
  'emoji sequences': { unit: '👩🏽\u200d👩🏻\u200d👧🏿\u200d👦🏼🏳️\u200d🌈' },
  joiners: { unit: '\u200d', isPattern: true },
  'Hangul fillers': { unit: '\u3164' },
  'letters of the astral planes': { unit: '𝕬𐐷𠮷' },
  'variation selectors of the astral planes': { unit: `a${'\u{e0100}'.repeat(10)}` },
  'an email with many dots': { unit: 'a.', before: 'a@', after: '!', isPattern: true },
  'an email with many names': { unit: 'a@', isPattern: true },
  'a list of ids': { unit: '1,', after: 'x', isPattern: true },
  'a list of Open Library ids': { unit: 'OL1M,', after: '!', isPattern: true },
  'digits and hyphens': { unit: '9-7 8' },
  'an address of an upload': { unit: 'a-160-', before: '/uploads/', after: '.webp', isPattern: true },
  prototypes: { unit: '__proto__ constructor toString ' },
  formulas: { unit: '\t=HYPERLINK("http://x.example","x")+@-cmd|' },
  markup: { unit: '<b><!--</b><a href="javascript:alert(1)"><script>' },
  'open tags': { unit: '<a ' },
  Markdown: { unit: '![*a_`](' },
  'header breaks': { unit: 'a\r\nBcc: b@example.org\r\n\r\n' },
  'signs of SQL and of search languages': { unit: `%_\\'"*:&|(){}^-- NEAR(a OR b) ` },
  'prefixes of many words': { unit: 'a b c d ' },
}

const marks: Record<string, Seed> = {
  'combining marks': { unit: '\u0301' },
  'combining marks of two classes': { unit: '\u0301\u0323' },
  'marks between characters that are removed': { unit: '\u0301\u202a\u0323\u0000' },
  'marks of the astral planes': { unit: '\u{1d165}\u{1d16d}' },
}

function repeatTo({ unit, before = '', after = '' }: Seed, length: number): string {
  const fill = Math.max(0, length - before.length - after.length)
  return before + unit.repeat(Math.ceil(fill / unit.length)).slice(0, fill) + after
}

/** Two combining classes in turn: canonical ordering takes quadratic time. */
function worstOrder(length: number): string {
  return `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`
}

export function hostileTexts(max: number): HostileText[] {
  const word = fc.sample(
    fc.string({
      unit: fc.integer({ min: 0x3300, max: 0x3357 }).map((code) => String.fromCodePoint(code)),
      minLength: max,
      maxLength: max,
    }),
    { seed: 20_260_504, numRuns: 1 },
  )
  return [
    { name: 'a word that no database can compress', text: word[0]! },
    ...Object.entries(seeds).flatMap(([name, seed]) => [
      { name: `${name}, short`, text: repeatTo(seed, Math.min(max, 24)) },
      { name: `${name}, at the maximum length`, text: repeatTo(seed, max) },
      ...(seed.isPattern ? [{ name: `${name}, huge`, text: repeatTo(seed, hugeBytes / 2) }] : []),
    ]),
    ...Object.entries(marks).map(([name, seed]) => ({
      name,
      text: repeatTo({ ...seed, before: 'a' }, hugeBytes / 2),
      isRefused: true as const,
    })),
    { name: 'marks in the worst order', text: worstOrder(hugeBytes / 2), isRefused: true },
    {
      name: 'marks in the worst order, within the maximum',
      text: worstOrder(Math.max(max, 70)),
      isRefused: true,
    },
  ]
}

/** Without `isText`, every text is invalid. */
export type InputField = { name: string; isText: boolean; max: number }

export function fieldsOf(procedure: AnyProcedure): InputField[] {
  const { properties = {} } = jsonSchemaOf(procedure)
  return Object.entries(properties).map(([name, property]) => {
    const shapes = shapesIn(property as Shape)
    const text = shapes.find(({ type }) => type === 'string')
    return { name, isText: text !== undefined, max: text?.maxLength ?? 100 }
  })
}

type Shape = { type?: string; maxLength?: number; anyOf?: Shape[]; oneOf?: Shape[] }
function shapesIn(shape: Shape): Shape[] {
  const { anyOf = [], oneOf = [] } = shape
  return [shape, ...[...anyOf, ...oneOf].flatMap(shapesIn)]
}
