import sharp from 'sharp'
import { uploadWidths } from '../../shared/images.ts'
import { kindNames } from '../../shared/media.ts'
import { readData } from '../../server/starter/schema.ts'
import { pictureName, pictureWidths, portraitName, starterTitles } from '../../server/starter/titles.ts'
import { portraitSvg } from './portrait.ts'
import { backdropSvg, posterSvg } from './poster.ts'

/** `name` without width and extension, as in `poster-1-movies-the-matrix`. */
export type Picture = { name: string; svg: () => string; shape: keyof typeof pictureWidths }

/** Returns every picture of the starter catalogue and the demo members. */
export function listPictures(): Picture[] {
  const titles = kindNames.flatMap((kind) =>
    starterTitles[kind].flatMap((title): Picture[] => [
      {
        name: pictureName(kind, title, 'poster'),
        shape: 'poster',
        // Rendered at the size of the largest file instead of enlarging a smaller image.
        svg: () => posterSvg(title, kind).replace('width="600" height="900"', 'width="640" height="960"'),
      },
      { name: pictureName(kind, title, 'backdrop'), shape: 'backdrop', svg: () => backdropSvg(title, kind) },
    ]),
  )
  const { members } = readData('members', 'members.json')
  const portraits = members.flatMap(({ hue }, index): Picture[] =>
    hue === null
      ? []
      : [{ name: portraitName(index + 1), shape: 'portrait', svg: () => portraitSvg(hue, index + 1) }],
  )
  return [...titles, ...portraits]
}

/** Returns the WebP files of a picture, one for each width that pages use. */
export async function renderPicture({
  name,
  svg,
  shape,
}: Picture): Promise<{ file: string; data: Buffer }[]> {
  const { data: raw, info } = await sharp(Buffer.from(svg()))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Promise.all(
    uploadWidths
      .filter((width) => width <= pictureWidths[shape])
      .map(async (width) => ({
        file: `${name}-${width}.webp`,
        data: await sharp(raw, { raw: info })
          .resize({ width })
          // Most of the bytes encode grain: quality 80 doubles the size for slightly crisper grain.
          .webp({ quality: 45, effort: 6 })
          .toBuffer(),
      })),
  )
}
