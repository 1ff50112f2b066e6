import { changed } from '#client/app/facts.ts'
import { nextPage, type RouterOutputs, showFailure, trpc, type trpcClient } from '#client/app/trpc.ts'
import { showDone, toasts } from '#client/ui/toasts.ts'
import { wordsOf } from './actions.ts'
import type { ReportCategory } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

export type Case = RouterOutputs['moderation']['byId']['case']
export type ListedCase = RouterOutputs['moderation']['list']['cases'][number]
export type CaseState = 'open' | 'appealed' | 'closed'
export type CaseFilter = {
  state: CaseState
  category?: ReportCategory | undefined
  assignee?: number | undefined
}

/** Other moderators decide at the same time. */
const refreshMs = 30_000

export function useCases(filter: CaseFilter) {
  const list = trpc.moderation.list.useInfiniteQuery(
    { ...filter, limit: 50 },
    { ...nextPage, refetchInterval: refreshMs },
  )
  return { ...list, cases: list.data?.pages.flatMap((page) => page.cases) }
}

export type Decision = Omit<Parameters<typeof trpcClient.moderation.decide.mutate>[0], 'id'>

export function useDecide(filter: CaseFilter) {
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.moderation.decide.useMutation()
  const undo = useUndo()
  // Promises: React Query calls the callbacks of `mutate` only for the last of several decisions.
  return async (found: ListedCase, decision: Decision) => {
    const { id } = found
    const key = { ...filter, limit: 50 }
    const before = utils.moderation.list.getInfiniteData(key)
    utils.moderation.list.setInfiniteData(
      key,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, cases: page.cases.filter((one) => one.id !== id) })),
        },
    )
    try {
      const { decisionId, case: decided } = await mutateAsync({ id, ...decision })
      utils.moderation.byId.setData({ id }, { case: decided })
      void changed('case')
      toasts.add({
        tone: 'success',
        title: wordsOf(decision.action, found).done,
        timeoutMs: 10_000,
        action: { label: t`Undo`, onAction: () => undo(decisionId) },
      })
    } catch (error) {
      utils.moderation.list.setInfiniteData(key, before)
      void changed('moderation')
      showFailure(t`Nothing was decided`, error)
    }
  }
}

export function useAssign(id: number) {
  const utils = trpc.useUtils()
  const assign = trpc.moderation.assign.useMutation({
    onSuccess(output) {
      utils.moderation.byId.setData({ id }, output)
      void changed('case')
    },
    onError: (error) => showFailure(t`The case was not assigned`, error),
  })
  return { isPending: assign.isPending, assign: (userId: number | null) => assign.mutate({ id, userId }) }
}

export function useUndo() {
  const utils = trpc.useUtils()
  const undo = trpc.moderation.undo.useMutation({
    onSuccess({ case: undone }) {
      utils.moderation.byId.setData({ id: undone.id }, { case: undone })
      void changed('case')
      showDone(t`Undone: everything is as before`)
    },
    onError: (error) => showFailure(t`The decision was not undone`, error),
  })
  return (id: number) => undo.mutate({ id })
}
