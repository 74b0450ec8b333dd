import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { Hostname, whyRefused } from '#control-plane/base/hostname.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { mintLinkToken } from '#control-plane/base/token-secret.ts'
import { advisoryLock, queries, rows, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { created, noContent, offsetPage, ok } from '#control-plane/http/reply.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { mayChange, mayRead, refuseWithoutFeature, requireOwner } from './access.ts'
import { checkDomain, checkedColumns, longestDomain } from './domain-check.ts'
import { findDomain, SsoDomainView, selectDomains, viewDomain } from './domain-row.ts'
import { lockConfig } from './row.ts'

/** Domains that a team may have. */
export const mostDomains = 50

export const listSsoDomains = endpoint({
  method: 'GET',
  path: '/sso/domains',
  summary: 'List the e-mail domains of a team’s single sign-on',
  description: 'Newest first.',
  access: mayRead,
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(SsoDomainView),

  async handle({ em, tenant, query, url }) {
    const count = await queries(em)
      .selectFrom('sso_domains')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectDomains(em, tenant)
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewDomain), ...offsetParts(query, count.total, url) }
  },
})

export const createSsoDomain = endpoint({
  method: 'POST',
  path: '/sso/domains',
  summary: 'Add an e-mail domain to a team’s single sign-on',
  description:
    'For owners alone. Create the TXT record of the answer, then call `verify` or wait: it is checked within a ' +
    `minute, then ever less often. Subdomains are domains of their own. A team has at most ${mostDomains}.`,
  access: mayChange,
  needsOwnSession: true,
  underImpersonation: 'refused',
  needsFreshSession: true,
  body: z.object({ domain: Hostname }),
  returns: created({ data: SsoDomainView }),

  async handle({ em, tenant, body: { domain }, caller, services, audit }) {
    requireOwner(caller)
    await refuseWithoutFeature(em, tenant)
    const why = domain.length > longestDomain ? tooLong : whyRefused(domain, services.config.baseUrl)
    if (why !== null) throw invalid({ domain: [why] })
    await advisoryLock(em, `sso_domains:${tenant.id}`)
    const known = await queries(em)
      .selectFrom('sso_domains')
      .where('tenant_id', '=', tenant.id)
      .select('domain')
      .execute()
    if (known.some(each => each.domain === domain))
      throw invalid({ domain: ['Is a domain of this team already.'] }, 'in_use')
    if (known.length >= mostDomains)
      throw invalid({ domain: [new Sentence('A team has at most {n} domains.', { n: mostDomains })] })
    const id = randomUUID()
    await queries(em)
      .insertInto('sso_domains')
      .values({ id, tenant_id: tenant.id, domain, txt_token: mintLinkToken().plain })
      .execute()
    audit('sso_domain.created', { type: 'tenant', id: tenant.id }, { domain })
    return { data: viewDomain(await findDomain(em, tenant, id)) }
  },
})

const tooLong = `Must be at most ${longestDomain} characters.`

export const getSsoDomain = endpoint({
  method: 'GET',
  path: '/sso/domains/{sso_domain}',
  summary: 'Get an e-mail domain of a team’s single sign-on',
  access: mayRead,
  underImpersonation: 'refused',
  returns: ok({ data: SsoDomainView }),
  handle: async ({ em, tenant, params }) => ({ data: viewDomain(await findDomain(em, tenant, params.sso_domain)) }),
})

export const deleteSsoDomain = endpoint({
  method: 'DELETE',
  path: '/sso/domains/{sso_domain}',
  summary: 'Delete an e-mail domain of a team’s single sign-on',
  description:
    'For owners alone. People with such addresses cannot sign in at the provider any more. The last verified domain ' +
    'stays while single sign-on is enforced. Added again, the domain needs a new TXT record.',
  access: mayChange,
  needsOwnSession: true,
  underImpersonation: 'refused',
  needsFreshSession: true,
  returns: noContent,

  async handle({ em, tenant, params, caller, audit }) {
    requireOwner(caller)
    const { id, domain } = await findDomain(em, tenant, params.sso_domain)
    await refuseLast(em, tenant, id)
    await queries(em).deleteFrom('sso_domains').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    audit('sso_domain.deleted', { type: 'tenant', id: tenant.id }, { domain })
  },
})

async function refuseLast(em: EntityManager, tenant: { id: string }, id: string): Promise<void> {
  const config = await lockConfig(em, tenant)
  if (!config?.is_enforced) return
  const other = await queries(em)
    .selectFrom('sso_domains')
    .where('tenant_id', '=', tenant.id)
    .where('id', '<>', id)
    .where('verified_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!other) throw invalid({ domain: ['Is the last verified domain: single sign-on is enforced.'] }, 'domain_needed')
}

const limit = new ConcurrencyLimit({ atOnce: 10, waiting: 50 })

export const verifySsoDomain = endpoint({
  method: 'POST',
  path: '/sso/domains/{sso_domain}/verify',
  summary: 'Check the DNS record of an e-mail domain now',
  description: 'Answers when the record was read, within some seconds. Its outcome counts as that of a daily check.',
  access: mayChange,
  needsOwnSession: true,
  underImpersonation: 'refused',
  rate: 'domain-check',
  detached: true,
  returns: ok({ data: SsoDomainView }),

  async handle({ em, tenant, params, services, caller, ip, requestId, now }) {
    const { platform } = services
    const context = { tenantId: tenant.id, resellerId: null, caller, ip, requestId, now, isReading: true }
    const inTenant = <T>(work: Parameters<typeof unitOfWork<T>>[2]) => unitOfWork(em, context, work)
    await inTenant(async em => {
      await findDomain(em, tenant, params.sso_domain)
      await refuseWithoutFeature(em, tenant)
    })
    // one that waited too long is checked as one that has just been added
    await rows(platform)`update sso_domains set attempts = 0, restarted_at = clock_timestamp()
      where tenant_id = ${tenant.id} and id = ${params.sso_domain} and verified_at is null`
    const domain = await queries(platform)
      .selectFrom('sso_domains')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', params.sso_domain)
      .select(checkedColumns)
      .executeTakeFirst()
    if (!domain) throw notFound('Domain')
    await limit.run(() => checkDomain(services, domain))
    return inTenant(async em => ({ data: viewDomain(await findDomain(em, tenant, domain.id)) }))
  },
})
