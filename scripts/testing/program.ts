import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export function aDataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'medley-program-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Without the additions of npm and the test runner, and with the system's Node. */
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
  output: () => string
  end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Without the demo and without rate limits. `command` starts another copy than the sources. */
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
      TVMAZE_URL: 'off',
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
