import { Contrast, Moon, Sun } from 'lucide-react'
import { IconButton } from './button.tsx'
import { setTheme, type Theme, usePrefersDark, useTheme } from './theme.ts'
import { t } from '#shared/domain/message.ts'

const names = { system: t`system`, light: t`light`, dark: t`dark` }
const icons = { system: Contrast, light: Sun, dark: Moon }

/** The first step changes the visible theme. */
export function ThemeToggle() {
  const theme = useTheme()
  const dark = usePrefersDark()
  const round: Theme[] = ['system', dark ? 'light' : 'dark', dark ? 'dark' : 'light']
  const next = round[(round.indexOf(theme) + 1) % 3] ?? 'system'
  const Icon = icons[theme]
  return (
    <IconButton label={t`Theme: ${names[theme]}. Change to ${names[next]}`} onClick={() => setTheme(next)}>
      <Icon aria-hidden />
    </IconButton>
  )
}
