import { Link } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { httpBatchLink } from '@trpc/client'
import { Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { SessionReader } from '#client/app/session.ts'
import { batches, createClients, sessionHeaders, trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { previewHeader } from '#shared/domain/visibilities.ts'
import { t } from '#shared/domain/message.ts'

const noSession = () => null

const words = {
  visitor: t`Everybody who does not follow you sees this.`,
  follower: t`Your followers see this.`,
}

/** The member’s own profile as others see it: without a session, and with what a visitor or a follower may load. */
export function ProfilePreview({
  userId,
  as,
  children,
}: {
  userId: number
  as: keyof typeof words
  children: ReactNode
}) {
  const [{ queryClient, trpcClient }] = useState(() => createPreview(userId, as))
  return (
    <>
      <div className="page py-4">
        <Callout
          icon={<Eye aria-hidden />}
          title="Preview of your profile"
          action={
            <ButtonLink variant="outline" render={<Link {...toMember(userId)} replace />}>
              Back to your profile
            </ButtonLink>
          }
        >
          {words[as]}
        </Callout>
      </div>
      <SessionReader value={noSession}>
        <trpc.Provider client={trpcClient} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <Loaded userId={userId}>{children}</Loaded>
          </QueryClientProvider>
        </trpc.Provider>
      </SessionReader>
    </>
  )
}

function createPreview(userId: number, as: keyof typeof words) {
  const headers = () => (as === 'visitor' ? {} : { ...sessionHeaders(), [previewHeader]: 'follower' })
  const clients = createClients(httpBatchLink({ ...batches, headers }))
  if (as === 'follower') clients.trpcUtils.social.followStatus.setData({ id: userId }, { isFollowing: true })
  return clients
}

function Loaded({ userId, children }: { userId: number; children: ReactNode }) {
  const profile = trpc.accounts.profile.useQuery({ id: userId })
  if (!profile.isLoadingError) return children
  return (
    <div className="page py-12">
      <LoadError title="The preview did not load" error={profile.error} onRetry={profile.refetch} />
    </div>
  )
}
