import { lazyComponent } from '#client/ui/lazy.ts'

/**
 * The member's rating and status of a title around its poster, the stars to rate it, and the button of its menu. Lazy-loaded, because a
 * page does not need them at first.
 */
export const { AutoLoaded: TitleMarks } = lazyComponent(
  async () => (await import('./title-marks-box.tsx')).TitleMarksBox,
)
