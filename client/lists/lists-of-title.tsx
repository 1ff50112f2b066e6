import { useEffect, useRef } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import { whenNear } from '#client/ui/near.ts'

const { Component, load } = lazyComponent(async () => (await import('./lists-of.tsx')).ListsOfTitle)

export function ListsOfTitle(props: { id: number; className?: string | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => whenNear(place.current!, load), [])
  return (
    <div ref={place}>
      <Component {...props} />
    </div>
  )
}
