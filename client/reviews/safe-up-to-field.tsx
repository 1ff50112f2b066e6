import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { errorText, trpc } from '#client/app/trpc.ts'
import { episodeCode } from '#client/titles/episode-code.ts'
import { seasonName } from '#client/titles/part-name.ts'
import { IconButton } from '#client/ui/button.tsx'
import { inputClass } from '#client/ui/field-look.ts'
import { Select } from '#client/ui/select.tsx'
import { t } from '#shared/domain/message.ts'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import { safeUnitsOf } from '#shared/domain/safe-up-to.ts'
import { messages } from '#shared/texts/messages.ts'
import type { ReviewedTitle } from './title.ts'

export type SafeUpToProps = {
  title: ReviewedTitle
  /** Null: the text is for everybody. */
  value: ShownSafeUpTo | null
  onChange: (value: ShownSafeUpTo | null) => void
  disabled: boolean
}

type FieldProps = SafeUpToProps & { hasFocus: boolean; onClose: () => void }

/** Use `SafeUpTo`, which lazy-loads this. */
export function SafeUpToField({ hasFocus, onClose, ...props }: FieldProps) {
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (hasFocus) group.current?.focus()
  }, [hasFocus])
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      className="rounded-field border border-line px-3.5 pt-1.5 pb-3 focus:outline-none"
    >
      <legend className="px-1 text-label">Only for those who are as far</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {props.title.kind === 'tvShow' ? <EpisodeChoice {...props} /> : <AmountChoice {...props} />}
        <IconButton
          label="Show it to everybody"
          disabled={props.disabled}
          className="ms-auto"
          onClick={() => {
            props.onChange(null)
            onClose()
          }}
        >
          <X aria-hidden />
        </IconButton>
      </div>
    </fieldset>
  )
}

function EpisodeChoice({ title, value, onChange, disabled }: SafeUpToProps) {
  const seasons = trpc.progress.seasons.useQuery({ id: title.id })
  const [chosen, setChosen] = useState<number>()
  const known = seasons.data?.seasons ?? []
  // Where the author is, or else the first one.
  const current =
    known.findLast(({ mine }) => (mine?.playedCount ?? 0) > 0) ?? known.find((one) => one.number > 0)
  const number = chosen ?? value?.season ?? current?.number ?? known[0]?.number
  const season = trpc.progress.season.useQuery(
    { id: title.id, number: number ?? 0 },
    { enabled: number !== undefined },
  )
  const failure = seasons.error ?? season.error
  if (failure) return <Note role="alert">{errorText(failure)}</Note>
  if (seasons.isPending) return <Note role="status">{messages.loading}</Note>
  if (number === undefined) return <Note>The episodes of this show are not known.</Note>
  const episodes = season.data?.episodes ?? []
  const isChosen = value?.season === number && episodes.some(({ id }) => id === value.episodeId)
  return (
    <>
      <Select
        label={t`Season`}
        hideLabel
        value={String(number)}
        options={known.map((one) => ({
          value: String(one.number),
          label: seasonName(one.number),
        }))}
        onChange={(next) => {
          setChosen(Number(next))
          onChange(null)
        }}
        disabled={disabled}
      />
      <Select
        label={t`Episode`}
        hideLabel
        value={isChosen ? String(value.episodeId) : ''}
        options={[
          ...(isChosen ? [] : [{ value: '', label: t`Choose an episode` }]),
          ...episodes.map((one) => ({ value: String(one.id), label: episodeCode(one) })),
        ]}
        onChange={(next) => {
          const episode = episodes.find(({ id }) => String(id) === next)
          if (episode) onChange({ episodeId: episode.id, season: episode.season, number: episode.number })
        }}
        disabled={disabled}
      />
    </>
  )
}

/** The server refuses what is out of range. */
function AmountChoice({ title, value, onChange, disabled }: SafeUpToProps) {
  const units = safeUnitsOf(title.kind)
  const [unit, setUnit] = useState<'page' | 'percent'>(
    value?.page === undefined && (value?.percent !== undefined || !units.includes('page'))
      ? 'percent'
      : 'page',
  )
  const [typed, setTyped] = useState(String(value?.[unit] ?? ''))
  const id = useId()
  const change = (text: string, of: 'page' | 'percent') => {
    setTyped(text)
    const amount = Number(text)
    onChange(text.trim() === '' || !Number.isSafeInteger(amount) ? null : { [of]: amount })
  }
  const labels = { page: t`Page`, percent: t`Percent` }
  return (
    <>
      {units.length > 1 ? (
        <Select
          label={t`Unit`}
          hideLabel
          value={unit}
          options={[
            { value: 'page', label: labels.page },
            { value: 'percent', label: labels.percent },
          ]}
          onChange={(next) => {
            setUnit(next)
            change(typed, next)
          }}
          disabled={disabled}
        />
      ) : (
        <label htmlFor={id} className="text-label">
          {labels.percent}
        </label>
      )}
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        aria-label={labels[unit]}
        value={typed}
        disabled={disabled}
        onChange={(event) => change(event.currentTarget.value, unit)}
        className={clsx(inputClass, 'h-11 min-w-0 max-w-28 px-2.5! text-center tabular-nums')}
      />
    </>
  )
}

function Note({ role, children }: { role?: 'alert' | 'status'; children: ReactNode }) {
  return (
    <p role={role} className="text-meta text-muted">
      {children}
    </p>
  )
}
