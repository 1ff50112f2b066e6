import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Bell, Flag, Gavel, Import, type LucideIcon, Settings, Tv } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { nextPage, trpc } from '#client/app/trpc.ts'
import { AnswerRequest } from '#client/members/answer-request.tsx'
import { Avatar, AvatarStack } from '#client/ui/avatar.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { reviewedPage } from '#client/titles/reviewed-page.ts'
import { useDates } from '#client/ui/dates.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import type { NotificationTarget } from '#shared/contracts/notifications.ts'
import { type Notification, useMarkRead } from './hooks.ts'
import { sentenceOf } from './sentences.ts'
import { isolatedParts, t } from '#shared/domain/message.ts'

/** Seeing the list marks all as read. */
export function NotificationsScreen({ renderSeason }: { renderSeason: RenderSeason }) {
  const list = trpc.notifications.list.useInfiniteQuery({}, nextPage)
  const { data } = list
  const notifications = data?.pages.flatMap((page) => page.notifications) ?? []
  const newest = data?.pages[0]
  const top = useSeen(newest?.unreadCount ? (newest.upTo ?? undefined) : undefined)
  const days = useByDay(notifications)
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <div className="mx-auto max-w-[40rem]">
        <div ref={top} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="text-h1">Notifications</h1>
          <ButtonLink
            variant="ghost"
            className="max-sm:-ms-4"
            icon={<Settings aria-hidden />}
            render={<Link to="/settings" search={{ tab: 'notifications' }} />}
          >
            Choose
          </ButtonLink>
        </div>
        {list.error && !data ? (
          <LoadError
            title="Your notifications did not load"
            error={list.error}
            onRetry={list.refetch}
            className="mt-8"
          />
        ) : data === undefined ? (
          <NotificationsSkeleton />
        ) : notifications.length === 0 && !list.hasNextPage ? (
          <EmptyState icon={<Bell aria-hidden />} title="Nothing yet" className="mt-8">
            Follows, comments, likes and invitations will be here.
          </EmptyState>
        ) : (
          days.map(([day, ofDay]) => (
            <section key={day} aria-label={day} className="mt-8">
              <h2 className="text-h3">{day}</h2>
              <ul className="mt-2 grid gap-1">
                {ofDay.map((notification) => (
                  <NotificationRow
                    key={notification.id}
                    notification={notification}
                    renderSeason={renderSeason}
                  />
                ))}
              </ul>
            </section>
          ))
        )}
        <ShowMore query={list} className="mt-6" busyLabel="Loading…" />
      </div>
    </div>
  )
}

type Target = NonNullable<Notification['target']>
/** What can be done about a new season; features meet in routes. */
type RenderSeason = (show: NonNullable<Target['title']>, season: NonNullable<Target['season']>) => ReactNode

const seenAfterMs = 600

function useSeen(upTo: string | undefined) {
  const { mutate } = useMarkRead()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (upTo === undefined || element.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer)
      if (entry?.isIntersecting) timer = setTimeout(() => mutate({ upTo }), seenAfterMs)
    })
    observer.observe(element.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [upTo, mutate])
  return element
}

function useByDay(notifications: readonly Notification[]): [day: string, ofDay: Notification[]][] {
  const { date } = useDates()
  const [now] = useState(Date.now)
  const names = new Map([
    [date(new Date(now).toISOString()), t`Today`],
    [date(new Date(now - 24 * 60 * 60_000).toISOString()), t`Yesterday`],
  ])
  return [
    ...Map.groupBy(notifications, ({ at }) => {
      const day = date(at)
      return names.get(day) ?? day
    }),
  ]
}

const icons: Partial<Record<NotificationTarget, LucideIcon>> = {
  import: Import,
  decision: Gavel,
  report: Flag,
  case: Flag,
  season: Tv,
}

