import { useEffect, useState } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component: AddToListDialog, load } = lazyComponent(
  async () => (await import('./add-to-list.tsx')).AddToListDialog,
)

/** Asks for the list that a title is added to. */
export function ListAct({ id, name }: { id: number; name: string }) {
  const [isOpen, setOpen] = useState(true)
  useEffect(load, [])
  return <AddToListDialog id={id} name={name} open={isOpen} onOpenChange={setOpen} />
}
