import { z } from 'zod'
import { impacts, phases, settableStatuses } from '#contract/status-page.ts'

const time = z.string().meta({ format: 'date-time' })

export const PostView = z
  .object({
    id: z.uuid(),
    incident_id: z.uuid().nullable().meta({ description: 'The incident of the team that is published by it.' }),
    title: z.string(),
    impact: z.enum(impacts).meta({ id: 'Impact' }),
    phase: z.enum(phases),
    counts_as_downtime: z.boolean(),
    components: z.array(z.object({ component_id: z.uuid(), status: z.enum(settableStatuses) })),
    former_components: z
      .array(z.string())
      .meta({ description: 'The names of deleted components that it concerned. They go when `components` is sent.' }),
    started_at: time,
    resolved_at: time.nullable(),
    postmortem: z.string().nullable().meta({ description: 'Markdown.' }),
    postmortem_published_at: time.nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'StatusPagePost', description: 'An incident as the public reads of it, on one page.' })

export const UpdateView = z
  .object({
    id: z.uuid(),
    phase: z.enum(phases),
    body: z.string().meta({ description: 'Markdown.' }),
    at: time,
    notify_subscribers: z.boolean(),
    created_by: z.uuid().nullable(),
    updated_at: time,
  })
  .meta({ id: 'StatusPageUpdate' })
