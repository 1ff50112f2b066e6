import { useState } from 'react'
import { errorText } from '#client/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextField } from '#client/ui/field.tsx'
import { Select } from '#client/ui/select.tsx'
import { useSession } from '#client/session.ts'
import { createAccessToken as schema } from '#shared/accounts.ts'
import { accessTokenNameMax } from '#shared/limits.ts'
import { includesRole } from '#shared/roles.ts'
import { type Scope, scopeRoles, scopes } from '#shared/scopes.ts'
import { responseErrors, validationErrors } from '../field-errors.ts'
import { Choices } from './choices.tsx'
import { useCreateAccessToken } from './hooks.ts'
import { SecretDialog } from './secret-dialog.tsx'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Never' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']
const dayMs = 24 * 60 * 60_000

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** A form for an access token, and then its secret, which is shown only once. Remount it (`key`) for each token. */
export function NewTokenDialog({ open, onOpenChange }: Props) {
  const create = useCreateAccessToken()
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      label="Access token"
      form={{
        title: 'New access token',
        description: 'Choose only the scopes that the program needs.',
      }}
      copying={{
        title: 'Copy your token now',
        description: 'It will not be shown again. Treat it like a password.',
      }}
    >
      <TokenForm create={create} onCancel={() => onOpenChange(false)} />
    </SecretDialog>
  )
}

function TokenForm({
  create,
  onCancel,
}: {
  create: ReturnType<typeof useCreateAccessToken>
  onCancel: () => void
}) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read'])
  const role = useSession()?.user.role ?? 'member'
  const allowed = Object.entries(scopes).filter(([scope]) =>
    includesRole(role, scopeRoles[scope as Scope] ?? 'member'),
  )
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [errors, setErrors] = useState<FormErrors>()

  function submit() {
    const expiresAt = lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
    const input = { name, scopes: [...chosen], expiresAt }
    const invalid = validationErrors(schema.input, input)
    setErrors(invalid)
    if (invalid) return
    create.mutate(input, { onError: (error) => setErrors(responseErrors(error)) })
  }

  const problem = errors?.['scopes'] ?? (create.error && !errors ? errorText(create.error) : undefined)
  return (
    <Form errors={errors} onSubmit={submit}>
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
      {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={create.isPending} onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton busy={create.isPending} busyLabel="Creating…">
          Create token
        </SubmitButton>
      </div>
    </Form>
  )
}
