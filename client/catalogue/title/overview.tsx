import { Section } from '#client/ui/section.tsx'
import type { KindDefinition } from '#shared/media.ts'

export function Overview({
  definition,
  text,
  className,
}: {
  definition: KindDefinition
  text: string | null
  className?: string
}) {
  return (
    <Section title="Overview" className={className}>
      {text ? (
        <p className="max-w-[43.3em] text-lead wrap-break-word whitespace-pre-line">{text}</p>
      ) : (
        <p className="text-muted">{definition.words.overviewEmpty}</p>
      )}
    </Section>
  )
}
