import { useState } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'

const { AutoLoaded: AddToListDialog } = lazyComponent(
  async () => (await import('./add-to-list.tsx')).AddToListDialog,
)

/** Asks for the list that titles are added to. */
export function ListAct({ titles }: { titles: readonly { id: number; name: string }[] }) {
  const [isOpen, setOpen] = useState(true)
  return <AddToListDialog titles={titles} open={isOpen} onOpenChange={setOpen} />
}
