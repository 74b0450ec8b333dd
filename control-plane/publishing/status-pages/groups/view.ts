import { z } from 'zod'

const time = z.string().meta({ format: 'date-time' })

export const GroupView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    position: z.int(),
    is_open: z.boolean(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'StatusPageGroup' })
