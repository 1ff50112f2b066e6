import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * `attempt` is the source of a function. It runs in a process with 64 file descriptors, again after each number of `freed`, and last with
 * all of them free. Returns the results, or the codes or messages of the errors.
 */
export async function attemptWithFewDescriptors(
  module: URL,
  attempt: string,
  freed: readonly number[],
): Promise<unknown[]> {
  const program = `
    import { closeSync, openSync } from 'node:fs'
    const attempt = ${attempt}
    const module = await import(${JSON.stringify(module.href)})
    const taken = []
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch (error) {
      if (error.code !== 'EMFILE') throw error
    }
    const results = []
    for (const more of [${freed.join()}, taken.length]) {
      for (const descriptor of taken.splice(0, more)) closeSync(descriptor)
      results.push(await attempt(module).catch((error) => error.code ?? error.message))
    }
    process.stdout.write(JSON.stringify(results))`
  const run = ['-c', 'ulimit -n 64 && exec "$0" --input-type=module --eval "$1"', process.execPath, program]
  const { stdout } = await promisify(execFile)('sh', run)
  return JSON.parse(stdout) as unknown[]
}
