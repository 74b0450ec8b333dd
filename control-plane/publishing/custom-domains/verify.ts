import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { mayWrite, refuseWithoutFeature } from './access.ts'
import { checkDomain, checkedColumns } from './check.ts'
import { findDomain } from './row.ts'
import { CustomDomainView, viewDomain } from './view.ts'

const limit = new ConcurrencyLimit({ atOnce: 10, waiting: 50 })

export const verifyCustomDomain = endpoint({
  method: 'POST',
  path: '/custom-domains/{custom_domain}/verify',
  summary: 'Check the DNS records of a custom domain now',
  description: 'Answers when the records were read, within some seconds. Its outcome counts as that of a daily check.',
  access: mayWrite,
  rate: 'domain-check',
  detached: true,
  returns: ok({ data: CustomDomainView }),

  async handle({ em, tenant, params, services, caller, ip, requestId, now }) {
    const { platform } = services
    const context = { tenantId: tenant.id, resellerId: null, caller, ip, requestId, now, isReading: true }
    const inTenant = <T>(work: Parameters<typeof unitOfWork<T>>[2]) => unitOfWork(em, context, work)
    const { state } = await inTenant(async em => {
      const domain = await findDomain(em, tenant, params.custom_domain)
      await refuseWithoutFeature(em, tenant)
      return domain
    })
    if (state === 'disabled') throw invalid({ state: ['This domain is disabled: enable it first.'] }, 'domain_disabled')
    await rows(platform)`
      update custom_domains set attempts = 0, state_changed_at = clock_timestamp(),
        state = case when state = 'expired' then 'pending_dns' else state end
      where tenant_id = ${tenant.id} and id = ${params.custom_domain}
      and state in ('pending_dns', 'expired', 'failed')`
    const domain = await queries(platform)
      .selectFrom('custom_domains')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', params.custom_domain)
      .select(checkedColumns)
      .executeTakeFirst()
    if (!domain) throw notFound('Custom domain')
    await limit.run(() => checkDomain(services, domain))
    return inTenant(async em => ({
      data: viewDomain(await findDomain(em, tenant, domain.id), services.config.baseUrl),
    }))
  },
})
