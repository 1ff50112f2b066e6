import { useSession } from '#client/app/session.ts'
import { TitleCard } from '#client/titles/title-card.tsx'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { shortStars } from '#shared/domain/ratings.ts'
import { Section } from '#client/ui/section.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { plural } from '#shared/domain/message.ts'

type Compared = RouterOutputs['social']['tasteMatch']['agreements'][number]

/** Renders nothing for visitors, on the member's own profile, and with fewer than five titles in common. */
export function TasteMatch({ userId, name }: { userId: number; name: string }) {
  const session = useSession()
  const { data } = trpc.social.tasteMatch.useQuery(
    { id: userId },
    { enabled: session !== null && session.user.id !== userId },
  )
  if (!data || data.match === null) return null
  const { match, commonCount, agreements, disagreements } = data
  return (
    <Section title="Your taste in common" className="card">
      <p className="text-lead text-muted">
        <strong className="font-display text-h2 text-ink tabular-nums">{match}% match</strong> over{' '}
        {plural(commonCount, { one: '# title that you both rated', other: '# titles that you both rated' })}
      </p>
      <div className="mt-5 grid gap-x-12 gap-y-6 lg:grid-cols-2">
        <Titles heading="You agree on" name={name} titles={agreements} />
        <Titles heading="You differ on" name={name} titles={disagreements} />
      </div>
    </Section>
  )
}

function Titles({ heading, name, titles }: { heading: string; name: string; titles: readonly Compared[] }) {
  if (titles.length === 0) return null
  return (
    <div>
      <h3 className="text-label">{heading}</h3>
      <ul aria-label={heading} className="mt-3 grid grid-cols-3 gap-3 sm:gap-4">
        {titles.map(({ title, ownRating, theirRating }) => (
          <li key={title.id} className="min-w-0">
            <TitleCard title={title} sizes="(min-width: 640px) 8rem, 30vw">
              <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 text-meta text-muted">
                <Given by={name} rating={theirRating} />
                <Given by="You" rating={ownRating} />
              </dl>
            </TitleCard>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Given({ by, rating }: { by: string; rating: number }) {
  return (
    <>
      <dt dir="auto" className="col-start-1 max-w-20 truncate max-sm:max-w-12">
        {by}
      </dt>{' '}
      <dd className="font-semibold text-ink tabular-nums">
        {shortStars(rating)} ★ <VisuallyHidden>of 5</VisuallyHidden>
      </dd>
    </>
  )
}
