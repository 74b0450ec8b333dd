import type { z } from 'zod'
import { follow, textOfPage } from '#checks/http/get.ts'
import { hideSecrets } from '#checks/http/secrets.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import { authorizationOf } from '#checks/http/settings.ts'
import type { Probe } from '#checks/probe.ts'
import { RunFailure } from '#contract/check.ts'
import { type Health, readReport } from './forms.ts'
import type { applicationHealth } from './kind.ts'

type Settings = z.output<(typeof applicationHealth)['settings']>

const maxBytes = 1_048_576
const maxShown = 50
const worstFirst: readonly Health[] = ['failed', 'warning', 'ok', 'skipped']

/** Requests the health report. Secret headers are sent to the monitor's own origin only. */
export const probeApplicationHealth: Probe<typeof applicationHealth> = async (target, settings, context) => {
  const url = parseWebUrl(target.url)
  const request = settings.path === null ? url : new URL(settings.path, url.origin)
  const { verify_tls, ip_version } = settings
  const headers = { accept: 'application/json, */*;q=0.5' }
  const page = await follow(request, context, {
    maxBytes,
    maxHops: 3,
    headers,
    secretHeaders: secretsOf(settings),
    settings: { verify_tls, ip_version },
  })
  if (page.truncated)
    throw new RunFailure('too_large', 'body', 'The report is longer than a megabyte.', { phases: page.phases })
  const report = readReport(parseJson(textOfPage(page)))
  // what is ignored comes last: it must not take the place of what counts
  const rankOf = ({ name, status }: { name: string; status: Health }) =>
    worstFirst.indexOf(status) + (settings.ignored.includes(name) ? worstFirst.length : 0)
  const parts = (report?.parts ?? []).toSorted((one, other) => rankOf(one) - rankOf(other))
  const seen = {
    http_status: page.status,
    form: report?.form ?? null,
    status: report?.status ?? null,
    finished_at: report?.finishedAt?.toISOString() ?? null,
    checks: parts
      .slice(0, maxShown)
      .map(part => ({ ...part, message: part.message && hideSecrets(part.message, settings, 200) })),
    total: parts.length,
  }
  return { seen, phases: page.phases, address: page.address }
}

const secretsOf = ({ headers, auth }: Settings) => ({
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  ...(auth && { authorization: authorizationOf(auth) }),
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
