import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { avifDeclaring, avifOfTiles } from '#scripts/testing/worst-pictures.ts'
import { resizeInChild } from './decoder.ts'

const decoder = JSON.stringify(new URL('decoder.ts', import.meta.url).href)

/** Prints how decoding ends with 0, 2, 4 and 6 free file descriptors of the 64 that the process may open, and then with many. */
const program = `
  import { closeSync, openSync } from 'node:fs'
  const { resizeInChild } = await import(${decoder})
  const taken = []
  try {
    for (;;) taken.push(openSync('/dev/null'))
  } catch (error) {
    if (error.code !== 'EMFILE') throw error
  }
  const codes = []
  for (const more of [0, 2, 2, 2, taken.length - 6]) {
    for (const descriptor of taken.splice(0, more)) closeSync(descriptor)
    codes.push(await resizeInChild(Buffer.from('no picture'), 160, false).catch((error) => error.code ?? error.message))
  }
  process.stdout.write(JSON.stringify(codes))`

test('a process without free file descriptors refuses to decode and keeps running', async () => {
  const run = ['-c', 'ulimit -n 64 && exec "$0" --input-type=module --eval "$1"', process.execPath, program]
  const { stdout } = await promisify(execFile)('sh', run)
  expect(JSON.parse(stdout)).toEqual([
    ...Array(4).fill('SERVICE_UNAVAILABLE'),
    'The picture cannot be decoded.',
  ])
})

test('a picture is decoded by one thread, whatever the number of cores', async () => {
  const pictures = JSON.stringify(new URL('pictures.ts', import.meta.url).href)
  const program = `
    import sharp from 'sharp'
    const { resizePicture } = await import(${pictures})
    await resizePicture(await sharp({ create: { width: 2, height: 2, channels: 3, background: '#a33' } }).png().toBuffer(), 160, false)
    process.stdout.write(String(sharp.concurrency()))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { MALLOC_ARENA_MAX: '1' },
  })
  expect(stdout).toBe('1')
})

test.each([
  ['CPU time', () => avifOfTiles(16, 1_700, 1_700), { cpuSeconds: 1, bytes: 1_000_000_000 }],
  ['memory', () => avifDeclaring(100, 2_000), { cpuSeconds: 60, bytes: 150_000_000 }],
])(
  'a picture whose decoding exceeds the %s is refused, whatever its header declares',
  async (_name, make, limits) => {
    const picture = await make()
    expect(picture.length).toBeLessThan(2_000)
    await expect(resizeInChild(picture, 320, false, limits)).rejects.toThrow('The picture cannot be decoded.')
  },
)
