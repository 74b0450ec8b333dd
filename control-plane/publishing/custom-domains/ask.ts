import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'

export const askForDomain = endpoint({
  method: 'GET',
  path: '/domains/ask',
  operation: 'customDomains.ask',
  summary: 'Ask whether a hostname may get a certificate',
  description:
    'For a TLS proxy. ' +
    'For on-demand TLS, as of Caddy: 200 if the hostname is a verified custom domain, else 404. The name must be ' +
    'given in full; there is no list. A domain that was just verified becomes `issuing`.',
  tag: 'custom-domains',
  access: 'public',
  rate: 'domain-ask',
  detached: true,
  mayFindNothing: true,
  query: z.object({ domain: z.string().max(1_000) }),
  returns: bare(z.object({ domain: z.string() }).meta({ id: 'AskedDomain' })),

  async handle({ query, services }) {
    const hosts = customHostsOf(services)
    await hosts.loaded
    const host = hosts.find(query.domain)
    if (!host) throw notFound('Domain')
    hosts.asked(host)
    return { domain: host.hostname }
  },
})
