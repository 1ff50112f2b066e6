import { useState } from 'react'
import { readLogChoice, writeLogChoice } from './log-choice.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'

/** The setting that logs each rating in the diary, for this device. `onLogs` is called when it is switched on. */
export function LogSetting({ onLogs }: { onLogs: () => void }) {
  const [isOn, setOn] = useState(() => readLogChoice('log always'))
  return (
    <Checkbox
      label="Always log when I rate"
      hint="On this device, a rating adds the title to your diary as finished today, unless the diary has it."
      checked={isOn}
      onChange={(next) => {
        setOn(next)
        writeLogChoice('log always', next)
        if (next) onLogs()
      }}
    />
  )
}
