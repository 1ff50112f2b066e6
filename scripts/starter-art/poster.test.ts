import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../shared/media.ts'
import { kinds } from '../../shared/media.ts'
import { contrast, luminance } from './poster/color.ts'
import { svgOf } from './poster/sheet.ts'
import type { Sheet } from './poster/sheet.ts'
import { backdropSvg, composeBackdrop, composePoster, designs, posterSvg } from './poster.ts'
import { motifs } from '../../server/starter/schema.ts'
import type { Motif, StarterTitle } from '../../server/starter/schema.ts'

const everyKind = Object.keys(kinds) as Kind[]

const palettes: [string, string, string][] = [
  ['#1d3557', '#d1495b', '#f2c14e'],
  ['#f3e3c3', '#e0703c', '#23395b'],
  ['#777777', '#7a8a7a', '#8a7a70'],
  ['#000000', '#000000', '#000000'],
  ['#ffffff', '#ffffff', '#ffffff'],
  ['#ffd500', '#5b2a86', '#a30000'],
  ['#2d6a4f', '#95d5b2', '#3aa0ff'],
]

const sample = (
  name: string,
  more: Partial<StarterTitle> = {},
  motif: Motif = 'sun',
  palette = 0,
): StarterTitle => ({
  slug: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  name,
  tagline: null,
  overview: '',
  releaseDate: '1964-01-29',
  genres: ['Comedy', 'Drama'],
  creators: ['Stanley Kubrick'],
  fame: 50,
  art: { motif, palette: palettes[palette % palettes.length]! },
  ...more,
})

const names = [
  'It',
  'Pi',
  '1917',
  'Solaris',
  'M*A*S*H',
  'Amélie',
  'Å Ęsthétiqüe Öğlē: Čeští Łódź Ñandú',
  'Supercalifragilisticexpialidocious',
  "Baldur's Gate III",
  'The Lord of the Rings: The Fellowship of the Ring',
  'Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb',
  'Сталкер',
]

/** Composes every design of a kind with every name, with varying motifs and palettes. */
const composeAll = (kind: Kind) =>
  designs[kind].flatMap((_, design) =>
    names.map((name, i) => {
      const at = design * names.length + i
      const title = sample(name, {}, motifs[(at * 5) % motifs.length], at)
      return { design, title, sheet: composePoster(title, kind, design) }
    }),
  )
const composed = Object.fromEntries(everyKind.map((kind) => [kind, composeAll(kind)])) as Record<
  Kind,
  ReturnType<typeof composeAll>
>

