import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { mayChange, refuseWithoutFeature, requireOwner } from './access.ts'
import { decryptClientSecret } from './client-secret.ts'
import { examineProvider, type Problem, ProblemView } from './examine.ts'
import { type ConfigRow, readConfig } from './row.ts'

export const testSsoConfig = endpoint({
  method: 'POST',
  path: '/sso/config/test',
  summary: 'Test the single sign-on of a team',
  description:
    'For owners alone. Reads the description and the keys of the provider, and says what is wrong and what to do. ' +
    'Whether the provider accepts the client secret shows only when someone signs in: see /sso/attempts.',
  access: mayChange,
  underImpersonation: 'refused',
  rate: 'smtp-test',
  detached: true,
  returns: ok({
    data: z.object({ is_working: z.boolean(), problems: z.array(ProblemView) }).meta({ id: 'SsoTest' }),
  }),

  async handle({ em, tenant, caller, services, ip, requestId, now }) {
    requireOwner(caller)
    const context = { tenantId: tenant.id, resellerId: null, caller, ip, requestId, now }
    const { row, isProven } = await unitOfWork(em, context, async (inside, sideEffects) => {
      await refuseWithoutFeature(inside, tenant)
      const stored = await readConfig(inside, tenant)
      if (!stored) throw invalid({ issuer: ['No provider is set.'] }, 'sso_not_set')
      const domain = await queries(inside)
        .selectFrom('sso_domains')
        .where('tenant_id', '=', tenant.id)
        .where('verified_at', 'is not', null)
        .select('id')
        .limit(1)
        .executeTakeFirst()
      sideEffects.audits.push({
        whose: 'tenant',
        action: 'sso_config.tested',
        type: 'tenant',
        id: tenant.id,
        changes: undefined,
      })
      return { row: stored, isProven: domain !== undefined }
    })
    const problems =
      row.protocol === 'saml' ? certificateProblems(row, now) : await oidcProblems(services, tenant.id, row)
    if (!isProven)
      problems.push({
        field: 'domains',
        cause: 'No e-mail domain is verified.',
        remedy: 'Add a domain at /sso/domains and create its TXT record: no one can sign in before.',
      })
    return { data: { is_working: problems.length === 0, problems } }
  },
})

function oidcProblems(
  { config, guard }: Pick<Services, 'config' | 'guard'>,
  tenantId: string,
  { issuer, client_id: clientId, client_secret: encrypted, scopes }: ConfigRow,
): Promise<Problem[]> {
  const clientSecret = encrypted === null ? null : decryptClientSecret(config, tenantId, encrypted)
  return examineProvider(guard, { issuer, clientId, clientSecret, scopes })
}

/** A SAML provider is not asked: what can be wrong before a sign-in is that its certificates are over. */
function certificateProblems({ certificates }: ConfigRow, now: Date): Problem[] {
  const isOver = (pem: string) => new X509Certificate(pem).validToDate < now
  return certificates.every(isOver)
    ? [
        {
          field: 'certificates',
          cause: 'All certificates of the provider have expired.',
          remedy: 'Enter the certificate with which the provider signs now.',
        },
      ]
    : []
}
