import { buffer } from 'node:stream/consumers'
import sharp, { type OverlayOptions } from 'sharp'
import { type Kind, kindMetadata } from '#shared/domain/kinds.ts'
import { escaped } from '#server/text/escape.ts'
import { type ChildLimits, watchLimits } from '#server/process/limited-child.ts'
import { truncate } from '#shared/texts/truncate.ts'
import type { Card } from './card.ts'
import { layouts, type PosterPlace, posterHeight, type TextPlace } from './layout.ts'
import { type ShareShape, shareShapes } from '#shared/domain/share.ts'

/** `pictures` are files as base64, by URL. */
export type Drawing = {
  card: Card
  shape: ShareShape
  siteName: string
  pictures: Record<string, string>
}

const paper = '#0f0e17'
const raised = '#22212f'
const ink = '#f6f2ea'
const muted = '#afaeba'
const star = '#fcbd28'
const starOff = '#474556'

const fonts = { display: 'Bricolage Grotesque 96pt ExtraBold', text: 'Instrument Sans' }
const edge = 48

type Drawn = OverlayOptions & { width: number; height: number }

/** As JPEG. In a process of its own, because its libraries keep the memory that they take. */
async function draw({ card, shape, siteName, pictures }: Drawing): Promise<Buffer> {
  const { width, height } = shareShapes[shape]
  const layout = layouts[card.look][shape]
  const isMosaic = card.look === 'years'
  const fileOf = (url: string | null) => {
    const file = url === null ? undefined : pictures[url]
    return file === undefined ? undefined : Buffer.from(file, 'base64')
  }
  const places = layout.posters(card.posters.length)
  const posters = await Promise.all(
    places.map((place, at) => {
      const shown = card.posters[at % card.posters.length]!
      return drawPoster(shown, fileOf(shown.image), place, !isMosaic)
    }),
  )
  const ground = await drawGround(
    card,
    fileOf(card.backdrop ?? card.posters[0]?.image ?? null),
    width,
    height,
  )
  const texts = await drawTexts(card, layout.text)
  const shading = shade(width, height, card)
  const site = await drawText(siteName, {
    font: 'text',
    size: 26,
    color: muted,
    width: width - 2 * edge,
    height: 40,
  })
  return sharp(ground)
    .composite([
      ...(isMosaic ? [] : [shading]),
      // The middle of a fan is on top.
      ...inDrawingOrder(posters, places),
      ...(isMosaic ? [shading] : []),
      ...texts,
      ...(site
        ? [
            {
              ...site,
              left:
                layout.text.align === 'center'
                  ? Math.round((width - site.width) / 2)
                  : width - site.width - edge,
              top: height - site.height - (shape === 'tall' ? 2 * edge : 34),
            },
          ]
        : []),
    ])
    .jpeg({ quality: 86 })
    .toBuffer()
}

function inDrawingOrder(posters: Drawn[], places: PosterPlace[]): Drawn[] {
  const hasAngles = places.some(({ angle }) => angle !== 0)
  if (!hasAngles) return posters
  return posters
    .map((poster, at) => ({ poster, angle: places[at]!.angle }))
    .sort((a, b) => Math.abs(b.angle) - Math.abs(a.angle) || b.angle - a.angle)
    .map(({ poster }) => poster)
}

async function drawGround(
  card: Card,
  file: Buffer | undefined,
  width: number,
  height: number,
): Promise<Buffer> {
  const plain = { create: { width, height, channels: 3, background: paper } } as const
  if (file === undefined || card.look === 'years') return sharp(plain).png().toBuffer()
  // Blurring it small takes a fraction of the time.
  const small = await sharp(file)
    .resize({ width: Math.round(width / 8), height: Math.round(height / 8), fit: 'cover' })
    .blur(card.backdrop === null ? 8 : 2.5)
    .toBuffer()
  return sharp(small).resize({ width, height, fit: 'fill' }).removeAlpha().png().toBuffer()
}

