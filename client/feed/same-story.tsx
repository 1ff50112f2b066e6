import { lazyComponent } from '#client/ui/lazy.ts'

/** The book of a film, the game of a book. Renders nothing if there are none. Lazy-loaded, because a page does not need it at first. */
export const { AutoLoaded: SameStory } = lazyComponent(
  async () => (await import('./same-story-list.tsx')).SameStoryList,
)