function NotificationRow({
  notification,
  renderSeason,
}: {
  notification: Notification
  renderSeason: RenderSeason
}) {
  const { actors, target, at, isRead } = notification

  const Icon = (target && icons[target.type]) ?? Bell
  const href = useTarget(notification)
  const clock = useDates().clock(at)
  return (
    <li>
      <Link
        to={href}
        className={clsx(
          'relative flex min-h-16 items-center gap-3 rounded-item py-2.5 pe-2 ps-3 hover:bg-raised',
          !isRead &&
            'unread before:absolute before:inset-y-1.5 before:inset-s-0 before:w-0.5 before:rounded-full before:bg-star',
        )}
      >
        <div aria-hidden className="flex w-14 shrink-0 justify-center">
          {actors.length > 1 ? (
            <AvatarStack
              people={actors.slice(0, 2).map(({ username, profilePicture }) => ({
                name: username,
                src: profilePicture,
              }))}
            />
          ) : actors.length === 1 ? (
            <Avatar name={actors[0]!.username} src={actors[0]!.profilePicture} size="lg" />
          ) : (
            <span className="grid size-11 place-items-center rounded-full bg-raised text-muted">
              <Icon className="size-5" />
            </span>
          )}
        </div>
        <span className="min-w-0 grow">
          <span className="block text-pretty wrap-anywhere">
            {isRead ? null : (
              <>
                <VisuallyHidden>New:</VisuallyHidden>{' '}
              </>
            )}
            {isolatedParts(sentenceOf(notification)).map((part, at) =>
              at % 2 === 0 ? (
                part
              ) : (
                // oxlint-disable-next-line react/no-array-index-key -- two names may be the same
                <b key={at} className="font-semibold">
                  <bdi>{part}</bdi>
                </b>
              ),
            )}
          </span>
          {/* Not an age: the heading has the day. */}
          <time dateTime={at} className="text-meta text-muted tabular-nums">
            {clock}
          </time>
        </span>
        {target === null ? null : <Shown target={target} />}
      </Link>
      {notification.type === 'followRequest' ? <Requests actors={actors} /> : null}
      {target?.season && target.title ? (
        <div className="pb-2 ps-20">{renderSeason(target.title, target.season)}</div>
      ) : null}
    </li>
  )
}

function Requests({ actors }: Pick<Notification, 'actors'>) {
  const waiting = trpc.privacy.requests.useQuery({}).data?.users ?? []
  return actors
    .filter(({ id }) => waiting.some((one) => one.id === id))
    .map(({ id, username }) => (
      <div key={id} className="flex flex-wrap items-center gap-3 pb-2 ps-20">
        {actors.length === 1 ? null : (
          <span className="text-label">
            <bdi>{username}</bdi>
          </span>
        )}
        <AnswerRequest userId={id} name={username} />
      </div>
    ))
}

function Shown({ target: { imageUrl, text } }: { target: NonNullable<Notification['target']> }) {
  const words =
    text === null ? null : (
      <span dir="auto" className="line-clamp-2 w-28 shrink-0 text-meta text-muted wrap-anywhere sm:w-40">
        {text}
      </span>
    )
  if (imageUrl === null) return words
  return (
    <span aria-hidden className="h-15 w-[min(2.5rem,12vw)] shrink-0 overflow-hidden rounded-item">
      <Picture src={imageUrl} sizes="2.5rem" fallback={words} />
    </span>
  )
}

function useTarget({ type, actors, target }: Notification): string {
  const me = useSession()?.user.id
  if (target?.type === 'review' && target.title !== null)
    return `${reviewedPage(target.title, target.about)}?review=${target.id}`
  if (target?.type === 'season' && target.title !== null)
    return titlePath(kinds[target.title.kind], target.title.id)
  if (target?.type === 'list') return `/list/${target.id}`
  if (target?.type === 'import') return `/imports/${target.id}`
  if (target?.type === 'decision') return `/decisions/${target.id}`
  if (target?.type === 'case') return `/admin/reports/${target.id}`
  if (target?.type === 'report') return '/settings?tab=account'
  // The own profile lists the requests.
  if (type === 'followRequest') return `/user/${me}`
  if (actors.length === 1) return `/user/${actors[0]!.id}`
  if (type === 'invited') return '/settings?tab=account'
  return `/user/${me}/${type === 'followAccepted' ? 'following' : 'followers'}`
}

function NotificationsSkeleton() {
  return (
    <div role="status" aria-label="Loading notifications" className="mt-8 grid animate-appear gap-3">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex items-center gap-3 py-2 ps-4">
          <Skeleton className="size-11 shrink-0 rounded-full" />
          <Skeleton className="h-5 grow rounded-full" />
          <Skeleton className="h-15 w-10 shrink-0 rounded-item" />
        </div>
      ))}
    </div>
  )
}
