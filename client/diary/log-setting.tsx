import { useState } from 'react'
import { useLogChoice, writeLogChoice } from './log-choice.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'

export function LogSetting({ onLogs }: { onLogs: () => void }) {
  const stored = useLogChoice('log always')
  const [chosen, setOn] = useState<boolean>()
  return (
    <Checkbox
      label="Always log when I rate"
      hint="On this device, a rating adds the title to your diary as finished today, unless the diary has it."
      checked={chosen ?? stored}
      onChange={(next) => {
        setOn(next)
        writeLogChoice('log always', next)
        if (next) onLogs()
      }}
    />
  )
}
