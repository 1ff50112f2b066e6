import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** How long the test held the event loop, if for too long. */
    held?: string
  }
}

/**
 * Runs the files again in which a test held the event loop for too long (watch-holds.ts), each alone and after all others: while several
 * files run, they share the caches of the processors. The run fails if one of these tests holds the event loop in a second and a
 * third attempt too. A hold in another test of the file is a new one, and does not count: a busy machine pauses any test for a while.
 */
export class ConfirmHolds implements Reporter {
  private vitest: Vitest | undefined
  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { vitest } = this
    if (!vitest || vitest.config.watch || process.env['FAILS_HOLDS']) return
    for (const module of modules) {
      const held = [...module.children.allTests()].filter((test) => test.meta().held !== undefined)
      if (held.length === 0) continue
      const file = relative(vitest.config.root, module.moduleId)
      const messages = held.map((test) => `\n  ${test.fullName}: ${test.meta().held}`)
      console.log(styleText('yellow', `${file} runs again alone.${messages.join('')}`))
      const names = JSON.stringify(held.map((test) => test.fullName))
      const run = () =>
        spawnSync(
          process.execPath,
          [process.argv[1]!, 'run', '--project', module.project.name, '--mode', vitest.mode, file],
          { stdio: 'inherit', env: { ...process.env, FAILS_HOLDS: names } },
        ).status === 0
      if (!run() && !run()) process.exitCode = 1
    }
  }
}
