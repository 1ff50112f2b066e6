import { execFileSync } from 'node:child_process'
import { findChromium } from './testing/chromium.ts'

if (process.argv.includes('--help')) {
  console.log(`Makes sure that the suite has what it needs: a Chromium (an installed one, else Debian's where this is root on
Debian, else Playwright's own download) and a built client. Runs by itself before npm test.`)
  process.exit()
}

if (!findChromium()) install()
const chromium = findChromium()
if (!chromium) {
  console.error(`
No Chromium for the browser tests, and none could be installed. Install one and run npm test again, for example:

    npx playwright-core install --with-deps chromium
`)
  process.exit(1)
}
console.log(`Browser tests run in ${chromium}`)
run('node', ['scripts/build.ts', '--if-stale'])

function install(): void {
  if (isDebian() && process.getuid?.() === 0) {
    console.log('Installing Chromium from Debian’s packages…')
    const get = (browser: string) =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', browser, 'fonts-liberation'])
    // The shell has all that pages see of a browser, and none of the rest.
    if (run('apt-get', ['update', '-qq']) && (get('chromium-headless-shell') || get('chromium'))) return
  }
  console.log('Downloading Playwright’s Chromium…')
  run('npx', ['playwright-core', 'install', 'chromium'])
}

function isDebian(): boolean {
  try {
    execFileSync('dpkg', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
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
