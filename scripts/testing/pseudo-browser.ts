import type { TestProject } from 'vitest/node'
import setUpBrowser from './browser.ts'
import { writePseudoLanguage } from './write-pseudo-language.ts'

/** As browser.ts, with a site that has the pseudo language. */
export default async function setup(project: TestProject) {
  await writePseudoLanguage()
  return setUpBrowser(project, ['pseudo-language.ts'])
}
