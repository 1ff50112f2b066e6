import { Button } from '#client/ui/button.tsx'
import { Select } from '#client/ui/select.tsx'
import { askedAction, isPossible, keyOf } from './actions.ts'
import type { Case } from './hooks.ts'
import { type DecisionAction, decisionActions } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

/** What the reports ask for comes first, then to dismiss them, then all others. */
export function DecisionButtons({
  found,
  onChoose,
}: {
  found: Case
  onChoose: (action: DecisionAction) => void
}) {
  const asked = askedAction(found)
  const shown = asked === undefined ? (['dismiss'] as const) : ([asked, 'dismiss'] as const)
  const others = (Object.keys(decisionActions) as DecisionAction[]).filter(
    (one) => isPossible(one, found) && !shown.includes(one as never),
  )
  return (
    <div role="group" aria-label="Decision" className="flex flex-wrap items-center gap-2">
      {shown.map((action) => (
        <Button
          key={action}
          variant={action === asked ? 'primary' : 'soft'}
          title={decisionActions[action].effect}
          aria-haspopup={action === 'dismiss' ? undefined : 'dialog'}
          onClick={() => onChoose(action)}
        >
          {decisionActions[action].name}
          {action === 'dismiss' ? '' : ' …'} <kbd className="max-lg:hidden">{keyOf(action)}</kbd>
        </Button>
      ))}
      {others.length === 0 ? null : (
        <Select
          shape="field"
          hideLabel
          label="Another decision"
          className="sm:w-60"
          value=""
          onChange={(next) => next !== '' && onChoose(next)}
          options={[
            { value: '' as const, label: t`Another decision …` },
            ...others.map((value) => ({ value, label: decisionActions[value].name })),
          ]}
        />
      )}
    </div>
  )
}
