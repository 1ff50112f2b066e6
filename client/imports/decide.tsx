import { Link } from '@tanstack/react-router'
import { CircleCheck, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Segmented } from '#client/ui/segmented.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { ImportDecision } from '#shared/contracts/import-titles.ts'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  failed,
  type ImportTitle,
  questionsInput,
  useAfterDecisions,
  useDecide,
  useDecideAll,
  useQuestions,
} from './hooks.ts'
import { NotYet, type PanelProps } from './panel.tsx'
import { openStates, type OpenState, toImport } from './params.ts'
import { choiceOfKey, type Choice, Question } from './question.tsx'
import { decisionText } from './labels.ts'
import { t } from '#shared/domain/message.ts'

const stateLabels: Record<OpenState, string> = {
  ambiguous: t`Which title?`,
  notFound: t`Not found`,
  conflict: t`Differ from yours`,
}

export function Decide(props: PanelProps) {
  const { state } = props.one
  if (state === 'undone') return <NotYet>This import is undone.</NotYet>
  if (state !== 'ready' && state !== 'done')
    return <NotYet>Questions can be answered when the work on this import is done.</NotYet>
  return <Groups {...props} />
}

function Groups({ one, params, onParams }: PanelProps) {
  const { count } = useFormats()
  const { counts } = one
  // Stays when its last question is answered: the member may take that back.
  const [first] = useState(() => openStates.find((open) => (counts[open] ?? 0) > 0) ?? 'ambiguous')
  const shown = openStates.find((open) => open === params.state) ?? first
  return (
    <>
      <Segmented
        label="Questions"
        value={shown}
        onChange={(next) => onParams({ tab: 'decide', state: next })}
        options={openStates.map((open) => ({
          value: open,
          label: `${stateLabels[open]} ${count(counts[open] ?? 0)}`,
        }))}
      />
      <Questions key={shown} one={one} state={shown} />
    </>
  )
}

type Past = { title: ImportTitle; decision: ImportDecision }

