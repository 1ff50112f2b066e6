import { afterAll, vi } from 'vitest'
import type * as reader from '#server/imports/read/child.ts'
import type * as decoder from '#server/uploads/decoder.ts'

// In this process it takes half the CPU time. decoder.test.ts and read/child.test.ts test the children.
export const resizeInChild = vi.fn<typeof decoder.resizeInChild>(
  async (bytes, widest, isAlone, { quality } = {}) =>
    (await import('#server/uploads/pictures.ts')).resizePicture(bytes, widest, isAlone, quality),
)
export const readInChild = vi.fn<typeof reader.readInChild>(async function* (file) {
  yield* (await import('#server/imports/read/file.ts')).readFileLines(file)
})

/** As outside of tests, until the end of the test file. */
export async function useChildReader(): Promise<void> {
  const real = await vi.importActual<typeof reader>('#server/imports/read/child.ts')
  readInChild.mockImplementation(real.readInChild)
  afterAll(() => void readInChild.mockReset())
}
