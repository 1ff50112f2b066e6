import { changed, type Fact } from '#client/app/facts.ts'

type ListUtils<List> = {
  cancel: () => Promise<void>
  getData: () => List | undefined
  setData: (input: undefined, list: List | undefined) => unknown
}

/** An optimistic update of the cached list, with a rollback. */
export function optimisticRemoval<Id, List>(
  fact: Fact,
  utils: ListUtils<List>,
  without: (list: List, id: Id) => List,
) {
  return {
    async onMutate({ id }: { id: Id }) {
      await utils.cancel()
      const before = utils.getData()
      if (before !== undefined) utils.setData(undefined, without(before, id))
      return { before }
    },
    onError: (_error: unknown, _input: unknown, context: { before: List | undefined } | undefined) => {
      utils.setData(undefined, context?.before)
    },
    onSettled: () => changed(fact),
  }
}
