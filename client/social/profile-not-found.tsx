import { Link } from '@tanstack/react-router'
import { UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

/** With `action`, such as a retry, it is the error page. */
export function ProfileNotFound({ action, children }: { action?: ReactNode; children?: ReactNode }) {
  return (
    <div className="page py-12">
      <h1 className="sr-only">{messages.userNotFound}</h1>
      <EmptyState
        icon={<UserX aria-hidden />}
        title={messages.userNotFound}
        tone={action === undefined ? 'empty' : 'error'}
        action={
          <>
            {action}
            <ButtonLink render={<Link to="/search" />}>Search for people</ButtonLink>
          </>
        }
      >
        {children ?? t`They may have left, or the address has a typo.`}
      </EmptyState>
    </div>
  )
}
