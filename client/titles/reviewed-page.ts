import { titlePath, type TitleRef } from '#client/app/kinds.ts'
import { kinds } from '#shared/domain/kinds.ts'

/** The page that shows what members write about it. The one of a show has reviews of its seasons. */
export const reviewedPage = ({ kind, id }: TitleRef, about: { episodeId: number | null } | null): string =>
  about?.episodeId ? `/episodes/${about.episodeId}` : titlePath(kinds[kind], id)
