import { glob, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, 'if-stale': { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run build [-- --if-stale]

Builds the web app into dist/client, and the bundle for server-side rendering into dist/server.

  --if-stale  only if a source is newer than the last build`)
  process.exit()
}

const root = join(import.meta.dirname, '..')
if (!values['if-stale'] || (await isStale())) {
  console.log('Building the web app…')
  const { build } = await import('vite')
  const config = { configFile: join(root, 'client/vite.config.ts'), logLevel: 'warn' } as const
  await build(config)
  await build({ ...config, build: { ssr: 'server.tsx' } })
  await Promise.all([compress(), drawIcons()])
}

/** Compresses the assets at build time, so that the server only selects a file by Accept-Encoding. */
async function compress(): Promise<void> {
  const folder = join(root, 'dist/client/assets')
  for await (const file of glob('*.{js,css,svg}', { cwd: folder })) {
    const bytes = await readFile(join(folder, file))
    await writeFile(join(folder, `${file}.br`), brotliCompressSync(bytes))
    await writeFile(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

/** Draws the icons of the installed app. Maskable icons have square corners, because the operating system masks them. */
async function drawIcons(): Promise<void> {
  const { default: sharp } = await import('sharp')
  const icon = await readFile(join(root, 'client/ui/icon.svg'), 'utf8')
  const square = icon.replace(/ rx="\d+"/, '')
  if (square === icon) throw new Error('client/ui/icon.svg has no rounded corners to remove.')
  const draw = (svg: string, size: number, name: string) =>
    sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .resize(size)
      .png({ palette: true })
      .toFile(join(root, 'dist/client', name))
  await draw(icon, 192, 'icon-192.png')
  await draw(icon, 512, 'icon-512.png')
  await draw(square, 512, 'icon-maskable-512.png')
  await draw(square, 180, 'apple-touch-icon.png')
}

async function isStale(): Promise<boolean> {
  const builtAt = await modifiedAt('dist/server/server.js')
  if (builtAt === 0) return true
  for await (const file of glob(
    ['client/**/*.{ts,tsx,css,html,svg,webmanifest,woff2}', 'shared/*.ts', 'package-lock.json'],
    {
      cwd: root,
    },
  )) {
    // The router plugin writes the route tree while it builds.
    if (!file.endsWith('.gen.ts') && (await modifiedAt(file)) > builtAt) return true
  }
  return false
}

async function modifiedAt(file: string): Promise<number> {
  return stat(join(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
