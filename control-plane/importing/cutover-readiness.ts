import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { shortUnit } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { conditionNames, isReady, readinessOf } from './readiness.ts'
import { findMigration, mayRead } from './row.ts'

const Readiness = z
  .object({
    is_ready: z.boolean(),
    conditions: z.array(
      z.object({
        name: z.enum(conditionNames),
        is_met: z.boolean(),
        value: z.number().nullable().meta({ description: 'Its present value; null where there is none.' }),
        wanted: z.number().nullable(),
        explanation: z.string(),
      }),
    ),
  })
  .meta({ id: 'MigrationReadiness' })

export const getCutoverReadiness = endpoint({
  method: 'GET',
  path: '/migrations/{migration}/cutover-readiness',
  operation: 'migrations.cutoverReadiness',
  summary: 'Get the conditions of a cutover with their present values',
  access: mayRead,
  detached: true,
  returns: ok({ data: Readiness }),

  async handle(context) {
    const { tenant, params, services, requestId } = context
    const row = await shortUnit(context, requestId, em => findMigration(em, tenant, params.migration))
    const conditions = await readinessOf(services, row)
    return { data: { is_ready: isReady(conditions), conditions } }
  },
})
