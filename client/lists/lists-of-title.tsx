import { useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component, load } = lazyComponent(async () => (await import('./lists-of.tsx')).ListsOfTitle)

/** The most popular lists with a title. Nothing if there are none. Lazy-loaded, because it is at the end of a page. */
export function ListsOfTitle(props: { id: number; className?: string | undefined }) {
  useEffect(load, [])
  return <Component {...props} />
}
