import { Bookmark, NotebookPen } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { useLogInPrompt } from '#client/app/log-in.tsx'
import { useSession } from '#client/app/session.ts'
import { Button, type ButtonSize } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'

const { Component, useIsLoaded, load } = lazyComponent(
  async () => (await import('./status-button.tsx')).StatusButton,
  { isInPage: true },
)

/** Members' code loads for members only. A press on its placeholder opens the form as soon as it has loaded. */
export function DiaryButton(props: { title: NamedTitle; size?: ButtonSize | undefined }) {
  const [isOpening, setOpening] = useState(false)
  const isMember = useSession() !== null
  const askToLogIn = useLogInPrompt()
  useEffect(() => {
    if (isMember) load()
  }, [isMember])
  const icon = <Bookmark aria-hidden />
  if (useIsLoaded() && isMember) return <Component {...props} icon={icon} isOpening={isOpening} />
  function press() {
    if (!isMember) return askToLogIn(messages.pleaseLogInFirst)
    setOpening(true)
    load()
  }
  return (
    <>
      <Button size={props.size} icon={icon} onClick={press}>
        {kinds[props.title.kind].words.diary.want}
      </Button>
      {isMember ? null : (
        <Button size={props.size} icon={<NotebookPen aria-hidden />} onClick={press}>
          Log<VisuallyHidden> (not in your diary)</VisuallyHidden>
        </Button>
      )}
    </>
  )
}
