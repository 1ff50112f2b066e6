import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { siteRulesMax } from '#shared/domain/limits.ts'
import { t } from '#shared/domain/message.ts'

type Rule = { id: string; text: string; hint: string }

export function RulesField({ rules, onChange }: { rules: Rule[]; onChange: (rules: Rule[]) => void }) {
  const change = (id: string, changes: Partial<Rule>) =>
    onChange(rules.map((rule) => (rule.id === id ? { ...rule, ...changes } : rule)))
  return (
    <>
      {rules.length === 0 ? null : (
        <ol className="grid gap-4">
          {rules.map(({ id, text, hint }, index) => (
            <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-2 gap-y-2">
              <TextField
                label={t`Rule ${index + 1}`}
                value={text}
                onChange={(value) => change(id, { text: value })}
                maxLength={200}
              />
              <IconButton
                label={t`Remove rule ${index + 1}`}
                onClick={() => onChange(rules.filter((rule) => rule.id !== id))}
              >
                <Trash2 aria-hidden />
              </IconButton>
              <TextField
                label={t`Explanation of rule ${index + 1}`}
                note="optional"
                value={hint}
                onChange={(value) => change(id, { hint: value })}
                maxLength={500}
              />
            </li>
          ))}
        </ol>
      )}
      <Button
        icon={<Plus aria-hidden />}
        disabled={rules.length >= siteRulesMax}
        className="justify-self-start"
        onClick={() => onChange([...rules, { id: newId(rules), text: '', hint: '' }])}
      >
        Add a rule
      </Button>
    </>
  )
}

/** Not a random UUID, which browsers make on https only. */
function newId(rules: readonly Rule[]): string {
  for (let number = rules.length + 1; ; number++)
    if (!rules.some(({ id }) => id === `rule-${number}`)) return `rule-${number}`
}
