import { KindDot } from '#client/ui/kind.tsx'
import { Poster } from '#client/ui/poster-card.tsx'
import { type Kind, kinds } from '#shared/domain/kinds.ts'

export function TitleChoice({
  title: { kind, name, imageUrl, year },
  creator,
  why,
  number,
  onChoose,
}: {
  title: { kind: Kind; name: string; imageUrl: string | null; year: number | null }
  creator?: string | undefined
  why?: string
  number?: number
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      data-kind={kind}
      aria-keyshortcuts={number?.toString()}
      onClick={onChoose}
      className="flex h-full w-full items-center gap-3 rounded-item border border-line bg-surface p-2 text-start transition-colors hover:border-edge hover:bg-raised"
    >
      <Poster
        title={name}
        kind={kind}
        image={{ src: imageUrl, sizes: '3rem' }}
        noImageText=""
        className="w-12! shrink-0 rounded-item!"
      />
      <span className="min-w-0 grow">
        <span className="line-clamp-2 text-label leading-tight wrap-anywhere">
          <bdi>{name}</bdi>
        </span>
        <span className="mt-0.5 flex items-baseline gap-x-1.5 text-meta text-muted">
          <KindDot kind={kind} />
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {[kinds[kind].words.one, year, creator].filter(Boolean).join(' · ')}
          </span>
        </span>
        {why === undefined ? null : <span className="block text-meta">{why}</span>}
      </span>
      {number === undefined ? null : <ChoiceKey>{number}</ChoiceKey>}
    </button>
  )
}

export function ChoiceKey({ children }: { children: number }) {
  return (
    <kbd
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-md border border-edge/70 font-sans text-tiny font-semibold tabular-nums max-sm:hidden [@media(hover:none)]:hidden"
    >
      {children}
    </kbd>
  )
}
