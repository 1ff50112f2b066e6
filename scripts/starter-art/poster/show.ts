import { arcs, nest, panorama, sign, slant, strata, strips, veil, windows } from './backdrop.ts'
import type { Design } from './compose.ts'
import { bands, bows, refrain, slices } from './show-bands.ts'
import { card, panes, screen, tiles, tunnel } from './show-frames.ts'

export const showDesigns: Design[] = [
  { poster: bands, backdrop: strata },
  { poster: refrain, backdrop: sign },
  { poster: bows, backdrop: arcs },
  { poster: screen, backdrop: panorama },
  { poster: tiles, backdrop: slant },
  { poster: slices, backdrop: strips },
  { poster: tunnel, backdrop: nest },
  { poster: card, backdrop: veil },
  { poster: panes, backdrop: windows },
]
