import { Check } from 'lucide-react'
import { useState } from 'react'
import { requestTitleAction, type TitleAction } from '#client/titles/title-actions.ts'
import { Button } from '#client/ui/button.tsx'
import { SelectionBar } from '#client/ui/selection-bar.tsx'
import { idsMax } from '#shared/domain/limits.ts'

type LibraryTitle = TitleAction['title']
export type Selection = ReturnType<typeof useSelection>

/** Selected titles stay selected on other pages and with other filters. */
export function useSelection() {
  const [isOn, setOn] = useState(false)
  const [chosen, setChosen] = useState<ReadonlyMap<number, LibraryTitle>>(new Map())
  return {
    isOn,
    chosen,
    /** At most `idsMax` are selected. */
    toggle(title: LibraryTitle) {
      // Cards are rendered later than the state: two quick presses come from the same rendering.
      setChosen((before) => {
        const next = new Map(before)
        if (!next.delete(title.id) && next.size < idsMax) next.set(title.id, title)
        return next
      })
    },
    turn: () => setOn(!isOn),
    clear: () => setChosen(new Map()),
  }
}

export function ChosenBar({ selection: { chosen, clear } }: { selection: Selection }) {
  const [title, ...others] = chosen.values()
  return (
    <SelectionBar count={chosen.size} onClear={clear}>
      {chosen.size < idsMax ? null : <span className="text-meta text-muted">No more at once.</span>}
      <Button
        size="sm"
        variant="primary"
        disabled={title === undefined}
        onClick={() => title && requestTitleAction({ title, others, action: 'list' })}
      >
        Add to list…
      </Button>
    </SelectionBar>
  )
}

export function ChosenIcon({ isChosen }: { isChosen: boolean }) {
  return (
    <span
      aria-hidden
      className={`absolute top-2 inset-e-2 grid size-8 place-items-center rounded-full border-2 shadow-float ${isChosen ? 'border-ink bg-ink text-bg' : 'border-edge bg-surface'}`}
    >
      {isChosen ? <Check className="size-5" /> : null}
    </span>
  )
}
