import type { Shape } from './path.ts'
import type { Random } from './random.ts'

/** The colour of a part. `shade` is the dark side of the main colour, `ground` the background of the emblem. */
export type Role = 'main' | 'shade' | 'second' | 'pop' | 'ground'
export type Part = readonly [Role, ...Shape[]]

/** A figure drawn in the square from -100 to 100, its parts from back to front. */
export type Emblem = (random: Random) => Part[]
