import { useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import { useTitleMenu } from '#client/title-menu.ts'

const { Component, load } = lazyComponent(async () => (await import('./title-menu-popup.tsx')).TitleMenuPopup)

/** The menu of a title, lazy-loaded when it is opened for the first time. */
export function TitleMenuHost() {
  const isWanted = useTitleMenu() !== null
  useEffect(() => {
    if (isWanted) load()
  }, [isWanted])
  return <Component />
}
