import { Bookmark } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { KindFacts } from '#shared/media.ts'

const { Component, useIsLoaded, load } = lazyComponent(
  async () => (await import('./status-button.tsx')).StatusButton,
)

/**
 * A button with the member's diary status of a title, lazy-loaded after the page is shown. A press on its placeholder opens the
 * dialog as soon as it has loaded.
 */
export function DiaryButton(props: { facts: KindFacts; id: number; name: string }) {
  const [isOpening, setOpening] = useState(false)
  useEffect(load, [])
  const icon = <Bookmark aria-hidden />
  if (useIsLoaded()) return <Component {...props} icon={icon} isOpening={isOpening} />
  return (
    <Button
      icon={icon}
      onClick={() => {
        setOpening(true)
        load()
      }}
    >
      {props.facts.words.diary.want}
    </Button>
  )
}
