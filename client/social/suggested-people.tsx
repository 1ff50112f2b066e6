import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Section } from '#client/ui/section.tsx'
import { PeopleSkeleton, peopleLayout, PersonRow } from './person-row.tsx'
import { t } from '#shared/domain/message.ts'

type Suggestion = RouterOutputs['social']['suggestedPeople']['people'][number]

const shown = 6

/** Renders nothing for visitors, and if there is nobody to suggest. */
export function SuggestedPeople({ className }: { className?: string }) {
  const isMember = useSession() !== null
  const { data, isPending, isLoadingError, error, refetch, dataUpdatedAt } =
    trpc.social.suggestedPeople.useQuery({ limit: shown }, { enabled: isMember })
  if (!isMember || data?.people.length === 0) return null
  return (
    <Section title="People to follow" className={className}>
      {isPending ? (
        <PeopleSkeleton count={shown} />
      ) : isLoadingError ? (
        <LoadError title="The suggestions did not load" error={error} onRetry={refetch} />
      ) : (
        <ul aria-label="People to follow" className={peopleLayout}>
          {data.people.map((person) => (
            <PersonRow key={person.id} person={person} knownAt={dataUpdatedAt}>
              <p className="line-clamp-2 text-meta text-muted wrap-anywhere">{reasonFor(person)}</p>
            </PersonRow>
          ))}
        </ul>
      )}
    </Section>
  )
}

function reasonFor({ agreement, commonCount }: Suggestion): string {
  if (agreement !== null) return t`You both gave ${agreement.ownRating} to ${agreement.title.name}`
  if (commonCount > 0) return t`You have similar ratings for ${commonCount} titles`
  return t`Active now`
}
