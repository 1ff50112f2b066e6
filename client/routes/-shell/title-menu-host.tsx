import { useEffect } from 'react'
import { useAsMember } from '#client/app/log-in.tsx'
import type { LogChoice } from '#client/diary/log-choice.ts'
import { handleTitleActions } from '#client/titles/title-actions.ts'
import { useTitleMenu } from '#client/titles/title-menu.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { readStored } from '#client/ui/stored.ts'
import { messages } from '#shared/texts/messages.ts'

const menu = lazyComponent(async () => (await import('./title-menu-popup.tsx')).TitleMenuPopup)
const loadCommands = () => import('./title-commands.tsx')
const forms = lazyComponent(async () => (await loadCommands()).TitleForms)

export const loadTitleMenu = menu.load

export function TitleMenuHost() {
  const isWanted = useTitleMenu() !== null
  useEffect(() => {
    if (isWanted || readStored('log always' satisfies LogChoice) !== null) menu.load()
  }, [isWanted])
  const asMember = useAsMember()
  useEffect(() =>
    handleTitleActions((action) =>
      asMember(() => {
        forms.load()
        // A failed load is reported like a failed load of a page.
        loadCommands().then(
          ({ runTitleAction }) => runTitleAction(action),
          () => {},
        )
      }, messages.pleaseLogInFirst),
    ),
  )
  return (
    <>
      <menu.Component />
      <forms.Component />
    </>
  )
}
