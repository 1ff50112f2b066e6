/** Why a login with a provider failed. The address after it ends in `#oidc-error=<reason>`. */
export const providerFailures = [
  /** The provider does not respond, or is not configured as it should be. */
  'PROVIDER_DOWN',
  /** The person or the provider has refused. */
  'LOGIN_DENIED',
  /** It took too long, was used before, or began in another browser. */
  'LOGIN_EXPIRED',
  /** The response of the provider is not valid. */
  'LOGIN_FAILED',
  /** The provider does not call the address verified, or the account with the address is not. */
  'EMAIL_UNVERIFIED',
  /** Another account has the address, and must be logged in to in its own way. */
  'EMAIL_TAKEN',
  'SIGN_UP_CLOSED',
  'APPROVAL_PENDING',
  /** The account of the provider is linked to another member. */
  'LINKED_TO_ANOTHER',
  /** The member has linked another account of this provider. */
  'LINKED_ALREADY',
  /** A confirmation with another account of the provider than the linked one. */
  'WRONG_ACCOUNT',
  'TOO_MANY_REQUESTS',
] as const
export type ProviderFailure = (typeof providerFailures)[number]
