import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Site = { url: string; dataDir: string; stop: () => Promise<void> }

/** Starts the real server as a newcomer would, on SQLite with the demo community, in a folder of its own. */
export async function startSite(): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'medley-browser-'))
  const server = spawn('node', ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      DEMO: 'on',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await addressOf(server)
  return {
    url,
    dataDir,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const url = /Medley is at (http:\S+)/.exec(output)?.[1]
      if (url) resolve(url)
    })
    server.once('exit', (code) =>
      reject(new Error(`The server ended with ${code} before it listened:\n${output}`)),
    )
  })
}
