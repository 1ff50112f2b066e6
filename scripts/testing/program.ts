import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Creates an empty data folder. `remove` deletes it. */
export function aDataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'medley-program-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The environment of a shell outside of this project: without what npm and the test runner add, and with the system's Node. */
export function outsideEnvironment(): Record<string, string> {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const given = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|VITE_|INIT_CWD$|DEV$|PROD$|TEST$|MODE$)/.test(name),
  )
  return { ...(Object.fromEntries(given) as Record<string, string>), PATH: path.join(delimiter) }
}

export type Program = {
  child: ChildProcess
  url: string
  /** Returns what it has written to stdout and stderr so far. */
  output: () => string
  /** Sends a signal, waits for the exit and returns its code. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/**
 * Starts the server in its own process, without the demo and without rate limits. Resolves when it listens. `command` starts
 * another copy than the sources.
 */
export async function startProgram(
  env: Record<string, string>,
  options: {
    uid?: number
    nodeArguments?: string[]
    command?: string[]
    cwd?: string
    baseEnv?: NodeJS.ProcessEnv
  } = {},
): Promise<Program> {
  const {
    nodeArguments = [],
    command = [process.execPath, ...nodeArguments, 'server/main.ts'],
    baseEnv = process.env,
    ...others
  } = options
  const [executable, ...commandArguments] = command
  const child = spawn(executable!, commandArguments, {
    env: {
      ...baseEnv,
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
    void ended.then(([code]) => reject(new Error(`The server exited with ${code}:\n${output}`)))
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
