/** WCAG 2.2, 1.4.3. */
export const accentContrast = 4.5

/** The least contrast of each theme, as in client/styles.css: `raised`. */
const backgrounds = { light: [0.945, 0.011, 85], dark: [0.255, 0.026, 290] } as const
/** As of Medley’s own accent. */
const tones = {
  light: { lightness: 0.53, chroma: 0.13, step: -0.005 },
  dark: { lightness: 0.8, chroma: 0.14, step: 0.005 },
} as const

type Oklch = readonly [lightness: number, chroma: number, hue: number]

/** The most colourful tone of the hue (degrees) that sRGB has, with a contrast of at least `accentContrast`. */
export function accentTones(hue: number): Record<'light' | 'dark', Oklch> {
  return { light: toneOf(hue, 'light'), dark: toneOf(hue, 'dark') }
}

export function accentCss(hue: number): string {
  const { light, dark } = accentTones(hue)
  const css = ([l, c, h]: Oklch) => `oklch(${l.toFixed(3)} ${c.toFixed(3)} ${h})`
  return `light-dark(${css(light)},${css(dark)})`
}

function toneOf(hue: number, theme: 'light' | 'dark'): Oklch {
  const { lightness, chroma, step } = tones[theme]
  for (let l: number = lightness; l > 0 && l < 1; l += step) {
    const tone: Oklch = [round(l), inGamut(round(l), chroma, hue), hue]
    if (contrastOf(tone, backgrounds[theme]) >= accentContrast) return tone
  }
  return theme === 'light' ? [0.2, 0, hue] : [0.95, 0, hue]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

function inGamut(lightness: number, chroma: number, hue: number): number {
  let c = chroma
  while (c > 0 && linearRgb([lightness, c, hue]).some((value) => value < 0 || value > 1)) c = round(c - 0.001)
  return c
}

export function contrastOf(one: Oklch, other: Oklch): number {
  const [low, high] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminanceOf(colour: Oklch): number {
  const [r, g, b] = linearRgb(colour) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** https://bottosson.github.io/posts/oklab/ */
function linearRgb([lightness, chroma, hue]: Oklch): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
