import { escaped } from '#server/text/escape.ts'
import type { Db } from '#server/db/open.ts'
import type { Caller } from '#server/http/doors/calls.ts'
import { english } from '#server/text/translator.ts'
import { readCard } from './card.ts'
import { type Shared, sharePath } from '#shared/domain/share.ts'

/** Of the page of a member or a year, which only members see; undefined without a share picture. `ctx` is a visitor’s. */
export async function previewTags(
  url: string,
  { origin, siteName }: { origin: string; siteName: string },
  db: Db,
  call: Caller,
): Promise<string | undefined> {
  const [, id, year] = /^\/user\/([1-9]\d{0,14})(?:\/year\/(\d{4}))?\/?(?:\?|$)/.exec(url) ?? []
  if (id === undefined) return undefined
  const shared: Shared =
    year === undefined
      ? { subject: 'users', id: Number(id) }
      : { subject: 'years', id: Number(id), year: Number(year) }
  const card = await readCard(call, db, shared, english).catch(() => undefined)
  if (card === undefined) return undefined
  const tags: [property: string, content: string][] = [
    ['og:site_name', siteName],
    ['og:type', 'profile'],
    ['og:title', year === undefined ? card.owner : `${year} · ${card.owner}`],
    ['og:url', new URL(`/user/${id}${year === undefined ? '' : `/year/${year}`}`, origin).href],
    ['og:image', new URL(sharePath(shared, 'wide'), origin).href],
    ['twitter:card', 'summary_large_image'],
  ]
  return tags
    .map(([property, content]) => {
      const key = property.startsWith('og:') ? 'property' : 'name'
      return `<meta ${key}="${property}" content="${escaped(content)}"/>`
    })
    .join('')
}
