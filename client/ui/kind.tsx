import { BookOpen, Clapperboard, Gamepad2, type LucideIcon, Tv } from 'lucide-react'

/** As a `data-kind` attribute it sets the accent of everything inside. */
export type Kind = 'movie' | 'tvShow' | 'book' | 'game'

const icons: Record<Kind, LucideIcon> = { movie: Clapperboard, tvShow: Tv, book: BookOpen, game: Gamepad2 }

export function KindIcon({ kind, className }: { kind: Kind; className?: string | undefined }) {
  const Icon = icons[kind]
  return <Icon aria-hidden className={className} />
}

/** A dot in the kind’s colour, for use before its name. */
export function KindDot({ kind }: { kind: Kind }) {
  return <span aria-hidden data-kind={kind} className="inline-block size-2 shrink-0 rounded-full bg-accent" />
}
