import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { cloneElement, type ReactElement } from 'react'
import { KindIcon } from '#client/ui/kind.tsx'
import { type Kind, kinds } from '#shared/domain/kinds.ts'

export function ChooserScreen() {
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">Add a title</h1>
      <p className="mt-3 max-w-[37.3em] text-lead text-balance text-muted">
        Not in the catalogue, and the{' '}
        <Link to="/search" className="link">
          search
        </Link>{' '}
        does not find it either? Then it is yours to add.
      </p>
      <ul className="mt-8 grid gap-4 sm:grid-cols-2">
        <Choice
          kind="movie"
          text="A name, a few words and a poster of your own."
          link={<Link to="/create-item/movies" />}
        />
        <Choice
          kind="game"
          text="A look ahead: games cannot be added by hand yet, and the form sends nothing."
          link={<Link to="/create-item/games" />}
        />
      </ul>
    </div>
  )
}

function Choice({
  kind,
  text,
  link,
}: {
  kind: Kind
  text: string
  link: ReactElement<{ className?: string }>
}) {
  const { words } = kinds[kind]
  return (
    <li data-kind={kind}>
      {cloneElement(
        link,
        {
          className:
            'group flex h-full items-center gap-4 rounded-card border border-line bg-surface p-5 transition-colors hover:border-accent sm:p-6',
        },
        <span
          key="icon"
          className="poster-blank grid size-16 shrink-0 place-items-center rounded-poster text-accent"
        >
          <KindIcon kind={kind} className="size-7" />
        </span>,
        <span key="words" className="min-w-0 grow">
          <span className="block font-display text-h3">{words.one}</span>
          <span className="mt-0.5 block text-meta text-muted">{text}</span>
        </span>,
        <ArrowRight
          key="arrow"
          aria-hidden
          className="size-5 shrink-0 text-muted transition-[translate] group-hover:translate-x-1 rtl:group-hover:-translate-x-1"
        />,
      )}
    </li>
  )
}
