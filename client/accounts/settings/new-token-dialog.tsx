import { useState } from 'react'
import type { DialogControl } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { Select } from '#client/ui/select.tsx'
import { useSession } from '#client/app/session.ts'
import { accessTokenNameMax } from '#shared/domain/limits.ts'
import { includesRole } from '#shared/domain/roles.ts'
import { type Scope, scopeRoles, scopes } from '#shared/domain/scopes.ts'
import { Choices } from './choices.tsx'
import { useCreateAccessToken } from './hooks.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { t } from '#shared/domain/message.ts'
import { dayMs } from '#shared/domain/days.ts'

const lifetimes = [
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
  { value: '365', label: t`A year` },
  { value: '', label: t`Never` },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

/** The secret is shown only once. Remount it (`key`) for each token. */
export function NewTokenDialog(control: DialogControl) {
  const create = useCreateAccessToken()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read'])
  const role = useSession()?.user.role ?? 'member'
  const allowed = Object.entries(scopes).filter(([scope]) =>
    includesRole(role, scopeRoles[scope as Scope] ?? 'member'),
  )
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  return (
    <SecretDialog
      {...control}
      create={create}
      call="createAccessToken"
      read={() => ({
        name,
        scopes: [...chosen],
        expiresAt: lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
      })}
      choices="scopes"
      submit="Create token"
      label="Access token"
      form={{
        title: t`New access token`,
        description: t`Choose only the scopes that the program needs.`,
      }}
      copying={{
        title: t`Copy your token now`,
        description: t`It will not be shown again. Treat it like a password.`,
      }}
    >
      <TextField
        name="name"
        label="Name"
        value={name}
        onChange={setName}
        maxLength={accessTokenNameMax}
        autoComplete="off"
        hint="What the token is for. Only you see it."
        required
      />
      <Choices
        legend="Scopes"
        explanations={Object.fromEntries(allowed) as Record<Scope, string>}
        chosen={chosen}
        onChange={setChosen}
      />
      <Select
        shape="field"
        label="Expires after"
        value={lifetime}
        onChange={setLifetime}
        options={lifetimes}
      />
    </SecretDialog>
  )
}
