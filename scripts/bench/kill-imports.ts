import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { aSignedInMember, aTitle } from '#server/testing.ts'
import { findDatabaseFaults, type KillOptions, withSite } from './crash.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

const titleCount = 150
const unknownCount = 250
/** After this many kills, a step runs to its end. */
const killsPerStep = 8
const stepMaxMs = 120_000

const line = (name: string, at: number) => `${name} ${at},1999,${1 + (at % 5)},2021-05-04`
const known = Array.from({ length: titleCount }, (_, at) => line('Known Film', at))
const unknown = Array.from({ length: unknownCount }, (_, at) => line('Nobody Knows', at))
const file = ['Title,Year,Rating,Date', ...known, ...unknown].join('\n')

/**
 * Two members import the same titles; the server is killed at random moments. After applying, each title must have been written exactly
 * once, after undoing not at all, and the counters must equal a recount.
 */
export function killImports(options: KillOptions) {
  const { rounds, report = () => {} } = options
  return withSite(options, async (site) => {
    const { db, random } = site
    const found = { rounds: 0, imports: 0, faults: [] as string[] }
    for (let at = 0; at < titleCount; at++) await aTitle(db, 'movie', `Known Film ${at}`)
    await db.updateTable('media').set({ release_year: 1999 }).where('name', 'like', 'Known Film %').execute()
    const members = [await aSignedInMember(db), await aSignedInMember(db)]
    while (found.rounds < rounds) {
      const imports = await Promise.all(
        members.map(async (member) => {
          const form = new FormData()
          form.set('file', new Blob([file]), 'films.csv')
          const response = await send(member, 'POST', '', form)
          return { member, id: ((await response.json()) as { import: { id: number } }).import.id }
        }),
      )
      const ids = imports.map(({ id }) => id)
      for (const [action, state] of [
        [undefined, 'ready'],
        ['apply', 'done'],
        ['undo', 'undone'],
      ] as const) {
        if (action) for (const { member, id } of imports) await send(member, 'POST', `/${id}/${action}`)
        await killUntil(ids, state)
        for (const { member, id } of imports) await check(member.id, id, state)
        found.faults.push(...(await findDatabaseFaults(db)))
      }
      for (const { member, id } of imports) await send(member, 'DELETE', `/${id}`)
      found.imports += imports.length
      report(`${found.rounds} kills, ${found.imports} imports, ${found.faults.length} faults`)
    }
    return found

    async function send(member: { token: string }, method: string, path: string, form?: FormData) {
      const response = await site.send(member, method, `/imports${path}`, form)
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response
    }

    async function killUntil(ids: readonly number[], state: ImportState): Promise<void> {
      const last = Math.min(rounds, found.rounds + killsPerStep)
      let until = performance.now() + stepMaxMs
      const isReached = async () => {
        const rows = await db.selectFrom('imports').select('state').where('id', 'in', ids).execute()
        return rows.every((row) => row.state === state)
      }
      while (!(await isReached())) {
        if (performance.now() > until) throw new Error(`The imports did not become ${state}.`)
        await wait(20 + Math.floor(random() * 400))
        if (found.rounds >= last || (await isReached())) continue
        await site.kill()
        found.rounds++
        await site.start()
        until = performance.now() + stepMaxMs
      }
    }

    async function check(memberId: number, id: number, state: ImportState): Promise<void> {
      const { rows } = await sql<Record<string, number>>`select
        (select count(*) from reviews where user_id = ${memberId}) as reviews,
        (select count(*) from diary_entries where user_id = ${memberId}) as entries,
        (select count(*) from import_changes where import_id = ${id}) as changes,
        (select count(*) from import_titles where import_id = ${id}) as titles,
        (select count(*) from import_lines where import_id = ${id} and title_id is not null) as lines`.execute(
        db,
      )
      const [written, lines] = [state === 'done' ? titleCount : 0, titleCount + unknownCount]
      const expected = { reviews: written, entries: written, changes: 2 * written, titles: lines, lines }
      for (const [what, count] of Object.entries(expected))
        if (Number(rows[0]![what]) !== count)
          found.faults.push(`import ${id}, ${state}: ${rows[0]![what]} ${what}, not ${count}`)
    }
  })
}