function Questions({ one, state }: { one: ImportDetail; state: OpenState }) {
  const { id } = one
  const { count } = useFormats()
  const questions = useQuestions(id, state)
  const { decided, past, decide, undo, isUndoable, isIdle } = useDecisions(one, state)
  const [current, setCurrent] = useState<number>()
  const [searched, setSearched] = useState<number>()
  const [announcement, setAnnouncement] = useState('')
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  /** Gets the focus as soon as it is rendered; null for the heading. */
  const focusDue = useRef<number | null>(undefined)

  const loaded = questions.data?.titles ?? []
  const shown = loaded.filter((title) => !decided.has(title.id))
  const total = questions.data?.pagination.total ?? 0
  const left = total - (loaded.length - shown.length)
  const at = Math.max(
    0,
    shown.findIndex((title) => title.id === current),
  )
  const active = shown[at]

  // Loads the next questions before the last ones are answered.
  const { refetch, isFetching, isError } = questions
  const needsMore = shown.length < 5 && left > shown.length && isIdle && !isFetching && !isError
  useEffect(() => {
    if (needsMore) void refetch()
  }, [needsMore, refetch])

  useEffect(() => {
    const due = focusDue.current
    if (due === undefined) return
    const card = section.current?.querySelector<HTMLElement>(`[data-title="${due}"]`)
    const element = due === null ? heading.current : card
    if (!element) return
    focusDue.current = undefined
    element.focus()
  })
  function focusOn(title: ImportTitle | undefined) {
    focusDue.current = title?.id ?? null
    setSearched(undefined)
    setCurrent(title?.id)
  }

  function choose(title: ImportTitle, { decision, name }: Choice) {
    const index = shown.indexOf(title)
    focusOn(shown[index + 1] ?? shown[index - 1])
    setAnnouncement(t`${title.name}: ${decisionText(decision, name)}. ${count(Math.max(0, left - 1))} left.`)
    void decide(title, decision).then((failure) => {
      if (failure === undefined) return
      setAnnouncement(t`${title.name}: not saved.`)
      focusOn(title)
    })
  }
  function takeBack() {
    const last = past.at(-1)
    if (last === undefined || !isUndoable) return
    setAnnouncement(t`${last.title.name}: taken back. ${count(left + 1)} left.`)
    focusOn(last.title)
    void undo()
  }

  function onKey(event: KeyboardEvent) {
    const target = event.target as HTMLElement
    if (target !== document.body && !target.closest('[role=tabpanel], [role=tablist]')) return
    if (target.closest('input, textarea, select, [data-search]')) return
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    // A key that is held down decides once.
    if (event.repeat && !event.key.startsWith('Arrow')) return
    if (!isUndo && (event.ctrlKey || event.metaKey || event.altKey)) return
    const handle = (work: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      work()
    }
    if (isUndo || event.key.toLowerCase() === 'u') return handle(takeBack)
    const focused = target.closest<HTMLElement>('[data-title]')?.dataset['title']
    const title = shown.find((each) => String(each.id) === focused) ?? active
    if (title === undefined) return
    const index = shown.indexOf(title)
    if (event.key === 'ArrowDown') return handle(() => focusOn(shown[index + 1] ?? title))
    if (event.key === 'ArrowUp') return handle(() => focusOn(shown[index - 1] ?? title))
    if (event.key === '/')
      return handle(() => {
        setCurrent(title.id)
        setSearched(title.id)
      })
    const choice = choiceOfKey(event.key, title, state)
    if (choice) handle(() => choose(title, choice))
  }

  const latestOnKey = useRef(onKey)
  useEffect(() => {
    latestOnKey.current = onKey
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latestOnKey.current(event)
    // In the capture phase: “/” is a shortcut of the whole site too.
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])

  return (
    <section ref={section} aria-labelledby="questions" className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="questions" ref={heading} tabIndex={-1} className="text-h2 tabular-nums">
          {questions.data === undefined ? stateLabels[state] : t`${count(left)} left`}
        </h2>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="ghost"
            icon={<Undo2 aria-hidden />}
            aria-keyshortcuts="U Control+Z"
            disabled={past.length === 0 || !isUndoable}
            onClick={takeBack}
          >
            Undo
          </Button>
          <AllOfThem one={one} state={state} left={left} />
        </div>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {shown.length > 0 ? <KeyHints state={state} isUndoable={isUndoable} /> : null}
      {one.state === 'done' && shown.length > 0 ? (
        <p className="mt-3 text-meta text-muted">What you decide now is imported at once.</p>
      ) : null}
      <div className="mt-5">
        {questions.data === undefined ? (
          questions.isPending ? (
            <div role="status" aria-label={messages.loading} className="grid animate-appear gap-4">
              <Skeleton className="h-52 rounded-card" />
              <Skeleton className="h-52 rounded-card" />
            </div>
          ) : (
            <LoadError
              title="The questions did not load"
              error={questions.error}
              onRetry={questions.refetch}
            />
          )
        ) : shown.length > 0 ? (
          <ol className="grid gap-4">
            {shown.map((title) => (
              <li key={title.id}>
                <Question
                  title={title}
                  state={state}
                  isCurrent={title === active}
                  isSearching={searched === title.id}
                  onSearch={(isSearching) => {
                    setCurrent(title.id)
                    if (isSearching) setSearched(title.id)
                    else focusOn(title)
                  }}
                  onChoose={(choice) => choose(title, choice)}
                />
              </li>
            ))}
          </ol>
        ) : left > 0 && isError ? (
          <LoadError
            title="The next questions did not load"
            error={questions.error}
            onRetry={questions.refetch}
          />
        ) : left > 0 ? (
          <Skeleton className="h-52 rounded-card" />
        ) : (
          <EmptyState
            icon={<CircleCheck aria-hidden />}
            title="Nothing left to decide here."
            action={
              <ButtonLink
                variant="primary"
                render={
                  <Link {...toImport(id, { tab: one.state === 'done' ? 'done' : 'rehearsal' })} replace />
                }
              >
                {one.state === 'done' ? t`See the result` : t`Back to the rehearsal`}
              </ButtonLink>
            }
          />
        )}
      </div>
    </section>
  )
}

