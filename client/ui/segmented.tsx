import { clsx } from 'clsx'
import { useEffect } from 'react'
import { lazyComponent } from './lazy.ts'
import type { SegmentedProps } from './segmented-box.tsx'

const {
  Component: SegmentedBox,
  useIsLoaded,
  load,
} = lazyComponent(async () => (await import('./segmented-box.tsx')).SegmentedBox<string>)

/** Two to five exclusive choices side by side; arrow keys choose. A row that is too long scrolls. Lazy-loaded. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const isLoaded = useIsLoaded()
  useEffect(load, [])
  if (isLoaded) return <SegmentedBox {...(props as unknown as SegmentedProps<string>)} />
  // As high as the choices.
  return <div className={clsx('h-11', props.className)} />
}
