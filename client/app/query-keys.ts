/** tRPC keeps the input in the second part of the key. */
export function queryInput(queryKey: readonly unknown[] | undefined): object | undefined {
  return (queryKey?.[1] as { input?: object } | undefined)?.input
}

/** tRPC keeps the path (`reviews.list`) in the first part of the key. */
export function procedurePath(key: readonly unknown[] | undefined): string | undefined {
  return (key?.[0] as string[] | undefined)?.join('.')
}
