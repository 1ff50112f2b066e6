import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importServices } from '#shared/domain/import-formats.ts'
import { openFixture } from '#scripts/testing/import-file.ts'
import { formats } from './index.ts'
import { headOf } from './read-csv.ts'
import { openZip } from './read-zip.ts'
import { headerOf, headersOf } from './rows.ts'

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
  const helpers = /^(columns|dates|format|index|names|plays|records|rows|steps|values|read-.*)$/
  const modules = readdirSync(folder).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  const unlisted = modules.filter((name) => !helpers.test(name) && !Object.hasOwn(formats, name))
  expect(unlisted, 'Add them to shared/domain/import-formats.ts.').toEqual([])
})

const samplesOf = (service: string) =>
  (existsSync(`${samples}/${service}`) ? readdirSync(`${samples}/${service}`) : [])
    .filter((file) => file !== 'header-only.csv')
    .map((file) => ({ service, file }))

test.each(importServices.flatMap(samplesOf))(
  '$service/$file is recognized as a file of $service',
  async ({ service, file }) => {
    expect((await openFixture(`${service}/${file}`)).service).toBe(service)
  },
)

/** The services whose formats accept the file, whatever their order. Any table is accepted as a CSV file. */
async function acceptedBy(path: string): Promise<string[]> {
  const services = importServices.filter((service) => service !== 'csv')
  const bytes = readFileSync(path)
  if (bytes.toString('latin1', 0, 2) !== 'PK') {
    const head = headOf(bytes).trimStart()
    if (/^[[{]/.test(head)) return services.filter((service) => formats[service].isJson?.(head, bytes))
    if (head.startsWith('<')) return services.filter((service) => formats[service].isXml?.(head))
    const headers = headersOf(bytes)
    return services.filter((service) => headerOf(headers, formats[service]))
  }
  const zip = await openZip(path)
  const accepting: string[] = []
  for (const service of services) {
    let isOfService = await formats[service].isZip?.(zip)
    for (const file of zip.files.filter((name) => name.endsWith('.csv')))
      isOfService ||= headerOf(headersOf(await zip.read(file)), formats[service]) !== undefined
    if (isOfService) accepting.push(service)
  }
  zip.close()
  return accepting
}

test.each(importServices.filter((service) => service !== 'csv').flatMap(samplesOf))(
  'no format but $service accepts $service/$file',
  async ({ service, file }) => {
    expect(await acceptedBy(`${samples}/${service}/${file}`)).toEqual([service])
  },
)
