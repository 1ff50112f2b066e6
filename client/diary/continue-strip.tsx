import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useRef } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { errorText, trpc } from '#client/app/trpc.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { Time } from '#client/ui/time.tsx'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { statusWord, today } from './entries.ts'
import { type DiaryEntry, useSaveEntry } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const shown = 6

const markFinished: Record<Kind, (name: string) => string> = {
  movie: (name) => t`Mark ${name} as watched`,
  tvShow: (name) => t`Mark ${name} as watched`,
  book: (name) => t`Mark ${name} as read`,
  game: (name) => t`Mark ${name} as played`,
}

/** `hidden` are titles that another part of the page shows. */
export function ContinueStrip({ hidden }: { hidden: readonly number[] }) {
  const { data } = trpc.diary.list.useQuery({ status: 'started', limit: shown })
  const save = useSaveEntry()
  const list = useRef<HTMLUListElement>(null)
  const onError = (error: unknown) => toasts.add({ tone: 'error', title: errorText(error) })

  function finish({ id: entryId, title, finishedOn }: DiaryEntry) {
    const word = kinds[title.kind].words.diary.finished
    save.mutate(
      { title, entryId, status: 'finished', finishedOn: today() },
      {
        onError,
        onSuccess() {
          list.current?.querySelector('a')?.focus()
          toasts.add({
            tone: 'success',
            title: t`${word} today`,
            description: title.name,
            action: {
              label: t`Undo`,
              onAction: () => save.mutate({ title, entryId, status: 'started', finishedOn }, { onError }),
            },
          })
        },
      },
    )
  }

  const entries = data?.entries.filter(({ title }) => !hidden.includes(title.id)) ?? []
  if (entries.length === 0) return null
  return (
    <Section title="Continue" action={<SectionLink render={<Link to="/diary" />}>Diary</SectionLink>}>
      <ul
        ref={list}
        aria-label="Continue"
        className="scroll-row relative grid auto-cols-[15rem] grid-flow-col gap-3"
      >
        {entries.map((entry) => {
          const { title, startedOn } = entry
          return (
            <li
              key={entry.id}
              data-kind={title.kind}
              className="relative flex items-center gap-3 rounded-card border border-line bg-surface p-2.5 hover:border-edge"
            >
              <div className="w-11 shrink-0">
                <TitlePoster title={title} sizes="2.75rem" />
              </div>
              <div className="min-w-0 grow">
                <Link
                  to={titlePath(kinds[title.kind], title.id)}
                  className="line-clamp-2 text-label after:absolute after:inset-0 after:rounded-card"
                >
                  <bdi>{title.name}</bdi>
                </Link>
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
              </div>
              <IconButton
                size="sm"
                label={markFinished[title.kind](title.name)}
                className="relative"
                busy={save.isPending && save.variables.entryId === entry.id}
                onClick={() => finish(entry)}
              >
                <Check aria-hidden />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
