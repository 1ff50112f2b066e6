import { Flag } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#client/app/session.ts'
import { IconButton } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { ReportTarget } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

export type ReportProps = {
  type: ReportTarget
  id: number
  linkKey?: string | undefined
  heading: string
  authorId: number | null
  className?: string
}

const { Component: ReportDialog, opens } = lazyComponent(
  async () => (await import('./report-dialog.tsx')).ReportDialog,
)

/** Use `ReportButton`, which lazy-loads this. */
export function ReportFlag({ type, id, linkKey, heading, authorId, className }: ReportProps) {
  const user = useSession()?.user
  const [isOpen, setOpen] = useState(false)
  if (!user || user.id === authorId) return null
  return (
    <>
      <IconButton
        label={heading}
        title={t`Report`}
        aria-haspopup="dialog"
        className={className}
        {...opens(() => setOpen(true))}
      >
        <Flag aria-hidden />
      </IconButton>
      {isOpen ? (
        <ReportDialog
          type={type}
          id={id}
          linkKey={linkKey}
          heading={heading}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
