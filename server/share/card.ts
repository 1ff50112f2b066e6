import { TRPCError } from '@trpc/server'
import { numberText } from '#shared/texts/formats.ts'
import { allKinds, type Kind } from '#shared/domain/kinds.ts'
import { withoutSpoilers } from '#shared/domain/spoilers.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards, listTitles } from '#server/titles/store.ts'
import type { Db } from '#server/db/open.ts'
import type { AppRouter } from '#server/router.ts'
import { withShownNames } from '#server/titles/shown-names.ts'
import { withPart } from '#server/text/part-name.ts'
import type { Translator } from '#server/text/translator.ts'
import { drawable, drawableTexts } from './text.ts'
import type { Shared } from '#shared/domain/share.ts'
import { notFound } from '#server/calls/errors.ts'

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

/** `caller` must be a visitor. Texts and names of titles are in the language of `texts` if it can be drawn. Throws NOT_FOUND for what visitors may not see and for what is empty, such as a year without entries. */
export async function readCard(caller: Caller, db: Db, shared: Shared, texts: Translator): Promise<Card> {
  try {
    return await cards[shared.subject](caller, db, shared as never, drawableTexts(texts))
  } catch (error) {
    const isHidden = error instanceof TRPCError && ['FORBIDDEN', 'UNAUTHORIZED'].includes(error.code)
    throw isHidden ? notFound() : error
  }
}

const name = (text: string) => drawable(text, 40)
const line = (text: string) => drawable(text, 100)
type PosterTitle = { id: number; name: string; kind: Kind; imageUrl: string | null }
async function toPosters(db: Db, { language }: Translator, titles: readonly PosterTitle[]) {
  const shown = await withShownNames(db, language, titles)
  return shown.map(({ name: title, kind, imageUrl }) => ({
    name: drawable(title, 60),
    kind,
    image: imageUrl,
  }))
}

const countOf: Record<Kind, (count: number, texts: Translator) => string> = {
  movie: (movies, { t, plural }) => t`${plural(movies, { one: '# movie', other: '# movies' })}`,
  tvShow: (shows, { t, plural }) => t`${plural(shows, { one: '# TV show', other: '# TV shows' })}`,
  book: (books, { t, plural }) => t`${plural(books, { one: '# book', other: '# books' })}`,
  game: (games, { t, plural }) => t`${plural(games, { one: '# game', other: '# games' })}`,
}

const cards: {
  [Subject in Shared['subject']]: (
    caller: Caller,
    db: Db,
    shared: Extract<Shared, { subject: Subject }>,
    texts: Translator,
  ) => Promise<Card>
} = {
  async reviews(caller, db, { id }, texts) {
    const { review } = await caller.reviews.byId({ id })
    const [title] = await withShownNames(db, texts.language, await listTitles(db, [review.itemId]))
    if (!title) throw notFound()
    const text = drawable(withoutSpoilers(review), 240)
    const username = name(review.user.username)
    return {
      look: 'reviews',
      owner: review.user.username,
      kind: title.kind,
      eyebrow: line(texts.t`${username} on`),
      heading: drawable(withPart(drawable(title.name, 80), review.about, texts), 120),
      stars: review.rating,
      text: text === '' ? '' : `“${text}”`,
      posters: await toPosters(db, texts, [toTitleCard(title)]),
      backdrop: title.backdrop,
    }
  },

  async lists(caller, db, { id, key }, texts) {
    const { t, plural } = texts
    const { list } = await caller.lists.byId({ id, key })
    const username = name(list.owner.username)
    return {
      look: 'lists',
      owner: list.owner.username,
      kind: null,
      eyebrow: line(t`A list by ${username}`),
      heading: drawable(list.title, 120),
      text: line(t`${plural(list.itemCount, { one: '# title', other: '# titles' })}`),
      posters: await toPosters(db, texts, list.previewTitles),
      backdrop: null,
    }
  },

  async users(caller, db, { id }, texts) {
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
    if (five.length === 0) throw notFound()
    return {
      look: 'users',
      owner: user.username,
      kind: null,
      eyebrow: line(texts.t`Favorites of`),
      heading: name(user.username),
      text: '',
      posters: await toPosters(db, texts, (await listCards(db, five)).map(toTitleCard)),
      backdrop: null,
    }
  },

  async years(caller, db, { id, year }, texts) {
    const { t, plural } = texts
    const [{ user }, diary] = await Promise.all([
      caller.accounts.profile({ id }),
      caller.diary.year({ id, year }),
    ])
    if (diary.total === 0) throw notFound()
    const username = name(user.username)
    const hours = Math.round(diary.minutes / 60)
    const facts = [
      ...allKinds
        .filter(({ kind }) => diary.kinds[kind] > 0)
        .map(({ kind }) => countOf[kind](diary.kinds[kind], texts)),
      ...(hours > 0 ? [t`${plural(hours, { one: '# hour', other: '# hours' })}`] : []),
      ...(diary.pages > 0 ? [t`${plural(diary.pages, { one: '# page', other: '# pages' })}`] : []),
    ]
    return {
      look: 'years',
      owner: user.username,
      kind: null,
      eyebrow: line(t`${year} of ${username}`),
      heading: line(numberText(diary.total, texts.locale)),
      text: facts.map(line).join('  ·  '),
      posters: await toPosters(db, texts, diary.titles.slice(0, yearPosters)),
      backdrop: null,
    }
  },
}
