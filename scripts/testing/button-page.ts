import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from 'vite'

const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' }

/**
 * Builds and serves a page with the libraries of the web app and one button. Measurements of the app’s pages are compared
 * with it: the ratio does not depend on the machine.
 */
export async function startButtonPage(): Promise<{ url: string; stop: () => Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'medley-button-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'button-page'),
    logLevel: 'error',
    // Under the test runner NODE_ENV is another.
    oxc: { jsx: { development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, emptyOutDir: true },
  })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : new URL(request.url!, 'http://localhost').pathname
    readFile(join(outDir, path)).then(
      (body) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
