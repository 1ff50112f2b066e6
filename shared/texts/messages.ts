/** Messages that differ by kind are in `shared/domain/kinds.ts`. */
export * as messages from './texts.ts'
