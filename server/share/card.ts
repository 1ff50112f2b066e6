import { TRPCError } from '@trpc/server'
import { counted, numberText } from '#shared/texts/formats.ts'
import { allKinds, type Kind, namesOf } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { withoutSpoilers } from '#shared/domain/spoilers.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards, listTitles } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import type { AppRouter } from '#server/router.ts'
import { drawable } from './text.ts'
import type { Shared } from '#shared/domain/share.ts'

/** All texts but `owner` are drawable; `image` and `backdrop` are URLs. */
export type Card = {
  look: Shared['subject']
  owner: string
  kind: Kind | null
  eyebrow: string
  heading: string
  stars?: number
  text: string
  posters: { name: string; kind: Kind; image: string | null }[]
  backdrop: string | null
}

const yearPosters = 30
const fiveMax = 5

type Caller = ReturnType<AppRouter['createCaller']>

/** `caller` must be a visitor. Throws NOT_FOUND for what visitors may not see and for what is empty, such as a year without entries. */
export async function readCard(caller: Caller, db: Db, shared: Shared): Promise<Card> {
  try {
    return await cards[shared.subject](caller, db, shared as never)
  } catch (error) {
    const isHidden = error instanceof TRPCError && ['FORBIDDEN', 'UNAUTHORIZED'].includes(error.code)
    throw isHidden ? nothing() : error
  }
}

export const nothing = () => new TRPCError({ code: 'NOT_FOUND', message: messages.notFound })
const name = (text: string) => drawable(text, 40)
type PosterTitle = { name: string; kind: Kind; imageUrl: string | null }
const toPosters = (titles: readonly PosterTitle[]) =>
  titles.map(({ name: title, kind, imageUrl }) => ({ name: drawable(title, 60), kind, image: imageUrl }))

const cards: {
  [Subject in Shared['subject']]: (
    caller: Caller,
    db: Db,
    shared: Extract<Shared, { subject: Subject }>,
  ) => Promise<Card>
} = {
  async reviews(caller, db, { id }) {
    const { review } = await caller.reviews.byId({ id })
    const [title] = await listTitles(db, [review.itemId])
    if (!title) throw nothing()
    const text = drawable(withoutSpoilers(review), 240)
    return {
      look: 'reviews',
      owner: review.user.username,
      kind: title.kind,
      eyebrow: `${name(review.user.username)} on`,
      heading: drawable(title.name, 120),
      stars: review.rating,
      text: text === '' ? '' : `“${text}”`,
      posters: toPosters([toTitleCard(title)]),
      backdrop: title.backdrop,
    }
  },

  async lists(caller, _db, { id, key }) {
    const { list } = await caller.lists.byId({ id, key })
    return {
      look: 'lists',
      owner: list.owner.username,
      kind: null,
      eyebrow: `A list by ${name(list.owner.username)}`,
      heading: drawable(list.title, 120),
      text: counted(list.itemCount, 'title'),
      posters: toPosters(list.previewTitles),
      backdrop: null,
    }
  },

  async users(caller, db, { id }) {
    const { user } = await caller.accounts.profile({ id })
    const favorites = await Promise.all(
      allKinds.map(async (facts): Promise<{ id: number }[]> => {
        const page = await caller[facts.favorites.router].list({ id, limit: fiveMax })
        return page[facts.favorites.router] as { id: number }[]
      }),
    )
    const ids = Array.from({ length: fiveMax }, (_, rank) =>
      favorites.map((ofKind) => ofKind[rank]?.id),
    ).flat()
    const five = ids.filter((one) => one !== undefined).slice(0, fiveMax)
    if (five.length === 0) throw nothing()
    return {
      look: 'users',
      owner: user.username,
      kind: null,
      eyebrow: 'Favorites of',
      heading: name(user.username),
      text: '',
      posters: toPosters((await listCards(db, five)).map(toTitleCard)),
      backdrop: null,
    }
  },

  async years(caller, _db, { id, year }) {
    const [{ user }, diary] = await Promise.all([
      caller.accounts.profile({ id }),
      caller.diary.year({ id, year }),
    ])
    if (diary.total === 0) throw nothing()
    const hours = Math.round(diary.minutes / 60)
    const facts = [
      ...allKinds
        .filter(({ kind }) => diary.kinds[kind] > 0)
        .map((ofKind) => counted(diary.kinds[ofKind.kind], namesOf(ofKind).one, namesOf(ofKind).many)),
      ...(hours > 0 ? [counted(hours, 'hour')] : []),
      ...(diary.pages > 0 ? [counted(diary.pages, 'page')] : []),
    ]
    return {
      look: 'years',
      owner: user.username,
      kind: null,
      eyebrow: `${year} of ${name(user.username)}`,
      heading: numberText(diary.total),
      text: facts.join('  ·  '),
      posters: toPosters(diary.titles.slice(0, yearPosters)),
      backdrop: null,
    }
  },
}
