import { Checkbox } from '#client/ui/checkbox.tsx'
import { useSite } from '#client/app/site.ts'

export function RulePicker({ ids, onChange }: { ids: readonly string[]; onChange: (ids: string[]) => void }) {
  const { rules } = useSite()
  if (rules.length === 0) return null
  return (
    <fieldset className="grid">
      <legend className="mb-1 text-label">Which rules?</legend>
      {rules.map(({ id, text }) => (
        <Checkbox
          key={id}
          label={text}
          checked={ids.includes(id)}
          onChange={(isChosen) => onChange(isChosen ? [...ids, id] : ids.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}
