import { LoadError } from '#client/app/load-error.tsx'
import { changed } from '#client/app/facts.ts'
import { storeLanguage } from '#client/app/reader-locale.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { t } from '#shared/domain/message.ts'
import type { TitleNames } from '#shared/domain/languages.ts'

const byBrowser = 'browser'
const namesOptions: { value: TitleNames; label: string }[] = [
  { value: 'local', label: t`In my language` },
  { value: 'original', label: t`As in the country of the title` },
  { value: 'romanised', label: t`In Latin letters` },
]

export function LanguageSetting() {
  const settings = trpc.accounts.languageSettings.useQuery()
  const site = trpc.site.get.useQuery().data?.site
  const change = trpc.accounts.changeLanguageSettings.useMutation({
    ...retryOnce,
    onSuccess: ({ language }, { language: chosen }) => {
      void changed('language')
      if (chosen === undefined) return
      storeLanguage(language)
      // Another copy of the app has the texts.
      location.reload()
    },
    onError: (error) => showFailure(t`The setting was not saved`, error),
  })
  if (settings.error && settings.data === undefined)
    return <LoadError title="This setting did not load" error={settings.error} onRetry={settings.refetch} />
  if (settings.data === undefined || site === undefined)
    return <Skeleton className="mt-8 h-40 rounded-card" />
  const { language, titles } = change.isPending ? change.variables : {}
  const shownLanguage = language === undefined ? settings.data.language : language
  const { languages } = site
  return (
    <Section title="Language" className="card mt-8">
      <div className="grid max-w-sm gap-4">
        {languages.length === 1 ? null : (
          <Select
            shape="field"
            label="Language of the app"
            value={shownLanguage ?? byBrowser}
            disabled={change.isPending}
            options={[
              { value: byBrowser, label: t`As in the browser` },
              ...languages.map(({ code, name, isReviewed }) => ({
                value: code,
                label: isReviewed ? name : t`${name} (machine-made)`,
              })),
            ]}
            onChange={(value) => change.mutate({ language: value === byBrowser ? null : value })}
          />
        )}
        <Select
          shape="field"
          label="Names of titles"
          value={titles ?? settings.data.titles}
          disabled={change.isPending}
          options={namesOptions}
          onChange={(next) => change.mutate({ titles: next })}
        />
      </div>
    </Section>
  )
}
