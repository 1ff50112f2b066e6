import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './program.ts'

export type Site = { url: string; dataDir: string; stop: () => Promise<void> }

/** `scripts` run in the process before the server starts. */
export async function startSite(scripts: readonly string[] = []): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'medley-browser-'))
  const { url, end } = await startProgram(
    { DATA_DIR: dataDir, DEMO: 'on' },
    {
      nodeArguments: ['cheap-passwords.ts', ...scripts].flatMap((script) => [
        '--import',
        join(import.meta.dirname, script),
      ]),
    },
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
