import { renderToStaticMarkup } from 'react-dom/server'
import { viewOf } from './catalogue/title/title-view.ts'
import { kindRouter, titlePath, type TitleRef, titleIn } from './app/kinds.ts'
import { readListParams } from './lists/params.ts'
import { listInput } from './lists/queries.ts'
import { readReviewsSearch } from './reviews/listing.ts'
import type { createAppRouter } from './router.tsx'
import { pageTitle } from './routes/-shell/page-title.ts'
import { withPart } from './titles/part-name.ts'
import { reviewedPage } from './titles/reviewed-page.ts'
import type { createClients } from './app/trpc.ts'
import { type Kind, kindMetadata, kindNames, kinds } from '#shared/domain/kinds.ts'
import { starSigns } from '#shared/domain/ratings.ts'
import { withoutSpoilers } from '#shared/domain/spoilers.ts'
import { sharePath } from '#shared/domain/share.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { t } from '#shared/domain/message.ts'

type About = {
  path: string
  /** Otherwise the route has it. */
  title?: string | undefined
  description: string
  image?: { src: string; isWide: boolean } | undefined
  /** The Open Graph type: https://ogp.me/#types */
  type?: (typeof kindMetadata)[Kind]['openGraph'] | 'article' | 'video.episode' | undefined
  feed?: { path: string; title: string } | undefined
  isEmbeddable?: boolean | undefined
  data?: object | undefined
  isGone?: boolean | undefined
}

export function pageHead(
  router: ReturnType<typeof createAppRouter>,
  utils: ReturnType<typeof createClients>['trpcUtils'],
  origin: string,
): string {
  const { matches, location } = router.state
  const { site } = router.options.context
  const about: About = aboutTitle(matches.at(-1)!, utils, origin, site.name) ??
    aboutList(matches.at(-1)!, utils, origin) ??
    aboutEpisode(matches.at(-1)!, utils, site.name) ?? {
      path: location.pathname,
      description:
        site.description ||
        t`Movies, TV shows, books and games: rate, review and see what your friends love.`,
    }
  const own = about.title === undefined ? matches : [{ meta: [{ title: about.title }] }]
  const title = pageTitle(own as Parameters<typeof pageTitle>[0], site.name)
  const url = new URL(about.path, origin).href
  const image = about.image && { ...about.image, src: new URL(about.image.src, origin).href }
  return renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={about.description} />
      <link rel="canonical" href={url} />
      {about.isGone ? <meta name="robots" content="noindex" /> : null}
      {about.feed ? (
        <link
          rel="alternate"
          type="application/atom+xml"
          title={about.feed.title}
          href={new URL(about.feed.path, origin).href}
        />
      ) : null}
      {about.isEmbeddable ? (
        <link
          rel="alternate"
          type="application/json+oembed"
          href={new URL(`/oembed?${new URLSearchParams({ url })}`, origin).href}
        />
      ) : null}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={about.type ?? 'website'} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={about.description} />
      <meta property="og:url" content={url} />
      {image ? <meta property="og:image" content={image.src} /> : null}
      <meta name="twitter:card" content={image?.isWide ? 'summary_large_image' : 'summary'} />
      {about.data ? (
        <script
          type="application/ld+json"
          // oxlint-disable-next-line react/no-danger -- JSON with every `<` escaped: no text can close the element
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ '@context': 'https://schema.org', url, ...about.data }).replaceAll(
              '<',
              String.raw`\u003c`,
            ),
          }}
        />
      ) : null}
    </>,
  )
}

function aboutEpisode(
  { params, routeId, search }: { params: object; routeId: string; search: object },
  utils: ReturnType<typeof createClients>['trpcUtils'],
  siteName: string,
): About | undefined {
  if (routeId !== '/episodes/$episodeId') return undefined
  const id = Number(Object.values(params)[0])
  const found = utils.progress.episode.getData({ id })
  if (found === undefined) return undefined
  const { episode, title, isGone } = found
  const src = title.imageUrl
  const review = pinnedReview(search, title.id, utils)
  if (review?.about?.episodeId === id) return { ...aboutReview(review, title, siteName), isGone }
  return {
    path: `/episodes/${id}`,
    isGone,
    type: 'video.episode',
    isEmbeddable: true,
    description: t`Season ${episode.season}, episode ${episode.number} of ${title.name} on ${siteName}.`,
    image: src === null ? undefined : { src, isWide: false },
  }
}

