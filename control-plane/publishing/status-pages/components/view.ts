import { z } from 'zod'
import { settableStatuses } from '#contract/status-page.ts'
import { componentTypes, downStatuses } from '#control-plane/db/model/status-page-values.ts'

const time = z.string().meta({ format: 'date-time' })

export const ComponentView = z
  .object({
    id: z.uuid(),
    type: z.enum(componentTypes).meta({ id: 'ComponentType' }),
    monitor_id: z.uuid().nullable(),
    monitor_group: z.string().nullable(),
    static_status: z.enum(settableStatuses).meta({ id: 'SettableStatus' }).nullable(),
    name: z.string(),
    description: z.string(),
    group_id: z.uuid().nullable(),
    position: z.int(),
    show_history: z.boolean(),
    status_when_down: z.enum(downStatuses).meta({ id: 'DownStatus' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'StatusPageComponent' })
