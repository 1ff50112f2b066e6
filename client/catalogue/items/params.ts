import { readPage } from '#client/params.ts'
import { type Kind, kindNames } from '#shared/media.ts'

export type ItemsParams = { page?: number | undefined; category?: Kind | undefined }

/** Reads the search params; leaves invalid ones out. */
export function readItemsParams(search: Record<string, unknown>): ItemsParams {
  return {
    page: readPage(search['page']),
    category: kindNames.find((kind) => kind === search['category']),
  }
}
