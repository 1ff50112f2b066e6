import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const states = readFileSync('client/e2e/states.test.ts', 'utf8')
/** Pages that need a site or a decision of their own: see client/e2e/host.test.ts and moderation.test.ts. */
const elsewhere = ['_member.setup.tsx', '_member.decisions.$decisionId.tsx']
const pages = readdirSync('client/routes').filter(
  (file) => /^[a-z_].*\.tsx$/.test(file) && !/^(__root|_member)\.tsx$/.test(file),
)

test.each(pages.filter((file) => !elsewhere.includes(file)))(
  'client/e2e/states.test.ts shows client/routes/%s',
  (file) => {
    const names = file
      .replace(/^_member\./, '')
      .replace(/(^|\.)(index\.)?tsx$/, '')
      .replaceAll('_', '')
    const path = names.replaceAll('.', '/').replaceAll(/\$\w*/g, "[^/'`]+")
    expect(states).toMatch(new RegExp(`['\`]/${path}['\`?]`))
  },
)
