import { Bookmark } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { Button, type ButtonSize } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { kinds } from '#shared/domain/kinds.ts'

const { Component, useIsLoaded, load } = lazyComponent(
  async () => (await import('./status-button.tsx')).StatusButton,
  { isInPage: true },
)

/** A press on its placeholder opens the form as soon as it has loaded. */
export function DiaryButton(props: { title: NamedTitle; size?: ButtonSize | undefined }) {
  const [isOpening, setOpening] = useState(false)
  useEffect(load, [])
  const icon = <Bookmark aria-hidden />
  if (useIsLoaded()) return <Component {...props} icon={icon} isOpening={isOpening} />
  return (
    <Button
      size={props.size}
      icon={icon}
      onClick={() => {
        setOpening(true)
        load()
      }}
    >
      {kinds[props.title.kind].words.diary.want}
    </Button>
  )
}