/** So that texts have contrast; denser where they are. */
function shade(width: number, height: number, { look, kind }: Card): OverlayOptions {
  const hue = kind === null ? star : kindMetadata[kind].color
  const stops =
    look === 'years'
      ? '<stop offset="0" stop-opacity=".35"/><stop offset=".45" stop-opacity=".72"/><stop offset="1" stop-opacity=".97"/>'
      : '<stop offset="0" stop-opacity=".68"/><stop offset=".6" stop-opacity=".86"/><stop offset="1" stop-opacity=".94"/>'
  return svg(
    width,
    height,
    `<defs><linearGradient id="a" x1="0" y1="0" x2="${look === 'years' ? 0 : 0.6}" y2="1">${stops.replaceAll('<stop', `<stop stop-color="${paper}"`)}</linearGradient></defs>` +
      `<rect width="100%" height="100%" fill="url(#a)"/><rect width="100%" height="6" fill="${hue}"/>`,
  )
}

/** Draws a poster with round corners, turned by its angle; without a file, the title on a plain ground. */
async function drawPoster(
  { name, kind }: Card['posters'][number],
  file: Buffer | undefined,
  { x, y, width, angle }: PosterPlace,
  isRounded: boolean,
): Promise<Drawn> {
  const height = posterHeight(width)
  const art =
    file === undefined
      ? await drawTitle(name, kind, width, height)
      : await sharp(file).resize({ width, height, fit: 'cover' }).ensureAlpha().png().toBuffer()
  const radius = isRounded ? Math.round(width * 0.05) : 0
  const frame = `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${radius}"`
  const framed = await sharp(art)
    .composite([
      { ...svg(width, height, `${frame} fill="#fff"/>`), blend: 'dest-in' },
      ...(isRounded
        ? [svg(width, height, `${frame} fill="none" stroke="${ink}" stroke-opacity=".22"/>`)]
        : []),
    ])
    .png()
    .toBuffer()
  const { data, info } = await sharp(framed)
    .rotate(angle, { background: '#0000' })
    .png()
    .toBuffer({ resolveWithObject: true })
  return {
    input: data,
    left: Math.round(x - info.width / 2),
    top: Math.round(y - info.height / 2),
    width: info.width,
    height: info.height,
  }
}

async function drawTitle(name: string, kind: Kind, width: number, height: number): Promise<Buffer> {
  const inset = Math.round(width * 0.09)
  const text = await drawText(name, {
    font: 'display',
    size: Math.round(width * 0.13),
    color: ink,
    width: width - 2 * inset,
    height: height - 3 * inset,
  })
  return sharp({ create: { width, height, channels: 4, background: raised } })
    .composite([
      svg(
        width,
        height,
        `<rect width="100%" height="${Math.ceil(width / 40)}" fill="${kindMetadata[kind].color}"/>`,
      ),
      ...(text ? [{ ...text, left: inset, top: 2 * inset }] : []),
    ])
    .png()
    .toBuffer()
}

async function drawTexts(card: Card, place: TextPlace): Promise<OverlayOptions[]> {
  const { width, height, heading, body, align } = place
  const starSize = Math.round(body * 1.25)
  const blocks: { drawn: Drawn | undefined; gap: number }[] = [
    {
      drawn: await drawText(card.eyebrow, {
        font: 'text',
        size: Math.round(body * 0.9),
        color: muted,
        width,
        height: body * 1.6,
      }),
      gap: body * 0.45,
    },
    {
      drawn: await drawText(card.heading, {
        font: 'display',
        size: heading,
        color: ink,
        width,
        align,
        height: Math.min(height * 0.5, card.look === 'years' ? heading * 1.2 : heading * 3.2),
      }),
      gap: body * 0.8,
    },
    { drawn: card.stars === undefined ? undefined : drawStars(card.stars, starSize), gap: body * 0.9 },
    {
      drawn: await drawText(card.text, {
        font: card.look === 'reviews' ? 'display' : 'text',
        size: body,
        color: card.look === 'reviews' ? ink : muted,
        width,
        align,
        height: card.look === 'reviews' ? height * 0.4 : body * 3,
      }),
      gap: 0,
    },
  ]
  const shown = blocks.flatMap(({ drawn, gap }) => (drawn ? [{ drawn, gap: Math.round(gap) }] : []))
  const used = shown.reduce(
    (sum, { drawn, gap }, at) => sum + drawn.height + (at < shown.length - 1 ? gap : 0),
    0,
  )
  let top = place.top + Math.max(0, Math.round((height - used) * place.above))
  return shown.map(({ drawn, gap }) => {
    const left = place.left + (align === 'center' ? Math.round((width - drawn.width) / 2) : 0)
    const placed = { ...drawn, left, top }
    top += drawn.height + gap
    return placed
  })
}

