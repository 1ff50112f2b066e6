import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importServices } from '#shared/domain/import-formats.ts'
import { openFixture } from '#scripts/testing/import-file.ts'
import { formats } from './index.ts'

// “Add an import format” in CONTRIBUTING.md.

const folder = 'server/imports/read/formats'
const samples = 'server/imports/fixtures'

test.each(importServices)('%s has a module and a test', (service) => {
  const steps = [`${folder}/${service}.ts`, `${folder}/${service}.test.ts`]
  expect(
    steps.filter((path) => !existsSync(path)),
    'Add these files.',
  ).toEqual([])
  expect(formats, `Import ./${service}.ts in ${folder}/index.ts.`).toHaveProperty(service)
})

test('each module of a format is in the list of formats', () => {
  const helpers = /^(columns|dates|format|index|names|records|rows|values|read-.*)$/
  const modules = readdirSync(folder).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  const unlisted = modules.filter((name) => !helpers.test(name) && !Object.hasOwn(formats, name))
  expect(unlisted, 'Add them to shared/domain/import-formats.ts.').toEqual([])
})

test.each(
  importServices.flatMap((service) =>
    (existsSync(`${samples}/${service}`) ? readdirSync(`${samples}/${service}`) : [])
      .filter((file) => file !== 'header-only.csv')
      .map((file) => ({ service, file })),
  ),
)('$service/$file is recognized as a file of $service', async ({ service, file }) => {
  expect((await openFixture(`${service}/${file}`)).service).toBe(service)
})
