import { Checkbox } from '#client/ui/checkbox.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import type { ImportDetail, ImportOptions } from '#shared/contracts/imports.ts'
import { failed, useUpdateImport } from './hooks.ts'
import { plural } from '#shared/texts/formats.ts'

export const isOpenToOptions = ({ state }: Pick<ImportDetail, 'state'>) =>
  ['matching', 'waiting', 'ready'].includes(state)

export function useOptions(id: number): (sent: Partial<ImportOptions>) => void {
  const update = useUpdateImport()
  return (sent) => update.mutate({ id, ...sent }, failed('The option was not changed'))
}

export function Options({ one }: { one: ImportDetail }) {
  const { id, service, options, notKept, longTexts, unclearDates } = one
  const change = useOptions(id)
  const { count } = useFormats()
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
            {box('ratings', 'Ratings')}
            {box('reviews', 'Reviews')}
            {box('entries', 'Diary')}
            {box('favorites', 'Favorites')}
            {box('lists', 'Lists')}
            {service === 'medley' ? box('follows', 'Follows') : null}
          </div>
          {hasShelves ? box('shelfLists', 'Shelves become lists') : null}
          {hasLikes ? box('likes', 'Liked titles become favorites') : null}
        </fieldset>
        {choice('conflicts', 'Where the file differs from what you have', {
          mine: 'Keep mine',
          file: 'Take the file’s',
        })}
        {choice('missing', 'Titles that are not found', { skip: 'Leave out', create: 'Create' })}
        {longTexts > 0
          ? choice(
              'longTexts',
              `${count(longTexts)} ${plural(longTexts, 'text is', 'texts are')} longer than 10,000 characters`,
              { cut: 'Cut the end', skip: 'Leave out' },
            )
          : null}
        {service === 'trakt'
          ? choice('shows', 'Shows that you have begun', { started: 'Watching', finished: 'Watched' })
          : null}
        {service === 'goodreads' || service === 'csv' || unclearDates > 0 || options.dates !== 'auto'
          ? choice(
              'dates',
              unclearDates > 0
                ? `${count(unclearDates)} ${plural(unclearDates, 'title has', 'titles have')} a date such as 1/5/23: is it 5 January or 1 May?`
                : 'Dates such as 1/5/23',
              { auto: 'Automatic', mdy: 'Month first', dmy: 'Day first' },
            )
          : null}
      </div>
    </Section>
  )
}
