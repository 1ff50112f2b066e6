import { clsx } from 'clsx'
import { type ReactNode, useEffect } from 'react'
import { lazyComponent } from './lazy.ts'

export type SegmentedProps<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode; disabled?: boolean | undefined }[]
  /** The accessible name of the group. */
  label: string
  disabled?: boolean | undefined
  className?: string | undefined
}

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
