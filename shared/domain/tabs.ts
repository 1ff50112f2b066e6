import type { Tab } from './kinds.ts'
import { t } from './message.ts'

export const tabs = {
  screen: {
    label: t`Movies & TV`,
    empty: (q: string) => t`No results for “${q}”. Try another title.`,
    logInToAdd: t`Please log in to add media.`,
    addedWithoutId: t`Added, but could not read local id.`,
    noPicks: t`No movie or TV picks yet`,
  },
  books: {
    label: t`Books`,
    empty: (q: string) => t`No books found for “${q}”.`,
    logInToAdd: t`Please log in to add books.`,
    addedWithoutId: t`Added, but could not read local book id.`,
    noPicks: t`No book picks yet`,
  },
  games: {
    label: t`Games`,
    empty: (q: string) => t`No games found for “${q}”.`,
    logInToAdd: t`Please log in to add games.`,
    addedWithoutId: t`Added, but could not read local game id.`,
    noPicks: t`No game picks yet`,
  },
} satisfies Record<Tab, object>
