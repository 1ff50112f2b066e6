import { Checkbox } from '#client/ui/checkbox.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import type { ImportDetail, ImportOptions } from '#shared/contracts/imports.ts'
import { failed, useUpdateImport } from './hooks.ts'
import { plural, t } from '#shared/domain/message.ts'

export const isOpenToOptions = ({ state }: Pick<ImportDetail, 'state'>) =>
  ['matching', 'waiting', 'ready'].includes(state)

export function useOptions(id: number): (sent: Partial<ImportOptions>) => void {
  const update = useUpdateImport()
  return (sent) => update.mutate({ id, ...sent }, failed(t`The option was not changed`))
}

export function Options({ one }: { one: ImportDetail }) {
  const { id, service, options, notKept, longTexts, unclearDates } = one
  const change = useOptions(id)
  const isLocked = !isOpenToOptions(one)
  const hasLikes = options.likes || notKept.some(({ what }) => what === 'likes')
  const hasShelves = options.shelfLists || notKept.some(({ what }) => what === 'shelves')
  const box = (
    key: 'ratings' | 'reviews' | 'entries' | 'favorites' | 'follows' | 'lists' | 'likes' | 'shelfLists',
    label: string,
  ) => (
    <Checkbox
      label={label}
      checked={options[key]}
      disabled={isLocked}
      onChange={(checked) => change({ [key]: checked })}
    />
  )
  const choice = <Key extends 'conflicts' | 'missing' | 'longTexts' | 'shows' | 'dates'>(
    key: Key,
    label: string,
    labels: Record<ImportOptions[Key], string>,
  ) => (
    <div className="grid justify-items-start gap-2">
      <p aria-hidden className="text-label">
        {label}
      </p>
      <Segmented
        label={label}
        value={options[key] as string}
        disabled={isLocked}
        options={Object.entries<string>(labels).map(([value, name]) => ({ value, label: name }))}
        onChange={(value) => change({ [key]: value })}
      />
    </div>
  )
  return (
    <Section title="Options" className="card">
      <div className="grid gap-5">
        <fieldset>
          <legend className="text-label">What to import</legend>
          <div className="mt-1 grid grid-cols-2 gap-x-4">
            {box('ratings', t`Ratings`)}
            {box('reviews', t`Reviews`)}
            {box('entries', t`Diary`)}
            {box('favorites', t`Favorites`)}
            {box('lists', t`Lists`)}
            {service === 'medley' ? box('follows', t`Follows`) : null}
          </div>
          {hasShelves ? box('shelfLists', t`Shelves become lists`) : null}
          {hasLikes ? box('likes', t`Liked titles become favorites`) : null}
        </fieldset>
        {choice('conflicts', t`Where the file differs from what you have`, {
          mine: t`Keep mine`,
          file: t`Take the file’s`,
        })}
        {choice('missing', t`Titles that are not found`, { skip: t`Leave out`, create: t`Create` })}
        {longTexts > 0
          ? choice(
              'longTexts',
              plural(longTexts, {
                one: '# text is longer than 10,000 characters',
                other: '# texts are longer than 10,000 characters',
              }),
              { cut: t`Cut the end`, skip: t`Leave out` },
            )
          : null}
        {service === 'trakt'
          ? choice('shows', t`Shows that you have begun`, { started: t`Watching`, finished: t`Watched` })
          : null}
        {service === 'goodreads' || service === 'csv' || unclearDates > 0 || options.dates !== 'auto'
          ? choice(
              'dates',
              unclearDates > 0
                ? plural(unclearDates, {
                    one: '# title has a date such as 1/5/23: is it 5 January or 1 May?',
                    other: '# titles have a date such as 1/5/23: is it 5 January or 1 May?',
                  })
                : t`Dates such as 1/5/23`,
              { auto: t`Automatic`, mdy: t`Month first`, dmy: t`Day first` },
            )
          : null}
      </div>
    </Section>
  )
}
