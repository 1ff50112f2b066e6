import { parseArgs } from 'node:util'
import { ownPostgres } from '#scripts/testing/own-postgres.ts'
import type { KillOptions } from './crash.ts'
import { killImports } from './kill-imports.ts'
import { killPrivacy } from './kill-privacy.ts'
import { killTasks } from './kill-tasks.ts'
import { killWrites, type Victim } from './kill-writes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    on: { type: 'string', default: 'sqlite' },
  },
})
const [mode = 'writes'] = positionals
const modes: Record<string, (options: KillOptions & { postgres?: Victim }) => Promise<{ faults: string[] }>> =
  {
    writes: killWrites,
    postgres: killWrites,
    imports: killImports,
    tasks: killTasks,
    privacy: killPrivacy,
  }
if (values.help || !modes[mode]) {
  console.log(`npm exec -- node scripts/bench/kill.ts [writes|imports|tasks|privacy|postgres] [--rounds 200] [--seed 1] [--on sqlite|postgres]

Crash tests. In each round a process gets SIGKILL at a random moment and is restarted. Then every counter must equal a recount, and the
database must pass its integrity check (integrity_check, amcheck). Exits with 1 if a check fails.

  writes    the server, while six writers write over HTTP: every acknowledged write must be there, no write may be partial
  postgres  the same, but every process of Postgres gets the signal
  imports   the server, while two members import the same titles and undo it: each title must be written exactly once, then not at all
  tasks     the server, while members register, webhooks are told of favorites and accounts are removed: each email, delivery and
            deletion must be done, and twice only what was in flight
  privacy   the server, while a private member with many requests becomes public: each requester follows once, and is told once`)
  process.exit()
}
const postgres = values.on === 'postgres' || mode === 'postgres' ? await ownPostgres() : undefined
const { faults, ...figures } = await modes[mode]({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  databaseUrl: postgres?.url,
  ...(mode === 'postgres' && { postgres: postgres! }),
  report: console.log,
})
await postgres?.remove()
console.log({ mode, on: postgres ? 'postgres' : 'sqlite', ...figures, faults: faults.length })
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0
