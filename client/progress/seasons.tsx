import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: Seasons } = lazyComponent(
  async () => (await import('./season-list.tsx')).SeasonList,
  { isInPage: true },
)
