import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#client/accounts/forgot-password-screen.tsx'

export const Route = createFileRoute('/forgot-password')({
  head: () => ({ meta: [{ title: 'Forgot your password?' }] }),
  component: ForgotPasswordScreen,
})
