import { CirclePlus, FilePlus2, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDebounced } from '#client/app/debounced.ts'
import { today } from '#client/diary/entries.ts'
import { titlePath } from '#client/app/kinds.ts'
import { useMyRating } from '#client/titles/my-titles.ts'
import { useSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { useDates } from '#client/ui/dates.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { ownStarsText } from '#client/ui/poster-marks.tsx'
import { Stars, starsText } from '#client/ui/stars.tsx'
import { suggestionsLimit } from '#shared/domain/limits.ts'
import { kindOfCategory, kinds } from '#shared/domain/media.ts'
import { dayWord, parseCommand } from './command.ts'
import { type LogTitle, openLog } from './log-request.ts'
import { ownPages } from './own-pages.ts'

export type Row = { key: string; onPress: () => void; content: ReactNode }
export type RowGroup = { label: string; rows: Row[] }

/** The maximum number of titles of other kinds, so that movies come first. */
const othersMax = 4
const peopleMax = 3

/**
 * Returns what a search box offers for its text, in groups: what the text commands, titles, people and pages. An empty text has no
 * rows, but in the palette (`isPalette`) the pages and actions. `isSettled` once the titles for the text are there.
 */
export function useSearchRows({
  text,
  isWanted,
  isPalette,
  onPick,
}: {
  text: string
  isWanted: boolean
  isPalette: boolean
  onPick: (path: string) => void
}): { groups: RowGroup[]; isSettled: boolean } {
  const q = useDebounced(text.trim())
  const { titles, isSettled } = useTitles(q, isWanted)
  const people = usePeople(q, isWanted)
  const command = useCommandRow(q, isWanted)
  const user = useSession()?.user
  // One letter would match nearly all.
  const isAsked = (label: string) =>
    q === '' ? isPalette : q.length > 1 && ` ${label.toLowerCase()}`.includes(` ${q.toLowerCase()}`)
  const pages = (user === undefined ? visitorPages : ownPages(user).flatMap((section) => section.pages))
    .filter(({ label }) => isAsked(label))
    .map(({ label, path, Icon }) => ({
      key: path,
      onPress: () => onPick(path),
      content: <PlainRow icon={<Icon aria-hidden />}>{label}</PlainRow>,
    }))
  const actions =
    user !== undefined && isAsked('Log something')
      ? [
          {
            key: 'log something',
            onPress: () => openLog({}),
            content: <PlainRow icon={<CirclePlus aria-hidden />}>Log something</PlainRow>,
          },
        ]
      : []
  const groups = [
    { label: 'Actions', rows: command ? [command, ...actions] : actions },
    {
      label: 'Titles',
      rows: titles.map((title) => ({
        key: String(title.id),
        onPress: () => onPick(titlePath(kinds[title.kind], title.id)),
        content: <TitleRow title={title} />,
      })),
    },
    {
      label: 'People',
      rows: people.map((person) => ({
        key: `person ${person.id}`,
        onPress: () => onPick(`/user/${person.id}`),
        content: (
          <>
            <Avatar name={person.username} src={person.profilePicture} size="sm" />
            <Said as={`${person.username}, ${wordOf(person)}`} className="min-w-0 text-label wrap-anywhere">
              {person.username}
              <span className="ml-2 text-meta font-normal text-muted">{wordOf(person)}</span>
            </Said>
          </>
        ),
      })),
    },
    { label: 'Pages', rows: pages },
  ]
  return { groups: groups.filter(({ rows }) => rows.length > 0), isSettled: q !== '' && isSettled }
}

const wordOf = (person: { isPrivate?: boolean | undefined }) =>
  person.isPrivate ? 'Private member' : 'Member'

/** Content that screen readers read as one text: between parts of different lines, they would read a space before each comma. */
function Said({ as, className, children }: { as: string; className: string; children: ReactNode }) {
  return (
    <span role="group" aria-label={as} className={className}>
      {children}
    </span>
  )
}

const visitorPages = [
  { label: 'Search', path: '/search', Icon: Search },
  { label: 'Create your account', path: '/signup', Icon: FilePlus2 },
]

/** Returns the row that logs what the text commands: “Log Dune · yesterday · 4 stars”. */
function useCommandRow(q: string, isWanted: boolean): Row | null {
  const { date } = useDates()
  const isMember = useSession() !== null
  const command = isMember && isWanted ? parseCommand(q, today()) : null
  const options = { enabled: command !== null, staleTime: 60_000 }
  const found = trpc.items.search.useQuery({ q: command?.title ?? '', limit: 1 }, options)
  const long = trpc.items.search.useQuery(
    { q: command?.longTitle ?? '', limit: 1 },
    { ...options, enabled: typeof command?.longTitle === 'string' },
  )
  if (command === null) return null
  const longHit = long.data?.results[0]
  const isLong = longHit?.name.toLowerCase() === command.longTitle?.toLowerCase()
  const hit = isLong ? longHit : found.data?.results[0]
  if (hit === undefined) return null
  const title = toTitle(hit)
  const { status } = command
  const stars = isLong ? undefined : (command.stars ?? undefined)
  const day = status === 'want' ? undefined : (command.day ?? today())
  const parts = [
    ...(day === undefined ? [] : [dayWord(day, today()) ?? date(day)]),
    ...(stars === undefined ? [] : [starsText(stars)]),
  ]
  const word = status === 'finished' ? 'Log' : kinds[title.kind].words.diary[status]
  const about = aboutOf(title)
  return {
    key: 'command',
    onPress: () => openLog({ title, status, stars, day }),
    content: (
      <PlainRow icon={<CirclePlus aria-hidden />}>
        <Said as={[`${word} ${title.name}`, ...parts, about].join(', ')} className="">
          {word} <em>{title.name}</em>
          {parts.map((part) => ` · ${part}`)}
          <span className="ml-2 text-meta font-normal text-muted">{about}</span>
        </Said>
      </PlainRow>
    ),
  }
}

type Hit = { id: number; name: string; category: string; imageUrl: string | null; releaseYear: number | null }

function toTitle({ id, name, category, imageUrl, releaseYear }: Hit): LogTitle {
  return { id, name, imageUrl, year: releaseYear, kind: kindOfCategory(category)! }
}

/** Returns “Book, 1937”. */
function aboutOf({ kind, year }: LogTitle): string {
  return [kinds[kind].words.category, ...(year === null ? [] : [year])].join(', ')
}

export function TitleRow({ title }: { title: LogTitle }) {
  const { id, name, kind, imageUrl } = title
  const rating = useMyRating(id)
  const about = aboutOf(title)
  const said = [name, about, ...(typeof rating === 'number' ? [ownStarsText(rating)] : [])]
  return (
    <>
      <span className="block h-12 w-8 shrink-0 overflow-hidden rounded-md bg-raised">
        <Picture src={imageUrl} sizes="2rem" />
      </span>
      <Said as={said.join(', ')} className="min-w-0">
        <span className="line-clamp-2 text-label leading-tight wrap-anywhere">{name}</span>
        <span className="flex items-center gap-1.5 text-meta text-muted tabular-nums">
          <KindDot kind={kind} />
          {about}
          {typeof rating === 'number' ? <Stars value={rating} label={ownStarsText(rating)} /> : null}
        </span>
      </Said>
    </>
  )
}

export function PlainRow({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="grid w-8 shrink-0 place-items-center text-muted [&_svg]:size-4.5">{icon}</span>
      <span className="line-clamp-2 min-w-0 text-label wrap-anywhere">{children}</span>
    </>
  )
}

/** Returns titles of all kinds, movies first, but before them those that begin with the query. Those of the previous query stay until the new ones are there. */
export function useTitles(q: string, isWanted: boolean): { titles: LogTitle[]; isSettled: boolean } {
  const options = {
    enabled: q !== '' && isWanted,
    placeholderData: <Data,>(before: Data) => before,
    staleTime: 60_000,
  }
  const movies = trpc.movies.search.useQuery({ q }, options)
  const items = trpc.items.search.useQuery({ q, limit: suggestionsLimit }, options)
  const isSettled = !movies.isLoading && !items.isLoading
  if (q === '') return { titles: [], isSettled }
  const others = (items.data?.results ?? [])
    .map(toTitle)
    .filter(({ kind }) => kind !== 'movie')
    .slice(0, othersMax)
  const first = (movies.data?.results ?? [])
    .slice(0, suggestionsLimit - others.length)
    .map(({ id, name, imageUrl, releaseYear }) => ({
      id,
      name,
      imageUrl,
      year: releaseYear,
      kind: 'movie' as const,
    }))
  const isLater = ({ name }: LogTitle) => Number(!name.toLowerCase().startsWith(q.toLowerCase()))
  return { titles: [...first, ...others].sort((a, b) => isLater(a) - isLater(b)), isSettled }
}

function usePeople(q: string, isWanted: boolean) {
  const { data } = trpc.social.searchUsers.useQuery(
    { q, limit: peopleMax },
    { enabled: q !== '' && isWanted, placeholderData: (before) => before, staleTime: 60_000 },
  )
  return q === '' ? [] : (data?.results ?? [])
}
