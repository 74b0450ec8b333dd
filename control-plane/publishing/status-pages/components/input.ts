import { z } from 'zod'
import { line, text } from '#contract/line.ts'
import { Sentence } from '#contract/sentence.ts'
import { settableStatuses } from '#contract/status-page.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { type ComponentType, componentTypes, downStatuses } from '#control-plane/db/model/status-page-values.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { Position } from '#control-plane/publishing/status-pages/order.ts'

const Id = z.uuid().toLowerCase()

const fields = {
  monitor_id: Id.nullable().meta({ description: 'Of type `monitor`. Visitors do not see it, nor its address.' }),
  monitor_group: line(100).nullable().meta({ description: 'Of type `group`: the `group` of the monitors.' }),
  static_status: z.enum(settableStatuses).nullable().meta({ description: 'Of type `static`.' }),
  name: line(255),
  description: text(500),
  group_id: Id.nullable().meta({ description: 'A group of the page; `null`: none.' }),
  position: Position,
  show_history: z.boolean(),
  status_when_down: z.enum(downStatuses).meta({
    description: 'How much of the component is out while its monitor is down; of a group, each of its monitors.',
  }),
}

export const NewComponent = z
  .object({
    type: z.enum(componentTypes),
    ...fields,
    monitor_id: fields.monitor_id.default(null),
    monitor_group: fields.monitor_group.default(null),
    static_status: fields.static_status.default(null),
    description: fields.description.default(''),
    group_id: fields.group_id.default(null),
    position: fields.position.optional(),
    show_history: fields.show_history.default(true),
    status_when_down: fields.status_when_down.default('major_outage'),
  })
  .meta({ id: 'NewStatusPageComponent' })

/** The type stays: another type is another component. */
export const ComponentChanges = z.object(fields).partial().meta({ id: 'StatusPageComponentChanges' })

const fieldOf = { monitor: 'monitor_id', group: 'monitor_group', static: 'static_status' } as const
type Source = (typeof fieldOf)[ComponentType]

interface Sources extends Record<Source, string | null> {
  type: ComponentType
  group_id: string | null
}

/** Refuses what belongs to another type, a monitor that is not the team's, and a group that is not the page's. */
export async function validateComponent(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  page: { id: string },
  component: Sources,
): Promise<void> {
  const errors: FieldErrors = {}
  for (const [type, field] of Object.entries(fieldOf) as [ComponentType, Source][])
    if (type === component.type && component[field] === null)
      errors[field] = [new Sentence('A component of type {type} needs it.', { type })]
    else if (type !== component.type && component[field] !== null)
      errors[field] = [new Sentence('Is only for components of type {type}.', { type })]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const db = queries(em)
  if (component.monitor_id !== null) {
    const monitors = db.selectFrom('monitors').where('tenant_id', '=', tenant.id)
    const monitor = monitors.where('id', '=', component.monitor_id).select('id').forKeyShare()
    if (!(await monitor.executeTakeFirst())) throw invalid({ monitor_id: ['Monitor not found.'] })
  }
  if (component.group_id !== null) {
    const groups = db.selectFrom('status_page_groups').where('tenant_id', '=', tenant.id)
    const group = groups.where('page_id', '=', page.id).where('id', '=', component.group_id).select('id')
    if (!(await group.executeTakeFirst())) throw invalid({ group_id: ['The page has no such group.'] })
  }
}
