import { useEffect, useState } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component: AddToListDialog, load } = lazyComponent(
  async () => (await import('./add-to-list.tsx')).AddToListDialog,
)

/** Asks for the list that titles are added to. */
export function ListAct({ titles }: { titles: readonly { id: number; name: string }[] }) {
  const [isOpen, setOpen] = useState(true)
  useEffect(load, [])
  return <AddToListDialog titles={titles} open={isOpen} onOpenChange={setOpen} />
}
