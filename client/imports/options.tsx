import { errorText } from '#client/trpc.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { toasts } from '#client/ui/toasts.ts'
import type { ImportDetail, ImportOptions } from '#shared/imports.ts'
import { useUpdateImport } from './hooks.ts'
import { plural } from './words.ts'

/** Whether options can be changed in this state. */
export const isOpenToOptions = ({ state }: Pick<ImportDetail, 'state'>) =>
  ['matching', 'waiting', 'ready'].includes(state)

/** Returns a function that changes options of an import, and reports a failure. */
export function useOptions(id: number): (sent: Partial<ImportOptions>) => void {
  const update = useUpdateImport()
  return (sent) =>
    update.mutate(
      { id, ...sent },
      {
        onError: (error) =>
          toasts.add({ tone: 'error', title: 'The option was not changed', description: errorText(error) }),
      },
    )
}

/** What to import, and what applies in conflicts. */
export function Options({ one }: { one: ImportDetail }) {
  const { id, service, options, notKept, longTexts } = one
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
        <Choice
          label="Where the file differs from what you have"
          value={options.conflicts}
          disabled={isLocked}
          options={[
            { value: 'mine', label: 'Keep mine' },
            { value: 'file', label: 'Take the file’s' },
          ]}
          onChange={(conflicts) => change({ conflicts })}
        />
        <Choice
          label="Titles that are not found"
          value={options.missing}
          disabled={isLocked}
          options={[
            { value: 'skip', label: 'Leave out' },
            { value: 'create', label: 'Create' },
          ]}
          onChange={(missing) => change({ missing })}
        />
        {longTexts > 0 ? (
          <Choice
            label={`${longTexts} ${plural(longTexts, 'text is', 'texts are')} longer than 10,000 characters`}
            value={options.longTexts}
            disabled={isLocked}
            options={[
              { value: 'cut', label: 'Cut the end' },
              { value: 'skip', label: 'Leave out' },
            ]}
            onChange={(chosen) => change({ longTexts: chosen })}
          />
        ) : null}
        {service === 'trakt' ? (
          <Choice
            label="Shows that you have begun"
            value={options.shows}
            disabled={isLocked}
            options={[
              { value: 'started', label: 'Watching' },
              { value: 'finished', label: 'Watched' },
            ]}
            onChange={(shows) => change({ shows })}
          />
        ) : null}
        {service === 'goodreads' || service === 'csv' ? (
          <Choice
            label="Dates such as 1/5/23"
            value={options.dates}
            disabled={isLocked}
            options={[
              { value: 'auto', label: 'Automatic' },
              { value: 'mdy', label: 'Month first' },
              { value: 'dmy', label: 'Day first' },
            ]}
            onChange={(dates) => change({ dates })}
          />
        ) : null}
      </div>
    </Section>
  )
}

function Choice<Value extends string>(props: Parameters<typeof Segmented<Value>>[0]) {
  return (
    <div className="grid justify-items-start gap-2">
      <p aria-hidden className="text-label">
        {props.label}
      </p>
      <Segmented {...props} />
    </div>
  )
}
