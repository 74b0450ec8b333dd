import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created, ok } from '#control-plane/http/reply.ts'
import { changeMonitors } from './change-monitors.ts'
import { createMonitors } from './create-monitors.ts'
import { BulkChanges, BulkNew, bulkBytes } from './input.ts'
import { byIndex } from './vet.ts'
import { MonitorView, readMonitors } from './view.ts'

export const createManyMonitors = endpoint({
  method: 'POST',
  path: '/monitors/bulk',
  operation: 'monitors.createMany',
  summary: 'Create up to 1,000 monitors, all or none',
  description:
    'When anything is wrong nothing is created, and `errors` names every reason by index, such as `monitors.3.url`.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: BulkNew,
  bodyLimit: bulkBytes,
  returns: created({ data: z.array(MonitorView) }),

  async handle(context) {
    return { data: await readMonitors(context, await createMonitors(context, context.body.monitors, byIndex)) }
  },
})

export const updateManyMonitors = endpoint({
  method: 'PATCH',
  path: '/monitors/bulk',
  operation: 'monitors.updateMany',
  summary: 'Change up to 1,000 monitors by id, all or none',
  description:
    'When anything is wrong nothing is changed, and `errors` names every reason by index, such as `monitors.3.url`.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: BulkChanges,
  bodyLimit: bulkBytes,
  returns: ok({ data: z.array(MonitorView) }),

  async handle(context) {
    await changeMonitors(context, context.body.monitors, byIndex)
    return {
      data: await readMonitors(
        context,
        context.body.monitors.map(monitor => monitor.id),
      ),
    }
  },
})
