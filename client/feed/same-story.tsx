import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: SameStory } = lazyComponent(
  async () => (await import('./same-story-list.tsx')).SameStoryList,
)
