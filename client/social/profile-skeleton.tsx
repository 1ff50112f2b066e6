import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'

export function ProfileSkeleton() {
  return (
    <div role="status" className="page animate-appear pt-16 sm:pt-24">
      <h1 className="sr-only">{messages.profileLoading}</h1>
      <div className="grid items-end gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-8">
        <Skeleton className="size-24 rounded-full sm:size-32" />
        <Skeleton className="h-12 w-64 sm:h-16" />
      </div>
      <div className="mt-8 grid max-w-xl grid-cols-3 gap-3">
        <Skeleton className="h-[5.5rem] rounded-card" />
        <Skeleton className="h-[5.5rem] rounded-card" />
        <Skeleton className="h-[5.5rem] rounded-card" />
      </div>
      <div className="mt-14">
        <Skeleton className="mb-4 h-7 w-48" />
        <PosterGridSkeleton row count={6} />
      </div>
    </div>
  )
}
