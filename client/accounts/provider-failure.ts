import type { ProviderFailure } from '#shared/domain/provider-failures.ts'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

/** What to do after each failure, in words for people who know no protocol. */
const texts: Record<ProviderFailure, string> = {
  PROVIDER_DOWN: t`That service does not respond at the moment.`,
  LOGIN_DENIED: t`The login was canceled, or the service does not let you in here. You can try again.`,
  LOGIN_EXPIRED: t`That took too long, or began in another window. Please try again.`,
  LOGIN_FAILED: t`The answer of that service could not be trusted, so nobody was logged in. If it happens again, tell the people who run this site.`,
  EMAIL_UNVERIFIED: t`That service has not checked your email address, so it does not show that the address is yours. Confirm it there, or log in another way.`,
  EMAIL_TAKEN: messages.providerEmailTaken,
  SIGN_UP_CLOSED: t`There is no account for you here, and a login with that service creates none. Do you have an account? Then log in to it, and link the service in Settings.`,
  APPROVAL_PENDING: messages.approvalPending,
  LINKED_TO_ANOTHER: messages.linkedToAnother,
  LINKED_ALREADY: messages.linkedAlready,
  WRONG_ACCOUNT: t`That was another login than the one that is linked here. Please choose the linked one.`,
  TOO_MANY_REQUESTS: messages.tooManyRequests,
}

/** Undefined for a reason that does not exist: anybody can write an address. */
export function failureText(
  reason: string,
  { passwordLogin }: { passwordLogin: boolean },
): string | undefined {
  if (!Object.hasOwn(texts, reason)) return undefined
  const text = texts[reason as ProviderFailure]
  if (reason !== 'PROVIDER_DOWN') return text
  return `${text} ${passwordLogin ? t`If you have a password here, it works as always.` : t`Please try again in a few minutes.`}`
}
