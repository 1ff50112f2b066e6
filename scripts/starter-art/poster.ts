import type { Kind } from '../../shared/media.ts'
import { bookDesigns } from './poster/book.ts'
import { workOf } from './poster/compose.ts'
import type { Design } from './poster/compose.ts'
import { gameDesigns } from './poster/game.ts'
import { movieDesigns } from './poster/movie.ts'
import { newSheet, svgOf } from './poster/sheet.ts'
import type { Sheet } from './poster/sheet.ts'
import { showDesigns } from './poster/show.ts'
import type { StarterTitle } from '../../server/starter/schema.ts'

/** The designs of each kind. A random stream seeded with the title’s kind and slug selects one. */
export const designs: Record<Kind, Design[]> = {
  movie: movieDesigns,
  tvShow: showDesigns,
  book: bookDesigns,
  game: gameDesigns,
}

const compose = (
  title: StarterTitle,
  kind: Kind,
  side: keyof Design,
  size: readonly [number, number],
  design?: number,
): Sheet => {
  const work = workOf(title, kind)
  const sheet = newSheet(...size, work.random.fork(side))
  const list = designs[kind]
  list[design ?? work.random.fork('design').int(0, list.length - 1)]![side](sheet, work)
  return sheet
}

/** Returns the poster as a sheet of 600 by 900 pixels: its art, its texts and their measured contrast. */
export const composePoster = (title: StarterTitle, kind: Kind, design?: number): Sheet =>
  compose(title, kind, 'poster', [600, 900], design)

/** Returns the backdrop as a sheet of 1280 by 720 pixels. It has no text. */
export const composeBackdrop = (title: StarterTitle, kind: Kind, design?: number): Sheet =>
  compose(title, kind, 'backdrop', [1280, 720], design)

/** Returns the poster as SVG, 600 by 900 pixels, text as outlines. The same title always gives the same SVG. */
export const posterSvg = (title: StarterTitle, kind: Kind): string => svgOf(composePoster(title, kind))

/** Returns the backdrop as SVG, 1280 by 720 pixels: the poster's art without text. */
export const backdropSvg = (title: StarterTitle, kind: Kind): string => svgOf(composeBackdrop(title, kind))
