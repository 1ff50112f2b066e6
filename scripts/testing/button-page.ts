import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'

/** The app’s pages are compared with a page of its libraries and one button: the ratio does not depend on the machine. */
export async function startButtonPage(): Promise<{ url: string; stop: () => Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'medley-button-'))
  const config = {
    configFile: false,
    root: join(import.meta.dirname, 'button-page'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  } as const
  await build({
    ...config,
    // Under the test runner NODE_ENV is another.
    oxc: { jsx: { development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const server = await preview({ ...config, preview: { host: '127.0.0.1', port: 0 } })
  return {
    url: server.resolvedUrls!.local[0]!,
    async stop() {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
