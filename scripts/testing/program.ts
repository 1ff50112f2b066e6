import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty data folder. `remove` deletes it. */
export function aDataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'medley-program-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export type Program = {
  child: ChildProcess
  url: string
  /** What it has said so far. */
  output: () => string
  /** Sends a signal and waits for its end; answers the code. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** The server as it is started by hand, without the demo and without limits; ready when this resolves. */
export async function startProgram(
  env: Record<string, string>,
  options: { uid?: number; nodeArguments?: string[] } = {},
): Promise<Program> {
  const { nodeArguments = [], ...others } = options
  const child = spawn(process.execPath, [...nodeArguments, 'server/main.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: '',
      DEMO: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...others,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close') as Promise<[number | null]>
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /Medley is at (http:\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    void ended.then(([code]) => reject(new Error(`It ended with ${code}:\n${output}`)))
  })
  return {
    child,
    url,
    output: () => output,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
