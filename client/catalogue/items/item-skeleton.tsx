import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BackLink } from '#client/ui/back-link.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/messages.ts'

export function ItemScreenPending() {
  return (
    <ItemFrame>
      <h1 className="sr-only">Item</h1>
      <ItemSkeleton />
    </ItemFrame>
  )
}

/** The frame of an item's page in every state. */
export function ItemFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page py-6 sm:py-10">
      <BackLink render={<Link to="/items" />}>All items</BackLink>
      {children}
    </div>
  )
}

function ItemSkeleton() {
  return (
    <div
      role="status"
      aria-label={messages.loading}
      className="mt-4 grid animate-appear gap-x-12 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)]"
    >
      <div className="flex gap-5 max-sm:flex-col sm:gap-8 lg:flex-col lg:gap-6">
        <Skeleton className="aspect-[2/3] w-full max-w-44 shrink-0 rounded-poster sm:max-w-56 lg:max-w-none" />
        <div className="grid grow content-start gap-4">
          <Skeleton className="h-10 w-3/4" />
          <Skeleton className="h-8 w-36 rounded-full" />
          <SkeletonText lines={4} />
        </div>
      </div>
      <div className="grid content-start gap-10">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-56 rounded-card" />
      </div>
    </div>
  )
}
