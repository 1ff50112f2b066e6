import { useState } from 'react'
import { RulePicker } from '#client/members/rule-picker.tsx'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { limitIfNear, TextArea } from '#client/ui/field.tsx'
import { Select } from '#client/ui/select.tsx'
import { decisionTextMax } from '#shared/domain/limits.ts'
import { type DecisionAction, decisionActions } from '#shared/contracts/moderation.ts'
import { isRestriction } from '#shared/domain/restrictions.ts'
import type { Case, Decision } from './hooks.ts'
import { isPossible, quickActions, quickReason } from './actions.ts'

const dayMs = 24 * 60 * 60_000
const durations = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'a year' },
  { value: '', label: 'for good' },
]
const periods = [
  { value: '1', label: 'the last day' },
  { value: '7', label: 'the last 7 days' },
  { value: '30', label: 'the last 30 days' },
  { value: '', label: 'all of it' },
]

/** The decisions of one press, and the form for all others. */
export function DecisionForm({ found, onDecide }: { found: Case; onDecide: (decision: Decision) => void }) {
  const actions = (Object.keys(decisionActions) as DecisionAction[]).filter((one) => isPossible(one, found))
  const [action, setAction] = useState<DecisionAction>()
  const [reason, setReason] = useState('')
  const [ruleIds, setRuleIds] = useState<string[]>([])
  const [length, setLength] = useState('7')
  const [period, setPeriod] = useState('')
  const [keepsRating, setKeepsRating] = useState(true)
  const isLimited = action !== undefined && isRestriction(action)
  const hasRatings = action === 'removeAll' || (action === 'remove' && found.target.type === 'review')

  function submit() {
    if (action === undefined) return
    onDecide({
      action,
      reason: reason.trim() || quickReason(action, found),
      ...(action !== 'dismiss' && { ruleIds }),
      ...(isLimited &&
        length !== '' && { until: new Date(Date.now() + Number(length) * dayMs).toISOString() }),
      ...(action === 'removeAll' && period !== '' && { days: Number(period) }),
      ...(hasRatings && { keepsRating }),
    })
  }

  return (
    <form
      aria-label="Decision"
      className="grid gap-4 rounded-card border border-line p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="flex flex-wrap gap-2">
        {quickActions
          .filter(({ on }) => on(found))
          .map(({ key, action: quick }) => (
            <Button
              key={key}
              variant={quick === 'remove' ? 'danger' : 'soft'}
              title={decisionActions[quick].effect}
              onClick={() => onDecide({ action: quick, reason: quickReason(quick, found) })}
            >
              {decisionActions[quick].name} <kbd className="max-lg:hidden">{key}</kbd>
            </Button>
          ))}
      </div>
      <Select
        shape="field"
        label="Or choose"
        value={action ?? ''}
        onChange={(next) => {
          setAction(next as DecisionAction)
          if (next === 'freeze' && length === '') setLength('7')
        }}
        options={[
          { value: '', label: 'Another decision …' },
          ...actions.map((value) => ({ value, label: decisionActions[value].name })),
        ]}
      />
      {action === undefined ? null : (
        <>
          <p className="text-meta text-muted">{decisionActions[action].effect}</p>
          {isLimited ? (
            <Select
              shape="field"
              label="How long"
              value={length}
              onChange={setLength}
              options={durations.filter(({ value }) => value !== '' || action !== 'freeze')}
            />
          ) : null}
          {action === 'removeAll' ? (
            <Select shape="field" label="Remove" value={period} onChange={setPeriod} options={periods} />
          ) : null}
          {hasRatings ? (
            <Checkbox
              label="The ratings still count"
              hint="In averages, histograms and popular titles."
              checked={keepsRating}
              onChange={setKeepsRating}
            />
          ) : null}
          {action === 'dismiss' ? null : (
            <>
              <RulePicker ids={ruleIds} onChange={setRuleIds} />
              <TextArea
                label="Reason"
                note="the member reads it"
                rows={3}
                value={reason}
                onChange={setReason}
                placeholder={quickReason(action, found)}
                limit={limitIfNear(reason, decisionTextMax)}
              />
            </>
          )}
          <SubmitButton className="justify-self-start">{decisionActions[action].name}</SubmitButton>
        </>
      )}
    </form>
  )
}
