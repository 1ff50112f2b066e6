/** The messages of the product, shared by the server and the client; those that differ by kind are in `media.ts`. */
export * as messages from './texts.ts'
