import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useRef } from 'react'
import { StripCard } from '#client/titles/strip-card.tsx'
import { trpc } from '#client/app/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { Time } from '#client/ui/time.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { statusWord } from './entries.ts'
import { StepField } from './step-field.tsx'
import { finishText, useFinish } from './step-hooks.ts'

const shown = 6

/** `hidden` are titles that another part of the page shows. */
export function ContinueStrip({ hidden }: { hidden: readonly number[] }) {
  const { data } = trpc.diary.list.useQuery({ status: 'started', limit: shown })
  const list = useRef<HTMLUListElement>(null)
  const { isPending, finish } = useFinish(() => list.current?.querySelector('a')?.focus())
  const entries = data?.entries.filter(({ title }) => !hidden.includes(title.id)) ?? []
  if (entries.length === 0) return null
  return (
    <Section title="Continue" action={<SectionLink render={<Link to="/diary" />}>Diary</SectionLink>}>
      <ul
        ref={list}
        aria-label="Continue"
        className="scroll-row relative grid auto-cols-[min(20rem,82vw)] grid-flow-col gap-3"
      >
        {entries.map((entry) => {
          const { title, startedOn, progress } = entry
          const look = {
            className: 'relative',
            busy: isPending(entry.id),
            onClick: () => finish(entry),
          }
          const label = finishText(title)
          const isWhole = progress?.percent === 100
          return (
            <StripCard
              key={entry.id}
              title={title}
              action={
                isWhole ? null : (
                  <IconButton variant="outline" label={label} {...look}>
                    <Check aria-hidden />
                  </IconButton>
                )
              }
            >
              <p dir="auto" className="truncate text-meta text-muted">
                {statusWord(kinds[title.kind], entry)}
                {startedOn?.length === 10 ? (
                  <>
                    {' · '}
                    <span>
                      since <Time value={startedOn} />
                    </span>
                  </>
                ) : null}
              </p>
              <StepField entry={entry} />
              {isWhole ? (
                <Button variant="primary" size="sm" icon={<Check aria-hidden />} {...look} aria-label={label}>
                  {kinds[title.kind].words.diary.finished}
                </Button>
              ) : null}
            </StripCard>
          )
        })}
      </ul>
    </Section>
  )
}
