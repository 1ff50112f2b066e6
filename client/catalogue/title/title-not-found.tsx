import type { ReactNode } from 'react'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { KindIcon } from '#client/ui/kind.tsx'
import type { KindDefinition } from '#shared/media.ts'

export function TitleNotFound({ definition, action }: { definition: KindDefinition; action: ReactNode }) {
  return (
    <div data-kind={definition.kind} className="page py-12">
      <EmptyState
        isPage
        icon={<KindIcon kind={definition.kind} />}
        title={definition.words.notFound}
        action={action}
      >
        It may have been removed, or its address has a typo.
      </EmptyState>
    </div>
  )
}
