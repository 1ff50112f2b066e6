import { clsx } from 'clsx'
import { Bookmark, Ellipsis } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { ownStarsText, PosterRating } from '#client/ui/poster-rating.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { diaryIcons } from './diary-icons.ts'
import type { NamedTitle } from '#client/app/kinds.ts'
import { shortStars } from '#shared/domain/ratings.ts'
import { useMyMark, useMyRating } from './my-titles.ts'
import { useSession } from '#client/app/session.ts'
import { requestTitleAction, type TitleAction } from './title-actions.ts'
import { cardOf, setTitleMenu, useTitleMenu } from './title-menu.ts'
import { t } from '#shared/domain/message.ts'

export type OverlaidTitle = NamedTitle & {
  /** False in the member's own library and diary: the list shows the stars, and “Watched” is the rule. */
  hasStars?: boolean | undefined
  /** On pages of another member, whose stars come first. */
  isTheirs?: boolean | undefined
}

export function TitleOverlayBox({ kind, id, name, hasStars = true, isTheirs = false }: OverlaidTitle) {
  const title = { kind, id, name }
  const isMember = useSession() !== null
  const rating = useMyRating(id) ?? null
  const { status = null, percent = null } = useMyMark(id) ?? {}
  const isUnderWay = status === 'started' || status === 'paused'
  const key = useId()
  const isOpen = useTitleMenu((menu) => menu?.key === key)
  const inCard = useRef<HTMLSpanElement>(null)
  const [isPointedAt, setIsPointedAt] = useState(false)
  const hasWantButton = isMember && !isTheirs && rating === null && (status === null || status === 'want')
  const Icon = status === null ? null : diaryIcons[status]

  useEffect(() => {
    const card = cardOf(inCard.current!)
    const onKey = (event: KeyboardEvent) => {
      const action = actionOfKey(event)
      if (action === undefined) return
      event.preventDefault()
      requestTitleAction({ title: { kind, id, name }, action })
    }
    const onMove = ({ pointerType }: PointerEvent) =>
      setIsPointedAt((before) => before || pointerType !== 'touch')
    card.addEventListener('keydown', onKey)
    card.addEventListener('pointermove', onMove)
    return () => {
      card.removeEventListener('keydown', onKey)
      card.removeEventListener('pointermove', onMove)
    }
  }, [kind, id, name])

  return (
    <PosterRating
      rating={hasStars && !isTheirs ? rating : null}
      status={
        Icon === null ||
        status === null ||
        status === 'want' ||
        isTheirs ||
        (!hasStars && status === 'finished')
          ? null
          : { label: kinds[kind].words.diary[status], icon: <Icon aria-hidden /> }
      }
      percent={isUnderWay && !isTheirs ? percent : null}
      isWanted={status === 'want' && !isTheirs}
      hasWantButton={hasWantButton}
      onRate={isMember && isPointedAt ? (stars) => requestTitleAction({ title, action: stars }) : undefined}
    >
      {hasWantButton ? (
        <button
          type="button"
          // Keyboards have the keys of the card and its menu.
          tabIndex={-1}
          aria-label={`${kinds[kind].words.diary.want}: ${name}`}
          aria-pressed={status === 'want'}
          className="card-want pointer-events-auto absolute top-full -mt-2.5 size-11 place-items-center text-muted"
          onClick={() => requestTitleAction({ title, action: 'bookmark' })}
        >
          <Bookmark aria-hidden className={clsx('size-4.5', status === 'want' && 'fill-current')} />
        </button>
      ) : null}
      <span ref={inCard} hidden />
      {isMember ? (
        <button
          type="button"
          aria-label={t`Actions for ${name}`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          // For fingers larger than it looks: it is over the edges of the picture and of the name.
          className="card-menu pointer-events-auto absolute top-full -inset-e-3 -mt-2.5 grid size-11 in-[.title-row]:top-0 in-[.title-row]:mt-0 place-items-center text-muted hover:text-ink focus-visible:text-ink aria-expanded:text-ink"
          onClick={({ currentTarget }) => setTitleMenu({ key, anchor: currentTarget, title })}
        >
          <Ellipsis aria-hidden className="size-4.5" />
        </button>
      ) : null}
    </PosterRating>
  )
}

export function MyRatingText({ kind, id }: Pick<OverlaidTitle, 'kind' | 'id'>) {
  const given = useMyRating(id) ?? null
  const rating = given === null ? null : shortStars(given)
  const { status = null } = useMyMark(id) ?? {}
  return (
    <span dir="auto" className="block truncate text-tiny leading-5 font-semibold text-muted">
      {given !== null ? (
        <span role="img" aria-label={ownStarsText(given)}>
          You {rating}
        </span>
      ) : status === null ? null : (
        t`You: ${kinds[kind].words.diary[status]}`
      )}
    </span>
  )
}

const posterKeys: Record<string, TitleAction['action']> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  '.': 'half',
  ',': 'half',
  w: 'want',
  d: 'diary',
  f: 'favorite',
  l: 'list',
}

function actionOfKey(event: KeyboardEvent): TitleAction['action'] | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if ((event.target as HTMLElement).closest('input:not([type=radio]), textarea, select')) return
  return posterKeys[event.key.toLowerCase()]
}
