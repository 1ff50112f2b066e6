import { Search } from 'lucide-react'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { type RouterOutputs, retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { inputClass } from '#client/ui/field-look.ts'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton, Skeletons } from '#client/ui/skeleton.tsx'
import { queryMax, subscriptionsMax } from '#shared/domain/limits.ts'
import { offersSource } from '#shared/domain/offers.ts'
import { plural, t } from '#shared/domain/message.ts'
import { countryName, countryOptions } from './countries.ts'
import { ServiceName } from './service-name.tsx'

type Settings = RouterOutputs['offers']['settings']
type Service = RouterOutputs['offers']['services']['services'][number]

const byBrowser = 'browser'

export function WatchSettings() {
  const settings = trpc.offers.settings.useQuery()
  return (
    <Section title="Streaming services" className="card mt-8">
      <p className="mb-4 max-w-[40rem] text-muted">
        Pages of movies and TV shows say where you can watch them, and your want list can be narrowed to what
        your services have. Nobody else sees your services.
      </p>
      {settings.data ? (
        <Choices settings={settings.data} />
      ) : settings.error ? (
        <LoadError title="This setting did not load" error={settings.error} onRetry={settings.refetch} />
      ) : (
        <Skeleton className="h-40 animate-appear rounded-card" />
      )}
    </Section>
  )
}

function Choices({ settings }: { settings: Settings }) {
  const [chosen, setChosen] = useState(settings)
  const change = trpc.offers.changeSettings.useMutation({
    ...retryOnce,
    // In the order of the presses: each has all services.
    scope: { id: 'watching' },
    onSuccess: () => changed('watching'),
    onError: (error) => {
      setChosen(settings)
      showFailure(t`The setting was not saved`, error)
    },
  })
  function save(changes: Partial<Settings>) {
    setChosen({ ...chosen, ...changes })
    change.mutate(changes)
  }
  const { country, subscriptions } = chosen
  return (
    <div className="grid max-w-lg gap-5">
      <Select
        shape="field"
        label="Country"
        value={country ?? byBrowser}
        options={[{ value: byBrowser, label: t`As in the browser` }, ...countryOptions(country)]}
        onChange={(value) => save({ country: value === byBrowser ? null : value })}
      />
      <Services
        key={country}
        country={country}
        subscriptions={subscriptions}
        onChange={(next) => save({ subscriptions: next })}
      />
    </div>
  )
}

type Chosen = { subscriptions: readonly number[]; onChange: (subscriptions: number[]) => void }

function Services({ country, ...props }: Chosen & { country: string | null }) {
  const { data, error, refetch } = trpc.offers.services.useQuery({ country: country ?? undefined })
  if (data === undefined)
    return error ? (
      <LoadError title="The streaming services did not load" error={error} onRetry={refetch} />
    ) : (
      <Skeletons count={4} each="h-12 rounded-item" />
    )
  if (data.country === null) return <p className="text-muted">Choose your country first.</p>
  if (data.services.length === 0)
    return <p className="text-muted">{t`No streaming service in ${countryName(data.country)} is known.`}</p>
  return <ServiceList country={data.country} services={data.services} {...props} />
}

function ServiceList({
  country,
  services,
  subscriptions,
  onChange,
}: Chosen & { country: string; services: readonly Service[] }) {
  const [text, setText] = useState('')
  const searchId = useId()
  const own = new Set(subscriptions)
  // Those of the member come first; none moves while it is pressed.
  const [first] = useState(own)
  const sorted = [
    ...services.filter(({ id }) => first.has(id)),
    ...services.filter(({ id }) => !first.has(id)),
  ]
  const wanted = folded(text.trim())
  const shown = sorted.filter(({ name }) => folded(name).includes(wanted))
  const count = services.filter(({ id }) => own.has(id)).length
  const label = t`My services in ${countryName(country)}`
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-label">{label}</legend>
      <div className="relative">
        <label htmlFor={searchId} className="sr-only">
          Search a service
        </label>
        <Search
          aria-hidden
          className="pointer-events-none absolute inset-y-0 inset-s-3.5 my-auto size-4.5 text-muted"
        />
        <input
          id={searchId}
          type="search"
          value={text}
          maxLength={queryMax}
          placeholder={t`Search a service`}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
          className={clsx(inputClass, 'h-11 rounded-full! ps-10!')}
        />
      </div>
      <p role="status" className="mt-2 text-meta text-muted">
        {shown.length === 0
          ? t`No service matches.`
          : plural(count, { one: '# service chosen', other: '# services chosen' })}
      </p>
      <ul
        aria-label={label}
        className="mt-2 max-h-96 overflow-y-auto rounded-field border border-line p-1 empty:hidden"
      >
        {shown.map((service) => (
          <li key={service.id}>
            <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-item px-2.5 py-1.5 text-label hover:bg-raised">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-ink"
                checked={own.has(service.id)}
                disabled={!own.has(service.id) && own.size >= subscriptionsMax}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(
                    checked
                      ? [...subscriptions, service.id]
                      : subscriptions.filter((id) => id !== service.id),
                  )
                }
              />
              <ServiceName {...service} />
            </label>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-meta text-muted">
        Source:{' '}
        <a href={offersSource.href} target="_blank" rel="noreferrer" className="link" translate="no">
          {offersSource.name}
        </a>
      </p>
    </fieldset>
  )
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
