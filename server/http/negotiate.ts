import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

export const varyHeader = 'Accept, Accept-Encoding, Authorization'

/** Some preview agents accept any type. */
const previewAgents =
  /facebookexternalhit|facebot|twitterbot|slackbot|discordbot|telegrambot|whatsapp|linkedinbot|mastodon|bluesky|redditbot|pinterest|skypeuripreview|vkshare|iframely/i

export type Negotiated = {
  representation: 'page' | 'json'
  /** Otherwise the page is for link previews or clients that accept anything. */
  isNamed: boolean
  /** For the `Vary` header. */
  vary: string
}

/**
 * The type with the higher quality, the page if both are equal. A header that names neither type gets the page on paths outside REST; on
 * REST paths, link previews get the page and other clients JSON.
 */
export function negotiate({ method, headers, is404 }: FastifyRequest): Negotiated {
  const accept = headers.accept?.trim() || '*/*'
  const { html, json, acceptsHtml } = qualitiesOf(accept)
  const isNamed = html !== undefined
  const choose = (isPage: boolean, vary = varyHeader): Negotiated => ({
    representation: isPage ? 'page' : 'json',
    isNamed,
    // Members have pages of their own; the cookie opens nothing else.
    vary: isPage ? `${vary}, Cookie` : vary,
  })
  if (method !== 'GET' && method !== 'HEAD') return choose(false)
  if (html !== undefined) return choose(html > 0 && html >= (json ?? 0))
  if (json !== undefined) return choose(false)
  if (is404 || !acceptsHtml) return choose(acceptsHtml)
  return choose(previewAgents.test(headers['user-agent'] ?? ''), `${varyHeader}, User-Agent`)
}

/** Keeps the results of the last 500 headers, because nearly all clients send one of a few. */
export function keepByHeader<Result extends {}>(
  lengthMax: number,
): (header: string, compute: () => Result) => Result {
  const results = new LRUCache<string, Result>({ max: 500 })
  return (header, compute) => {
    const known = results.get(header)
    if (known !== undefined) return known
    const result = compute()
    if (header.length <= lengthMax) results.set(header, result)
    return result
  }
}

type Qualities = { html: number | undefined; json: number | undefined; acceptsHtml: boolean }
const keptQualities = keepByHeader<Qualities>(200)

function qualitiesOf(accept: string): Qualities {
  return keptQualities(accept, () => ({
    html: weight(accept, 'text/html'),
    json: weight(accept, 'application/json'),
    acceptsHtml: (weight(accept, 'text/*') ?? weight(accept, '*/*') ?? 0) > 0,
  }))
}

/**
 * Of a type in `Accept`, or an encoding in `Accept-Encoding`; undefined if the header does not name it. Libraries resolve equal qualities
 * by order (docs/decisions/0026-accept-by-hand.md).
 */
export function weight(accept: string, type: string): number | undefined {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q ? Number(q.slice(2)) || 0 : 1
  }
  return undefined
}
