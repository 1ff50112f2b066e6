import type { Face } from './type.ts'

export const wide: Face[] = ['wide', 'grotesk', 'condensed']
