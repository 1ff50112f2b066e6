import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: Seasons } = lazyComponent(
  async () => (await import('./-show-seasons.tsx')).ShowSeasons,
  { isInPage: true },
)
