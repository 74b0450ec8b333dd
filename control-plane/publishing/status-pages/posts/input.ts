import { z } from 'zod'
import { line, text } from '#contract/line.ts'
import { impacts, phases, settableStatuses } from '#contract/status-page.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { limits } from '#control-plane/publishing/status-pages/access.ts'

const Id = z.uuid().toLowerCase()
const earliest = new Date('2000-01-01T00:00:00Z')

const PastInstant = z.iso
  .datetime({ offset: true, error: 'Must be an ISO 8601 time with its offset.', abort: true })
  .transform(text => new Date(text))
  .refine(date => date >= earliest, 'Must not be before the year 2000.')

const PostComponents = z
  .array(z.object({ component_id: Id, status: z.enum(settableStatuses) }).meta({ id: 'StatusPagePostComponent' }))
  .max(limits.components)
  .refine(all => new Set(all.map(({ component_id }) => component_id)).size === all.length, 'Names a component twice.')

export const Body = text(10_000, 1).meta({ description: 'Markdown.' })
const notify = z.boolean().meta({ description: 'Subscribers of a draft are not notified.' })

const fields = {
  title: line(255),
  impact: z.enum(impacts),
  counts_as_downtime: z
    .boolean()
    .meta({ description: 'In the uptime mode `manual`, uptime is made of the incidents that count.' }),
  components: PostComponents.meta({ description: 'The components that it concerns, and how. Sent whole.' }),
  started_at: PastInstant,
  resolved_at: PastInstant,
}

export const NewPost = z
  .object({
    incident_id: Id.nullable()
      .default(null)
      .meta({ description: 'Publishes this incident of the team; `null`: there is none.' }),
    title: fields.title,
    impact: fields.impact.optional().meta({
      description: 'Without it the severity of the incident, and `minor` where there is no incident.',
    }),
    counts_as_downtime: fields.counts_as_downtime.optional().meta({
      description: `${fields.counts_as_downtime.meta()?.description} Without it: whether \`incident_id\` is given.`,
    }),
    components: fields.components.optional().meta({
      description:
        'The components that it concerns, and how. Without it those of the incident’s monitor, each with its ' +
        '`status_when_down`.',
    }),
    started_at: fields.started_at.optional().meta({ description: 'Without it the start of the incident, or now.' }),
    resolved_at: fields.resolved_at.optional().meta({
      description: 'Only in the phase `resolved`. Without it the end of the incident, or now.',
    }),
    phase: z.enum(phases).optional().meta({
      description: 'Without it that of the incident, and `investigating` where there is no incident.',
    }),
    body: Body,
    notify_subscribers: notify.default(true),
  })
  .meta({ id: 'NewStatusPagePost' })
export type NewPost = z.output<typeof NewPost>

export const PostChanges = z.object(fields).partial().meta({ id: 'StatusPagePostChanges' })

export const NewUpdate = z
  .object({
    phase: z.enum(phases),
    body: Body,
    components: fields.components.optional(),
    notify_subscribers: notify.default(true),
  })
  .meta({ id: 'NewStatusPageUpdate' })

interface Span {
  started_at: Date
  resolved_at: Date | null
}

/** Refuses moments that are in the future or in the wrong order. */
export function validateSpan({ started_at, resolved_at }: Span, now: Date): void {
  const errors: FieldErrors = {}
  if (started_at > now) errors.started_at = ['Must not be in the future.']
  if (resolved_at && resolved_at > now) errors.resolved_at = ['Must not be in the future.']
  else if (resolved_at && resolved_at < started_at) errors.resolved_at = ['Must not be before started_at.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
