import { Check } from 'lucide-react'
import { IconButton } from '#client/ui/button.tsx'
import { episodeTitle } from '#client/titles/part-name.ts'
import type { Episode } from '#shared/contracts/progress.ts'
import { t } from '#shared/domain/message.ts'
import { useMark } from './hooks.ts'

/** One press for an episode that has aired. */
export function MarkButton({
  title,
  episode,
  size,
}: {
  title: { id: number; name: string }
  episode: Pick<Episode, 'id' | 'season' | 'number' | 'name'>
  size?: 'sm' | undefined
}) {
  const mark = useMark(title.id)
  const name = episodeTitle(episode)
  return (
    <IconButton
      variant="outline"
      size={size}
      label={t`Watched: ${title.name} ${name}`}
      className="relative"
      busy={mark.isPending}
      onClick={() => mark.mutate({ isWatched: true, episode })}
    >
      <Check aria-hidden />
    </IconButton>
  )
}
