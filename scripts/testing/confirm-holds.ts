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
 * files run, they share the caches of the processors. The run fails if a second and a third attempt hold the event loop too.
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
      const held = [...module.children.allTests()].flatMap((test) => {
        const message = test.meta().held
        return message === undefined ? [] : [`${test.fullName}: ${message}`]
      })
      if (held.length === 0) continue
      const file = relative(vitest.config.root, module.moduleId)
      console.log(styleText('yellow', `${file} runs again alone.\n  ${held.join('\n  ')}`))
      const run = () =>
        spawnSync(
          process.execPath,
          [process.argv[1]!, 'run', '--project', module.project.name, '--mode', vitest.mode, file],
          { stdio: 'inherit', env: { ...process.env, FAILS_HOLDS: '1' } },
        ).status === 0
      if (!run() && !run()) process.exitCode = 1
    }
  }
}
