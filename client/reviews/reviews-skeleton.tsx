import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'

export function ReviewsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="grid animate-appear gap-10">
      {[1, 2, 3].map((key) => (
        <div key={key} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3.5">
          <Skeleton className="size-11 rounded-full" />
          <div className="grid gap-3 pt-3">
            <Skeleton className="h-4 w-48 rounded-full" />
            <SkeletonText lines={3} className="max-w-[43.3em]" />
            <Skeleton className="h-4 w-56 rounded-full" />
          </div>
        </div>
      ))}
    </div>
  )
}

export function TakeSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="grid animate-appear gap-5">
      <Skeleton className="h-11 w-64 rounded-full" />
      <Skeleton className="h-34" />
      <Skeleton className="h-11 w-36 rounded-full" />
    </div>
  )
}
