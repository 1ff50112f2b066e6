import { Link } from '@tanstack/react-router'
import { trpc } from '#client/app/trpc.ts'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { t } from '#shared/domain/message.ts'
import { useSteadyOrder } from './steady-order.ts'
import { UpNextRow } from './up-next-row.tsx'

const shown = 6

export function useUpNext() {
  const { data } = trpc.progress.upNext.useQuery({ limit: shown })
  return data?.entries ?? none
}
const none: never[] = []

export function UpNextStrip() {
  const entries = useSteadyOrder(useUpNext())
  if (entries.length === 0) return null
  return (
    <Section title={t`Up next`} action={<SectionLink render={<Link to="/up-next" />}>All</SectionLink>}>
      <ul
        aria-label="Up next"
        className="scroll-row relative grid auto-cols-[min(20rem,82vw)] grid-flow-col gap-3"
      >
        {entries.map((entry) => (
          <UpNextRow key={entry.title.id} entry={entry} />
        ))}
      </ul>
    </Section>
  )
}
