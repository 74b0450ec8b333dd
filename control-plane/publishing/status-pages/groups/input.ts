import { z } from 'zod'
import { line } from '#contract/line.ts'
import { Position } from '#control-plane/publishing/status-pages/order.ts'

const fields = {
  name: line(255),
  position: Position,
  is_open: z.boolean().meta({ description: 'Shown open, also while all of its components are operational.' }),
}

export const NewGroup = z
  .object({ ...fields, position: fields.position.optional(), is_open: fields.is_open.default(false) })
  .meta({ id: 'NewStatusPageGroup' })
export const GroupChanges = z.object(fields).partial().meta({ id: 'StatusPageGroupChanges' })
