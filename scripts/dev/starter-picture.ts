import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { kindNames } from '#shared/domain/kinds.ts'
import { pictureOf, pictureWidths, starterFolder, starterId, starterTitles } from '#server/starter/titles.ts'
import { resizePicture } from '#server/uploads/pictures.ts'

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' } },
  allowPositionals: true,
})
const [id, shape, source] = positionals
if (values.help || (shape !== 'poster' && shape !== 'backdrop') || source === undefined) {
  console.log(`npm exec -- node scripts/dev/starter-picture.ts <title> poster|backdrop <picture>

Stores a picture of a starter title in server/starter/pictures, in the largest width that pages use: a poster of 2:3 and at
least 640 pixels wide, or a backdrop of 16:9 and at least 1280 wide. The server makes the other widths when they are first asked
for. The title is its starter id, such as movies/the-matrix. Browsers cache a picture for a year, and servers keep the widths that
they made: to replace one, increment "edition" in server/starter/titles.ts and rename the others.`)
  process.exit(values.help ? 0 : 1)
}

const titles = kindNames.flatMap((kind) => starterTitles[kind].map((title) => ({ kind, title })))
const found = titles.find(({ kind, title }) => starterId(kind, title.slug) === id)
if (!found) {
  console.error(`${id} is not in the starter catalogue.`)
  process.exit(1)
}
const file = join(starterFolder, pictureOf(found.kind, found.title, shape).slice('/starter/'.length))
const { sizes } = await resizePicture(await readFile(source), pictureWidths[shape])
const { pixels, data } = sizes.at(-1)!
if (pixels !== pictureWidths[shape]) {
  console.error(`The picture is less than ${pictureWidths[shape]} pixels wide.`)
  process.exit(1)
}
await writeFile(file, data)
console.log(`${file} written`)
