import { createContext, type ReactNode } from 'react'
import type { RatedPart } from '#client/titles/rated-part.ts'

/** Shows the ratings of a part, with stars that members can press. The route gives it, since ratings are another feature. */
export const PartRating = createContext<(rated: RatedPart) => ReactNode>(() => null)
