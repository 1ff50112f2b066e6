import type { Translator } from './translator.ts'

type Part = { season: number; number: number | null; name: string }

/** “S2 E4 The Storm”, or of a season “Season 2”; as in client/titles/part-name.ts. */
export function partName({ season, number, name }: Part, { t }: Translator): string {
  if (number === null) return season === 0 ? t`Specials` : t`Season ${season}`
  const code = season === 0 ? t`Special ${number}` : t`S${season} E${number}`
  return name === '' ? code : `${code} ${name}`
}

/** What a review is about: the title, or “The title · S2 E4 The Storm”. */
export function withPart(title: string, about: Part | null, texts: Translator): string {
  return about === null ? title : `${title} · ${partName(about, texts)}`
}
