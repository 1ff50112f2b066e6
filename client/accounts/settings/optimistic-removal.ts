type ListUtils<List> = {
  cancel: () => Promise<void>
  getData: () => List | undefined
  setData: (input: undefined, list: List | undefined) => unknown
  invalidate: () => Promise<void>
}

/**
 * Returns the options of a mutation that removes an item of a list by its id: an optimistic update of the cached list, and a
 * rollback if the mutation fails. `without` returns the list without the item.
 */
export function optimisticRemoval<Id, List>(utils: ListUtils<List>, without: (list: List, id: Id) => List) {
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
    onSettled: () => utils.invalidate(),
  }
}
