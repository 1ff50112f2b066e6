#!/usr/bin/env node
// JavaScript for Node 20 and later: selects the Node that runs the program. See docs/decisions/0020-bundled-node.md.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundledNode } from './bundled-node.js'

const packageFolder = join(dirname(fileURLToPath(import.meta.url)), '..')
// A clone has the sources. An installed package has the same tree in JavaScript, because Node does not strip types below node_modules.
const isClone = existsSync(join(packageFolder, 'server/main.ts'))
const [root, extension] = isClone ? [packageFolder, 'ts'] : [join(packageFolder, 'dist/app'), 'js']
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))

/** The minimum version of the dependencies (undici: 22.19), for platforms without a bundled Node. */
const oldestNode = [22, 19]
const parentCheckMs = 500
/** Whether the parent is `restart` in another Node. */
const isStartedByLauncher = process.env.MEDLEY_LAUNCHER === String(process.ppid)
/** The file of each command’s program without its extension, and what it does. */
const commands = JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8'))

const [first = 'start', ...rest] = process.argv.slice(2)
if (first === '--version' || first === '-v') console.log(version)
else if (first === '--help' || first === '-h' || first === 'help') console.log(usage())
else if (!Object.hasOwn(commands, first)) {
  console.error(`medley: there is no command ${first}.\n\n${usage()}`)
  process.exitCode = 1
} else if (first === 'start' && rest.includes('--help')) console.log(usage())
else if (first === 'start' && rest.length > 0) {
  console.error(`medley: start has no options: ${rest.join(' ')}. Set environment variables instead.`)
  process.exitCode = 1
} else await run(commands[first][0], rest)

function usage() {
  const lines = Object.entries(commands).map(([name, [, text]]) => `  ${name.padEnd(14)}${text}`)
  return `medley [command] [options]

${lines.join('\n')}

  --version, --help; medley <command> --help describes a command.

Configuration comes from environment variables, and from a file .env in the current folder. Data is stored in DATA_DIR
(./data). Medley listens at http://127.0.0.1:3000 unless HOST and PORT say otherwise.`
}

async function run(program, args) {
  if (isStartedByLauncher || isStartedByNpm()) endWithParent()
  const bundled = bundledNode()
  if (bundled && !isAtLeast(bundled.version)) return restart(bundled.path)
  if (!bundled && !isAtLeast(oldestNode)) {
    console.error(
      `medley: this is Node ${process.versions.node}. Install Node ${oldestNode.join('.')} or later.`,
    )
    process.exitCode = 1
    return
  }
  if (existsSync('.env')) process.loadEnvFile()
  // The compile cache saves a second at each start. It is beside the program, where no other user can write.
  if (!process.env.NODE_COMPILE_CACHE)
    module.enableCompileCache(join(packageFolder, isClone ? 'node_modules/.cache/node' : '.cache'))
  // As if Node had been started with this file: the cluster module starts workers with the path in argv.
  const file = join(root, `${program}.${extension}`)
  process.argv.splice(1, Infinity, file, ...args)
  await import(pathToFileURL(file).href)
}

/** Whether the parent is an `npm start` or `npx medley`, or the shell of one, and not a program that they started in the background. */
function isStartedByNpm() {
  const { npm_lifecycle_event: event = '', npm_lifecycle_script: script = '' } = process.env
  return ['start', 'npx'].includes(event) && !/[;&|]/.test(script)
}

/**
 * Ends this process like SIGTERM once its parent has ended: npm and the launcher cannot forward a SIGKILL, and npm forwards no
 * SIGHUP. Other parents, such as a shell, may end before the server.
 */
function endWithParent() {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, parentCheckMs)
  timer.unref()
}

function isAtLeast([major, minor]) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

/** Runs the same command with another Node. Forwards signals to it and exits with its exit code. */
function restart(node) {
  const child = spawn(
    node,
    ['--max-semi-space-size=2', fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, MEDLEY_LAUNCHER: String(process.pid) } },
  )
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'])
    process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`medley: ${node} cannot be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (signal) console.error(`medley: ended by ${signal}`)
  })
}
