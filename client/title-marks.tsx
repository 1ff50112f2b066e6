import { useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { MarkedTitle } from './title-marks-box.tsx'

const { Component, load } = lazyComponent(async () => (await import('./title-marks-box.tsx')).TitleMarksBox)

/**
 * What the member has made of a title, and the button of its menu; both on top of its poster. Lazy-loaded, since they are
 * no part of what a page shows first.
 */
export function TitleMarks(title: MarkedTitle) {
  useEffect(load, [])
  return <Component {...title} />
}
