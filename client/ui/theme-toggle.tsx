import { Contrast, Moon, Sun } from 'lucide-react'
import { IconButton } from './button.tsx'
import { setTheme, type Theme, usePrefersDark, useTheme } from './theme.ts'

const icons = { system: Contrast, light: Sun, dark: Moon }

/** The first step changes the visible theme. */
export function ThemeToggle() {
  const theme = useTheme()
  const dark = usePrefersDark()
  const round: Theme[] = ['system', dark ? 'light' : 'dark', dark ? 'dark' : 'light']
  const next = round[(round.indexOf(theme) + 1) % 3] ?? 'system'
  const Icon = icons[theme]
  return (
    <IconButton label={`Theme: ${theme}. Change to ${next}`} onClick={() => setTheme(next)}>
      <Icon aria-hidden />
    </IconButton>
  )
}
