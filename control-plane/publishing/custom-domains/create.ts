import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { Hostname, whyRefused } from '#control-plane/base/hostname.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { mintLinkToken } from '#control-plane/base/token-secret.ts'
import { advisoryLock, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { domainPurposes } from '#control-plane/tenancy/portal-hosts/states.ts'
import { mayWrite, refuseWithoutFeature } from './access.ts'
import { findDomain, validateTarget } from './row.ts'
import { CustomDomainView, viewDomain } from './view.ts'

/** Custom domains that a team may have. */
export const mostDomains = 50

export const createCustomDomain = endpoint({
  method: 'POST',
  path: '/custom-domains',
  summary: 'Add a custom domain',
  description:
    'Create the DNS records of the answer, then call `verify` or wait: they are checked within a minute, then ever ' +
    `less often. A team has at most ${mostDomains} domains.`,
  access: mayWrite,
  body: z.object({
    hostname: Hostname,
    purpose: z.enum(domainPurposes).default('status_page'),
    target_id: z.uuid().toLowerCase().nullable().default(null),
  }),
  returns: created({ data: CustomDomainView }),

  async handle({ em, tenant, body, services, audit }) {
    const { hostname, purpose, target_id } = body
    const { baseUrl } = services.config
    await refuseWithoutFeature(em, tenant)
    const why = whyRefused(hostname, baseUrl)
    if (why !== null) throw invalid({ hostname: [why] })
    await validateTarget(em, tenant, purpose, target_id)
    await advisoryLock(em, `custom_domains:${tenant.id}`)
    const known = await queries(em)
      .selectFrom('custom_domains')
      .where('tenant_id', '=', tenant.id)
      .select('hostname')
      .execute()
    if (known.some(domain => domain.hostname === hostname))
      throw invalid({ hostname: ['Is a custom domain of this team already.'] }, 'in_use')
    if (known.length >= mostDomains)
      throw invalid({ hostname: [new Sentence('A team has at most {n} custom domains.', { n: mostDomains })] })
    const id = randomUUID()
    await queries(em)
      .insertInto('custom_domains')
      .values({ id, tenant_id: tenant.id, hostname, purpose, target_id, txt_token: mintLinkToken().plain })
      .execute()
    audit('custom_domain.created', { type: 'custom_domain', id }, { hostname, purpose, target_id })
    return { data: viewDomain(await findDomain(em, tenant, id), baseUrl) }
  },
})
