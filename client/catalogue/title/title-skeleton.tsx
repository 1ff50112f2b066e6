import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'

export function TitleSkeleton() {
  return (
    <div role="status" className="animate-appear">
      <h1 className="sr-only">{messages.loading}</h1>
      <div className="page grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-5 pt-32 sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-x-8 sm:pt-44 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-x-12">
        <Skeleton className="aspect-[2/3] rounded-poster sm:row-span-2" />
        <div className="grid gap-4 self-end sm:pt-16 lg:pt-24">
          <Skeleton className="h-8 w-28 rounded-full" />
          <Skeleton className="h-9 w-4/5 lg:h-16" />
        </div>
        <div className="grid content-start gap-4 max-sm:col-span-2">
          <Skeleton className="h-5 w-3/5 rounded-full" />
          <div className="flex gap-2">
            <Skeleton className="h-8 w-28 rounded-full" />
            <Skeleton className="h-8 w-36 rounded-full" />
            <Skeleton className="h-8 w-28 rounded-full max-sm:hidden" />
          </div>
          <Skeleton className="h-11 w-32 rounded-full" />
        </div>
      </div>
      <div className="page mt-10 grid gap-12 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <Skeleton className="hidden h-96 rounded-card lg:block" />
        <div className="grid content-start gap-12">
          <SkeletonText lines={5} className="max-w-[43.3em]" />
          <Skeleton className="h-72 rounded-card" />
        </div>
      </div>
    </div>
  )
}
