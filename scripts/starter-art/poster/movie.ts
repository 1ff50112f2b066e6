import { halved, panorama, pieces, ranks, sign, slant, veil } from './backdrop.ts'
import type { Design } from './compose.ts'
import { cut, edge, halves, monument, rows } from './movie-figure.ts'
import { pillar, slab, swiss, world } from './movie-page.ts'

export const movieDesigns: Design[] = [
  { poster: monument, backdrop: sign },
  { poster: halves, backdrop: slant },
  { poster: world, backdrop: panorama },
  { poster: slab, backdrop: veil },
  { poster: swiss, backdrop: halved },
  { poster: rows, backdrop: ranks },
  { poster: cut, backdrop: pieces },
  { poster: pillar, backdrop: halved },
  { poster: edge, backdrop: sign },
]
