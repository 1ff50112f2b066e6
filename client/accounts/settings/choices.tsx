import { Checkbox } from '#client/ui/checkbox.tsx'

export function Choices<Option extends string>({
  legend,
  explanations,
  chosen,
  onChange,
}: {
  legend: string
  explanations: Record<Option, string>
  chosen: readonly Option[]
  onChange: (chosen: Option[]) => void
}) {
  return (
    <fieldset>
      <legend className="text-label">{legend}</legend>
      <div className="mt-1 grid gap-1">
        {(Object.entries(explanations) as [Option, string][]).map(([option, explanation]) => (
          <Checkbox
            key={option}
            label={explanation}
            hint={<span translate="no">{option}</span>}
            checked={chosen.includes(option)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, option] : chosen.filter((other) => other !== option))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
