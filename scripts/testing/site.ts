import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './program.ts'

export type Site = { url: string; dataDir: string; stop: () => Promise<void> }

export async function startSite(): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'medley-browser-'))
  const { url, end } = await startProgram(
    { DATA_DIR: dataDir, DEMO: 'on' },
    { nodeArguments: ['--import', join(import.meta.dirname, 'cheap-passwords.ts')] },
  )
  return {
    url,
    dataDir,
    async stop() {
      await end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
