import { z } from 'zod'
import { apiError, errorRefs } from './errors.ts'

const up = z.object({ status: z.literal('ok') })

export const healthPaths = {
  '/healthz': {
    get: {
      operationId: 'getHealth',
      summary: 'Check whether the process responds',
      description: 'Touches neither the database nor the disk. Not rate limited.',
      tags: ['Operations'],
      security: [],
      responses: {
        200: { description: 'The process responds.', content: { 'application/json': { schema: up } } },
        ...errorRefs([400, 503]),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      summary: 'Check whether the database responds',
      description: 'For load balancers: after a 503, send requests to another process.',
      tags: ['Operations'],
      security: [],
      responses: {
        200: { description: 'The database responds.', content: { 'application/json': { schema: up } } },
        ...errorRefs([400, 429]),
        503: {
          description: 'The database does not respond within a second, or the server is shutting down.',
          content: {
            'application/json': {
              schema: z.union([z.object({ status: z.literal('unavailable') }), apiError]),
            },
          },
        },
      },
    },
  },
}
