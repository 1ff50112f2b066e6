/** The texts of the product, word for word; what differs by kind stands in `media.ts`. Both sides use them. */
export * as messages from './texts.ts'
