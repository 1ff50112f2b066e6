/** Returns the input of a query, which tRPC keeps in the second part of its key. */
export function queryInput(queryKey: readonly unknown[] | undefined): object | undefined {
  return (queryKey?.[1] as { input?: object } | undefined)?.input
}

/** Returns the procedure of a query or mutation (`reviews.list`), which tRPC keeps in the first part of its key. */
export function procedurePath(key: readonly unknown[] | undefined): string | undefined {
  return (key?.[0] as string[] | undefined)?.join('.')
}