/** On the page of what it is about, also if the show’s page was asked for. */
function aboutReview(review: PinnedReview, title: TitleRef & { name: string }, siteName: string) {
  const { id, about, updatedAt } = review
  const { username } = review.user
  const name = withPart(title.name, about)
  return {
    path: `${reviewedPage(title, about)}?review=${id}`,
    title: t`${username} on ${name}`,
    type: 'article',
    description: shortened(
      `${starSigns(review.rating)} ${withoutSpoilers(review) || t`A review of ${name} on ${siteName}.`}`,
    ),
    isEmbeddable: true,
    image: { src: sharePath({ subject: 'reviews', id }, 'wide', updatedAt), isWide: true },
  } as const
}

/** Search engines cut descriptions at about this length. */
const descriptionLength = 160

function aboutTitle(
  { params, routeId, search }: { params: object; routeId: string; search: object },
  utils: ReturnType<typeof createClients>['trpcUtils'],
  origin: string,
  siteName: string,
): About | undefined {
  const kind = kindNames.find((name) => routeId.startsWith(`/${kinds[name].path}/`))
  if (kind === undefined) return undefined
  const definition = kinds[kind]
  const id = Number(Object.values(params)[0])
  const output = kindRouter(utils, definition).byId.getData({ id })
  if (output === undefined) return undefined
  const view = viewOf(kind, titleIn(definition, output))
  const { avg, count } = output.stats
  const { openGraph, schema, creators } = kindMetadata[kind]
  const picture = view.backdrop ?? view.image
  const review = pinnedReview(search, id, utils)
  return {
    path: titlePath(definition, id),
    type: openGraph,
    description: shortened(
      view.overview ?? view.tagline ?? t`Ratings and reviews of ${view.name} on ${siteName}.`,
    ),
    feed: { path: `${titlePath(definition, id)}/reviews.atom`, title: t`Reviews of ${view.name}` },
    isEmbeddable: true,
    image: picture === null ? undefined : { src: picture, isWide: view.backdrop !== null },
    data: {
      '@type': schema,
      url: new URL(titlePath(definition, id), origin).href,
      name: view.name,
      description: view.overview ?? undefined,
      image: view.image === null ? undefined : new URL(view.image, origin).href,
      datePublished: view.release ?? undefined,
      genre: view.genres.length > 0 ? view.genres : undefined,
      [creators]:
        view.creators.length > 0 ? view.creators.map((name) => ({ '@type': 'Person', name })) : undefined,
      aggregateRating:
        avg === null
          ? undefined
          : {
              '@type': 'AggregateRating',
              ratingValue: avg,
              ratingCount: count,
              bestRating: 5,
              worstRating: 1,
            },
    },
    ...(review && aboutReview(review, { kind, id, name: view.name }, siteName)),
  }
}

function aboutList(
  { params, routeId, search }: { params: object; routeId: string; search: object },
  utils: ReturnType<typeof createClients>['trpcUtils'],
  origin: string,
): About | undefined {
  if (routeId !== '/list/$listId') return undefined
  const id = Number(Object.values(params)[0])
  const input = listInput(id, readListParams({ ...search }))
  const list = utils.lists.byId.getData(input)?.list
  if (list === undefined) return undefined
  const names = list.previewTitles.map(({ name }) => name).join(', ')
  return {
    // A list that is shared by its link is at no other address.
    path: list.visibility === 'link' && input.key ? `/list/${id}?key=${input.key}` : `/list/${id}`,
    type: 'article',
    description: shortened(list.description || t`A list by ${list.owner.username}: ${names}`),
    feed: list.visibility === 'public' ? { path: `/lists/${id}.atom`, title: list.title } : undefined,
    isEmbeddable: list.visibility === 'public',
    image: { src: sharePath({ subject: 'lists', ...input }, 'wide', list.updatedAt), isWide: true },
    data: {
      '@type': 'ItemList',
      name: list.title,
      numberOfItems: list.itemCount,
      itemListElement: list.previewTitles.map(({ kind, id: titleId, name }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name,
        url: new URL(titlePath(kinds[kind], titleId), origin).href,
      })),
    },
  }
}

function pinnedReview(search: object, titleId: number, utils: ReturnType<typeof createClients>['trpcUtils']) {
  const { review: id } = readReviewsSearch({ ...search })
  const review = id === undefined ? undefined : utils.reviews.byId.getData({ id })?.review
  return review?.itemId === titleId ? review : undefined
}

type PinnedReview = NonNullable<ReturnType<typeof pinnedReview>>

function shortened(text: string): string {
  return truncate(text.replaceAll(/\s+/g, ' ').trim(), descriptionLength)
}
