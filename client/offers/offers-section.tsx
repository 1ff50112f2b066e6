import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Check, Globe, TvMinimal } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { readStored, writeStored } from '#client/ui/stored.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { offersSource, type OfferType, offerTypes } from '#shared/domain/offers.ts'
import { plural, t } from '#shared/domain/message.ts'
import { countryName, countryOptions } from './countries.ts'
import { ServiceName } from './service-name.tsx'

type Offers = RouterOutputs['offers']['ofMovie']
type Offer = Offers['offers'][number]

const labels: Record<OfferType, string> = {
  stream: t`Stream`,
  free: t`Free`,
  ads: t`Free with ads`,
  rent: t`Rent`,
  buy: t`Buy`,
}
/** Of each type. */
const shownAtFirst = 6
/** Of visitors; members set theirs. */
const storedCountry = 'country'

export function OffersSection({
  isShow,
  id,
  className,
}: {
  isShow: boolean
  id: number
  className?: string | undefined
}) {
  const isMember = useSession() !== null
  const [chosen, setChosen] = useState(() => (isMember ? null : readStored(storedCountry)))
  const { ofMovie, ofTvShow } = trpc.offers
  const { data, error, isFetching, refetch } = (isShow ? ofTvShow : ofMovie).useQuery(
    { id, country: chosen ?? undefined },
    { placeholderData: (before) => before },
  )
  const country = chosen ?? data?.country ?? null
  return (
    <Section
      title="Where to watch"
      className={className}
      action={
        data === undefined ? undefined : (
          <Select
            label="Country"
            hideLabel
            value={country ?? ''}
            options={[
              ...(country === null ? [{ value: '', label: t`Choose a country` }] : []),
              ...countryOptions(country),
            ]}
            onChange={(code) => {
              if (code === '') return
              setChosen(code)
              if (!isMember) writeStored(storedCountry, code)
            }}
          />
        )
      }
    >
      {data === undefined ? (
        error ? (
          <LoadError title="Where to watch it did not load" error={error} onRetry={refetch} />
        ) : (
          <Skeletons count={2} each="h-14 rounded-card" />
        )
      ) : (
        <div aria-busy={isFetching} className="stale">
          <Loaded offers={data} onRetry={refetch} />
        </div>
      )}
    </Section>
  )
}

function Loaded({
  offers: { isAvailable, country, link, offers },
  onRetry,
}: {
  offers: Offers
  onRetry: () => void
}) {
  const isMember = useSession() !== null
  if (country === null)
    return (
      <EmptyState icon={<Globe aria-hidden />} title="Where do you watch?">
        Choose your country to see which services have this.
      </EmptyState>
    )
  if (!isAvailable)
    return <LoadError title="We do not know right now where this can be watched" onRetry={onRetry} />
  return (
    <>
      {offers.length === 0 ? (
        <EmptyState
          icon={<TvMinimal aria-hidden />}
          title={t`Not on any service in ${countryName(country)} that we know of.`}
        />
      ) : (
        <dl className="grid gap-4">
          {offerTypes.map((type) => {
            const ofType = offers.filter((offer) => offer.type === type)
            return ofType.length === 0 ? null : <OfType key={type} label={labels[type]} offers={ofType} />
          })}
        </dl>
      )}
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-meta text-muted">
        <span>
          Source:{' '}
          <a href={offersSource.href} target="_blank" rel="noreferrer" className="link" translate="no">
            {offersSource.name}
          </a>
        </span>
        {link === null ? null : (
          <a href={link} target="_blank" rel="noreferrer" className="link">
            Open the offers at TMDB
          </a>
        )}
        {isMember ? (
          <Link to="/settings" className="link">
            Choose my services
          </Link>
        ) : null}
      </p>
    </>
  )
}

function OfType({ label, offers }: { label: string; offers: readonly Offer[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? offers : offers.slice(0, shownAtFirst)
  const hidden = offers.length - shown.length
  return (
    <div className="grid gap-2 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-4">
      <dt className="text-label text-muted sm:pt-3">{label}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <ul aria-label={label} className="contents">
          {shown.map(({ provider, isMine }) => (
            <li
              key={provider.id}
              className={clsx(
                'flex max-w-full items-center gap-2.5 rounded-field border p-1.5 pe-3.5 text-label',
                isMine ? 'border-accent bg-accent/8' : 'border-line bg-surface',
              )}
            >
              <ServiceName {...provider} />
              {isMine ? (
                <>
                  <Check aria-hidden className="size-4 shrink-0 text-accent" />
                  <VisuallyHidden>One of my services</VisuallyHidden>
                </>
              ) : null}
            </li>
          ))}
        </ul>
        {hidden === 0 ? null : (
          <Button size="sm" onClick={() => setShowsAll(true)}>
            {plural(hidden, { one: '# more', other: '# more' })}
          </Button>
        )}
      </dd>
    </div>
  )
}
