import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Attach, AttachableMail } from '#control-plane/alerting/mail/mail-worker.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { Services } from '#control-plane/http/services.ts'
import { monthNamed } from '#control-plane/identity/digest/month.ts'
import { monthName } from '#control-plane/publishing/monthly-reports/view.ts'
import { languageOfTag } from '#locales/languages.ts'
import { monthDocument } from './month-document.ts'
import { renderReport } from './pdf/render.ts'

/** Larger mails are refused by many servers. */
const maxBytes = 2_000_000
/** Well within the claim of a mail, so that no other process sends it meanwhile. */
const timeoutMs = 15_000
/** Most reports that are made for mails at once: a slow store must not take the places of other mails. */
const mostAtOnce = 4
const answerMs = 1_000

const Reference = z.object({ month: monthName, timezone: z.string(), team_name: z.string() })

/**
 * Attaches the report of the month to its mail. The mail has only the month's name: the file is made when the mail is
 * sent, so nothing is lost with a process. A mail whose report cannot be made at all is sent without.
 */
export function attachReport(services: Services): Attach {
  let underWay = 0
  return async mail => {
    if (mail.type !== 'monthly_report') return null
    if (underWay >= mostAtOnce || !(await answers(services))) return 'later'
    underWay++
    try {
      return await makeSoon(mail, services)
    } finally {
      underWay--
    }
  }
}

/** Whether the store of the figures answers, so that a mail does not wait for it in vain. */
const answers = ({ clickhouse }: Services): Promise<boolean> =>
  Promise.race([clickhouse.ping().then(({ success }) => success), sleep(answerMs, false, { ref: false })])

async function makeSoon(mail: AttachableMail, services: Services): ReturnType<Attach> {
  const { log } = services
  const stopping = new AbortController()
  const late = sleep(timeoutMs, 'later' as const, { signal: stopping.signal, ref: false }).catch(() => null)
  try {
    return await Promise.race([makeReport(mail, services), late])
  } catch (error) {
    if (isTransient(error) || (error instanceof Refusal && error.status === 503)) return 'later'
    log.warn({ err: error, tenant_id: mail.tenantId }, 'report attachment failure')
    return null
  } finally {
    stopping.abort()
  }
}

async function makeReport({ tenantId, data, language, branding }: AttachableMail, services: Services) {
  const { month: name, timezone, team_name } = Reference.parse(data)
  const { platform, clickhouse, clock, log } = services
  const document = await monthDocument(
    { db: platform, clickhouse },
    {
      tenant: { id: tenantId, name: team_name },
      month: monthNamed(name, timezone),
      isSending: true,
      language: languageOfTag(language),
      branding,
      now: clock.now(),
    },
  )
  const { bytes } = await renderReport(document, services)
  if (bytes.length > maxBytes) {
    log.warn({ tenant_id: tenantId, bytes: bytes.length }, 'report too large to attach')
    return null
  }
  return { filename: `report-${name}.pdf`, contentType: 'application/pdf', content: bytes }
}
