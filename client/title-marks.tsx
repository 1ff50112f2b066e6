import { useEffect } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { MarkedTitle } from './title-marks-box.tsx'

const { Component: Box, load: loadBox } = lazyComponent(
  async () => (await import('./title-marks-box.tsx')).TitleMarksBox,
)

/**
 * The member's rating and status of a title around its poster, the stars to rate it, and the button of its menu. Lazy-loaded, because a
 * page does not need them at first.
 */
export function TitleMarks(title: MarkedTitle) {
  useEffect(loadBox, [])
  return <Box {...title} />
}