/** One after the other. A title is hidden as soon as it is decided, and back if that fails. `decide` resolves to the error. */
function useDecisions(one: ImportDetail, state: OpenState) {
  const { id } = one
  const utils = trpc.useUtils()
  const { mutateAsync } = useDecide()
  const after = useAfterDecisions(id)
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set())
  const [past, setPast] = useState<readonly Past[]>([])
  const queue = useRef(Promise.resolve())
  const [sending, setSending] = useState(0)
  const waiting = useRef(0)

  function show(titleId: number, isShown: boolean) {
    setDecided((before) => {
      const next = new Set(before)
      if (isShown) next.delete(titleId)
      else next.add(titleId)
      return next
    })
  }
  /** In order, so that an undo cannot overtake its decision. */
  function send(titleId: number, decision: ImportDecision | null): Promise<unknown> {
    setSending(++waiting.current)
    const sent = queue.current.then(async () => {
      try {
        await mutateAsync({ id, titleId, decision })
        return undefined
      } catch (error) {
        showFailure(t`Your decision was not saved`, error)
        return error
      } finally {
        setSending(--waiting.current)
        if (waiting.current === 0) after(one.state)
      }
    })
    queue.current = sent.then(() => {})
    return sent
  }

  return {
    decided,
    past,
    isIdle: sending === 0,
    // Once the import is done, a decision has been imported.
    isUndoable: one.state === 'ready',
    async decide(title: ImportTitle, decision: ImportDecision): Promise<unknown> {
      show(title.id, false)
      setPast((before) => [...before, { title, decision }])
      const failure = await send(title.id, decision)
      if (failure !== undefined) {
        show(title.id, true)
        setPast((before) => before.filter((each) => each.title !== title))
      }
      return failure
    },
    async undo(): Promise<void> {
      const last = past.at(-1)
      if (last === undefined) return
      const { title } = last
      setPast(past.slice(0, -1))
      show(title.id, true)
      // Its page of questions may have been replaced by the next ones.
      utils.imports.titles.setData(questionsInput(id, state), (before) => {
        if (!before || before.titles.some((each) => each.id === title.id)) return before
        const pagination = { ...before.pagination, total: before.pagination.total + 1 }
        return { ...before, titles: [title, ...before.titles], pagination }
      })
      if ((await send(title.id, null)) !== undefined) {
        show(title.id, false)
        setPast((before) => [...before, last])
      }
    },
  }
}

function KeyHints({ state, isUndoable }: { state: OpenState; isUndoable: boolean }) {
  const hints = {
    ambiguous: [
      ['1–5', t`choose`],
      ['S', t`leave out`],
      ['C', t`create`],
      ['/', t`search`],
    ],
    notFound: [
      ['/', t`search`],
      ['C', t`create`],
      ['S', t`leave out`],
    ],
    conflict: [
      ['1', t`keep mine`],
      ['2', t`take the file’s`],
      ['3', t`both`],
    ],
  }[state]
  return (
    <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1.5 text-meta text-muted max-sm:hidden [@media(hover:none)]:hidden">
      {[...hints, ...(isUndoable ? [['U', t`undo`]] : []), ['↑ ↓', t`move`]].map(([key, what]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <kbd className="rounded-md border border-edge/70 bg-surface px-1.5 font-sans text-tiny font-semibold text-ink">
            {key}
          </kbd>
          {what}
        </span>
      ))}
    </p>
  )
}

const forAll = {
  ambiguous: [{ decision: 'suggested', label: (n: string) => t`Accept all ${n} suggestions` }],
  notFound: [
    { decision: 'create', label: (n: string) => t`Create all ${n}` },
    { decision: 'skip', label: (n: string) => t`Leave all ${n} out` },
  ],
  conflict: [
    { decision: 'mine', label: (n: string) => t`Keep all ${n} of mine` },
    { decision: 'file', label: (n: string) => t`Take all ${n} from the file` },
  ],
} as const

function AllOfThem({ one: { id }, state, left }: { one: ImportDetail; state: OpenState; left: number }) {
  const { count } = useFormats()
  const all = useDecideAll()
  if (left < 2) return null
  return forAll[state].map(({ decision, label }) => (
    <Button
      key={decision}
      busy={all.isPending}
      onClick={() => all.mutate({ id, state, decision }, failed(t`Your decision was not saved`))}
    >
      {label(count(left))}
    </Button>
  ))
}
