import { lazyComponent } from '#client/ui/lazy.ts'
import type { MarkedTitle } from './title-marks-box.tsx'

/**
 * The member's rating and status of a title around its poster, the stars to rate it, and the button of its menu. Lazy-loaded, because a
 * page does not need them at first.
 */
export const { AutoLoaded: TitleMarks } = lazyComponent(
  async () => (await import('./title-marks-box.tsx')).TitleMarksBox,
)

const { AutoLoaded: MyMarkText } = lazyComponent(
  async () => (await import('./title-marks-box.tsx')).MyMarkText,
)

/** “You 4” on pages of another member, below the stars of that member. Has its height from the start. */
export function MyMark(title: Pick<MarkedTitle, 'kind' | 'id'>) {
  return (
    <p className="hidden h-5 member:block">
      <MyMarkText {...title} />
    </p>
  )
}
