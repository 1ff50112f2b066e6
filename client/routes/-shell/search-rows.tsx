import { CirclePlus, FilePlus2, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDebounced } from '#client/app/debounced.ts'
import { today } from '#client/diary/entries.ts'
import { titlePath } from '#client/app/kinds.ts'
import { aboutOf, Said, TitleRow, toCardTitle, useTitles } from '#client/titles/found-titles.tsx'
import { openLog } from '#client/titles/log-request.ts'
import { useSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { useDates } from '#client/ui/dates.ts'
import { shortStars } from '#shared/domain/ratings.ts'
import { commaList } from '#client/ui/formats.ts'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { starsText } from '#client/ui/stars.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { commandWords, dayWord, inEnglish, parseCommand } from './command.ts'
import { ownPages } from './own-pages.ts'
import { isolated, isolatedParts, t } from '#shared/domain/message.ts'

export type Row = { key: string; onPress: () => void; content: ReactNode }
export type RowGroup = { label: string; rows: Row[] }

const peopleMax = 3

/** An empty text has rows only in the palette. `isSettled` once the titles for the text are there. */
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
  const commands = useCommandRows(q, isWanted)
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
    user !== undefined && isAsked(t`Log something`)
      ? [
          {
            key: 'log something',
            onPress: () => openLog({}),
            content: <PlainRow icon={<CirclePlus aria-hidden />}>Log something</PlainRow>,
          },
        ]
      : []
  const groups = [
    { label: t`Actions`, rows: [...commands, ...actions] },
    {
      label: t`Titles`,
      rows: titles.map((title) => ({
        key: String(title.id),
        onPress: () => onPick(titlePath(kinds[title.kind], title.id)),
        content: <TitleRow title={title} />,
      })),
    },
    {
      label: t`People`,
      rows: people.map((person) => ({
        key: `person ${person.id}`,
        onPress: () => onPick(`/user/${person.id}`),
        content: (
          <>
            <Avatar name={person.username} src={person.profilePicture} size="sm" />
            <Said
              as={commaList([person.username, wordOf(person)])}
              className="min-w-0 text-label wrap-anywhere"
            >
              <bdi>{person.username}</bdi>
              <span className="ms-2 text-meta font-normal text-muted">{wordOf(person)}</span>
            </Said>
          </>
        ),
      })),
    },
    { label: t`Pages`, rows: pages },
  ]
  return { groups: groups.filter(({ rows }) => rows.length > 0), isSettled: q !== '' && isSettled }
}

const wordOf = (person: { isPrivate?: boolean | undefined }) =>
  person.isPrivate ? t`Private member` : t`Member`

const visitorPages = [
  { label: t`Search`, path: '/search', Icon: Search },
  { label: t`Create your account`, path: '/signup', Icon: FilePlus2 },
]

/** Several titles have the same name. */
const commandsMax = 3

/** “Log Dune · yesterday · 4 stars”. Enter chooses the first, if the text says so. */
function useCommandRows(q: string, isWanted: boolean): Row[] {
  const { date } = useDates()
  const isMember = useSession() !== null
  const hasHalves = useHalfStars()
  const words = commandWords()
  const line = words === undefined ? q : inEnglish(q, today(), words)
  const command = isMember && isWanted ? parseCommand(line, today(), hasHalves) : null
  const options = { enabled: command !== null, staleTime: 60_000 }
  const found = trpc.items.search.useQuery({ q: command?.title ?? '', limit: commandsMax }, options)
  const long = trpc.items.search.useQuery(
    { q: command?.longTitle ?? '', limit: 1 },
    { ...options, enabled: typeof command?.longTitle === 'string' },
  )
  if (command === null) return []
  const [longHit] = long.data?.results ?? []
  const isLong = longHit?.name.toLowerCase() === command.longTitle?.toLowerCase()
  const { status, hasVerb } = command
  const stars = isLong ? undefined : (command.stars ?? undefined)
  const day = status === 'want' ? undefined : (command.day ?? today())
  const parts = [
    ...(day === undefined ? [] : [dayWord(day, today()) ?? date(day)]),
    ...(stars === undefined
      ? []
      : [Number.isInteger(stars) ? starsText(stars) : t`${shortStars(stars)} stars`]),
  ]
  const hits = isLong && longHit ? [longHit] : (found.data?.results ?? [])
  return hits.map(toCardTitle).map((title, index) => {
    const name = isolated(title.name)
    const what = isolatedParts(
      status === 'finished' ? t`Log ${name}` : t`${kinds[title.kind].words.diary[status]} ${name}`,
    )
    const about = aboutOf(title)
    return {
      key: hasVerb && index === 0 ? 'command' : `command ${title.id}`,
      onPress: () => openLog({ title, status, stars, day }),
      content: (
        <PlainRow icon={<CirclePlus aria-hidden />}>
          <Said as={commaList([what.join(''), ...parts, about])} className="">
            {what.map((part, at) => (at % 2 === 0 ? part : <em key={title.id}>{part}</em>))}
            {parts.map((part) => ` · ${part}`)}
            <span className="ms-2 text-meta font-normal text-muted">{about}</span>
          </Said>
        </PlainRow>
      ),
    }
  })
}

export function PlainRow({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="grid w-8 shrink-0 place-items-center text-muted [&_svg]:size-4.5">{icon}</span>
      <span className="line-clamp-2 min-w-0 text-label wrap-anywhere">
        <bdi>{children}</bdi>
      </span>
    </>
  )
}

function usePeople(q: string, isWanted: boolean) {
  const { data } = trpc.social.searchUsers.useQuery(
    { q, limit: peopleMax },
    { enabled: q !== '' && isWanted, placeholderData: (before) => before, staleTime: 60_000 },
  )
  return q === '' ? [] : (data?.results ?? [])
}
