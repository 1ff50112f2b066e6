/** Messages that differ by kind are in `media.ts`. */
export * as messages from './texts.ts'
