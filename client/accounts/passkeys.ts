import { useSyncExternalStore } from 'react'
import type { inferRouterInputs } from '@trpc/server'
import type { AppRouter } from '#server/router.ts'
import { readStored, writeStored } from '#client/ui/stored.ts'

type Inputs = inferRouterInputs<AppRouter>['accounts']

/** Loaded when it is needed. */
const load = () => import('@simplewebauthn/browser')

/** Browsers have no passkeys for hosts that are IP addresses. */
const isAddress = (hostname: string) => /^[\d.]+$|^\[/.test(hostname)

export function canUsePasskeys(): boolean {
  return (
    !import.meta.env.SSR &&
    'PublicKeyCredential' in globalThis &&
    isSecureContext &&
    !isAddress(location.hostname)
  )
}

/** Whether the site has passkeys, but at another origin than the page: one site can be reachable at several. */
function arePasskeysElsewhere(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  const canHave = (protocol === 'https:' || hostname === 'localhost') && !isAddress(hostname)
  return !import.meta.env.SSR && canHave && location.origin !== origin
}

/** False on the server and during hydration. */
export const useCanUsePasskeys = () => useSyncExternalStore(neverChanges, canUsePasskeys, () => false)
export const useArePasskeysElsewhere = (origin: string) =>
  useSyncExternalStore(
    neverChanges,
    () => arePasskeysElsewhere(origin),
    () => false,
  )
const neverChanges = () => () => {}

/** Whether this device can verify its user, by fingerprint, face or screen lock. */
export async function canVerifyUser(): Promise<boolean> {
  return canUsePasskeys() && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()
}

/** Whether this browser has used a passkey of this site: Login then shows its button. */
export const hasUsedPasskey = () => readStored('passkey') === 'yes'
export const rememberPasskey = () => writeStored('passkey', 'yes')

type Options = { challenge: string; rpId: string; timeout: number; userVerification: 'required' }

/** Asks the device for a passkey: with a dialog, or (`inField`) in the suggestions of the email field, until one is chosen. */
export async function askForPasskey(
  options: Options,
  { inField = false } = {},
): Promise<Inputs['passkeyLogin']> {
  const { startAuthentication } = await load()
  return (await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: inField,
  })) as Inputs['passkeyLogin']
}

export async function canSuggestPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await load()).browserSupportsWebAuthnAutofill()
}

export async function createPasskey(options: object): Promise<Inputs['addPasskey']['response']> {
  const { startRegistration } = await load()
  return (await startRegistration({ optionsJSON: options as never })) as Inputs['addPasskey']['response']
}

/** Ends the suggestions of the email field. */
export async function stopAsking(): Promise<void> {
  ;(await load()).WebAuthnAbortService.cancelCeremony()
}

/** Asks the device to remove a passkey that no account has. Not all browsers can. */
export async function forgetPasskey(credentialID: string): Promise<void> {
  const { sendSignal } = await load()
  await sendSignal({ signalName: 'unknownCredential', rpID: location.hostname, credentialID }).catch(() => {})
}

/** Whether the member has closed the dialog of the browser, or another one has replaced it. */
export function wasCanceled(error: unknown): boolean {
  return ['NotAllowedError', 'AbortError'].includes((error as Error).name)
}
