import { Link } from '@tanstack/react-router'
import { kinds } from '#shared/media.ts'
import { titlePath } from '#client/kinds.ts'
import { useSession } from '#client/session.ts'
import { type RouterOutputs, trpc } from '#client/trpc.ts'
import { Section } from '#client/ui/section.tsx'

type Compared = RouterOutputs['social']['tasteMatch']['agreements'][number]

/**
 * Compares the member's ratings with those of another member. Renders nothing for visitors, on the member's own profile, and with
 * fewer than five titles in common.
 */
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
      <p className="text-lead">
        <strong className="font-display text-h2 tabular-nums">{match}%</strong>{' '}
        <span className="text-muted">match over {commonCount} titles that you both rated</span>
      </p>
      <div className="mt-5 grid gap-x-10 gap-y-5 sm:grid-cols-2">
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
      <ul aria-label={heading} className="mt-2 grid gap-1">
        {titles.map(({ title, ownRating, theirRating }) => (
          <li key={title.id} className="flex flex-wrap items-baseline gap-x-3">
            <Link to={titlePath(kinds[title.kind], title.id)} className="link min-w-0 py-1 wrap-break-word">
              {title.name}
            </Link>
            <span className="text-meta text-muted tabular-nums">
              {ownRating === theirRating
                ? `both ${ownRating} of 5`
                : `you ${ownRating}, ${name} ${theirRating} of 5`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
