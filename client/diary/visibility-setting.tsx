import type { ReactNode } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { visibilityLabels } from '#shared/domain/visibilities.ts'
import { useSetVisibility } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const labels = { ...visibilityLabels, private: t`Only you` }
const options = (['private', 'followers', 'public'] as const).map((value) => ({
  value,
  label: labels[value],
}))

export function VisibilitySetting({ children }: { children: ReactNode }) {
  const visibility = trpc.diary.visibility.useQuery()
  const set = useSetVisibility()
  const shown = set.isPending ? set.variables.visibility : visibility.data?.visibility
  return (
    <Section title="Diary" className="card mt-8">
      {visibility.error && shown === undefined ? (
        <LoadError title="This setting did not load" error={visibility.error} onRetry={visibility.refetch} />
      ) : shown === undefined ? (
        <Skeleton className="h-20 animate-appear rounded-card" />
      ) : (
        <div className="grid max-w-sm gap-2">
          <Select
            shape="field"
            label="Who can see your diary"
            value={shown}
            options={options}
            disabled={set.isPending}
            onChange={(next) =>
              set.mutate(
                { visibility: next },
                {
                  onSuccess: () => showDone(t`The setting is saved.`),
                  onError: (error) => showFailure(t`The setting was not saved`, error),
                },
              )
            }
          />
          <p className="text-meta text-muted">
            Your diary with its dates, what you want to watch, read and play, and your years. Nobody else sees
            your private notes.
          </p>
        </div>
      )}
      <div className="mt-4">{children}</div>
    </Section>
  )
}
