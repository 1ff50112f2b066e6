import { z } from 'zod'
import { roles } from './roles.ts'
import { id, line, message } from './scalars.ts'

/** Why something is done; for the audit log. */
const reason = line(500).optional().meta({ description: 'For the audit log.', examples: [] })

export const setRole = {
  input: z.object({ id, role: z.enum(roles).meta({ example: 'moderator' }), reason }),
  output: message,
}
