import type pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { freshPostgres } from '#server/testing.ts'
import { postgresPool } from './open.ts'
import { preparingQueries } from './postgres-client.ts'

const read = 'select name, size from things where size > $1 order by size'

/** A pool of one connection to a database with a table of three things. */
async function aPool(): Promise<pg.Pool> {
  const pool = postgresPool(await freshPostgres(), { max: 1 })
  onTestFinished(() => pool.end())
  await pool.query(`create table things (name text, size integer)`)
  await pool.query(`insert into things values ('small', 1), ('large', 9), ('larger', 10)`)
  return pool
}

/** Runs queries as the database does. Returns the names of the things larger than `size`. */
function aReader() {
  const run = preparingQueries()
  const namesOver = async (on: pg.Pool | pg.PoolClient, size: number) =>
    (await run<{ name: string }>(on, read, [size])).rows.map(({ name }) => name)
  const prepareRead = async (pool: pg.Pool) => {
    while ((await prepared(pool)).length === 0) await namesOver(pool, 0)
  }
  return { run, namesOver, prepareRead }
}

async function prepared(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements')
  return rows.map(({ statement }) => statement).filter((text) => text.includes('things'))
}

describe.runIf(inject('postgresUrl'))('on Postgres', () => {
  test('a frequent read is prepared, and takes other arguments each time', async () => {
    const pool = await aPool()
    const { namesOver, prepareRead } = aReader()
    expect(await namesOver(pool, 0)).toEqual(['small', 'large', 'larger'])
    expect(await prepared(pool)).toEqual([])
    await prepareRead(pool)
    expect(await namesOver(pool, 5)).toEqual(['large', 'larger'])
    expect(await namesOver(pool, 99)).toEqual([])
    expect(await prepared(pool)).toEqual([read])
  })

  test('writes are not prepared, nor reads in a transaction', async () => {
    const pool = await aPool()
    const { run, namesOver } = aReader()
    const client = await pool.connect()
    await client.query('begin')
    for (let turn = 0; turn < 20; turn++) await namesOver(client, 0)
    await client.query('commit')
    client.release()
    for (let turn = 0; turn < 20; turn++) await run(pool, 'update things set size = $1 where false', [turn])
    expect(await prepared(pool)).toEqual([])
  })

  test('a wrong argument is an error of this call only', async () => {
    const pool = await aPool()
    const { run, namesOver, prepareRead } = aReader()
    await prepareRead(pool)
    await expect(run(pool, read, ['a word'])).rejects.toMatchObject({ code: '22P02' })
    expect(await namesOver(pool, 5)).toEqual(['large', 'larger'])
    expect(await prepared(pool)).toEqual([read])
  })

  test.each([
    // As behind a pooler, where the next query of a connection may get another session.
    ['no longer known', 'deallocate all'],
    ['of another type, after a migration', 'alter table things alter column size type bigint'],
  ])('a read whose statement is %s is answered, and sent as text from then on', async (_, change) => {
    const pool = await aPool()
    const { namesOver, prepareRead } = aReader()
    await prepareRead(pool)
    await pool.query(change)
    expect(await namesOver(pool, 5)).toEqual(['large', 'larger'])
    await pool.query('deallocate all')
    for (let turn = 0; turn < 20; turn++) await namesOver(pool, 0)
    expect(await prepared(pool)).toEqual([])
  })

  test('a read whose statement another client of the same session has prepared is answered', async () => {
    const pool = await aPool()
    const { prepareRead } = aReader()
    await prepareRead(pool)
    const { rows } = await pool.query<{ name: string }>(
      'select name from pg_prepared_statements where statement = $1',
      [read],
    )
    const other = await aPool()
    const { namesOver: namesOfOther } = aReader()
    await other.query(`prepare "${rows[0]!.name}" as select 1`)
    for (let turn = 0; turn < 20; turn++) expect(await namesOfOther(other, 5)).toEqual(['large', 'larger'])
  })
})
