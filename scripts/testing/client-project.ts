import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export function packApiClient(folder: string): string {
  const built = join(folder, 'api-client')
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8' })
  run(process.execPath, [join(root, 'scripts/dev/api-client.ts'), '--out', built])
  run('npm', ['pack', '--silent', built])
  const { version } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as { version: string }
  return join(folder, `medley-client-${version}.tgz`)
}

/**
 * A third party’s project outside of this repository, with the tarball unpacked as npm does it. Its other packages are links to this
 * repository’s.
 */
export function openClientProject(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'medley-client-project-'))
  cpSync(join(import.meta.dirname, 'client-project'), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  const client = join(folder, 'node_modules/@medley/client')
  mkdirSync(client, { recursive: true })
  execFileSync('tar', ['-xzf', packApiClient(folder), '--strip-components=1', '-C', client])
  mkdirSync(join(folder, 'node_modules/@types'))
  for (const name of ['openapi-fetch', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
