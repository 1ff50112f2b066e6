import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BackLink } from '#client/ui/back-link.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'

export function ItemScreenPending() {
  return (
    <ItemFrame>
      <h1 className="sr-only">Item</h1>
      <ItemSkeleton />
    </ItemFrame>
  )
}

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
    <div role="status" aria-label={messages.loading} className="mt-4 animate-appear">
      <div className="grid grid-cols-[min(32vw,7.5rem)_minmax(0,1fr)] gap-x-5 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-x-8">
        <Skeleton className="aspect-[2/3] w-full rounded-poster" />
        <div className="grid content-start gap-4">
          <Skeleton className="h-10 w-3/4" />
          <Skeleton className="h-8 w-36 rounded-full" />
          <Skeleton className="h-11 w-48 rounded-full" />
          <SkeletonText lines={3} />
        </div>
      </div>
      <div className="mt-8 grid gap-x-12 gap-y-10 lg:grid-cols-2">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-56 rounded-card" />
      </div>
    </div>
  )
}
