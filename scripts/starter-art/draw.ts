import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listPictures, renderPicture } from './pictures.ts'

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, only: { type: 'string', default: '' } },
})
if (values.help) {
  console.log(`npm run starter-art [-- --only pattern]

Draws the posters, backdrops and portraits of the starter content as WebP files into server/starter/pictures, which is
committed, and removes unused files there. Takes some minutes. With --only, draws the pictures whose name matches the
regular expression and removes nothing. Browsers cache a picture for a year: increment "edition" in
server/starter/titles.ts when one changes.`)
  process.exit()
}

const folder = join(import.meta.dirname, '../../server/starter/pictures')
await mkdir(folder, { recursive: true })
const pictures = listPictures().filter(({ name }) => new RegExp(values.only).test(name))
const drawn = new Set<string>()
let bytes = 0
for (const [index, picture] of pictures.entries()) {
  for (const { file, data } of await renderPicture(picture)) {
    await writeFile(join(folder, file), data)
    drawn.add(file)
    bytes += data.length
  }
  if ((index + 1) % 50 === 0 || index + 1 === pictures.length)
    console.log(`${index + 1} of ${pictures.length} pictures drawn`)
}
if (values.only === '')
  for (const file of await readdir(folder)) if (!drawn.has(file)) await rm(join(folder, file))
console.log(`${drawn.size} files, ${(bytes / 1e6).toFixed(1)} MB`)
