import { lazyComponent } from '#client/ui/lazy.ts'
import type { OverlaidTitle } from './title-overlay-box.tsx'

const { AutoLoaded: MyRatingText } = lazyComponent(
  async () => (await import('./title-overlay-box.tsx')).MyRatingText,
)

/** “You 4”. Has its height from the start. */
export function MyRating(title: Pick<OverlaidTitle, 'kind' | 'id'>) {
  return (
    <p className="hidden h-5 member:block">
      <MyRatingText {...title} />
    </p>
  )
}
