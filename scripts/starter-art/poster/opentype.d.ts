/** The part of opentype.js that is used here. The package has no types. */
declare module 'opentype.js/dist/opentype.mjs' {
  export type Command = {
    type: 'M' | 'L' | 'C' | 'Q' | 'Z'
    x: number
    y: number
    x1: number
    y1: number
    x2: number
    y2: number
  }
  export type Glyph = { index: number; advanceWidth?: number; path: { commands: Command[] } }
  export type Font = {
    unitsPerEm: number
    tables: { os2: { sCapHeight: number; sxHeight: number } }
    charToGlyph: (char: string) => Glyph
    getKerningValue: (left: Glyph, right: Glyph) => number
  }
  export const parse: (file: ArrayBuffer) => Font
}
