import { execFile, execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser, type ModifiableInstruction } from 'dockerfile-ast'
import { outsideEnvironment } from './program.ts'

export type Stage = {
  /** The root of the stage’s file system. */
  folder: string
  cwd: string
  env: Record<string, string>
  user: number | undefined
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

/**
 * Executes a Dockerfile without a container engine. Each stage is a folder that serves as its file system; a shell executes RUN
 * lines in it. This machine's programs and libraries take the place of the base images. Returns the last stage.
 */
export async function buildStages(root: string, target: string): Promise<Stage> {
  const stages: Stage[] = []
  const byName = new Map<string, Stage>()
  for (const instruction of DockerfileParser.parse(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
  ).getInstructions()) {
    const words = instruction.getArguments().map(String)
    const given = (instruction as ModifiableInstruction).getFlags?.() ?? []
    const flags = new Map(given.map((flag) => [flag.getName(), flag.getValue()]))
    const stage = stages.at(-1)!
    const text = instruction.getArgumentsContent() ?? ''
    const json = () => JSON.parse(text.slice(text.indexOf('['))) as string[]
    switch (instruction.getKeyword()) {
      case 'FROM': {
        const folder = join(target, String(stages.length))
        mkdirSync(folder)
        const next = {
          folder,
          cwd: folder,
          env: {},
          user: undefined,
          entrypoint: [],
          command: [],
          healthcheck: [],
        }
        stages.push(next)
        byName.set(words[2] ?? '', next)
        break
      }
      case 'WORKDIR':
        stage.cwd = inside(stage, words[0]!)
        mkdirSync(stage.cwd, { recursive: true })
        break
      case 'COPY': {
        const [to, ...from] = words.toReversed() as [string, ...string[]]
        const source = flags.has('from') ? byName.get(flags.get('from')!) : undefined
        const owner = flags.get('chown')?.split(':').map(Number)
        for (const path of from) {
          const isOne = from.length === 1 && !to.endsWith('/')
          const destination = inside(stage, isOne ? to : join(to, path))
          mkdirSync(dirname(destination), { recursive: true })
          if (source) execFileSync('cp', ['-a', '--link', inside(source, path), destination])
          else copyContext(root, path, destination)
          if (path === '.') linkModules(root, destination)
          if (owner && process.getuid?.() === 0) chownSync(destination, owner[0]!, owner[1]!)
        }
        break
      }
      case 'RUN': {
        const script = text.replace(/^(--\S+\s+)+/, '')
        const env = { ...outsideEnvironment(), npm_config_prefer_offline: 'true' }
        await promisify(execFile)('sh', ['-ec', script], { cwd: stage.cwd, env, maxBuffer: 1e8 })
        break
      }
      case 'ENV':
        for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) stage.env[name!] = value!
        break
      case 'USER':
        stage.user = Number(words[0]!.split(':')[0])
        break
      case 'ENTRYPOINT':
        stage.entrypoint = json()
        break
      case 'CMD':
        stage.command = json()
        break
      case 'HEALTHCHECK':
        stage.healthcheck = json()
        break
    }
  }
  return stages.at(-1)!
}

/** Resolves a path of a stage to a path on this machine. */
export function inside({ folder, cwd }: Pick<Stage, 'folder' | 'cwd'>, path: string): string {
  return path.startsWith('/') ? join(folder, path) : resolve(cwd, path)
}

/**
 * Puts hard links to this repository’s packages into a stage that gets all its sources, so that `npm install` there checks and
 * completes them instead of writing a gigabyte again. Does nothing on another file system.
 */
function linkModules(root: string, destination: string): void {
  const target = join(destination, 'node_modules')
  try {
    execFileSync('cp', ['-a', '--link', join(root, 'node_modules'), target], { stdio: 'ignore' })
    // npm and Vite would write to these in place.
    for (const name of ['.package-lock.json', '.cache', '.vite', '.vite-temp'])
      rmSync(join(target, name), { recursive: true, force: true })
  } catch {
    rmSync(target, { recursive: true, force: true })
  }
}

/** Copies the build context: the repository’s files that .dockerignore does not exclude. */
function copyContext(root: string, path: string, destination: string): void {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', path], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\n').filter(Boolean)) {
    if (ignored.some((name) => file === name || file.startsWith(`${name}/`))) continue
    if (!statSync(join(root, file), { throwIfNoEntry: false })) continue
    const to =
      path === '.'
        ? join(destination, file)
        : file === path
          ? destination
          : join(destination, file.slice(path.length))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(root, file), to)
  }
}
