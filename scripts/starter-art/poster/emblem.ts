import type { Shape } from './path.ts'
import type { Random } from './random.ts'

/** Which colour a part takes; `shade` is the main colour's dark side, `ground` what lies behind the emblem. */
export type Role = 'main' | 'shade' | 'second' | 'pop' | 'ground'
export type Part = readonly [Role, ...Shape[]]

/** A figure drawn in the square from -100 to 100, its parts from back to front. */
export type Emblem = (random: Random) => Part[]
