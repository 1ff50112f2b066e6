import type { TestProject } from 'vitest/node'
import { installedChromium } from './chromium.ts'
import { startSite } from './site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    site: { url: string; dataDir: string }
    /** Of the site’s pages, whatever a test asks for; null: English. */
    pseudoLanguage: string | null
    chromium: string
  }
}

/** Once for all test files. */
export default async function setup(project: TestProject, scripts: readonly string[] = []) {
  const executable = installedChromium()
  const { url, dataDir, stop } = await startSite(scripts)
  project.provide('site', { url, dataDir })
  project.provide('chromium', executable)
  return stop
}
