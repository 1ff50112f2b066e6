import { Plus } from 'lucide-react'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import type { DialogControl } from '#client/ui/dialog.tsx'
import { Button } from '#client/ui/button.tsx'
import type { lazyComponent } from '#client/ui/lazy.ts'
import { Section } from '#client/ui/section.tsx'

/** After an item is removed, the focus moves to the heading, because the focused button is gone. */
export function CreateSection({
  title,
  create,
  description,
  List,
  dialog,
}: {
  title: string
  create: string
  description: ReactNode
  List: ComponentType<{ onRemoved: () => void }>
  dialog: ReturnType<typeof lazyComponent<DialogControl>>
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isCreating, setCreating] = useState(false)
  const [openings, setOpenings] = useState(0)
  return (
    <Section
      title={title}
      headingRef={heading}
      action={
        <Button
          icon={<Plus aria-hidden />}
          {...dialog.opens(() => {
            setOpenings(openings + 1)
            setCreating(true)
          })}
        >
          {create}
        </Button>
      }
    >
      <p className="-mt-2 mb-4 max-w-[60ch] text-meta text-muted">{description}</p>
      <List onRemoved={() => heading.current?.focus()} />
      <dialog.Component key={openings} open={isCreating} onOpenChange={setCreating} />
    </Section>
  )
}
