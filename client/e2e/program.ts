import { afterEach } from 'vitest'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'

/**
 * For tests whose server is their own. Ends it after each test, and removes its data. Call it before `useBrowser`, so that the pages are
 * closed before their server ends.
 */
export function openProgram() {
  let running: Program | undefined
  const { folder, remove } = aDataFolder()
  afterEach(async () => {
    await running?.end()
    running = undefined
    remove()
  })
  return {
    folder,
    async start(env: Record<string, string> = {}): Promise<Program> {
      running = await startProgram({ DATA_DIR: folder, ...env })
      return running
    },
    /** Of the running test. */
    get program(): Program {
      return running!
    },
  }
}