/** Renders a sheet at a quarter of its size, which takes a sixteenth of the time. Returns its full width and height. */
async function renderedSize(svg: string): Promise<number[]> {
  const { info } = await sharp(Buffer.from(svg), { density: 72 / 4 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [info.width * 4, info.height * 4]
}

/** Share of the title’s pixels whose contrast with the art behind them is below 4.5. */
const shareOfIllegiblePixels = async (sheet: Sheet) => {
  const title = sheet.texts.find((text) => text.role === 'title')!
  const art = await sharp(Buffer.from(svgOf(sheet, false)))
    .removeAlpha()
    .raw()
    .toBuffer()
  const alone = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"><path fill="#fff" d="${title.d}"/></svg>`
  const mask = await sharp(Buffer.from(alone)).extractChannel(3).raw().toBuffer()
  const counts = new Map<number, number>()
  for (let i = 0; i < mask.length; i++) {
    if (mask[i]! < 128) continue
    const behind = art.readUIntBE(i * 3, 3)
    counts.set(behind, (counts.get(behind) ?? 0) + 1)
  }
  let all = 0
  let bad = 0
  for (const [behind, count] of counts) {
    all += count
    if (contrast(title.fill, `#${behind.toString(16).padStart(6, '0')}`) < 4.5) bad += count
  }
  return bad / all
}

/** Lists faults in the placement of texts: outlines outside the margin of the sheet, and overlapping boxes. */
const placementFaults = ({ texts }: Sheet): string[] => {
  const faults = texts.flatMap(({ d, role }) => {
    const points = [...d.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(
      ([, x, y]) => [Number(x), Number(y)] as const,
    )
    const inside = points.every(([x, y]) => x >= 10 && x <= 590 && y >= 10 && y <= 890)
    return inside && points.length && !/NaN|Infinity|undefined/.test(d)
      ? []
      : [`${role} is outside the sheet`]
  })
  for (const [i, { bounds: a }] of texts.entries()) {
    for (const { bounds: b } of texts.slice(i + 1)) {
      if (a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
        faults.push('texts overlap')
    }
  }
  const titles = texts.filter((text) => text.role === 'title').length
  return titles === 1 ? faults : [...faults, `${titles} titles`]
}

/** Returns tags that are not closed, or closed in the wrong order. */
const unbalanced = (svg: string): string[] => {
  const open: string[] = []
  for (const [, closing, tag, single] of svg.matchAll(/<(\/?)([a-zA-Z]+)[^<>]*?(\/?)>/g)) {
    if (!closing && !single) open.push(tag!)
    else if (closing && open.pop() !== tag) return [tag!]
  }
  return open
}

describe('posterSvg', () => {
  it('draws the same title the same way, and other slugs or kinds differently', () => {
    const title = sample('Solaris')
    expect(posterSvg(title, 'movie')).toBe(posterSvg(structuredClone(title), 'movie'))
    expect(backdropSvg(title, 'movie')).toBe(backdropSvg(structuredClone(title), 'movie'))
    expect(posterSvg(title, 'movie')).not.toBe(posterSvg(title, 'book'))
    expect(posterSvg(title, 'movie')).not.toBe(posterSvg({ ...title, slug: 'solaris-1972' }, 'movie'))
  })

  it.each(everyKind)('renders every motif for the kind %s at 600 by 900', async (kind) => {
    for (const [i, motif] of motifs.entries()) {
      const svg = svgOf(composePoster(sample(`The ${motif}`, {}, motif, i), kind, i % designs[kind].length))
      expect(await renderedSize(svg)).toEqual([600, 900])
    }
  })

  it.each(everyKind)('keeps all texts of the kind %s inside the sheet, without overlaps', (kind) => {
    const faults = composed[kind].flatMap(({ design, title, sheet }) =>
      placementFaults(sheet).map((fault) => `${design}: ${title.name}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  it.each(everyKind)('keeps titles of the kind %s legible on their background', async (kind) => {
    const faults: string[] = []
    for (const [i, { design, title, sheet }] of composed[kind].entries()) {
      const declaredContrast = Math.min(...sheet.texts.map((text) => text.ratio))
      const illegibleShare = i % 5 === 0 ? await shareOfIllegiblePixels(sheet) : 0
      if (declaredContrast < 4.5 || illegibleShare > 0.02)
        faults.push(`${design}: ${title.name}: ${title.art.motif} ${declaredContrast} ${illegibleShare}`)
    }
    expect(faults).toEqual([])
  })

  it('is well-formed XML for hostile names', async () => {
    const hostile = [
      '<script>&"',
      `]]>'"&amp;<!--`,
      '</svg>',
      '\u0000\u001f',
      '&&&&',
      '   ',
      '千と千尋の神隠し',
      '🙂',
    ]
    for (const kind of everyKind) {
      for (const name of hostile) {
        const svg = posterSvg({ ...sample(name), slug: '<&">', creators: [name, name], genres: [name] }, kind)
        expect(svg).not.toMatch(/<script|<text|&(?!#?\w+;)|NaN|undefined/)
        expect(unbalanced(svg)).toEqual([])
        // librsvg has a strict XML parser.
        await sharp(Buffer.from(svg)).metadata()
      }
    }
  })

  it('names the year, and as many creators as fit', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => `Maximiliane Featherstonehaugh ${i}`)
    for (const kind of everyKind) {
      for (let design = 0; design < designs[kind].length; design++) {
        const of = (creators: string[]) =>
          composePoster(sample('Solaris', { creators }), kind, design).texts.length
        expect(of(crowd)).toBe(of(['A B']))
        expect(of([])).toBe(of(['A B']) - 1)
      }
    }
  })
})

describe('backdropSvg', () => {
  it.each(everyKind)('renders every design of the kind %s at 1280 by 720, without text', async (kind) => {
    for (let design = 0; design < designs[kind].length; design++) {
      for (const motif of ['moon', 'key', 'maze', 'cards'] as const) {
        const sheet = composeBackdrop(sample('Solaris', {}, motif, design), kind, design)
        expect(sheet.texts).toEqual([])
        expect(await renderedSize(svgOf(sheet))).toEqual([1280, 720])
      }
    }
  })

  it('does not consist of a single colour', async () => {
    for (const kind of everyKind) {
      const { data } = await sharp(Buffer.from(backdropSvg(sample('Solaris'), kind)))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const light = Array.from({ length: 400 }, (_, i) => {
        const at = i * 2301 * 3
        return luminance('#' + data.subarray(at, at + 3).toString('hex'))
      })
      expect(Math.max(...light) - Math.min(...light)).toBeGreaterThan(0.04)
    }
  })
})
