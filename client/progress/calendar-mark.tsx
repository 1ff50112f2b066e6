import { CircleCheck } from 'lucide-react'
import { useNow, useToday } from '#client/ui/dates.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { type CalendarEntry, hasAired } from './calendar-days.ts'
import { MarkButton } from './mark-button.tsx'

/** That an episode is watched, or one press for it once it has aired. */
export function CalendarMark({ entry, size }: { entry: CalendarEntry; size?: 'sm' }) {
  const { title, episode, isPlayed } = entry
  const clock = { today: useToday(), now: useNow() }
  if (episode === null) return null
  if (isPlayed) return <Watched size={size} />
  if (!hasAired(entry, clock)) return null
  return <MarkButton title={title} episode={episode} size={size} />
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
