import type { FastifyInstance } from 'fastify'
import type { Calls } from '#server/http/doors/calls.ts'

const formBytesMax = 1_024

/**
 * RFC 8058. Not a procedure, because mail programs send a form, whose content does not matter. The page at this address asks first:
 * programs that check links open it too.
 */
export async function registerUnsubscribe(app: FastifyInstance, calls: Calls): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: formBytesMax }, (_request, _body, done) =>
      done(null),
    )
    scope.route<{ Querystring: { token?: unknown } }>({
      method: 'POST',
      url: '/unsubscribe',
      async handler(request) {
        const call = await calls.callerOf(request)
        return call.notifications.unsubscribe({ token: String(request.query.token ?? '') })
      },
    })
  })
}
