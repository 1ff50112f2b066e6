import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { commaList, givenText } from '#client/ui/formats.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { ImportDecision } from '#shared/contracts/import-titles.ts'
import { kinds } from '#shared/domain/kinds.ts'
import type { ImportTitle } from './hooks.ts'
import type { OpenState } from './params.ts'
import { ChoiceKey, TitleChoice } from './title-choice.tsx'
import { TitleSearch } from './title-search.tsx'
import { plural, t } from '#shared/domain/message.ts'

export type Choice = { decision: ImportDecision; name?: string }

const conflictChoices = [
  { decision: 'mine', label: t`Keep mine` },
  { decision: 'file', label: t`Take the file’s` },
  { decision: 'both', label: t`Keep mine, put theirs into the diary` },
] as const

export function choiceOfKey(key: string, title: ImportTitle, state: OpenState): Choice | undefined {
  const at = /^[1-5]$/.test(key) ? Number(key) - 1 : -1
  if (state === 'conflict') {
    const choice = conflictChoices[at]
    return choice && { decision: choice.decision }
  }
  const candidate = title.candidates[at]
  if (candidate) return { decision: { candidate: at }, name: candidate.name }
  if (key.toLowerCase() === 's') return { decision: 'skip' }
  return key.toLowerCase() === 'c' ? { decision: 'create' } : undefined
}

