import { sql } from 'kysely'
import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite, refuseWithoutFeature } from './access.ts'
import { findDomain, purposeOf, validateTarget } from './row.ts'
import { CustomDomainView, viewDomain } from './view.ts'

const now = sql<string>`clock_timestamp()`

export const updateCustomDomain = endpoint({
  method: 'PATCH',
  path: '/custom-domains/{custom_domain}',
  summary: 'Update, enable or disable a custom domain',
  description: 'A domain that is enabled again is `pending_dns` until its records are checked.',
  access: mayWrite,
  body: z.object({ target_id: z.uuid().toLowerCase().nullable().optional(), is_enabled: z.boolean().optional() }),
  returns: ok({ data: CustomDomainView }),

  async handle({ em, tenant, params, body, services, audit }) {
    await refuseWithoutFeature(em, tenant)
    const before = await findDomain(em, tenant, params.custom_domain)
    const { target_id = before.target_id } = body
    await validateTarget(em, tenant, purposeOf(before), target_id)
    const wasEnabled = before.state !== 'disabled'
    const { is_enabled = wasEnabled } = body
    const isMoved = target_id !== before.target_id
    if (isMoved || is_enabled !== wasEnabled) {
      await queries(em)
        .updateTable('custom_domains')
        .set({ target_id, updated_at: now })
        .$if(is_enabled !== wasEnabled, query =>
          query.set({
            state: is_enabled ? 'pending_dns' : 'disabled',
            state_changed_at: now,
            attempts: 0,
            last_error: null,
            next_check_at: is_enabled ? now : null,
          }),
        )
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', before.id)
        .execute()
      audit(
        'custom_domain.updated',
        { type: 'custom_domain', id: before.id },
        {
          ...(isMoved && { target_id: { before: before.target_id, after: target_id } }),
          ...(is_enabled !== wasEnabled && { is_enabled: { before: wasEnabled, after: is_enabled } }),
        },
      )
    }
    return { data: viewDomain(await findDomain(em, tenant, before.id), services.config.baseUrl) }
  },
})
