import { t } from '#shared/domain/message.ts'

/** “S2 E4”. */
export const episodeCode = ({ season, number }: { season: number; number: number }): string =>
  season === 0 ? t`Special ${number}` : t`S${season} E${number}`
