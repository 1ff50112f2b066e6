import { cloth as clothBoard, panorama, paper, plank, sign, veil } from './backdrop.ts'
import { boards, cloth, label } from './book-bound.ts'
import { jacket, letters, name, series } from './book-jacket.ts'
import type { Design } from './compose.ts'

export const bookDesigns: Design[] = [
  { poster: label, backdrop: paper },
  { poster: series, backdrop: panorama },
  { poster: cloth, backdrop: clothBoard },
  { poster: name, backdrop: sign },
  { poster: jacket, backdrop: panorama },
  { poster: letters, backdrop: veil },
  { poster: boards, backdrop: plank },
]
