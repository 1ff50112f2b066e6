import { credits } from './compose.ts'
import type { Work } from './compose.ts'
import { gradient, rect } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import type { Face } from './type.ts'

export const roman: Face[] = ['serifBold', 'soft']

export const display: Face[] = ['soft', 'softText', 'serifBold']

/** The fold along the spine and the light on the boards. */
export const binding = (sheet: Sheet) => {
  const fill = gradient(
    sheet,
    [
      [0, '#000000', 0.2],
      [0.3, '#000000', 0.02],
      [0.42, '#000000', 0.16],
      [0.52, '#ffffff', 0.12],
      [1, '#ffffff', 0],
    ],
    [0, 0, 46, 0],
  )
  sheet.art.push(rect(0, 0, 46, 900, fill))
}

export const author = (work: Work) => credits(work, ' & ')
