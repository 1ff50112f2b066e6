import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactElement, useContext } from 'react'
import { SessionReader } from './session.ts'
import { toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'

/** Returns a link to the login page that leads back to the current URL. For `render` props. */
export function useLogInLink(): ReactElement {
  const redirect = useLocation({ select: ({ href }) => href })
  return <Link to="/login" search={{ redirect }} />
}

/** Returns a function that shows visitors a toast with a link to the login page, which leads back to the current URL. */
export function useLogInPrompt(): (message?: string) => void {
  const redirect = useLocation({ select: ({ href }) => href })
  const navigate = useNavigate()
  return (message = messages.pleaseLogIn) =>
    toasts.add({
      title: message,
      action: { label: 'Login', onAction: () => void navigate({ to: '/login', search: { redirect } }) },
    })
}

/**
 * Returns a function that runs `act` for a member, and shows visitors the toast of `useLogInPrompt`. It reads the session when it is called,
 * because a member sees what visitors see until the page is hydrated.
 */
export function useAsMember(): (act: () => void, message?: string) => void {
  const read = useContext(SessionReader)
  const askToLogIn = useLogInPrompt()
  return (act, message) => (read() === null ? askToLogIn(message) : act())
}
