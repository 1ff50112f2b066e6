import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactElement, useContext } from 'react'
import { SessionReader } from './session.ts'
import { toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

export function useLogInLink(): ReactElement {
  const redirect = useLocation({ select: ({ href }) => href })
  return <Link to="/login" search={{ redirect }} />
}

export function useLogInPrompt(): (message?: string) => void {
  const redirect = useLocation({ select: ({ href }) => href })
  const navigate = useNavigate()
  return (message = messages.pleaseLogIn) =>
    toasts.add({
      title: message,
      action: { label: t`Login`, onAction: () => void navigate({ to: '/login', search: { redirect } }) },
    })
}

/** Shows visitors the toast of `useLogInPrompt`. Reads the session when called: a member sees what visitors see until the page is hydrated. */
export function useAsMember(): (work: () => void, message?: string) => void {
  const read = useContext(SessionReader)
  const askToLogIn = useLogInPrompt()
  return (work, message) => (read() === null ? askToLogIn(message) : work())
}
