import { type ReactNode, useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { SectionProps } from './section-props.ts'

/** Makes a section whose code is loaded when it is opened. */
export function lazySection(importSection: () => Promise<(props: SectionProps) => ReactNode>) {
  const { Component, load } = lazyComponent(importSection)
  return function LazySection(props: SectionProps) {
    useEffect(load, [])
    return <Component {...props} />
  }
}
