import { useRouterState } from '@tanstack/react-router'

/** A progress line at the top edge while a route loads. Appears with a delay, so fast loads show none. */
export function Progress() {
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  if (!isLoading) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 animate-appear overflow-hidden"
    >
      <div className="h-full animate-[shimmer_1.2s_infinite] bg-accent" />
    </div>
  )
}
