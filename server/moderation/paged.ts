import { setImmediate as nextTurn } from 'node:timers/promises'

/** Each page in its own turn of the event loop, until the signal aborts. */
export async function* paged<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
  signal?: AbortSignal,
) {
  for (let after = 0; ;) {
    const rows = await read(after)
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    for (const row of rows) {
      signal?.throwIfAborted()
      yield row
      await nextTurn()
    }
  }
}
