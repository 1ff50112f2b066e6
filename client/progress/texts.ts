import { episodeCode } from '#client/titles/episode-code.ts'
import type { Episode } from '#shared/contracts/progress.ts'
import { plural, t } from '#shared/domain/message.ts'

type Named = Pick<Episode, 'season' | 'number' | 'name'>

export const seasonName = (number: number): string => (number === 0 ? t`Specials` : t`Season ${number}`)

/** “S2 E4 The Storm”. */
export const episodeTitle = (episode: Named): string =>
  episode.name === '' ? episodeCode(episode) : `${episodeCode(episode)} ${episode.name}`

export const watchedText = (played: number, count: number): string =>
  plural(count, { one: `${played} of # episode`, other: `${played} of # episodes` })
