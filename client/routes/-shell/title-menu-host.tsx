import { useEffect } from 'react'
import type { LogChoice } from '#client/diary/log-choice.ts'
import { useTitleActs } from '#client/titles/title-acts.ts'
import { useTitleMenu } from '#client/titles/title-menu.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { readStored } from '#client/ui/stored.ts'

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
    if (isWanted || readStored('log always' satisfies LogChoice) !== null) menu.load()
    if (hasActs) acts.load()
  }, [isWanted, hasActs])
  return (
    <>
      <menu.Component />
      <acts.Component />
    </>
  )
}
