import { BookOpen, Clapperboard, Gamepad2, Tv } from 'lucide-react'

const icons = { movie: Clapperboard, tvShow: Tv, book: BookOpen, game: Gamepad2 }

/** Sets the accent of everything inside, as `data-kind` (styles.css). */
export type Kind = keyof typeof icons

export function KindIcon({ kind, className }: { kind: Kind; className?: string | undefined }) {
  const Icon = icons[kind]
  return <Icon aria-hidden className={className} />
}

export function KindDot({ kind }: { kind: Kind }) {
  return (
    <span
      aria-hidden
      data-kind={kind}
      className="kind-dot inline-block size-2 shrink-0 rounded-full bg-accent"
    />
  )
}
