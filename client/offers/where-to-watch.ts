import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: WhereToWatch } = lazyComponent(
  async () => (await import('./offers-section.tsx')).OffersSection,
)
