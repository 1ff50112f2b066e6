import { type Kind, kindNames } from '#shared/media.ts'

export type ItemsParams = { page?: number | undefined; category?: Kind | undefined }

/** What the address says; whatever it cannot mean is left out. */
export function readItemsParams(search: Record<string, unknown>): ItemsParams {
  const page = Number(search['page'])
  return {
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    category: kindNames.find((kind) => kind === search['category']),
  }
}
