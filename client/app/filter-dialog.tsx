import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#shared/domain/message.ts'

export function FilterDialog<Values extends object>({
  values,
  onChange,
  children,
}: {
  values: Values
  onChange: (cleared: { [Name in keyof Values]: undefined }) => void
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const filters = useRef<HTMLDivElement>(null)
  const active = Object.values(values).filter((value) => value !== undefined).length
  function clear() {
    const names = Object.keys(values) as (keyof Values)[]
    onChange(Object.fromEntries(names.map((name) => [name, undefined])) as Record<keyof Values, undefined>)
  }
  function done() {
    // What is typed into a form among the filters applies too.
    filters.current?.querySelector('form')?.requestSubmit()
    setOpen(false)
  }
  return (
    <>
      <Button
        variant="outline"
        icon={<SlidersHorizontal aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {active === 0 ? t`Filter` : t`Filter (${active})`}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Filter">
        <div ref={filters} className="grid justify-items-start gap-4">
          {children}
        </div>
        <div className="actions mt-6">
          <Button disabled={active === 0} onClick={clear}>
            Clear
          </Button>
          <Button variant="primary" onClick={done}>
            Done
          </Button>
        </div>
      </Dialog>
    </>
  )
}
