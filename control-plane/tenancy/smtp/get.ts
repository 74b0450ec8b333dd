import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { adminsOnly } from './access.ts'
import { readSmtp } from './row.ts'
import { SmtpView, viewSmtp } from './view.ts'

export const getSmtp = endpoint({
  method: 'GET',
  path: '/smtp-config',
  summary: 'Get a team’s own mail server',
  description:
    '`data` is null where none is set: mail then goes through the reseller’s server, else the ' +
    'platform’s. The password is never shown.',
  access: adminsOnly,
  returns: ok({ data: SmtpView.nullable() }),

  async handle({ em, tenant }) {
    const row = await readSmtp(em, tenant)
    return { data: row && viewSmtp(tenant, row) }
  },
})
