import type { TestProject } from 'vitest/node'
import { installedChromium } from './chromium.ts'
import { startSite } from './site.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The running server, and the folder where it stores its mails. */
    site: { url: string; dataDir: string }
    chromium: string
  }
}

/** Starts the server for the browser tests and finds a browser, once for all test files. */
export default async function setup(project: TestProject) {
  const executable = installedChromium()
  const { url, dataDir, stop } = await startSite()
  project.provide('site', { url, dataDir })
  project.provide('chromium', executable)
  return stop
}
