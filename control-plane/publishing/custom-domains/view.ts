import { z } from 'zod'
import { domainPurposes, domainStates } from '#control-plane/tenancy/portal-hosts/states.ts'
import { recordsOf } from './records.ts'
import { type DomainRow, purposeOf } from './row.ts'
import { dnsProblems, expiryDays } from './states.ts'

const time = z.string().meta({ format: 'date-time' })

export const CustomDomainView = z
  .object({
    id: z.uuid(),
    hostname: z.string(),
    purpose: z.enum(domainPurposes).meta({
      description:
        '`status_page`: a status page is served there. `portal`: everything of the service is, in the brand of the ' +
        'team or reseller; once it is `active`, links of mails and sign-in links lead there.',
    }),
    target_id: z.uuid().nullable().meta({ description: 'The status page that is served there; null: none.' }),
    state: z.enum(domainStates).meta({
      description:
        '`pending_dns`: the DNS records are missing. `verified`: they are right. `issuing`: the TLS proxy has asked ' +
        'whether it may get a certificate. `active`: a visitor has reached the hostname. `failed`: the records were ' +
        `right and are not any more. \`expired\`: they were missing for ${expiryDays} days; \`verify\` checks again. ` +
        '`disabled`: switched off. It is served while `verified`, `issuing` or `active`.',
    }),
    dns: z.object({ cname: z.string(), txt_name: z.string(), txt_value: z.string() }).meta({
      description:
        'The records to create: `hostname` as an alias (CNAME) of `cname`, and a TXT record. At the top of a zone, ' +
        'which can have no alias, the addresses of `cname` do.',
    }),
    last_error: z
      .enum(dnsProblems)
      .nullable()
      .meta({
        description:
          'What the latest check found wrong. `taken`: another team has verified this hostname. ' +
          '`dns_unanswered`: the name servers did not answer, which says nothing of the records.',
      }),
    verified_at: time.nullable(),
    last_checked_at: time.nullable(),
    next_check_at: time.nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'CustomDomain' })

export function viewDomain(row: DomainRow, baseUrl: string): z.input<typeof CustomDomainView> {
  const { txt_token, state, last_error, ...fields } = row
  return {
    ...fields,
    purpose: purposeOf(row),
    state: domainStates.find(known => known === state) ?? 'pending_dns',
    last_error: dnsProblems.find(known => known === last_error) ?? null,
    dns: recordsOf(row.hostname, txt_token, baseUrl),
  }
}
