import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { attemptWithFewDescriptors } from '#scripts/testing/descriptors.ts'
import { avifDeclaring, avifOfTiles } from '#scripts/testing/worst-pictures.ts'
import type * as decoder from './decoder.ts'

const { resizeInChild } = await vi.importActual<typeof decoder>('./decoder.ts')

test('a process without free file descriptors refuses to decode and keeps running', async () => {
  const results = await attemptWithFewDescriptors(
    new URL('decoder.ts', import.meta.url),
    `({ resizeInChild }) => resizeInChild(Buffer.from('no picture'), 160, false)`,
    [0, 2, 2, 2],
  )
  expect(results).toEqual([...Array(4).fill('SERVICE_UNAVAILABLE'), 'The picture cannot be decoded.'])
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
    await expect(resizeInChild(picture, 320, false, { limits })).rejects.toThrow(
      'The picture cannot be decoded.',
    )
  },
)
