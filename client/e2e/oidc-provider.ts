import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { startProgram } from '#scripts/testing/program.ts'
import { consentTo } from '#scripts/testing/provider.ts'

/** Who logs in at the provider. `denies` stands for a press on “Cancel” there. */
type Person = { sub: string; email: string; name: string; denies?: true }

/** Starts Medley and a provider in which one press logs `person` in. */
export async function startWithProvider(data: string, env: Record<string, string> = {}) {
  const state: { person: Person } = { person: { sub: '1', email: 'ida@example.org', name: 'ida' } }
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const program = await startProgram({
    DATA_DIR: data,
    OIDC_EXAMPLE_ISSUER: issuer,
    OIDC_EXAMPLE_CLIENT_ID: 'medley',
    OIDC_EXAMPLE_CLIENT_SECRET: 'secret-of-medley',
    OIDC_EXAMPLE_LABEL: 'Example ID',
    OIDC_EXAMPLE_SIGN_UP: 'on',
    ...env,
  })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'medley',
        client_secret: 'secret-of-medley',
        redirect_uris: [`${program.url}/auth/oidc/example/callback`],
        post_logout_redirect_uris: [`${program.url}/login`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    cookies: { keys: ['of a test'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        // The page of the library loads fonts from the internet.
        logoutSource(ctx, form) {
          ctx.body = `<!DOCTYPE html><title>Logout</title>${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: state.person.email,
        email_verified: true,
        preferred_username: state.person.name,
      }),
    }),
    loadExistingGrant: consentTo('openid email profile'),
  })
  const respond = provider.callback()
  http.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void respond(request, response)
    const { sub, denies } = state.person
    const result = denies ? { error: 'access_denied' } : { login: { accountId: sub } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  return {
    url: program.url,
    state,
    /** As if the provider were down. */
    endProvider() {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(resolve))
    },
    async end() {
      http.closeAllConnections()
      http.close()
      await program.end()
    },
  }
}
