import { useEffect } from 'react'
import { useTitleActs } from '#client/title-acts.ts'
import { useTitleMenu } from '#client/title-menu.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const menu = lazyComponent(async () => (await import('./title-menu-popup.tsx')).TitleMenuPopup)
const acts = lazyComponent(async () => (await import('./title-acts-list.tsx')).TitleActsList)

/** The menu of a title and what is pressed on posters, lazy-loaded when they are needed for the first time. */
export function TitleMenuHost() {
  const isWanted = useTitleMenu() !== null
  const hasActs = useTitleActs().length > 0
  useEffect(() => {
    if (isWanted) menu.load()
    if (hasActs) acts.load()
  }, [isWanted, hasActs])
  return (
    <>
      <menu.Component />
      <acts.Component />
    </>
  )
}
