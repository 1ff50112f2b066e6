import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/** Returns the path of the browser for tests: one in PATH, or Playwright’s. Returns undefined if there is none. */
export function findChromium(): string | undefined {
  const installed = findInPath(names)
  if (installed) return installed
  const own = chromium.executablePath()
  return existsSync(own) ? own : undefined
}

/**
 * Returns the path of an installed Chromium. Installs one if it is missing: Debian's package as root on Debian, otherwise
 * Playwright's download. Throws if both fail.
 */
export function installedChromium(): string {
  const path = findChromium() ?? (install(), findChromium())
  if (path) return path
  throw new Error(`No Chromium for the browser tests, and none could be installed. Install one and run the tests again, for example:

    npx playwright-core install --with-deps chromium
`)
}

/** Returns the path of an installed Firefox ESR. Installs Debian's package as root on Debian; undefined if there is none. */
export function installedFirefox(): string | undefined {
  const find = () => findInPath(['firefox-esr'])
  if (!find() && isDebian() && process.getuid?.() === 0) {
    console.log('Installing Firefox ESR from Debian’s packages…')
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'firefox-esr'])
  }
  return find()
}

function findInPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function install(): void {
  if (isDebian() && process.getuid?.() === 0) {
    console.log('Installing Chromium from Debian’s packages…')
    const get = (browser: string) =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', browser, 'fonts-liberation'])
    // The headless shell is smaller and renders pages in the same way.
    if (run('apt-get', ['update', '-qq']) && (get('chromium-headless-shell') || get('chromium'))) return
  }
  console.log('Downloading Playwright’s Chromium…')
  run('npx', ['playwright-core', 'install', 'chromium'])
}

function isDebian(): boolean {
  return run('dpkg', ['--version'])
}

function run(command: string, args: string[]): boolean {
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
