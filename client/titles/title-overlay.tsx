import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: TitleOverlay } = lazyComponent(
  async () => (await import('./title-overlay-box.tsx')).TitleOverlayBox,
)
