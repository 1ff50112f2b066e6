import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { changed } from '#client/app/facts.ts'
import { refreshUser } from '#client/app/user.ts'
import { retryOnce, type RouterOutputs, showFailure, trpc } from '#client/app/trpc.ts'
import { type ImportDetail } from '#shared/contracts/imports.ts'
import { suggestionsLimit } from '#shared/domain/limits.ts'
import { type Kind, kindOfCategory, kinds } from '#shared/domain/kinds.ts'
import type { ImportParams, OpenState } from './params.ts'
import { uploadImport } from './upload.ts'
import { type ImportState, workingStates } from '#shared/domain/import-states.ts'

export type ImportSummary = RouterOutputs['imports']['list']['imports'][number]
export type ImportTitle = RouterOutputs['imports']['titles']['titles'][number]
export type ImportLine = RouterOutputs['imports']['lines']['lines'][number]

const pollMs = 2_000
const pollWaitingMs = 15_000
const pageSize = 24
const questionsMax = 20

export const isWorking = (state: ImportState) => (workingStates as readonly ImportState[]).includes(state)

function pollInterval(states: readonly ImportState[]): number | false {
  if (states.some((state) => isWorking(state) && state !== 'waiting')) return pollMs
  return states.includes('waiting') ? pollWaitingMs : false
}

export function useImports() {
  const imports = trpc.imports.list.useQuery(undefined, {
    refetchInterval: ({ state }) => pollInterval(state.data?.imports.map((one) => one.state) ?? []),
  })
  const changing = imports.data?.imports.some(({ state }) => isChanging(state)) ?? false
  useEnd(changing, showImported)
  return imports
}

/** Polled while the server works on it; afterwards, everything that it may have changed is refetched. */
export function useImport(id: number) {
  const one = trpc.imports.byId.useQuery(
    { id },
    { refetchInterval: ({ state }) => pollInterval(state.data ? [state.data.import.state] : []) },
  )
  const state = one.data?.import.state
  useEnd(state !== undefined && isChanging(state), showImported)
  useEnd(state !== undefined && isWorking(state), () => {
    void changed('import', id)
  })
  return one
}

/** An import may have turned half stars on, and its undo off. */
function showImported(): void {
  void changed('imported')
  void refreshUser().catch(() => {})
}

const isChanging = (state: ImportState) => state === 'applying' || state === 'undoing'

function useEnd(isOn: boolean, onEnd: () => void): void {
  const was = useRef(isOn)
  const latest = useRef(onEnd)
  useEffect(() => {
    latest.current = onEnd
  })
  useEffect(() => {
    if (was.current && !isOn) latest.current()
    was.current = isOn
  }, [isOn])
}

export function useUpload() {
  const utils = trpc.useUtils()
  return useMutation({
    mutationFn: ({ file, ...options }: { file: File } & Parameters<typeof uploadImport>[1]) =>
      uploadImport(file, options),
    onSuccess(uploaded) {
      utils.imports.byId.setData({ id: uploaded.id }, { import: uploaded })
      void changed('import', uploaded.id)
    },
  })
}

export function useAction(action: 'start' | 'stop' | 'resume' | 'undo' | 'again') {
  const utils = trpc.useUtils()
  return trpc.imports[action].useMutation({
    ...retryOnce,
    onSuccess: (output) => shown(utils, output.import),
  })
}

/** Shows the options at once; a failure brings the former ones back. */
export function useUpdateImport() {
  const utils = trpc.useUtils()
  return trpc.imports.update.useMutation({
    ...retryOnce,
    async onMutate({ id, ...sent }) {
      await utils.imports.byId.cancel({ id })
      const before = utils.imports.byId.getData({ id })
      if (before)
        utils.imports.byId.setData(
          { id },
          {
            import: {
              ...before.import,
              options: { ...before.import.options, ...sent } as ImportDetail['options'],
            },
          },
        )
      return { before }
    },
    onError: (_error, { id }, context) => utils.imports.byId.setData({ id }, context?.before),
    onSuccess: (output) => shown(utils, output.import),
  })
}

type Utils = ReturnType<typeof trpc.useUtils>

function shown(utils: Utils, after: ImportDetail): void {
  utils.imports.byId.setData({ id: after.id }, { import: after })
  void changed('import', after.id)
}

export function useRemoveImport() {
  const utils = trpc.useUtils()
  return trpc.imports.remove.useMutation({
    ...retryOnce,
    onSuccess: (_output, { id }) => {
      utils.imports.list.setData(undefined, (before) =>
        before ? { imports: before.imports.filter((one) => one.id !== id) } : before,
      )
      void changed('import', id)
    },
  })
}

export function useTitles(id: number, { state, unrated, episodes, q, page }: ImportParams) {
  return trpc.imports.titles.useQuery(
    {
      id,
      state,
      q,
      page: page ?? 1,
      limit: pageSize,
      ...(unrated && { isTextWithoutRating: true }),
      ...(episodes && { hasUnknownEpisodes: true }),
    },
    { placeholderData: (before) => before },
  )
}

export function useLines(id: number, { lines, page }: ImportParams) {
  return trpc.imports.lines.useQuery(
    { id, state: lines, page: page ?? 1, limit: pageSize },
    { enabled: lines !== undefined, placeholderData: (before) => before },
  )
}

export function questionsInput(id: number, state: OpenState) {
  return { id, state, isDecided: false, page: 1, limit: questionsMax }
}

/** Also returns the number of all undecided titles. */
export function useQuestions(id: number, state: OpenState) {
  return trpc.imports.titles.useQuery(questionsInput(id, state), { staleTime: Infinity })
}

export function useDecide() {
  return trpc.imports.decide.useMutation(retryOnce)
}

export function useDecideAll() {
  const utils = trpc.useUtils()
  return trpc.imports.decideAll.useMutation({
    ...retryOnce,
    onSuccess(output) {
      shown(utils, output.import)
      if (output.import.state === 'done') showImported()
    },
  })
}

/** Once the import is done, decisions change the member’s data. */
export function useAfterDecisions(id: number) {
  return (state: ImportState) => {
    void changed('importDecision', id)
    if (state === 'done') showImported()
  }
}

export function useUndoPreview(id: number, enabled: boolean) {
  return trpc.imports.previewUndo.useQuery({ id }, { enabled, staleTime: 0 })
}

export function useTitleSearch(q: string, kind: Kind) {
  const options = { enabled: q !== '', placeholderData: <Data>(before: Data) => before }
  const search = { q, limit: suggestionsLimit }
  const ofKind = trpc.items.search.useQuery({ ...search, category: kinds[kind].words.category }, options)
  const all = trpc.items.search.useQuery(search, options)
  const first = ofKind.data?.results ?? []
  const others = (all.data?.results ?? []).filter(({ id }) => !first.some((title) => title.id === id))
  return {
    results: [...first, ...others].slice(0, suggestionsLimit).map(({ category, releaseYear, ...title }) => ({
      ...title,
      kind: kindOfCategory(category)!,
      year: releaseYear,
    })),
    isFetching: ofKind.isFetching || all.isFetching,
    error: ofKind.error ?? all.error,
    refetch: () => Promise.all([ofKind.refetch(), all.refetch()]),
  }
}

export const failed = (title: string) => ({
  onError: (error: unknown) => showFailure(title, error),
})
