import { mask } from '#control-plane/base/secrets.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { adminsOnly, refuseWithoutFeature } from './access.ts'
import { draftSmtp } from './draft.ts'
import { SmtpChanges } from './input.ts'
import { lockSmtp, readSmtp, type SmtpRow, smtpFields, writeSmtp } from './row.ts'
import { SmtpView, viewSmtp } from './view.ts'

export const updateSmtp = endpoint({
  method: 'PATCH',
  path: '/smtp-config',
  summary: 'Set or update a team’s own mail server',
  description:
    'Only what is sent changes. ' +
    'The first call needs `host`, `port` and `encryption`. Needs the plan feature `custom_smtp`. ' +
    'When `host` changes, the stored password is deleted unless it is sent again.',
  access: adminsOnly,
  needsOwnSession: true,
  body: SmtpChanges,
  returns: ok({ data: SmtpView }),

  async handle({ em, tenant, body, services, audit }) {
    await refuseWithoutFeature(em, tenant)
    const before = await lockSmtp(em, tenant)
    const after = draftSmtp({ tenant, changes: body, stored: before, keys: services.config, guard: services.guard })
    const changed = smtpFields.filter(name => before?.[name] !== after[name])
    if (changed.length > 0) {
      await writeSmtp(em, tenant, after)
      const changes = Object.fromEntries(
        changed.map(name => [name, { before: auditValue(before, name), after: auditValue(after, name) }]),
      )
      audit('smtp_config.updated', { type: 'tenant', id: tenant.id }, changes, 'both')
    }
    const row = await readSmtp(em, tenant)
    if (!row) throw new Error('The mail server just written was not found.')
    return { data: viewSmtp(tenant, row) }
  },
})

/** The value for the audit trail, without the password. */
const auditValue = (row: SmtpRow | null, name: keyof SmtpRow) =>
  name === 'password' && row?.password ? mask : (row?.[name] ?? null)
