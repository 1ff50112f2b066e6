import { Section } from '#client/ui/section.tsx'
import type { KindFacts } from '#shared/media.ts'

export function Overview({
  facts,
  text,
  className,
}: {
  facts: KindFacts
  text: string | null
  className?: string
}) {
  return (
    <Section title="Overview" className={className}>
      {text ? (
        <p className="max-w-[43.3em] text-lead wrap-break-word whitespace-pre-line">{text}</p>
      ) : (
        <p className="text-muted">{facts.words.overviewEmpty}</p>
      )}
    </Section>
  )
}
