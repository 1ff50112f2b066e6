import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = globSync('client/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^client\/e2e\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** The calls that take something away from somebody, and the module that asks before it sends them. */
const asking: Record<string, string[]> = {
  'accounts.endSession': ['client/accounts/settings/sessions.tsx'],
  'accounts.removePasskey': ['client/accounts/settings/passkeys.tsx'],
  'accounts.removeTotp': ['client/accounts/settings/sign-in.tsx'],
  'accounts.renewRecoveryCodes': ['client/accounts/settings/sign-in.tsx'],
  'accounts.requestDeletion': ['client/accounts/settings/deletion-dialog.tsx'],
  'accounts.revokeAccessToken': ['client/accounts/settings/tokens.tsx'],
  'admin.logOut': ['client/admin/member-screen.tsx'],
  'admin.reject': ['client/admin/member-screen.tsx'],
  'admin.removeMember': ['client/admin/member-screen.tsx'],
  'admin.setRole': ['client/admin/member-screen.tsx'],
  'diary.remove': ['client/diary/entry-dialog.tsx'],
  'diary.removeStep': ['client/diary/step-log.tsx'],
  'imports.remove': ['client/imports/imports-screen.tsx'],
  'invites.remove': ['client/members/revoke-invite.tsx'],
  'lists.removeEditor': ['client/lists/owner-tools.tsx', 'client/lists/list-screen.tsx'],
  'lists.renewLink': ['client/lists/owner-tools.tsx'],
  'moderation.decide': ['client/admin/reports/decision-dialog.tsx'],
  'privacy.block': ['client/members/member-dialog.tsx'],
  'privacy.reject': ['client/members/answer-request.tsx'],
  'privacy.removeFollower': ['client/social/remove-follower.tsx'],
  'progress.removeCalendarLink': ['client/progress/calendar-link-dialog.tsx'],
  'webhooks.remove': ['client/accounts/settings/webhooks.tsx'],
  deleteLater: [
    'client/reviews/delete-review.tsx',
    'client/reviews/comments.tsx',
    'client/lists/owner-tools.tsx',
  ],
}
/** Procedures with such a name that take nothing away: they undo, or answer with a text. */
const harmless = ['moderation.undo', 'progress.undo', 'lists.unfollow', 'lists.unlike']

test('every call that takes something away is known, and a module asks before it', () => {
  const hurts =
    /^\w+\.(remove|delete|revoke|reject|block|suspend|decide|end|logOut|renew|requestDeletion|setRole|undo)/
  const called = sources.flatMap(({ text }) =>
    [...text.matchAll(/trpc(?:Client)?\s*\.(\w+\.\w+)\s*\.(?:useMutation|mutate)/g)].map(([, name]) => name!),
  )
  const found = [...new Set(called)].filter(
    // Decisions of an import are answers about one's own file.
    (name) => hurts.test(name) && !name.startsWith('imports.decide') && !harmless.includes(name),
  )
  expect(found.sort()).toEqual(Object.keys(asking).filter((name) => name.includes('.')))
  const asks = /<Confirm(?:Self)?Dialog|useQuestion\(\)|<Dialog\b/
  for (const [name, files] of Object.entries(asking))
    for (const file of files)
      expect(sources.find((one) => one.file === file)?.text, `${name} in ${file}`).toMatch(asks)
})
