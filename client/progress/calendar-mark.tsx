import { Check, CircleCheck } from 'lucide-react'
import { IconButton } from '#client/ui/button.tsx'
import { useNow, useToday } from '#client/ui/dates.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { t } from '#shared/domain/message.ts'
import { type CalendarEntry, hasAired } from './calendar-days.ts'
import { useMark } from './hooks.ts'
import { episodeTitle } from './texts.ts'

/** That an episode is watched, or one press for it once it has aired. */
export function CalendarMark({ entry, size }: { entry: CalendarEntry; size?: 'sm' }) {
  const { title, episode, isPlayed } = entry
  const mark = useMark(title.id)
  const clock = { today: useToday(), now: useNow() }
  if (episode === null) return null
  if (isPlayed) return <Watched size={size} />
  if (!hasAired(entry, clock)) return null
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

export function Watched({ size }: { size?: 'sm' | undefined }) {
  return (
    <span
      className={
        size === 'sm' ? 'grid size-9 shrink-0 place-items-center' : 'grid size-11 shrink-0 place-items-center'
      }
    >
      <CircleCheck aria-hidden className="size-5 text-ok" />
      <VisuallyHidden>Watched</VisuallyHidden>
    </span>
  )
}
