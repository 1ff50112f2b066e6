import { Link } from '@tanstack/react-router'
import { titlePath } from '#client/kinds.ts'
import { trpc } from '#client/trpc.ts'
import { Poster } from '#client/ui/poster-card.tsx'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { Time } from '#client/ui/time.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { kinds } from '#shared/media.ts'
import { statusWord } from './entries.ts'

const shown = 6

/** What the member has started and not finished, the last first. Nothing if there is none. */
export function ContinueStrip() {
  const { data } = trpc.diary.list.useQuery({ status: 'started', limit: shown })
  if (data === undefined || data.entries.length === 0) return null
  return (
    <Section title="Continue" action={<SectionLink render={<Link to="/diary" />}>Diary</SectionLink>}>
      <ul aria-label="Continue" className="scroll-row relative grid auto-cols-[15rem] grid-flow-col gap-3">
        {data.entries.map((entry) => {
          const { title, startedOn } = entry
          return (
            <li
              key={entry.id}
              data-kind={title.kind}
              className="relative flex items-center gap-3 rounded-card border border-line bg-surface p-2.5 hover:border-edge"
            >
              <div className="w-11 shrink-0">
                <Poster
                  title={title.name}
                  kind={title.kind}
                  image={{ src: title.imageUrl, srcSet: imageSrcSet(title.imageUrl), sizes: '2.75rem' }}
                />
              </div>
              <div className="min-w-0">
                <Link
                  to={titlePath(kinds[title.kind], title.id)}
                  className="line-clamp-2 text-label after:absolute after:inset-0 after:rounded-card"
                >
                  {title.name}
                </Link>
                <p className="truncate text-meta text-muted">
                  {statusWord(kinds[title.kind], entry)}
                  {startedOn?.length === 10 ? (
                    <>
                      {' · since '}
                      <Time value={startedOn} />
                    </>
                  ) : null}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
