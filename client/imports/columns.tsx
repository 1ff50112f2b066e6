import { Callout } from '#client/ui/callout.tsx'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { type CsvField, csvFields, importFormat } from '#shared/domain/import-formats.ts'
import { type ImportDetail, type ImportOptions } from '#shared/contracts/imports.ts'
import { allKinds, diaryStatuses, type DiaryStatus, kinds } from '#shared/domain/kinds.ts'
import { isOpenToOptions, useOptions } from './options.tsx'
import { plural, t } from '#shared/domain/message.ts'

const fieldNames: Record<CsvField, string> = {
  name: t`Title`,
  year: t`Year`,
  authors: t`Authors`,
  kind: t`Kind`,
  imdb: t`Id at IMDb`,
  tmdb: t`Id at TMDB`,
  isbn: 'ISBN',
  igdb: t`Id at IGDB`,
  rating: t`Rating`,
  ratedOn: t`Rated on`,
  review: t`Review`,
  note: t`Private note`,
  status: t`Status`,
  startedOn: t`Started on`,
  finishedOn: t`Finished on`,
  list: t`List`,
}
const none = ''
const scales = [5, 10, 20, 100]

const questions: Record<ImportDetail['unclear'][number], string> = {
  columns: t`Medley does not know the names of these columns. Choose which one holds the titles. The others are optional.`,
  scale: t`The file does not say what its highest rating is. Check it before you import.`,
}

export function Columns({ one }: { one: ImportDetail }) {
  const { id, columns, options, unclear } = one
  const change = useOptions(id)
  const isLocked = !isOpenToOptions(one)
  const choices = [
    { value: none, label: '–' },
    ...columns.map((column) => ({ value: column, label: column })),
  ]
  function choose(field: CsvField, column: string) {
    const { [field]: _before, ...others } = options.columns
    change({ columns: column === none ? others : { ...others, [field]: column } })
  }
  return (
    <Section title="Columns" className="card">
      <p className="-mt-2 mb-4 text-meta text-muted">
        Medley has guessed what the columns of your file mean. Correct what is wrong; all titles are then
        looked up again. A private note goes into your diary, where only you can read it.
      </p>
      {unclear.map((option) => (
        <Callout key={option} className="mb-4">
          {questions[option]}
        </Callout>
      ))}
      <div className="grid grid-cols-2 gap-4 max-sm:gap-x-3 lg:grid-cols-4">
        <Select
          shape="field"
          label="Kind of the titles"
          value={options.kind}
          disabled={isLocked}
          options={allKinds.map(({ kind, words }) => ({ value: kind, label: words.many }))}
          onChange={(kind) => change({ kind })}
        />
        <Select
          shape="field"
          label="Highest rating"
          value={String(options.scale)}
          disabled={isLocked}
          options={[...new Set([...scales, options.scale])]
            .sort((a, b) => a - b)
            .map((scale) => ({ value: String(scale), label: String(scale) }))}
          onChange={(scale) => change({ scale: Number(scale) })}
        />
        {csvFields.map((field) => (
          <Select
            key={field}
            shape="field"
            label={fieldNames[field]}
            value={options.columns[field] ?? none}
            disabled={isLocked}
            // A file without titles has nothing to import.
            options={field === 'name' && options.columns.name !== undefined ? choices.slice(1) : choices}
            onChange={(column) => choose(field, column)}
          />
        ))}
      </div>
    </Section>
  )
}

type Target = ImportOptions['shelves'][string]

export function ShelvesOfFile({ one }: { one: ImportDetail }) {
  const { id, service, shelves, options } = one
  const { count } = useFormats()
  const change = useOptions(id)
  const kind = (service === 'originals' ? undefined : importFormat(service).kind) ?? options.kind
  const { diary } = kinds[kind].words
  const words = (status: DiaryStatus) => ({ value: status as Target, label: diary[status] })
  const targets = [{ value: 'skip' as Target, label: t`Nothing` }, ...diaryStatuses.map(words)]
  return (
    <Section title="Your shelves" className="card">
      <p className="-mt-2 mb-4 text-meta text-muted">
        {plural(shelves.length, {
          one: 'The file has # shelf that Medley does not know. What does it mean for your diary?',
          other: 'The file has # shelves that Medley does not know. What do they mean for your diary?',
        })}
      </p>
      <div className="grid grid-cols-2 gap-4 max-sm:gap-x-3 lg:grid-cols-4">
        {shelves.map(({ name, count: number }) => (
          <Select
            key={name}
            shape="field"
            label={`${name} (${count(number)})`}
            value={Object.hasOwn(options.shelves, name) ? options.shelves[name]! : 'skip'}
            disabled={!isOpenToOptions(one)}
            options={targets}
            onChange={(target) => change({ shelves: { ...options.shelves, [name]: target } })}
          />
        ))}
      </div>
    </Section>
  )
}
