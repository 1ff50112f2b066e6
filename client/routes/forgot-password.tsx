import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#client/accounts/forgot-password-screen.tsx'
import { WithPasswords } from '#client/accounts/no-passwords.tsx'
import { loadProviders } from '#client/app/providers.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/forgot-password')({
  loader: ({ context }) => loadProviders(context),
  head: () => ({ meta: [{ title: t`Forgot your password?` }] }),
  component: () => (
    <WithPasswords>
      <ForgotPasswordScreen />
    </WithPasswords>
  ),
})
