import { type LanguageOffer, languages, sourceLanguage } from '#shared/domain/languages.ts'

export type LanguageChoice = {
  /** `?lang=`: for one page. */
  query?: string | undefined
  /** Of the member. */
  setting?: string | null | undefined
  cookie?: string | undefined
  /** The header `Accept-Language`. */
  accepted?: string | undefined
  /** Of the site. */
  byDefault: string
}

const rangesMax = 20
const acceptedLengthMax = 1_000

/** Those that a host offers. */
export function offeredAmong(codes: readonly string[], offer: LanguageOffer): readonly string[] {
  const unread = new Set(languages.flatMap(({ code, isReviewed }) => (isReviewed ? [] : [code])))
  return codes.filter((code) => offer === 'all' || !unread.has(code))
}

/** The first choice that the site offers; the source language if it offers none of them. */
export function chooseLanguage(choice: LanguageChoice, offered: readonly string[]): string {
  return askedLanguage(choice, offered) ?? exactly(choice.byDefault, knownOf(offered)) ?? sourceLanguage
}

/** The first choice of the reader that the site offers. */
export function askedLanguage(
  { query, setting, cookie, accepted }: Omit<LanguageChoice, 'byDefault'>,
  offered: readonly string[],
): string | undefined {
  const known = knownOf(offered)
  const [chosen] = [query, setting, cookie].flatMap((code) => exactly(code, known) ?? [])
  return chosen ?? acceptedOf(accepted ?? '', known)
}

type Known = ReadonlyMap<string, string>

function knownOf(offered: readonly string[]): Known {
  return new Map(offered.map((code) => [code.toLowerCase(), code]))
}

function exactly(code: string | null | undefined, known: Known): string | undefined {
  return code ? known.get(code.toLowerCase()) : undefined
}

/** The country of the first language that an `Accept-Language` header names; of `de`, Germany. */
export function acceptedCountry(header: string): string | undefined {
  const [first] = rangesOf(header).filter(({ quality }) => quality > 0)
  try {
    const { region } = new Intl.Locale(first?.tag ?? 'und').maximize()
    return /^[A-Z]{2}$/.test(region ?? '') && first ? region : undefined
  } catch {
    return undefined
  }
}

/** A range also matches without its last subtags: `de-AT` is `de` (RFC 4647, 3.4). */
function acceptedOf(header: string, known: Known): string | undefined {
  const ranges = rangesOf(header)
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag))
  for (const { tag, quality } of ranges)
    for (let range = tag; range !== ''; range = range.slice(0, Math.max(0, range.lastIndexOf('-')))) {
      const code = known.get(range)
      if (quality > 0 && code !== undefined && !refused.has(range)) return code
    }
  return undefined
}

/** By quality (RFC 9110, 12.5.4), then by order. */
function rangesOf(header: string): { tag: string; quality: number }[] {
  return header
    .slice(0, acceptedLengthMax)
    .split(',', rangesMax)
    .flatMap((range) => {
      const found =
        /^\s*([a-z]{1,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/i.exec(
          range,
        )
      return found ? [{ tag: found[1]!.toLowerCase(), quality: Number(found[2] ?? 1) }] : []
    })
    .toSorted((one, other) => other.quality - one.quality)
}
