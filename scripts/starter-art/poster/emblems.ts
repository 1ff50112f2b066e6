import type { Motif } from '../../../server/starter/schema.ts'
import type { Emblem, Part } from './emblem.ts'
import { form } from './emblems-form.ts'
import { land } from './emblems-land.ts'
import { life } from './emblems-life.ts'
import { made } from './emblems-made.ts'
import { sky } from './emblems-sky.ts'
import type { Random } from './random.ts'

/** The figures of every motif, at least three each. */
export const emblems: Record<Motif, Emblem[]> = { ...sky, ...land, ...form, ...life, ...made }

/** Returns a figure of the motif, chosen and varied by the random stream. */
export const emblemOf = (motif: Motif, random: Random): Part[] => random.pick(emblems[motif])(random)
