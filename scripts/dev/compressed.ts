import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** Writes `<file>.br` and `<file>.gz`, so that the server only selects a file by Accept-Encoding. `quality` is Brotli’s, 0 to 11. */
export async function writeCompressed(
  file: string,
  content: string | Buffer,
  quality: number,
): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  await Promise.all([
    brotli(content, { params }).then((bytes) => writeFile(`${file}.br`, bytes)),
    zip(content, { level: constants.Z_BEST_COMPRESSION }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
}
