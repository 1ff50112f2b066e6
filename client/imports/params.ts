import { readPage } from '#client/app/params.ts'
import { queryMax } from '#shared/domain/limits.ts'
import {
  type ImportLineState,
  importLineStates,
  type ImportState,
  type ImportTitleState,
  importTitleStates,
} from '#shared/domain/import-states.ts'

const importTabs = ['rehearsal', 'decide', 'titles', 'done'] as const
export type ImportTab = (typeof importTabs)[number]
export const openStates = ['ambiguous', 'notFound', 'conflict'] as const
export type OpenState = (typeof openStates)[number]

export type ImportParams = {
  tab?: ImportTab | undefined
  state?: ImportTitleState | undefined
  lines?: ImportLineState | undefined
  unrated?: 'yes' | undefined
  episodes?: 'unknown' | undefined
  q?: string | undefined
  page?: number | undefined
}

/** For a link or a navigation. */
export const toImport = (id: number, search: ImportParams = {}) =>
  ({ to: '/imports/$importId', params: { importId: String(id) }, search, resetScroll: false }) as const

export function readImportParams(search: Record<string, unknown>): ImportParams {
  const q = ['string', 'number'].includes(typeof search['q']) ? String(search['q']).trim() : ''
  return {
    tab: importTabs.find((tab) => tab === search['tab']),
    state: importTitleStates.find((state) => state === search['state']),
    lines: importLineStates.find((state) => state === search['lines']),
    unrated: search['unrated'] === 'yes' ? 'yes' : undefined,
    episodes: search['episodes'] === 'unknown' ? 'unknown' : undefined,
    q: q === '' ? undefined : q.slice(0, queryMax),
    page: readPage(search['page']),
  }
}

export function firstTab(state: ImportState): ImportTab {
  return ['applying', 'done', 'undoing', 'undone'].includes(state) ? 'done' : 'rehearsal'
}
