import { Popover } from '@base-ui/react/popover'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { DiaryButton } from '#client/diary/diary-button.tsx'
import { logRatings, WatchedToday } from '#client/diary/log-ratings.tsx'
import { AddToListButton } from '#client/lists/add-to-list-button.tsx'
import { useLogInPrompt } from '#client/app/log-in.tsx'
import { QuickRating } from '#client/reviews/quick-rating.tsx'
import { useSession } from '#client/app/session.ts'
import { FavoriteButton } from '#client/social/favorite-button.tsx'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { halfOf, isHalfKey } from '#client/ui/half-steps.ts'
import { OriginButton } from '#client/titles/origin.ts'
import { cardOf, setTitleMenu, type TitleMenu, useTitleMenu } from '#client/titles/title-menu.ts'
import { messages } from '#shared/texts/messages.ts'

export function TitleMenuPopup() {
  const open = useTitleMenu()
  const isMember = useSession() !== null
  const askToLogIn = useLogInPrompt()
  // Stays rendered after it is closed, so that a rating that is being saved can report its failure.
  const [last, setLast] = useState<TitleMenu | null>(null)
  if (open !== null && open !== last && isMember) setLast(open)
  const isRefused = open !== null && !isMember
  useEffect(() => {
    if (!isRefused) return
    setTitleMenu(null)
    askToLogIn(messages.pleaseLogInFirst)
  })
  useEffect(() => (isMember ? logRatings() : undefined), [isMember])
  const router = useRouter()
  useEffect(() => router.subscribe('onBeforeNavigate', () => setTitleMenu(null)), [router])

  if (!isMember || last === null) return null
  return <Menu key={last.title.id} menu={last} isOpen={open !== null} />
}

function Menu({ menu, isOpen }: { menu: TitleMenu; isOpen: boolean }) {
  const { anchor, title } = menu
  const card = cardOf(anchor)
  const isRow = card.matches('.title-row')
  const hasHalves = useHalfStars()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    // The menu opens over the card.
    if (isOpen) card.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    // oxlint-disable-next-line react/set-state-in-effect -- open from the start, it would take the focus before it has its place, and the page would jump up to it
    setShown(isOpen)
  }, [isOpen, card])
  return (
    <QuickRating title={title}>
      {(stars) => (
        <Popover.Root
          open={isShown}
          onOpenChange={(_, details) => {
            // The button closes the menu itself; if it were closed already, the button would open it again.
            if (anchor.contains(details.event.target as Node | null) && details.reason === 'outside-press')
              return details.cancel()
            setTitleMenu(null)
          }}
        >
          <Popover.Portal>
            <Popover.Positioner
              anchor={card}
              sideOffset={overItself}
              align={isRow ? 'start' : 'center'}
              collisionPadding={12}
              className="z-50 outline-none"
            >
              <Popover.Popup
                data-kind={title.kind}
                finalFocus={() => anchor}
                // In a row it is wider, so that it is not higher than the row.
                className={`popup ${isRow || hasHalves ? 'w-72' : 'w-60'} max-h-[calc(100dvh-1.5rem)] max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card px-3 py-2.5 outline-none`}
                onKeyDown={(event) => {
                  const isStar = (event.target as HTMLElement).matches('[type=radio]')
                  // A star that has the focus is chosen by then.
                  if (event.key === 'Enter' && isStar) setTitleMenu(null)
                  if (isStar) return
                  const star = (which: string) =>
                    event.currentTarget.querySelector<HTMLElement>(`[data-stars${which}`)
                  const half = hasHalves && isHalfKey(event.key)
                  const stars = half ? halfOf(Number(star(']:checked')?.dataset['stars'] ?? 0)) : event.key
                  if (half || /^[1-5]$/.test(event.key)) star(`='${stars}']`)?.click()
                }}
              >
                <Popover.Title className="line-clamp-1 text-label wrap-anywhere">{title.name}</Popover.Title>
                <div className="mt-1">{stars}</div>
                <WatchedToday title={title} />
                <div className="mt-1.5 flex flex-wrap gap-2">
                  <DiaryButton title={title} size="sm" />
                  <FavoriteButton title={title} size="sm" />
                  <AddToListButton title={title} size="sm" onOpen={() => setTitleMenu(null)} />
                </div>
                <OriginButton about={{ item: title.id }} />
              </Popover.Popup>
            </Popover.Positioner>
          </Popover.Portal>
        </Popover.Root>
      )}
    </QuickRating>
  )
}

function overItself({ anchor, positioner }: { anchor: Size; positioner: Size }): number {
  return -(anchor.height + positioner.height) / 2
}
type Size = { width: number; height: number }
