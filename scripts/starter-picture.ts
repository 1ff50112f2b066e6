import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { kindNames } from '#shared/domain/media.ts'
import { pictureOf, pictureWidths, starterId, starterTitles } from '#server/starter/titles.ts'
import { resizePicture } from '#server/uploads/pictures.ts'

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' } },
  allowPositionals: true,
})
const [id, shape, source] = positionals
if (values.help || (shape !== 'poster' && shape !== 'backdrop') || source === undefined) {
  console.log(`npm exec -- node scripts/starter-picture.ts <title> poster|backdrop <picture>

Stores a picture of a starter title in server/starter/pictures, in every width that pages use: a poster of 2:3 and at least 640
pixels wide, or a backdrop of 16:9 and at least 1280 wide. The title is its starter id, such as movies/the-matrix. Browsers cache a
picture for a year: to replace one, increment "edition" in server/starter/titles.ts and rename the others.`)
  process.exit(values.help ? 0 : 1)
}

const titles = kindNames.flatMap((kind) => starterTitles[kind].map((title) => ({ kind, title })))
const found = titles.find(({ kind, title }) => starterId(kind, title.slug) === id)
if (!found) {
  console.error(`${id} is not in the starter catalogue.`)
  process.exit(1)
}
const file = join(
  import.meta.dirname,
  '../server/starter/pictures',
  pictureOf(found.kind, found.title, shape).slice('/starter/'.length),
)
const { sizes } = await resizePicture(await readFile(source), pictureWidths[shape])
if (sizes.at(-1)!.pixels !== pictureWidths[shape]) {
  console.error(`The picture is less than ${pictureWidths[shape]} pixels wide.`)
  process.exit(1)
}
for (const { pixels, data } of sizes) await writeFile(file.replace(/\d+\.webp$/, `${pixels}.webp`), data)
console.log(`${sizes.length} files written`)
