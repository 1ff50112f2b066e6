import { useEffect, useRef } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component, load } = lazyComponent(async () => (await import('./lists-of.tsx')).ListsOfTitle)

/** The most popular lists with a title; loaded when the end of the page is near the viewport. Nothing if there are none. */
export function ListsOfTitle(props: { id: number; className?: string | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load()
      },
      { rootMargin: '400px' },
    )
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place}>
      <Component {...props} />
    </div>
  )
}
