import { episodeCode } from '#client/titles/episode-code.ts'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import { t } from '#shared/domain/message.ts'

export function withheldText({ season, number, page, percent = 100 }: ShownSafeUpTo): string {
  if (season !== undefined && number !== undefined) {
    const episode = episodeCode({ season, number })
    return t`Hidden until you have seen ${episode}`
  }
  return page === undefined
    ? t`Hidden until you are at ${percent}%`
    : t`Hidden until you have read page ${page}`
}
