import { expect, test } from 'vitest'
import { accentContrast, accentTones, contrastOf } from './accent.ts'

test('the accent of every hue can be read on every background of both themes', () => {
  // client/styles.css: bg, surface, raised.
  const backgrounds = {
    light: [
      [0.975, 0.008, 85],
      [0.995, 0.004, 85],
      [0.945, 0.011, 85],
    ],
    dark: [
      [0.168, 0.02, 290],
      [0.21, 0.024, 290],
      [0.255, 0.026, 290],
    ],
  } as const
  for (let hue = 0; hue < 360; hue++)
    for (const theme of ['light', 'dark'] as const)
      for (const background of backgrounds[theme])
        expect(contrastOf(accentTones(hue)[theme], background), `${hue} ${theme}`).toBeGreaterThanOrEqual(
          accentContrast,
        )
})

test('black on white has the contrast of WCAG', () => {
  expect(contrastOf([0, 0, 0], [1, 0, 0])).toBeCloseTo(21, 1)
})
