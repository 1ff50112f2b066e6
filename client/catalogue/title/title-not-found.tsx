import type { ReactNode } from 'react'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { KindIcon } from '#client/ui/kind.tsx'
import type { KindFacts } from '#shared/media.ts'

export function TitleNotFound({ facts, action }: { facts: KindFacts; action: ReactNode }) {
  return (
    <div data-kind={facts.kind} className="page py-12">
      <EmptyState isPage icon={<KindIcon kind={facts.kind} />} title={facts.words.notFound} action={action}>
        It may have been removed, or its address has a typo.
      </EmptyState>
    </div>
  )
}
