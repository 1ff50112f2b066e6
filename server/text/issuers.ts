import { z } from 'zod'
import { isLocal, serviceUrlFault } from './service-url.ts'

/** A provider that members log in with, by OpenID Connect. */
export type Issuer = {
  /** In addresses: `company`. */
  readonly name: string
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly label: string
  readonly canSignUp: boolean
  /** An account with the same address is linked at once, if both sides have verified it. */
  readonly linksVerified: boolean
  readonly groups: readonly { readonly group: string; readonly role: 'moderator' | 'admin' }[]
}

const text = z.string().trim().optional()

/** `<NAME>` stands for a name of the host’s choice. */
export const issuerVariables = {
  'OIDC_<NAME>_ISSUER': text.describe(
    'The URL of an OpenID Connect provider, as it calls itself; https, or http on this machine. `<NAME>` is any name in capital letters (`OIDC_COMPANY_ISSUER`); several names are several providers. The redirect address is `PUBLIC_URL/auth/oidc/<name>/callback`',
  ),
  'OIDC_<NAME>_CLIENT_ID': text.describe('The client id that the provider has given to Medley'),
  'OIDC_<NAME>_CLIENT_SECRET': text.describe('The secret of that client'),
  'OIDC_<NAME>_LABEL': text.describe('The name on the button; without it, `<NAME>`'),
  'OIDC_<NAME>_SIGN_UP': text.describe(
    '`on`: a login of an unknown person creates an account, whatever the sign-up mode of the site; without it, `off`',
  ),
  'OIDC_<NAME>_LINK': text.describe(
    'If the address belongs to an account: `ask` asks for its password once; `verified` links it at once if both sides have verified the address. Without it, `ask`',
  ),
  'OIDC_<NAME>_GROUPS': text.describe(
    'Roles of groups, from the claim `groups`: `staff:moderator, owners:admin`. The highest counts, and is set at each login with the provider',
  ),
  OIDC_ONLY: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('off')
    .describe(
      '`on` hides and refuses passwords: members log in with the providers above and passkeys, and `medley login-link` is the way back in',
    ),
}

const suffixes = Object.keys(issuerVariables).flatMap((name) => /^OIDC_<NAME>_(.+)/.exec(name)?.[1] ?? [])
const pattern = new RegExp(`^OIDC_([A-Z0-9]+(?:_[A-Z0-9]+)*)_(?:${suffixes.join('|')})$`)
const nameMax = 30
const labelMax = 40
const valueMax = 1_000
const groupsMax = 100
const taken = ['LOGIN', 'LINK']

/** The variables of the issuers whose names are in the environment. */
export function issuerNames(env: NodeJS.ProcessEnv): string[] {
  return namesIn(env).flatMap((name) => suffixes.map((suffix) => `OIDC_${name}_${suffix}`))
}

function namesIn(env: NodeJS.ProcessEnv): string[] {
  return [...new Set(Object.keys(env).flatMap((variable) => pattern.exec(variable)?.[1] ?? []))]
}

/** `fault` names the variable, and contains no secret. */
export function readIssuers(env: NodeJS.ProcessEnv): { issuers: Issuer[]; fault?: string } {
  const issuers: Issuer[] = []
  for (const name of namesIn(env)) {
    const of = (suffix: string) => env[`OIDC_${name}_${suffix}`]?.trim() || undefined
    const faultOf = (suffix: string, fault: string) => ({
      issuers,
      fault: `OIDC_${name}_${suffix}: ${fault}`,
    })
    if (name.length > nameMax || taken.includes(name))
      return faultOf(
        'ISSUER',
        `${name} cannot be the name of a provider. Choose another, of at most ${nameMax} letters.`,
      )
    const [url, clientId, clientSecret] = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'].map(of)
    if (!url) return faultOf('ISSUER', 'missing, but other variables of this provider are set.')
    if (!clientId) return faultOf('CLIENT_ID', 'missing. Copy it from the provider.')
    if (!clientSecret) return faultOf('CLIENT_SECRET', 'missing. Copy it from the provider.')
    const long = suffixes.find((suffix) => (of(suffix)?.length ?? 0) > valueMax)
    if (long) return faultOf(long, `must have at most ${valueMax} characters`)
    const urlFault = faultOfIssuer(url)
    if (urlFault) return faultOf('ISSUER', urlFault)
    const label = of('LABEL') ?? name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ')
    if (label.length > labelMax || /\p{Cc}/u.test(label))
      return faultOf('LABEL', `must be a line of at most ${labelMax} characters`)
    const signUp = of('SIGN_UP') ?? 'off'
    if (signUp !== 'on' && signUp !== 'off') return faultOf('SIGN_UP', 'must be on or off')
    const link = of('LINK') ?? 'ask'
    if (link !== 'ask' && link !== 'verified') return faultOf('LINK', 'must be ask or verified')
    const groups = readGroups(of('GROUPS'))
    if (!groups) return faultOf('GROUPS', 'must be a list such as staff:moderator, owners:admin')
    issuers.push({
      name: name.toLowerCase().replaceAll('_', '-'),
      url,
      clientId,
      clientSecret,
      label,
      canSignUp: signUp === 'on',
      linksVerified: link === 'verified',
      groups,
    })
  }
  const twice = issuers.find(({ url }, at) => issuers.findIndex((other) => other.url === url) !== at)
  if (twice) return { issuers, fault: `OIDC_…_ISSUER: two providers have the URL ${twice.url}. Remove one.` }
  if (env.OIDC_ONLY?.trim() === 'on' && issuers.length === 0)
    return {
      issuers,
      fault: 'OIDC_ONLY: nobody could log in without a provider. Set OIDC_<NAME>_ISSUER, or unset it.',
    }
  return { issuers }
}

function faultOfIssuer(url: string): string | undefined {
  const fault = serviceUrlFault(url, { schemes: ['https', 'http'], example: 'https://id.example.org' })
  if (fault) return fault
  const { protocol, hostname, search, username, password } = new URL(url)
  if (username || password || search) return 'must have no user, password or query'
  if (protocol === 'http:' && !isLocal(hostname))
    return 'must be https: http is for providers on this machine'
  return undefined
}

function readGroups(given: string | undefined): Issuer['groups'] | undefined {
  const parts = (given ?? '').split(',').map((part) => part.trim())
  const groups = parts
    .filter((part) => part !== '')
    .map((part) => /^(.*\S)\s*:\s*(moderator|admin)$/.exec(part))
  if (groups.length > groupsMax || groups.includes(null)) return undefined
  return groups.map((match) => ({ group: match![1]!, role: match![2] as 'moderator' | 'admin' }))
}
