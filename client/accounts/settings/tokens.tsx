import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { commaList } from '#client/ui/formats.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { CreateSection } from './create-section.tsx'
import { type AccessToken, useRevokeAccessToken } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const newTokenDialog = lazyComponent(async () => (await import('./new-token-dialog.tsx')).NewTokenDialog)

export function AccessTokens() {
  return (
    <CreateSection
      title="Access tokens"
      create="New token"
      description={
        <>
          A script or an app uses a token to call the{' '}
          <a href="/docs" className="link">
            API
          </a>{' '}
          on your behalf, within the token’s scopes. It cannot change your password or your email. A new
          password revokes all tokens.
        </>
      }
      List={TokensList}
      dialog={newTokenDialog}
    />
  )
}

function TokensList({ onRemoved }: { onRemoved: () => void }) {
  const tokens = trpc.accounts.listAccessTokens.useQuery()
  if (tokens.isPending) return <Skeletons count={2} each="h-24 rounded-card" />
  if (tokens.data === undefined)
    return <LoadError title="Your access tokens did not load" error={tokens.error} onRetry={tokens.refetch} />
  if (tokens.data.tokens.length === 0)
    return (
      <EmptyState icon={<KeyRound aria-hidden />} title="No access tokens">
        Create one for each program that uses your account, so that you can revoke each one separately.
      </EmptyState>
    )
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {tokens.data.tokens.map((token) => (
        <TokenRow key={token.id} token={token} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

function TokenRow({ token, onRemoved }: { token: AccessToken; onRemoved: () => void }) {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt } = token
  const [ask, question] = useQuestion()
  const { mutateAsync } = useRevokeAccessToken()
  async function revoke() {
    onRemoved()
    try {
      const { message } = await mutateAsync({ id })
      showDone(message)
    } catch (error) {
      showFailure(t`“${name}” was not revoked.`, error)
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4">
      <KeyRound aria-hidden className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 grow basis-56">
        <p className="text-label wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p translate="no" className="text-tiny text-muted">
          {commaList(scopes)}
        </p>
        <p className="text-meta text-muted">
          <span>
            Created <Time value={createdAt} />
          </span>
          {' · '}
          {lastUsedAt === null ? (
            t`Never used`
          ) : (
            <span>
              Last used <Time value={lastUsedAt} relative />
            </span>
          )}
          {' · '}
          <Expiry at={expiresAt} />
        </p>
      </div>
      <Button
        className="max-sm:ms-10"
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: t`Revoke “${name}”?`,
            description: t`Programs that use it lose access immediately. This cannot be undone.`,
            label: t`Revoke`,
            onConfirm: () => void revoke(),
          })
        }
      >
        Revoke
        <VisuallyHidden>
          {' '}
          <bdi>{name}</bdi>
        </VisuallyHidden>
      </Button>
      {question}
    </li>
  )
}

function Expiry({ at }: { at: string | null }) {
  const [now] = useState(() => new Date().toISOString())
  if (at === null) return t`Does not expire`
  if (at > now)
    return (
      <span>
        Expires <Time value={at} />
      </span>
    )
  return (
    <span className="font-semibold text-danger">
      Expired <Time value={at} />
    </span>
  )
}
