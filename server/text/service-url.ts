import { isIP } from 'node:net'
import { anyOf } from '#shared/texts/formats.ts'

type Rules = {
  schemes: readonly string[]
  example: string
  options?: Readonly<Record<string, RegExp>>
  hasNoPath?: boolean
  mayLackHost?: boolean
}

const encoding =
  'in a user name or a password, write these characters percent-encoded: @ as %40, : as %3A, / as %2F, # as %23, ? as %3F, % as %25'

/** Browsers and mail servers elsewhere cannot reach it. */
export const isLocal = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

/** Undefined if it is valid. The reason contains no part of the text that may be a password. */
export function serviceUrlFault(text: string, rules: Rules): string | undefined {
  const { schemes, example } = rules
  const starts = anyOf(schemes.map((scheme) => `${scheme}://`))
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(text) ?? []
  if (scheme === undefined || rest === undefined || !schemes.includes(scheme.toLowerCase()))
    return `must be a URL that starts with ${starts}, such as ${example}`
  // The host ends at the next of these, so that it ends at such a character of a password.
  const [authority = ''] = rest.split(/[/?#]/, 1)
  const after = rest.slice(authority.length)
  const isPlain = /^[^@?#]*(\?[\w.]+=[^&#]*(&[\w.]+=[^&#]*)*)?$/.test(after)
  if (after.includes('@') && !isPlain)
    return `has an @ after a /, ? or #, so that its host is not clear: ${encoding}`
  const credentials = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  if (!isDecodable(credentials)) return `has a % that is not followed by a code: ${encoding}`
  const url = URL.parse(text)
  if (rest === '' || (hostOf(authority) === '' && !(rules.mayLackHost && after !== '')))
    return `has no host: write ${example}`
  if (!url) return `is not a valid URL: check the host and the port, such as ${example}; ${encoding}`
  if (url.hostname !== '' && !isHost(url.hostname))
    return `has a host that is neither a name nor an address (${shown(url.hostname)}): write ${example}`
  if (url.port === '0') return 'has the port 0: write a port from 1 to 65535, or none'
  if (after.includes('#')) return 'must not have a #'
  if (rules.hasNoPath && !/^\/?$/.test(url.pathname))
    return `must end after the host or port, such as ${example}`
  for (const [name, value] of rules.options ? url.searchParams : []) {
    const allowed = Object.hasOwn(rules.options!, name) ? rules.options![name] : undefined
    if (!allowed)
      return `has an option that Medley does not pass on (${shown(name)}); it may have ${Object.keys(rules.options!).join(', ')}`
    if (!allowed.test(value)) return `has an option with a value that it cannot have: ${name}`
  }
  return undefined
}

export function describeService(text: string): string {
  const url = new URL(text)
  const [user, password] = [decode(url.username), decode(url.password)]
  const parts = [
    `${url.protocol}//${url.host || 'localhost'}`,
    user !== '' && (user === password ? 'the same user and password' : `user ${user}`),
    user !== '' && user !== password && (password === '' ? 'no password' : 'a password'),
    [...url.searchParams.keys()].length > 0 && `options ${[...url.searchParams.keys()].join(', ')}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

function hostOf(authority: string): string {
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
}

function isHost(hostname: string): boolean {
  const host = decode(hostname)
  if (/^\[.*\]$/.test(host)) return isIP(host.slice(1, -1)) === 6
  // A socket of this machine, for Postgres.
  if (host.startsWith('/')) return true
  if (/^[\d.]+$/.test(host)) return isIP(host) === 4
  return /^[\p{L}\p{N}_]([\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?(\.[\p{L}\p{N}_]([\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?)*\.?$/u.test(
    host,
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const decode = (text: string) => (isDecodable(text) ? decodeURIComponent(text) : text)

const shown = (part: string) => JSON.stringify(part.slice(0, 100))
