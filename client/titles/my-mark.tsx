import { lazyComponent } from '#client/ui/lazy.ts'
import type { MarkedTitle } from './title-marks-box.tsx'

const { AutoLoaded: MyMarkText } = lazyComponent(
  async () => (await import('./title-marks-box.tsx')).MyMarkText,
)

/** “You 4”. Has its height from the start. */
export function MyMark(title: Pick<MarkedTitle, 'kind' | 'id'>) {
  return (
    <p className="hidden h-5 member:block">
      <MyMarkText {...title} />
    </p>
  )
}
