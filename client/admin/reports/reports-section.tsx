import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Flag, Inbox } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { FilterSelect } from '#client/titles/facet-selects.tsx'
import { inPlace } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Time } from '#client/ui/time.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { type SectionProps, toAdmin } from '../section.ts'
import { CaseView } from './case-view.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { type CaseFilter, type CaseState, type ListedCase, useCases, useDecide } from './hooks.ts'
import { askedAction, decisionKeys, isPossible, keyOf, nameOf } from './actions.ts'
import {
  type DecisionAction,
  decisionActions,
  reportCategories,
  type ReportCategory,
} from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

const states: { value: CaseState; label: string }[] = [
  { value: 'open', label: t`Open cases` },
  { value: 'appealed', label: t`Appeals` },
  { value: 'closed', label: t`Closed` },
]
const categories = Object.keys(reportCategories) as ReportCategory[]
const emptyTexts: Record<CaseState, string> = {
  open: t`No report waits for a decision.`,
  appealed: t`No appeal waits for an answer.`,
  closed: t`Nothing has been decided yet.`,
}

export function ReportsSection({ rest, search }: SectionProps) {
  const navigate = useNavigate()
  const me = useSession()?.user.id
  const state = states.find(({ value }) => value === search['state'])?.value ?? 'open'
  const category = categories.find((one) => one === search['category'])
  const isMine = search['assignee'] === 'me' && me !== undefined
  const isFiltered = category !== undefined || isMine
  const filter: CaseFilter = { state, ...(category && { category }), ...(isMine && { assignee: me }) }
  const { cases, error, refetch, ...list } = useCases(filter)
  const decide = useDecide(filter)
  const wanted = Number(rest) || undefined
  const index = Math.max(0, cases?.findIndex(({ id }) => id === wanted) ?? 0)
  const current = wanted ?? cases?.[0]?.id
  const rows = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState<{ found: ListedCase; action: DecisionAction }>()
  const shown = cases?.find(({ id }) => id === current)
  const hinted = shown === undefined ? [] : [askedAction(shown), 'dismiss' as const]

  const go = (id?: number, changes: Record<string, string | undefined> = {}) =>
    void navigate({
      ...toAdmin(id === undefined ? 'reports' : `reports/${id}`, { ...search, ...changes }),
      ...inPlace,
    })
  const select = (at: number) => {
    const next = cases?.[Math.min(Math.max(at, 0), cases.length - 1)]
    if (!next) return
    go(next.id)
    rows.current?.querySelector(`[data-case="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  /** The next case takes the place of the decided one. */
  const leave = (id: number) => {
    const at = cases?.findIndex((one) => one.id === id) ?? -1
    const next = cases?.[at + 1] ?? cases?.[at - 1]
    go(next?.id)
  }

  const choose = (found: ListedCase, action: DecisionAction) => {
    if (action !== 'dismiss') return setAsked({ found, action })
    leave(found.id)
    void decide(found, { action, reason: '' })
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping =
      event.target instanceof Element &&
      event.target.closest('input, textarea, select, [role=dialog], [role=listbox]')
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'j') select(index + 1)
    else if (event.key === 'k') select(index - 1)
    else {
      const action = Object.hasOwn(decisionKeys, event.key) ? decisionKeys[event.key] : undefined
      if (!action || state !== 'open' || !shown || !isPossible(action, shown)) return
      choose(shown, action)
    }
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-h2">Reports</h1>
        <Segmented
          label="State"
          value={state}
          onChange={(next) => go(undefined, { state: next === 'open' ? undefined : next })}
          options={states}
        />
      </div>
      <div
        hidden={cases?.length === 0 && !isFiltered}
        className={clsx(
          'mt-4 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap',
          wanted !== undefined && 'max-lg:hidden',
        )}
      >
        <FilterSelect
          shape="field"
          hideLabel
          label="Category"
          className="sm:w-60"
          all="All categories"
          value={category}
          onChange={(value) => go(undefined, { category: value })}
          options={categories.map((value) => ({ value, label: reportCategories[value] }))}
        />
        <FilterSelect
          shape="field"
          hideLabel
          label="Assigned to"
          className="sm:w-48"
          all="All moderators"
          value={isMine ? 'me' : undefined}
          onChange={(value) => go(undefined, { assignee: value })}
          options={[{ value: 'me', label: t`Assigned to me` }]}
        />
      </div>
      <p hidden={shown === undefined} className="mt-3 text-meta text-muted max-lg:hidden">
        <kbd>j</kbd> next · <kbd>k</kbd> previous
        {state === 'open'
          ? hinted.map((action) =>
              action === undefined ? null : (
                <span key={action}>
                  {' '}
                  · <kbd>{keyOf(action)}</kbd> {decisionActions[action].name}
                </span>
              ),
            )
          : null}
      </p>
      {error && cases === undefined ? (
        <LoadError title="The cases did not load" error={error} onRetry={refetch} className="mt-6" />
      ) : cases === undefined ? (
        <Skeletons count={4} each="h-16" className="mt-6 grid gap-2" />
      ) : (
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
          <div className={clsx(wanted !== undefined && 'max-lg:hidden')}>
            {cases.length === 0 ? (
              <EmptyState icon={<Inbox aria-hidden />} title={isFiltered ? t`Nothing here` : t`All done`}>
                {isFiltered ? t`No case matches these filters.` : emptyTexts[state]}
              </EmptyState>
            ) : (
              <ul
                ref={rows}
                aria-label="Cases"
                className="grid grid-cols-[minmax(0,1fr)] gap-1 lg:max-h-[calc(100dvh-14rem)] lg:overflow-y-auto"
              >
                {cases.map((one) => (
                  <CaseRow
                    key={one.id}
                    found={one}
                    isCurrent={one.id === current}
                    onSelect={() => go(one.id)}
                  />
                ))}
              </ul>
            )}
            <ShowMore query={{ ...list, error }} className="mt-3" />
          </div>
          <div className={clsx(wanted === undefined && 'max-lg:hidden')}>
            {current === undefined ? null : (
              <CaseView key={current} id={current} onBack={() => go()} onChoose={choose} />
            )}
          </div>
        </div>
      )}
      {asked ? (
        <DecisionDialog
          {...asked}
          onClose={() => setAsked(undefined)}
          onDecide={(decision) => {
            leave(asked.found.id)
            void decide(asked.found, decision)
          }}
        />
      ) : null}
    </>
  )
}

function snippetOf({ target, snapshot }: ListedCase): string {
  const text = target.type === 'title' ? snapshot.text.replace(/^.*\n*/, '') : snapshot.text
  return (
    text ||
    {
      user: t`A member without a text`,
      title: t`A title without a text`,
      review: t`A review without a text`,
      comment: t`A comment without a text`,
      list: t`A list without a text`,
    }[target.type]
  )
}

function CaseRow({
  found,
  isCurrent,
  onSelect,
}: {
  found: ListedCase
  isCurrent: boolean
  onSelect: () => void
}) {
  const { id, target, assignee, reportCount, openedAt, isAppealed } = found
  return (
    <li>
      <button
        type="button"
        data-case={id}
        aria-current={isCurrent}
        onClick={onSelect}
        className="w-full rounded-item border border-transparent px-3 py-2.5 text-start transition-colors hover:bg-raised lg:aria-[current=true]:border-line lg:aria-[current=true]:bg-raised"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span dir="auto" className="truncate text-label">
            {nameOf(found)}
          </span>
          <Time value={openedAt} relative className="shrink-0 text-tiny text-muted" />
        </span>
        {target.type === 'user' ? null : (
          <span dir="auto" className="mt-0.5 block truncate text-meta text-muted">
            {snippetOf(found)}
          </span>
        )}
        <span className="mt-1 flex flex-wrap items-center gap-x-2 text-tiny">
          {reportCount > 0 ? (
            <span className="inline-flex items-center gap-1 font-semibold">
              <Flag aria-hidden className="size-3.5" /> {reportCount}
            </span>
          ) : null}
          {found.categories.map((category) => (
            <span key={category}>{reportCategories[category]}</span>
          ))}
          {isAppealed ? <span className="font-semibold text-danger">Appealed</span> : null}
          {assignee === null ? null : (
            <span className="text-muted">
              for <bdi>{assignee.username}</bdi>
            </span>
          )}
        </span>
      </button>
    </li>
  )
}
