import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: OriginButton } = lazyComponent(
  async () => (await import('./origin-button.tsx')).OriginButton,
)
