import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { findInPath, installedPackage, installPackages, run } from './debian.ts'

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

export function findChromium(): string | undefined {
  const installed = findInPath(names)
  if (installed) return installed
  const own = chromium.executablePath()
  return existsSync(own) ? own : undefined
}

/** Installs it if it is missing: Debian's package as root on Debian, otherwise Playwright's download. Throws if both fail. */
export function installedChromium(): string {
  const path = findChromium() ?? (install(), findChromium())
  if (path) return path
  throw new Error(`No Chromium for the browser tests, and none could be installed. Install one and run the tests again, for example:

    npx playwright-core install --with-deps chromium
`)
}

/** Installs Debian's package as root on Debian; undefined if there is none. */
export const installedFirefox = () => installedPackage('firefox-esr')

function install(): void {
  for (const browser of ['chromium-headless-shell', 'chromium'])
    if (installPackages(browser, 'fonts-liberation')) return
  console.log('Downloading Playwright’s Chromium…')
  run('npx', ['playwright-core', 'install', 'chromium'])
}
