import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { languageOfTag } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { adminsOnly, refuseWithoutFeature } from './access.ts'
import { failureOf, type SmtpFailure } from './failure.ts'
import { decryptPassword } from './password.ts'
import { readSmtp, type SmtpRow } from './row.ts'
import { senderOf } from './sender.ts'
import { type MailServer, openTransport, wholeMs } from './transport.ts'

/** The field at fault and the reason. The server's own text is never shown. */
const reasons: Record<SmtpFailure, [field: keyof SmtpRow, why: string]> = {
  blocked: ['host', 'This host is not a public address.'],
  dns: ['host', 'This name has no address.'],
  connect: ['host', 'The connection failed.'],
  timeout: ['host', 'The server did not answer in time.'],
  tls: ['encryption', 'No TLS connection with a trusted certificate could be made.'],
  auth: ['password', 'The server refused the user name or password.'],
  sender: ['from_address', 'The server refused this sender.'],
  recipient: ['from_address', 'The server refused to send to your address.'],
  refused: ['from_address', 'The server refused the message.'],
  protocol: ['host', 'This is not a mail server we understand.'],
}

export const testSmtp = endpoint({
  method: 'POST',
  path: '/smtp-config/test',
  summary: 'Test a team’s own mail server',
  description:
    'Sends a mail to the caller; a caller without a mailbox tests connection and sign-in. Without a sender, which is ' +
    '`from_address` or a user name that is an address, nothing is sent by the server and its test fails. A failure ' +
    'is a 422 on the field at fault, with a `code` of `smtp_` and: blocked, dns, connect, timeout, ' +
    'tls, auth, sender, recipient, refused or protocol.',
  access: adminsOnly,
  rate: 'smtp-test',
  detached: true,
  returns: bare(z.object({ success: z.boolean() }).meta({ id: 'SmtpTest' })),

  async handle(context) {
    const { tenant, caller, services } = context
    const stored = await findStored(context)
    const { host, port, encryption, username, password } = stored
    const sender = senderOf(stored)
    if (sender === null) throw refusalOf('sender', 'Needed: the user name is not an e-mail address.')
    const server: MailServer = {
      host,
      port,
      encryption,
      username,
      password: password === null ? null : decryptPassword(services.config, tenant.id, password),
    }
    const transport = openTransport(services.guard, server, 1)
    const signal = AbortSignal.timeout(wholeMs)
    try {
      const to = caller.impersonator ? undefined : caller.user?.email
      if (to)
        await transport.sendMail({
          ...testMessage(caller.user?.language),
          from: { name: stored.from_name ?? tenant.name, address: sender },
          to: { name: '', address: to },
          signal,
        })
      else await Promise.race([transport.verify(), ended(signal)])
    } catch (error) {
      throw refusalOf(failureOf(error))
    } finally {
      transport.close({ force: true })
    }
    return { success: true }
  },
})

function refusalOf(failure: SmtpFailure, text?: string) {
  const [field, why] = reasons[failure]
  return invalid({ [field]: [text ?? why] }, `smtp_${failure}`)
}

type SmtpTestContext = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'ip' | 'requestId' | 'now'>

const findStored = ({ em, tenant, caller, ip, requestId, now }: SmtpTestContext): Promise<SmtpRow> =>
  unitOfWork(em, { tenantId: tenant.id, resellerId: null, caller, ip, requestId, now }, async (inside, sideEffects) => {
    await refuseWithoutFeature(inside, tenant)
    const stored = await readSmtp(inside, tenant)
    if (!stored) throw invalid({ host: ['No mail server is set.'] }, 'smtp_not_set')
    sideEffects.audits.push({
      whose: 'tenant',
      action: 'smtp_config.tested',
      type: 'tenant',
      id: tenant.id,
      changes: undefined,
    })
    return stored
  })

const ended = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

function testMessage(language = 'en') {
  const { heading: subject, own_server: text } = texts('mails', languageOfTag(language)).smtp_test
  return { subject, text: `${text}\n` }
}
