import type { TestProject } from 'vitest/node'
import { installedChromium } from './chromium.ts'
import { startSite } from './site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The running server that journeys drive, and where its mails are kept. */
    site: { url: string; dataDir: string }
    chromium: string
  }
}

/** What journeys need: the server and a browser. */
export default async function setup(project: TestProject) {
  const executable = installedChromium()
  const { url, dataDir, stop } = await startSite()
  project.provide('site', { url, dataDir })
  project.provide('chromium', executable)
  return stop
}
