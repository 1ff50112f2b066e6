import { useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { MarkedTitle } from './title-marks-box.tsx'

const { Component, load } = lazyComponent(async () => (await import('./title-marks-box.tsx')).TitleMarksBox)

/**
 * The member's rating and status of a title, and the button of its menu, on top of the poster. Lazy-loaded, because a page does not
 * need them at first.
 */
export function TitleMarks(title: MarkedTitle) {
  useEffect(load, [])
  return <Component {...title} />
}
