import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants } from 'node:zlib'
import type { Catalogue } from './messages/catalogue.ts'
import { writeCompressed } from './compressed.ts'
import { hashSources } from './sources.ts'

const { values } = parseArgs({ options: { help: { type: 'boolean' }, 'if-stale': { type: 'boolean' } } })
if (values.help) {
  console.log(`npm run build [-- --if-stale]

Builds the web app into dist/client, and the bundle for server-side rendering into dist/server.

  --if-stale  only if a source or the version of a package has changed since the last build`)
  process.exit()
}

const root = join(import.meta.dirname, '../..')
/** What the build was made from. Written last, so that a build that was interrupted is stale. */
const builtFrom = join(root, 'dist/server/sources.sha256')
const sources = await hashSources(root)
let catalogues: Promise<Catalogue[]> | undefined
if (!values['if-stale'] || (await isStale(sources, builtFrom))) {
  console.log('Building the web app…')
  const { build } = await import('vite').catch(withoutTools)
  const { readCatalogues, writeLanguage } = await openMessages()
  const config = { configFile: join(root, 'client/vite.config.ts'), logLevel: 'warn' } as const
  await build(config)
  await build({ ...config, build: { ssr: 'server.tsx' } })
  await Promise.all([compress(), drawIcons()])
  await rm(join(root, 'dist/languages'), { recursive: true, force: true })
  catalogues = readCatalogues()
  await Promise.all((await catalogues).map((catalogue) => writeLanguage(root, catalogue)))
  await writeFile(builtFrom, sources)
}

// They change more often than the app, and take less than a second.
const textsFrom = join(root, 'dist/languages/texts.sha256')
const textSources = await hashSources(root, 'texts')
if (!values['if-stale'] || (await isStale(textSources, textsFrom))) {
  const { findServerMessages, readCatalogues, writeServerTexts } = await openMessages()
  const messages = await findServerMessages(root)
  for (const catalogue of [undefined, ...(await (catalogues ?? readCatalogues()))])
    await writeServerTexts(messages, catalogue)
  await writeFile(textsFrom, textSources)
}

async function compress(): Promise<void> {
  const folder = join(root, 'dist/client/assets')
  const files = await Array.fromAsync(glob('*.{js,css,svg}', { cwd: folder }))
  const write = async (file: string) =>
    writeCompressed(join(folder, file), await readFile(join(folder, file)), constants.BROTLI_MAX_QUALITY)
  await Promise.all(files.map(write))
}

/** Maskable icons have square corners, because the operating system masks them. */
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

/** Loaded on demand: a host that has built the app may have removed the tools. */
async function openMessages() {
  const [all, catalogue, write] = await Promise.all([
    import('#scripts/dev/messages/all.ts'),
    import('#scripts/dev/messages/catalogue.ts'),
    import('#scripts/dev/messages/write.ts'),
  ]).catch(withoutTools)
  return { ...all, ...catalogue, ...write }
}

function withoutTools(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('The build tools are not installed. Run npm install, npm run build, npm install --omit=dev.')
  process.exit(1)
}

async function isStale(sources: string, builtFrom: string): Promise<boolean> {
  const built = await readFile(builtFrom, 'utf8').catch(() => undefined)
  return built !== sources
}
