import { useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { SameStoryProps } from './same-story-list.tsx'

const { Component, load } = lazyComponent(async () => (await import('./same-story-list.tsx')).SameStoryList)

/** The book of a film, the game of a book. Renders nothing if there are none. Lazy-loaded, because a page does not need it at first. */
export function SameStory(props: SameStoryProps) {
  useEffect(load, [])
  return <Component {...props} />
}