function drawStars(filled: number, size: number): Drawn {
  const point = (index: number) => {
    const [radius, angle] = [index % 2 === 0 ? 0.5 : 0.22, (index * Math.PI) / 5 - Math.PI / 2]
    return `${(size * (0.5 + radius * Math.cos(angle))).toFixed(1)},${(size * (0.52 + radius * Math.sin(angle))).toFixed(1)}`
  }
  const points = Array.from({ length: 10 }, (_, index) => point(index)).join(' ')
  const pitch = Math.round(size * 1.15)
  const shape = (at: number, color: string, more = '') =>
    `<polygon points="${points}" transform="translate(${at * pitch})" fill="${color}" stroke="${color}" stroke-width="${size * 0.06}" stroke-linejoin="round"${more}/>`
  const shapes = [0, 1, 2, 3, 4].map((at) => shape(at, at + 1 <= filled ? star : starOff))
  if (!Number.isInteger(filled))
    shapes.push(
      `<clipPath id="half"><rect x="${-size}" y="${-size}" width="${size * 1.5}" height="${size * 3}"/></clipPath>`,
      shape(Math.floor(filled), star, ' clip-path="url(#half)"'),
    )
  return svg(4 * pitch + size, size, shapes.join(''))
}

/**
 * Smaller if it does not fit into the box, and truncated if it does not fit at 60 % of its size. Undefined for a blank text. Draws at most
 * nine times.
 */
async function drawText(
  given: string,
  {
    font,
    size,
    color,
    width,
    height,
    align = 'left',
  }: {
    font: keyof typeof fonts
    size: number
    color: string
    width: number
    height: number
    align?: 'left' | 'center'
  },
): Promise<Drawn | undefined> {
  let text = given
  for (const scale of [1, 0.85, 0.72, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6]) {
    if (text === '') return undefined
    const pixels = Math.round(size * scale)
    const spacing = font === 'display' ? -Math.round(pixels * 0.02 * 1_024) : 0
    const { data, info } = await sharp({
      text: {
        text: `<span foreground="${color}" letter_spacing="${spacing}" line_height="${font === 'display' ? 0.98 : 1.15}">${escaped(text)}</span>`,
        font: `${fonts[font]} ${pixels}`,
        // In this resolution, points are pixels.
        dpi: 72,
        width: Math.round(width),
        align: align === 'center' ? 'centre' : 'left',
        wrap: 'word-char',
        rgba: true,
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true })
    if (info.height <= height && info.width <= width)
      return { input: data, width: info.width, height: info.height }
    if (scale === 0.6)
      text = truncate(text, Math.max(2, Math.floor(text.length * Math.min(0.9, height / info.height))))
  }
  return undefined
}

function svg(width: number, height: number, content: string): Drawn {
  return {
    input: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`,
    ),
    width,
    height,
    left: 0,
    top: 0,
  }
}

if (import.meta.main) {
  watchLimits(JSON.parse(process.argv[2]!) as ChildLimits)
  sharp.cache(false)
  sharp.concurrency(1)
  const drawing = JSON.parse((await buffer(process.stdin)).toString()) as Drawing
  process.stdout.write(await draw(drawing))
}
