import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Installs its Debian package as root on Debian if it is missing; undefined if there is none. */
export function installedPackage(name: string, packageName = name): string | undefined {
  const find = () => findInPath([name])
  return find() ?? (installPackages(packageName) ? find() : undefined)
}

let isUpdated = false

/** As root on Debian. Returns false if they could not be installed. */
export function installPackages(...names: string[]): boolean {
  if (process.getuid?.() !== 0 || !run('dpkg', ['--version'])) return false
  console.log(`Installing ${names[0]} from Debian’s packages…`)
  isUpdated ||= run('apt-get', ['update', '-qq'])
  return run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
}

export function findInPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

export function run(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    return true
  } catch {
    return false
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
