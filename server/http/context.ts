import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { openSessions } from '#server/accounts/sessions.ts'
import { followerOf } from '#server/members/visibility.ts'
import type { Context, Member, Services } from '#server/calls/context.ts'
import { subnetOf } from '#server/process/addresses.ts'
import { browserCountryOf, browserLanguageOf, chooseForMember, textsOf } from '#server/http/pages/language.ts'
import { cookieReader, responseOf } from '#server/http/pages/page-cookie.ts'
import type { RateLimits } from '#server/http/limits/rate-limit.ts'
import { previewHeader } from '#shared/domain/visibilities.ts'

/** After a call with a valid token. */
const memberAddressMs = 60 * 60_000

export function openContexts(
  services: Services,
  limits: RateLimits,
): (request: FastifyRequest) => Promise<Context> {
  // The browser’s EventSource cannot send a token. Limited by size, because `max` would allocate all entries at once.
  const memberAddresses = new LRUCache<string, true>({
    maxSize: 20_000,
    sizeCalculation: () => 1,
    ttl: memberAddressMs,
  })
  const findMember = openSessions(services.db)
  const readBrowserKey = cookieReader(services.config, 'medley-login')
  const isFromMember = (request: FastifyRequest, member: Member | null) => {
    const address = subnetOf(request.ip)
    if (member) memberAddresses.set(address, true)
    return memberAddresses.has(address)
  }
  return async (request) => {
    const now = new Date()
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const caller = token ? await findMember(token, now) : null
    request.memberId = caller?.id ?? null
    if (caller) chooseForMember(request, caller)
    const member = caller && request.headers[previewHeader] !== undefined ? previewOf(caller) : caller
    return {
      ...services,
      now,
      member,
      log: request.log,
      requestId: request.id,
      response: responseOf(request),
      address: request.ip,
      browserKey: readBrowserKey(request),
      isFromMember: isFromMember(request, caller),
      browserLanguage: () => browserLanguageOf(request),
      browserCountry: () => browserCountryOf(request),
      texts: textsOf(request),
      userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
      limit: (name, account, cost, trx) => limits.count(request, name, account, cost, trx),
      recordLogin: (account) => limits.recordLogin(request, account),
    }
  }
}

/** With `previewHeader`, the caller only reads what is public, as a follower. See `loggedIn`. */
function previewOf(member: Member): Member {
  const scopes = (member.scopes ?? ['read' as const]).filter((scope) => scope === 'read')
  return { ...member, id: followerOf(member.id), role: 'member', scopes }
}
