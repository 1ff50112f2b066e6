import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { toasts } from '#client/ui/toast.tsx'
import { messages } from '#shared/messages.ts'

/** For `render`: leads to the login and from there back to this place. */
export function useLogInLink(): ReactElement {
  const redirect = useLocation({ select: ({ href }) => href })
  return <Link to="/login" search={{ redirect }} />
}

/** Tells a visitor what needs a login, and leads there and back. */
export function useLogInPrompt(): (message?: string) => void {
  const redirect = useLocation({ select: ({ href }) => href })
  const navigate = useNavigate()
  return (message = messages.pleaseLogIn) =>
    toasts.add({
      title: message,
      action: { label: 'Login', onAction: () => void navigate({ to: '/login', search: { redirect } }) },
    })
}
