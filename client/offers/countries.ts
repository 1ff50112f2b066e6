import { countries } from '#shared/domain/offers.ts'
import { language } from '#shared/domain/message.ts'

const names = new Intl.DisplayNames([language], { type: 'region' })

export function countryName(code: string): string {
  return names.of(code) ?? code
}

/** By name; with `code`, even if TMDB has no offers there. */
export function countryOptions(code: string | null): { value: string; label: string }[] {
  const codes = code === null || countries.includes(code) ? countries : [...countries, code]
  return codes
    .map((value) => ({ value, label: countryName(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
}
