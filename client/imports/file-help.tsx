import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { importFormat, importServices } from '#shared/domain/import-formats.ts'

export function FileHelp() {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="text-h3">
        How to get the file
      </h2>
      <div className="mt-2">
        {importServices.map(importFormat).map(({ name, heading = name, steps }) => (
          <details key={name} name="file-help" className="group border-b border-line last:border-none">
            <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-item py-2 text-label [&::-webkit-details-marker]:hidden">
              {heading}
              <ChevronDown
                aria-hidden
                className="size-4 shrink-0 text-muted transition-[rotate] group-open:rotate-180"
              />
            </summary>
            <ol className="mb-3 grid list-decimal gap-1 ps-5 text-meta text-muted">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </section>
  )
}
