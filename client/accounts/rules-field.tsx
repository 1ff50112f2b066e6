import type { Site } from '#shared/contracts/site.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'

export function RulesField({
  rules,
  checked,
  onChange,
}: {
  rules: Site['rules']
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <fieldset className="grid gap-2">
      <legend className="text-label">Rules</legend>
      <ol className="mt-1 grid list-decimal gap-1.5 ps-5 text-meta">
        {rules.map(({ id, text, hint }) => (
          <li key={id} className="wrap-anywhere">
            {text} {hint === '' ? null : <span className="text-muted">{hint}</span>}
          </li>
        ))}
      </ol>
      <Checkbox label="I accept the rules" checked={checked} onChange={onChange} />
    </fieldset>
  )
}
