import { useEffect } from 'react'
import { readLogChoice } from '#client/log-choice.ts'
import { useTitleActs } from '#client/title-acts.ts'
import { useTitleMenu } from '#client/title-menu.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const menu = lazyComponent(async () => (await import('./title-menu-popup.tsx')).TitleMenuPopup)
const acts = lazyComponent(async () => (await import('./title-acts-list.tsx')).TitleActsList)

/** Loads what logs ratings, once the setting is on. */
export const loadTitleMenu = menu.load

/** The menu of a title and what is pressed on posters, lazy-loaded when they are needed for the first time. */
export function TitleMenuHost() {
  const isWanted = useTitleMenu() !== null
  const hasActs = useTitleActs().length > 0
  useEffect(() => {
    // It also logs ratings.
    if (isWanted || readLogChoice('log always')) menu.load()
    if (hasActs) acts.load()
  }, [isWanted, hasActs])
  return (
    <>
      <menu.Component />
      <acts.Component />
    </>
  )
}
