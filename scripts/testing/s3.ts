import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/**
 * One bucket, whose content survives `stop`. Verifies signatures unless `allowsListing`: for a listing it computes the signature without
 * the slash after the bucket, which Amazon's client includes.
 */
export async function startS3({ allowsListing = false } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'medley-s3-'))
  let child: ChildProcess
  let port = 0
  const start = async () => {
    child = fork(import.meta.filename, [directory, String(port), String(allowsListing)], {
      // It encrypts page tokens with DES, which OpenSSL has only in its legacy provider.
      execArgv: ['--openssl-legacy-provider'],
      silent: true,
    })
    port = await new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)))
      child.once('exit', (code) => reject(new Error(`The S3 server exited with ${code}.`)))
    })
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
  }
  await start()
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'pictures',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    start,
    stop,
    async remove() {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

if (import.meta.main) {
  const [directory, port, allowsListing] = process.argv.slice(2)
  const server = new S3rver({
    address: '127.0.0.1',
    port: Number(port),
    directory: directory!,
    silent: true,
    allowMismatchedSignatures: allowsListing === 'true',
    configureBuckets: [{ name: 'pictures' }],
  })
  process.send!((await server.run()).port)
  process.on('disconnect', () => process.exit())
}