export function Question({
  title,
  state,
  isCurrent,
  isSearching,
  onSearch,
  onChoose,
}: {
  title: ImportTitle
  state: OpenState
  isCurrent: boolean
  isSearching: boolean
  onSearch: (isSearching: boolean) => void
  onChoose: (choice: Choice) => void
}) {
  const { name, year, candidates } = title
  const label = commaList([name, year])
  return (
    <article
      data-title={title.id}
      tabIndex={-1}
      aria-label={label}
      className={clsx(
        'card grid scroll-mt-24 grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] lg:gap-8',
        isCurrent ? 'border-edge! focus:border-focus! focus:outline-2 focus:outline-focus' : '',
      )}
    >
      <InFile title={title} />
      <div className="grid content-start gap-4">
        {state === 'conflict' ? (
          <>
            <Comparison title={title} />
            <div className="flex flex-wrap gap-2">
              {conflictChoices.map(({ decision, label: text }, index) => (
                <Button
                  key={decision}
                  aria-keyshortcuts={String(index + 1)}
                  onClick={() => onChoose({ decision })}
                >
                  <ChoiceKey>{index + 1}</ChoiceKey>
                  {text}
                </Button>
              ))}
            </div>
          </>
        ) : (
          <>
            {candidates.length > 0 ? (
              <ul className="grid gap-2 sm:grid-cols-2">
                {candidates.map((candidate, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- decisions refer to it
                  <li key={index}>
                    <TitleChoice
                      title={candidate}
                      creator={candidate.creators[0]}
                      why={candidate.why}
                      number={index + 1}
                      onChoose={() => onChoose({ decision: { candidate: index }, name: candidate.name })}
                    />
                  </li>
                ))}
              </ul>
            ) : (
              <p className="text-muted">No title of this name is in the catalogue.</p>
            )}
            {isSearching ? (
              <TitleSearch
                title={title}
                onPick={(mediaId, picked) => onChoose({ decision: { mediaId }, name: picked })}
                onClose={() => onSearch(false)}
              />
            ) : (
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="outline"
                  icon={<Search aria-hidden />}
                  aria-keyshortcuts="/"
                  onClick={() => onSearch(true)}
                >
                  {candidates.length > 0 ? t`Search for another` : t`Search`}
                </Button>
                <Button aria-keyshortcuts="C" onClick={() => onChoose({ decision: 'create' })}>
                  Create
                  <VisuallyHidden> “{name}”</VisuallyHidden>
                </Button>
                <Button aria-keyshortcuts="S" onClick={() => onChoose({ decision: 'skip' })}>
                  Leave out
                  <VisuallyHidden> “{name}”</VisuallyHidden>
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </article>
  )
}

function InFile({ title }: { title: ImportTitle }) {
  const { kind, name, year, authors, notes, lines } = title
  const [place] = lines
  return (
    <div className="min-w-0">
      <h3 className="text-h3 wrap-anywhere">
        <bdi>{name}</bdi>
      </h3>
      <p className="mt-0.5 flex items-baseline gap-x-1.5 text-meta text-muted">
        <KindDot kind={kind} />
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {[kinds[kind].words.one, year, commaList(authors)].filter(Boolean).join(' · ')}
        </span>
      </p>
      <Said what={title.theirs} kind={kind} className="mt-2" />
      {notes.length > 0 ? (
        <ul className="mt-2 grid gap-0.5 text-meta text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      {place === undefined ? null : (
        <p className="mt-2 text-meta text-muted wrap-anywhere">{textOfPlace(place, lines.length - 1)}</p>
      )}
    </div>
  )
}

function textOfPlace({ file, line }: ImportTitle['lines'][number], more: number): string {
  if (more === 0) return file === '' ? t`Line ${line}` : t`${file}, line ${line}`
  return file === ''
    ? t`Line ${line} and ${plural(more, { one: '# more', other: '# more' })}`
    : t`${file}, line ${line} and ${plural(more, { one: '# more', other: '# more' })}`
}

type Written = ImportTitle['theirs']

function ratingText({ rating, ratingGiven }: Written): string {
  if (ratingGiven !== null) return givenText(ratingGiven)
  return rating === null ? '' : `${rating} ★`
}

function Said({ what, kind, className }: { what: Written; kind: ImportTitle['kind']; className?: string }) {
  const { date, release } = useDates()
  const { writtenOn, text, isFavorite, entries } = what
  const { diary } = kinds[kind].words
  const given = ratingText(what)
  const facts = [
    commaList([given, given !== '' && writtenOn !== null && date(writtenOn)]),
    ...entries.slice(0, 3).map(({ status, isAgain, startedOn, finishedOn }) => {
      const on = finishedOn ?? startedOn
      const word = status === 'finished' && isAgain ? diary.again : diary[status]
      return commaList([word, on !== null && release(on)])
    }),
    entries.length > 3 ? t`${entries.length - 3} more in the diary` : '',
    isFavorite ? t`Favorite` : '',
  ].filter(Boolean)
  return (
    <div className={className}>
      {facts.length > 0 ? (
        <ul className="grid gap-0.5 text-meta">
          {facts.map((fact, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two entries may read the same
            <li key={index}>{fact}</li>
          ))}
        </ul>
      ) : null}
      {text === '' ? null : (
        <p dir="auto" className="mt-1 line-clamp-3 text-meta text-muted wrap-anywhere">
          “{text}”
        </p>
      )}
    </div>
  )
}

function Comparison({ title }: { title: ImportTitle }) {
  const { date } = useDates()
  const { mine, theirs, verdicts } = title
  if (mine === null) return null
  const conflicts = Object.keys(verdicts).filter(
    (part) => verdicts[part as keyof typeof verdicts] === 'conflict',
  )
  const isOnlyOfParts = conflicts.length === 1 && verdicts.partReviews === 'conflict'
  const line = (what: Written) =>
    commaList([ratingText(what) || t`no rating`, what.writtenOn !== null && date(what.writtenOn)])
  return (
    <div>
      {isOnlyOfParts ? null : (
        <p className="text-lead">{t`Here: ${line({ ...mine, ratingGiven: null })}. In the file: ${line(theirs)}.`}</p>
      )}
      {verdicts.partReviews === 'conflict' ? (
        <p className="text-lead">Ratings of its seasons and episodes differ from yours.</p>
      ) : null}
      {verdicts.review === 'conflict' || verdicts.entries === 'conflict' ? (
        <div className="mt-3 rounded-item bg-raised p-3">
          <p className="text-meta font-semibold">Here</p>
          <Said what={mine} kind={title.kind} />
        </div>
      ) : null}
    </div>
  )
}
