import { t } from '#shared/domain/message.ts'
import { episodeCode } from './episode-code.ts'

type Part = { season: number; number: number | null; name: string }

export const seasonName = (season: number): string => (season === 0 ? t`Specials` : t`Season ${season}`)

/** “S2 E4 The Storm”. */
export const episodeTitle = (episode: Part & { number: number }): string =>
  `${episodeCode(episode)} ${episode.name}`.trim()

/** “Season 2”, “S2 E4”. */
export const partCode = ({ season, number }: Omit<Part, 'name'>): string =>
  number === null ? seasonName(season) : episodeCode({ season, number })

/** “Season 2”, “S2 E4 The Storm”. */
const partName = ({ number, ...part }: Part): string =>
  number === null ? seasonName(part.season) : episodeTitle({ number, ...part })

/** What a review is about: the title, or “The title · S2 E4 The Storm”. */
export const withPart = (title: string, about: Part | null): string =>
  about ? `${title} · ${partName(about)}` : title
