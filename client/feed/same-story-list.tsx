import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useMyRating } from '#client/titles/my-titles.ts'
import { kindRouter, titlePath } from '#client/app/kinds.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { trpc, type RouterOutputs } from '#client/app/trpc.ts'
import { type Kind, kinds, type Verb } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'

type Card = RouterOutputs['movies']['sameStory']['titles'][number]

const nextTexts: Record<Verb, Record<Verb, string>> = {
  watch: {
    watch: t`You saw it; now see it.`,
    read: t`You saw it; now read it.`,
    play: t`You saw it; now play it.`,
  },
  read: {
    watch: t`You read it; now see it.`,
    read: t`You read it; now read it.`,
    play: t`You read it; now play it.`,
  },
  play: {
    watch: t`You played it; now see it.`,
    read: t`You played it; now read it.`,
    play: t`You played it; now play it.`,
  },
}

export function SameStoryList({
  kind,
  id,
  className,
}: {
  kind: Kind
  id: number
  className?: string | undefined
}) {
  const { sameStory } = kindRouter(trpc.useUtils(), kinds[kind])
  const { data } = useQuery(sameStory.queryOptions({ id }))
  if (data === undefined || data.titles.length === 0) return null
  return (
    <ul aria-label="The same story" className={className}>
      {data.titles.map((title) => (
        <li key={title.id} className="not-first:mt-3">
          <Other title={title} of={{ kind, id }} />
        </li>
      ))}
    </ul>
  )
}

function Other({ title, of }: { title: Card; of: { kind: Kind; id: number } }) {
  const own = useMyRating(of.id)
  const other = useMyRating(title.id)
  const [from, to] = typeof own === 'number' ? [of.kind, title.kind] : [title.kind, of.kind]
  // They are undefined until they are known.
  const isNext = typeof own === 'number' ? other === null : own === null && typeof other === 'number'
  return (
    <div
      data-kind={title.kind}
      className="relative flex items-center gap-3.5 rounded-card border border-line bg-surface p-2.5 transition-colors hover:border-accent"
    >
      <div className="w-12 shrink-0">
        <TitlePoster title={title} sizes="3rem" />
      </div>
      <div className="min-w-0">
        <p className="text-meta text-muted">{kinds[title.kind].words.sameStory}</p>
        <Link
          to={titlePath(kinds[title.kind], title.id)}
          className="text-label wrap-anywhere after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          <bdi>{title.name}</bdi>
        </Link>
        {title.releaseYear === null ? null : (
          <span className="ms-1.5 text-meta text-muted tabular-nums">{title.releaseYear}</span>
        )}
        {isNext ? (
          <p className="mt-0.5 text-meta font-semibold">{nextTexts[kinds[from].verb][kinds[to].verb]}</p>
        ) : null}
      </div>
    </div>
  )
}
